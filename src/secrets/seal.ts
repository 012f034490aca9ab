import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A value as it is stored: AES-256-GCM, the tag behind the text. */
export interface Sealed {
  /** 12 random bytes, new for every value. */
  iv: Uint8Array;
  value: Uint8Array;
}

const TAG_BYTES = 16;

/**
 * Encrypts the value of a secret. The name is bound to it: a value moved to another name does not open.
 *
 * @param key 32 bytes.
 */
export function seal(key: Uint8Array, name: string, value: string): Sealed {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(boundTo(name));
  const text = cipher.update(new TextEncoder().encode(value));
  const parts = [text, cipher.final(), cipher.getAuthTag()];
  return { iv: new Uint8Array(iv), value: joined(parts) };
}

/**
 * Decrypts what {@link seal} gave.
 *
 * @throws {Error} when key, name, or any bit of it is another one.
 */
export function unseal(key: Uint8Array, name: string, { iv, value }: Sealed): string {
  if (value.length < TAG_BYTES) throw new Error("too short");
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(name));
  decipher.setAuthTag(value.subarray(value.length - TAG_BYTES));
  const text = decipher.update(value.subarray(0, value.length - TAG_BYTES));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(joined([text, decipher.final()]));
}

function boundTo(name: string): Uint8Array {
  return new TextEncoder().encode(`beeuni secret 1\0${name}`);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
