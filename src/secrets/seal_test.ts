import assert from "node:assert/strict";
import fc from "fast-check";
import { seal, unseal } from "./seal.ts";

const key = crypto.getRandomValues(new Uint8Array(32));

Deno.test("seal: every text comes back as it was", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (value) => {
    const text = value.toWellFormed();
    assert.equal(unseal(key, "A", seal(key, "A", text)), text);
  }));
  assert.equal(unseal(key, "A", seal(key, "A", "")), "");
  assert.equal(unseal(key, "A", seal(key, "A", "\uFEFFx\0\r\n")), "\uFEFFx\0\r\n");
});

Deno.test("seal: the same value is never stored the same way twice", () => {
  const [one, two] = [seal(key, "A", "value"), seal(key, "A", "value")];
  assert.equal(one.iv.length, 12);
  assert.notDeepEqual(one.iv, two.iv);
  assert.notDeepEqual(one.value, two.value);
});

Deno.test("unseal: another key, another name, any changed bit, or a part of it does not open", () => {
  const sealed = seal(key, "A", "the value");
  assert.throws(() => unseal(crypto.getRandomValues(new Uint8Array(32)), "A", sealed));
  assert.throws(() => unseal(key, "B", sealed));
  for (const part of ["iv", "value"] as const) {
    for (let bit = 0; bit < sealed[part].length * 8; bit++) {
      const changed = sealed[part].slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      assert.throws(() => unseal(key, "A", { ...sealed, [part]: changed }), `${part} ${bit}`);
    }
    for (let length = 0; length < sealed[part].length; length++) {
      assert.throws(() => unseal(key, "A", { ...sealed, [part]: sealed[part].slice(0, length) }));
    }
  }
});
