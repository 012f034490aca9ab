// deno-lint-ignore-file no-console -- printing is all it does
console.log("hello");
