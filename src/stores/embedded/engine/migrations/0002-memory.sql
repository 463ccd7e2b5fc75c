-- memory_text holds what is searched (terms and the rounded vector) apart from what changes often, so that decay
-- rewrites small rows, and apart from the exact vectors, so that an index loads a quarter as much. Everything that
-- follows from a removal is a trigger: it cannot be forgotten. An item of which something was removed loses its
-- text_hash: its text may be told again.
CREATE TABLE memory_text (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('chunk', 'fact', 'entity')),
  id TEXT NOT NULL,
  persona TEXT NOT NULL,
  thread TEXT,
  live INTEGER NOT NULL DEFAULT 1,
  terms TEXT NOT NULL,
  rounded BLOB NOT NULL
) STRICT;
CREATE TABLE memory_vector (
  seq INTEGER PRIMARY KEY,
  vector BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX memory_text_id ON memory_text (namespace, kind, id);
CREATE INDEX memory_text_live ON memory_text (namespace, kind, seq) WHERE live = 1;

CREATE TABLE memory_change (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  kind TEXT NOT NULL,
  seq INTEGER NOT NULL,
  replaced INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_change_namespace ON memory_change (namespace, kind, change);
CREATE TRIGGER memory_text_removed AFTER DELETE ON memory_text BEGIN
  DELETE FROM memory_vector WHERE seq = old.seq;
  INSERT INTO memory_change (namespace, kind, seq, replaced) VALUES (old.namespace, old.kind, old.seq, 0);
END;
CREATE TRIGGER memory_text_closed AFTER UPDATE OF live ON memory_text WHEN old.live = 1 AND new.live = 0 BEGIN
  INSERT INTO memory_change (namespace, kind, seq, replaced) VALUES (old.namespace, old.kind, old.seq, 0);
END;
CREATE TRIGGER memory_text_replaced AFTER UPDATE OF rounded ON memory_text BEGIN
  INSERT INTO memory_change (namespace, kind, seq, replaced) VALUES (old.namespace, old.kind, old.seq, 1);
END;

CREATE TABLE chunk (
  seq INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  item_id TEXT NOT NULL,
  persona TEXT NOT NULL,
  session_id TEXT,
  source TEXT NOT NULL,
  speaker TEXT,
  text TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  metadata TEXT,
  base REAL NOT NULL,
  created_at REAL NOT NULL,
  last_access_at REAL NOT NULL,
  access_count INTEGER NOT NULL,
  fact_count INTEGER NOT NULL DEFAULT 0,
  closed_fact_count INTEGER NOT NULL DEFAULT 0,
  text_hash TEXT
) STRICT;
CREATE UNIQUE INDEX chunk_id ON chunk (namespace, id);
CREATE INDEX chunk_hash ON chunk (namespace, persona, text_hash);
CREATE INDEX chunk_item ON chunk (namespace, item_id);
CREATE INDEX chunk_created ON chunk (namespace, created_at, id);

CREATE TABLE entity (
  seq INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  aliases TEXT NOT NULL,
  created_at REAL NOT NULL
) STRICT;
CREATE UNIQUE INDEX entity_id ON entity (namespace, id);
CREATE UNIQUE INDEX entity_key ON entity (namespace, key);
CREATE TABLE entity_name (
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  PRIMARY KEY (namespace, name, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_name_entity ON entity_name (namespace, entity_id);

CREATE TABLE relationship (
  seq INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  item_id TEXT NOT NULL,
  chunk_id TEXT NOT NULL,
  persona TEXT NOT NULL,
  session_id TEXT,
  source TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  relation TEXT NOT NULL,
  object_id TEXT NOT NULL,
  slot TEXT NOT NULL,
  negated INTEGER NOT NULL,
  fact TEXT NOT NULL,
  evidence TEXT NOT NULL,
  extraction REAL NOT NULL,
  when_text TEXT,
  metadata TEXT,
  base REAL NOT NULL,
  confidence REAL NOT NULL,
  created_at REAL NOT NULL,
  last_access_at REAL NOT NULL,
  access_count INTEGER NOT NULL,
  closed_at REAL,
  closed_by TEXT
) STRICT;
CREATE UNIQUE INDEX relationship_id ON relationship (namespace, id);
CREATE INDEX relationship_rows ON relationship (namespace, seq);
CREATE INDEX relationship_subject ON relationship (namespace, subject_id, closed_at, confidence DESC, id);
CREATE INDEX relationship_object ON relationship (namespace, object_id, closed_at, confidence DESC, id);
CREATE INDEX relationship_slot ON relationship (namespace, persona, subject_id, slot);
CREATE INDEX relationship_chunk ON relationship (namespace, chunk_id);
CREATE INDEX relationship_created ON relationship (namespace, created_at, id);

CREATE TABLE mention (
  namespace TEXT NOT NULL,
  relationship_id TEXT NOT NULL,
  chunk_id TEXT NOT NULL,
  closed INTEGER NOT NULL,
  PRIMARY KEY (namespace, relationship_id, chunk_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_chunk ON mention (namespace, chunk_id);
CREATE TRIGGER mention_made AFTER INSERT ON mention BEGIN
  UPDATE chunk SET fact_count = fact_count + 1, closed_fact_count = closed_fact_count + new.closed
  WHERE namespace = new.namespace AND id = new.chunk_id;
END;
CREATE TRIGGER mention_closed AFTER UPDATE OF closed ON mention BEGIN
  UPDATE chunk SET closed_fact_count = closed_fact_count + new.closed - old.closed
  WHERE namespace = new.namespace AND id = new.chunk_id;
END;
CREATE TRIGGER mention_removed AFTER DELETE ON mention BEGIN
  UPDATE chunk SET fact_count = fact_count - 1, closed_fact_count = closed_fact_count - old.closed
  WHERE namespace = old.namespace AND id = old.chunk_id;
  UPDATE chunk SET text_hash = NULL WHERE namespace = old.namespace AND item_id = (
    SELECT item_id FROM chunk WHERE namespace = old.namespace AND id = old.chunk_id
  );
END;

CREATE TRIGGER chunk_removed AFTER DELETE ON chunk BEGIN
  DELETE FROM mention WHERE namespace = old.namespace AND chunk_id = old.id;
  DELETE FROM memory_text WHERE namespace = old.namespace AND seq = old.seq;
  UPDATE chunk SET text_hash = NULL WHERE namespace = old.namespace AND item_id = old.item_id;
END;
CREATE TRIGGER entity_removed AFTER DELETE ON entity BEGIN
  DELETE FROM entity_name WHERE namespace = old.namespace AND entity_id = old.id;
  DELETE FROM memory_text WHERE namespace = old.namespace AND seq = old.seq;
END;
CREATE TRIGGER relationship_closed AFTER UPDATE OF closed_at ON relationship
WHEN old.closed_at IS NULL AND new.closed_at IS NOT NULL BEGIN
  UPDATE mention SET closed = 1 WHERE namespace = old.namespace AND relationship_id = old.id;
  UPDATE memory_text SET live = 0 WHERE namespace = old.namespace AND seq = old.seq;
END;
CREATE TRIGGER relationship_removed AFTER DELETE ON relationship BEGIN
  DELETE FROM mention WHERE namespace = old.namespace AND relationship_id = old.id;
  DELETE FROM memory_text WHERE namespace = old.namespace AND seq = old.seq;
  UPDATE relationship SET closed_by = NULL WHERE namespace = old.namespace AND closed_by = old.id;
END;
CREATE INDEX relationship_closed_by ON relationship (namespace, closed_by) WHERE closed_by IS NOT NULL;

CREATE TABLE session (
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  topic BLOB NOT NULL,
  seen_at REAL NOT NULL,
  PRIMARY KEY (namespace, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE session_fact (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  session_id TEXT NOT NULL,
  id TEXT NOT NULL,
  fact TEXT NOT NULL,
  persona TEXT NOT NULL,
  source TEXT NOT NULL,
  confidence REAL NOT NULL,
  created_at REAL NOT NULL,
  metadata TEXT,
  vector BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX session_fact_id ON session_fact (namespace, session_id, id);
CREATE INDEX session_fact_drop ON session_fact (namespace, id);
CREATE TRIGGER session_removed AFTER DELETE ON session BEGIN
  DELETE FROM session_fact WHERE namespace = old.namespace AND session_id = old.id;
END;

CREATE TABLE lifecycle_run (
  namespace TEXT NOT NULL,
  persona TEXT NOT NULL,
  ran_at REAL NOT NULL,
  PRIMARY KEY (namespace, persona)
) STRICT, WITHOUT ROWID;
CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  fence INTEGER NOT NULL,
  expires_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE embedding_identity (
  single INTEGER PRIMARY KEY CHECK (single = 1),
  model TEXT NOT NULL,
  weights TEXT NOT NULL,
  scale TEXT NOT NULL,
  dimensions INTEGER NOT NULL
) STRICT;
