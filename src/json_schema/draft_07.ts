// ajv for draft-07. A module of its own because ajv is CommonJS: in the executable's bundle a dynamic import of it has only a
// default export, a dynamic import of this has the name.
export { Ajv } from "ajv";
