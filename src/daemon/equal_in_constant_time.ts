/**
 * Whether two texts are equal, in a time that depends on their lengths alone, so that a key can't be guessed
 * digit by digit.
 *
 * @param given What a client sent.
 * @param key The true one; its length is no secret.
 */
export function equalInConstantTime(given: string, key: string): boolean {
  let difference = given.length ^ key.length;
  for (let index = 0; index < key.length; index++) {
    // NaN (beyond the end of `given`) counts as 0 in `^`.
    difference |= given.charCodeAt(index) ^ key.charCodeAt(index);
  }
  return difference === 0;
}
