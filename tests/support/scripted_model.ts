export * from "../../scripts/scripted_model/scripted_model.ts";
