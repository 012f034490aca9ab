/**
 * An error for a module hook to throw. Deno makes the message of the failed import from `String(error)`; without a
 * name that is the reason alone.
 */
export function namelessError(message: string): Error {
  const error = new Error(message);
  error.name = "";
  return error;
}
