import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { findManifest } from "./find_manifest.ts";
import { TempProject } from "./testing/temp_project.ts";

Deno.test("findManifest looks in the working directory and then in its parents, as Git does", () => {
  using project = new TempProject({ "beeuni.yaml": "", "a/b/x": "", "sub/beeuni.yaml": "", "sub/c/x": "" });
  assert.equal(findManifest({ cwd: project.root }), project.root);
  assert.equal(findManifest({ cwd: project.path("a/b") }), project.root);
  assert.equal(findManifest({ cwd: project.path("sub/c") }), project.path("sub"));
  // a folder of that name is no manifest
  Deno.mkdirSync(project.path("a/beeuni.yaml"));
  assert.equal(findManifest({ cwd: project.path("a/b") }), project.root);
});

Deno.test("findManifest looks only in --project when given", () => {
  using project = new TempProject({ "beeuni.yaml": "", "a/x": "" });
  assert.equal(findManifest({ cwd: project.path("a"), project: ".." }), project.root);
  assert.equal(findManifest({ cwd: "/", project: project.root }), project.root);
  for (const missing of ["a", "nowhere"]) {
    assert.throws(() => findManifest({ cwd: project.root, project: missing }), (error) => {
      assert.ok(error instanceof BeeuniError);
      assert.equal(error.code, "no_manifest");
      assert.equal(error.exitCode, 2);
      assert.equal(
        error.message,
        `beeuni.yaml not found in ${project.path(missing)} or any parent directory.`,
      );
      assert.equal(error.hint, "Create one with `beeuni init`.");
      return true;
    });
  }
});

Deno.test("findManifest names the folder it started in", () => {
  using project = new TempProject({ "a/x": "" });
  assert.throws(() => findManifest({ cwd: project.path("a") }), {
    message: `beeuni.yaml not found in ${project.path("a")} or any parent directory.`,
  });
});
