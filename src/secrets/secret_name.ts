import { SECRET_NAME } from "../manifest/patterns.ts";

/** Variables that decide what other programs run or load (specification 4.5). */
const REFUSED = /^(?:BEEUNI_.*|PATH|HOME|SHELL|IFS|ENV|BASH_ENV|LD_.*|DYLD_.*|NODE_OPTIONS|DENO_.*)$/;

const FORM = new RegExp(SECRET_NAME);

/** Whether `name` has the form of a secret's name; it may be refused all the same. */
export function isSecretName(name: string): boolean {
  return FORM.test(name);
}

/** Whether a name of the right form may not be a secret's, because it would change more than one tool. */
export function isRefusedName(name: string): boolean {
  return REFUSED.test(name);
}
