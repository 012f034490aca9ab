// The program in the executable: main.ts, after the user's environment was put back and the engine is there.
import "./prepare.ts";
import "../../main.ts";
