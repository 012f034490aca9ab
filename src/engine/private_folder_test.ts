import assert from "node:assert/strict";
import { isPrivateFolder } from "./private_folder.ts";

const ROOT = { uid: 0, gid: 0, mode: 0o755 };
const HOME = { uid: 1000, gid: 1000, mode: 0o755 };
const OURS = { uid: 1000, gid: 1000, mode: 0o700 };
const TMP = { uid: 0, gid: 0, mode: 0o1777 };

const TABLE: [name: string, chain: { uid: number; gid: number; mode: number }[], expected: boolean][] = [
  ["a cache below the home folder", [ROOT, HOME, OURS, OURS], true],
  ["a sticky temp folder", [ROOT, TMP, OURS, OURS], true],
  ["a world-writable folder without the sticky bit", [ROOT, { ...TMP, mode: 0o777 }, OURS, OURS], false],
  ["a parent that belongs to somebody else", [ROOT, { ...HOME, uid: 1001 }, OURS, OURS], false],
  ["a sticky parent that belongs to somebody else", [ROOT, { ...TMP, uid: 1001 }, OURS, OURS], false],
  ["a parent that the private group may write", [ROOT, { ...HOME, mode: 0o775 }, OURS, OURS], true],
  ["a parent that another group may write", [ROOT, { ...HOME, mode: 0o775, gid: 100 }, OURS, OURS], false],
  ["a parent of root that a group may write", [{ ...ROOT, mode: 0o775, gid: 1000 }, HOME, OURS, OURS], false],
  ["our folder belongs to somebody else", [ROOT, TMP, OURS, { ...OURS, uid: 1001 }], false],
  ["our folder belongs to root, we don't", [ROOT, TMP, OURS, { ...OURS, uid: 0 }], false],
  ["others may write our folder", [ROOT, HOME, OURS, { ...OURS, mode: 0o702 }], false],
  ["the group may write our folder", [ROOT, HOME, OURS, { ...OURS, mode: 0o720 }], false],
  ["others may only look into our folder", [ROOT, HOME, OURS, { ...OURS, mode: 0o755 }], false],
  ["the folder above ours, made by us, is open", [ROOT, HOME, { ...OURS, mode: 0o777 }, OURS], false],
];

for (const [name, chain, expected] of TABLE) {
  Deno.test(`isPrivateFolder: ${name}`, () => {
    assert.equal(isPrivateFolder(chain, 2, 1000), expected);
  });
}

Deno.test("isPrivateFolder: root trusts no folder of another user", () => {
  const ours = { uid: 0, gid: 0, mode: 0o700 };
  assert.equal(isPrivateFolder([ROOT, HOME, ours, ours], 2, 0), false);
  assert.equal(isPrivateFolder([ROOT, ours, ours], 2, 0), true);
});
