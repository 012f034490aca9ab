import { opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { locatePath } from "./locate_path.ts";
import { openFile } from "./open_file.ts";
import { skillParts } from "./skill_header.ts";

/** A skill of the project. */
export interface Skill {
  name: string;
  /** `""` without one. */
  description: string;
  /** What `SKILL.md` says behind its header. */
  body: string;
  /** Absolute path of its folder. */
  folder: string;
}

/** Where skills are, below the root; of two with one name the first counts (specification 4.2). */
const FOLDERS = ["skills", "harnesses/opencode/skills"];

/** Longest `SKILL.md`, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Most folders that are looked into, in each of {@link FOLDERS}. */
const MAX_SKILLS = 500;

/**
 * The skills of a project, by name: `skills/<name>/SKILL.md` and the same below `harnesses/opencode/`. One that can't be
 * read is left out: a file that is too long, is no text, or lies outside the project.
 *
 * @param root Absolute path of the checkout.
 */
export async function findSkills(root: string): Promise<Map<string, Skill>> {
  const skills = new Map<string, Skill>();
  for (const place of FOLDERS) {
    for (const name of await folderNames(join(root, place))) {
      const skill = await readSkill(root, join(place, name, "SKILL.md"), name).catch(() => undefined);
      if (skill !== undefined && !skills.has(skill.name)) skills.set(skill.name, skill);
    }
  }
  return skills;
}

async function readSkill(root: string, path: string, folderName: string): Promise<Skill | undefined> {
  const located = await locatePath(path, { root, directory: root });
  const open = await openFile(located);
  if (open === undefined) return undefined;
  let text: string;
  try {
    if (!open.info.isFile() || open.info.size > MAX_FILE_BYTES) return undefined;
    text = new TextDecoder("utf-8", { fatal: true }).decode(await open.file.readFile());
  } finally {
    await open.file.close();
  }
  const { name, description = "", body } = skillParts(text);
  return { name: name || folderName, description, body, folder: dirname(located.shown) };
}

/** Names in a folder, sorted; none when it is not there. What they are of is told by what can be read below them. */
async function folderNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile()) continue;
      if (names.push(entry.name) === MAX_SKILLS) break;
    }
  } catch {
    // There is no such folder, or it may not be looked into.
  }
  return names.sort();
}
