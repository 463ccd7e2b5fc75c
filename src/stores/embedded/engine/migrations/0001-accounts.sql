CREATE TABLE accounts (
  name TEXT PRIMARY KEY,
  namespace TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL,
  monthly_ops INTEGER,
  created_at REAL NOT NULL
) STRICT;
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (name),
  hash TEXT NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  family TEXT NOT NULL,
  created_at REAL NOT NULL,
  expires_at REAL
) STRICT;

CREATE TABLE usage (
  account TEXT NOT NULL,
  month TEXT NOT NULL,
  used INTEGER NOT NULL CHECK (used >= 0),
  PRIMARY KEY (account, month)
) STRICT, WITHOUT ROWID;
CREATE TABLE reservations (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  month TEXT NOT NULL,
  ops INTEGER NOT NULL CHECK (ops >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  started_at REAL NOT NULL,
  status INTEGER,
  body TEXT,
  PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_start ON idempotency (started_at);
