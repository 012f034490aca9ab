/** A TypeError with the code Node and Bun give a wrong argument. */
export function argumentError(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: "ERR_INVALID_ARG_TYPE" });
}
