/** The system's code of an error, `""` when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** A system's error code as a part of a sentence. */
export function reason(code: string): string {
  return REASONS[code] ?? (code === "" ? "the system refuses it" : `the system answers ${code}`);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ELOOP: "links go round in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EMFILE: "too many files are open",
  ETXTBSY: "it is a program that runs",
};
