import { BeeuniError } from "../errors/error.ts";
import { isRefusedName, isSecretName } from "./secret_name.ts";

/** One `NAME=VALUE` of a command line. */
export interface SecretEntry {
  name: string;
  /** `undefined` = from stdin. */
  value: string | undefined;
}

/**
 * The arguments of `beeuni secrets set` (specification 4.5).
 *
 * A message never repeats what may be a value: somebody may have forgotten the name in front of it.
 *
 * @throws {BeeuniError} `usage`.
 */
export function secretEntries(args: readonly string[]): SecretEntry[] {
  const entries = args.map(entry);
  const seen = new Set<string>();
  for (const { name } of entries) {
    if (seen.has(name)) throw new BeeuniError("usage", `${name} is given twice.`, { hint: "Give it once." });
    seen.add(name);
  }
  const fromStdin = entries.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (fromStdin.length > 1) {
    throw new BeeuniError(
      "usage",
      `only one value can come from stdin, not those of ${fromStdin.join(", ")}.`,
      {
        hint: "Run the command once for each of them.",
      },
    );
  }
  return entries;
}

function entry(argument: string, index: number): SecretEntry {
  const at = argument.indexOf("=");
  if (at < 0) {
    if (isSecretName(argument)) {
      throw new BeeuniError("usage", `argument ${index + 1} has no value.`, {
        hint: "Write NAME=VALUE, or NAME=- to give the value on stdin.",
      });
    }
    throw new BeeuniError("usage", `argument ${index + 1} is not NAME=VALUE.`, {
      hint: "Write NAME=VALUE, or NAME=- to give the value on stdin.",
    });
  }
  const [name, value] = [argument.slice(0, at), argument.slice(at + 1)];
  if (!isSecretName(name)) throw badName(name, value, index);
  if (isRefusedName(name)) {
    throw new BeeuniError("usage", `${name} can't be a secret: it changes how programs run.`, {
      hint: "Choose another name, and read that in the tool.",
    });
  }
  return { name, value: value === "-" ? undefined : value };
}

function badName(name: string, value: string, index: number): BeeuniError {
  // Base64 ends with `=`, so what stands before it may be a value too.
  const isShown = /^[A-Za-z_][\w-]{0,63}$/.test(name) && !/^=*$/.test(value);
  const proposal = name.toUpperCase().replaceAll("-", "_");
  const what = isShown
    ? `${name} is not a name for a secret`
    : `argument ${index + 1} has no name for a secret`;
  return new BeeuniError("usage", `${what} (^[A-Z_][A-Z0-9_]{0,63}$).`, {
    hint: isShown && isSecretName(proposal)
      ? `Write ${proposal}=…`
      : "Write NAME=VALUE, with a name such as WEATHER_API_KEY.",
  });
}
