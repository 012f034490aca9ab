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
  // Arguments and options are JSON. `seq` keeps the order of what has the same time. A message is `open` until it is
  // complete.
  `CREATE TABLE sessions (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     agent TEXT NOT NULL,
     harness TEXT NOT NULL,
     model TEXT,
     created TEXT NOT NULL,
     updated TEXT NOT NULL,
     state TEXT NOT NULL,
     title TEXT NOT NULL,
     saved TEXT
   ) STRICT;
   CREATE TABLE messages (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
     role TEXT NOT NULL,
     created TEXT NOT NULL,
     text TEXT NOT NULL,
     error TEXT,
     open INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX messages_of_session ON messages (session, seq);
   CREATE TABLE tool_calls (
     seq INTEGER PRIMARY KEY,
     message TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
     call TEXT NOT NULL,
     tool TEXT NOT NULL,
     status TEXT NOT NULL,
     args TEXT NOT NULL,
     output TEXT,
     error TEXT,
     started TEXT NOT NULL,
     ms REAL,
     file TEXT
   ) STRICT;
   CREATE INDEX tool_calls_of_message ON tool_calls (message, seq);
   CREATE TABLE questions (
     id TEXT NOT NULL PRIMARY KEY,
     session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
     kind TEXT NOT NULL,
     call TEXT,
     tool TEXT NOT NULL,
     text TEXT NOT NULL,
     options TEXT NOT NULL,
     created TEXT NOT NULL,
     deadline TEXT NOT NULL,
     answered TEXT,
     answer TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX questions_of_session ON questions (session, created)`,
];
