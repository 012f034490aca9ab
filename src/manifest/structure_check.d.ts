/** One keyword of the manifest's JSON Schema that failed; ajv's form. */
export interface StructureError {
  /** JSON pointer of the value. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Present when the failed keyword looked at this key instead of a value. */
  propertyName?: string;
}

/** Checks plain data; the errors of the last run stand in `errors`. */
export const validate: {
  (data: unknown): boolean;
  errors?: StructureError[] | null;
};
