import { join } from "node:path";

const PREFIX = "beeuni-run-";

/** Names the world in which the process number in the folder's name means something. */
const OWNER = "owner";

/** What is left of a daemon of another such world is removed when it is this old, in milliseconds. */
const STALE_MS = 24 * 60 * 60 * 1000;

/**
 * The private folder of one host: sockets and the agents' temporary folders. Mode 0700; removed with the host.
 */
export class RuntimeFolder implements Disposable {
  readonly path: string;
  #count = 0;

  /** @param tmp Folder to make it in. */
  constructor(tmp: string) {
    this.path = Deno.makeTempDirSync({ dir: tmp, prefix: `${PREFIX}${Deno.pid}-` });
    try {
      Deno.writeTextFileSync(join(this.path, OWNER), processWorld());
    } catch {
      // A full disk: then its age will tell.
    }
  }

  /** A new empty folder in it, mode 0700. */
  folder(kind: "s" | "t"): string {
    const path = join(this.path, `${kind}${this.#count++}`);
    Deno.mkdirSync(path, { mode: 0o700 });
    return path;
  }

  [Symbol.dispose](): void {
    removeFolder(this.path);
  }
}

/**
 * Removes the folders of hosts that died without doing so; those of living ones and of other users stay.
 *
 * The same process number may belong to a daemon of another container that shares the folder: then only its age tells.
 */
export function removeStaleRuntimeFolders(tmp: string): void {
  for (const entry of Deno.readDirSync(tmp)) {
    const pid = entry.isDirectory ? /^beeuni-run-(\d+)-/.exec(entry.name)?.[1] : undefined;
    if (pid === undefined) continue;
    const path = join(tmp, entry.name);
    try {
      const info = Deno.lstatSync(path);
      const old = Date.now() - (info.mtime?.getTime() ?? Date.now()) > STALE_MS;
      const ours = info.uid === Deno.uid() && !isAlive(Number(pid));
      if (ours && (old || isOfThisWorld(path))) removeFolder(path);
    } catch {
      // It went away meanwhile.
    }
  }
}

function isOfThisWorld(path: string): boolean {
  try {
    const world = processWorld();
    return world !== "" && Deno.readTextFileSync(join(path, OWNER)) === world;
  } catch {
    return false;
  }
}

/** This start of this machine and this process namespace; empty, and so equal to nothing, where that can't be told. */
function processWorld(): string {
  try {
    const boot = Deno.readTextFileSync("/proc/sys/kernel/random/boot_id").trim();
    return `${boot} ${Deno.readLinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 is none: it only asks.
    Deno.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function removeFolder(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // Nothing depends on it; the next host's sweep tries again.
  }
}
