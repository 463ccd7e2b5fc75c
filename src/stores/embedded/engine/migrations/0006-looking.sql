-- The programs that called last for an account, as JSON: they are few, and read and written together.
CREATE TABLE client_log (
  account TEXT PRIMARY KEY,
  clients TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What is pinned is asked for at the start of every conversation; it is little.
CREATE INDEX chunk_pinned ON chunk (namespace, created_at, id) WHERE pinned = 1;
CREATE INDEX relationship_pinned ON relationship (namespace, created_at, id) WHERE pinned = 1;
