const NULL = /^(?:~|null|Null|NULL)?$/;
const TRUE = /^(?:true|True|TRUE)$/;
const FALSE = /^(?:false|False|FALSE)$/;
const INTEGER = /^[-+]?[0-9]+$|^0o[0-7]+$|^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

/**
 * The value of a plain scalar by the core schema of YAML 1.2.2, section 10.3.2.
 *
 * `no`, `on` and `yes` are text there, and so is `1_000`.
 */
export function coreValue(text: string): string | number | boolean | null {
  if (NULL.test(text)) return null;
  if (TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  if (INFINITE.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (NOT_A_NUMBER.test(text)) return NaN;
  return text;
}
