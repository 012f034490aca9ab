/**
 * The schema of the state database, as the steps that lead to it: step N makes version N + 1 of version N.
 *
 * A step that was released is never changed; a new one is added at the end. Each runs in a transaction of its own.
 */
export const MIGRATIONS: readonly string[] = [
  // `key_id` tells which key encrypted the value: a wrong key and a damaged value are two different errors.
  `CREATE TABLE secrets (
     name TEXT NOT NULL PRIMARY KEY,
     key_id BLOB NOT NULL,
     iv BLOB NOT NULL,
     value BLOB NOT NULL,
     updated TEXT NOT NULL
   ) STRICT, WITHOUT ROWID`,
];
