// The program in the executable: main.ts, after the user's environment was put back.
import "./restore.ts";
import "../../main.ts";
