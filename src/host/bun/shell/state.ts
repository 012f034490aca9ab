/** What commands of a script change for the ones after them. */
export interface ShellState {
  /** Absolute working directory. */
  cwd: string;
  /** The directory before the last `cd`. */
  previous: string;
  /** Variables that programs see. */
  env: Record<string, string | undefined>;
  /** Variables of the script alone. */
  variables: Map<string, string>;
  /** Home folder, for `cd` and `~`. */
  home: string;
}

/** A copy for `( )`, `$( )` and the members of a pipeline, which change nothing outside. */
export function copyState(state: ShellState): ShellState {
  return { ...state, env: { ...state.env }, variables: new Map(state.variables) };
}

/** `exit` was called. */
export class ExitScript extends Error {
  constructor(readonly status: number) {
    super();
  }
}

/** A path of a script as an absolute one. */
export function absolutePath(path: string, { cwd }: ShellState): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}
