-- What makes a text out of date, who closed a fact, and what is pinned. A chunk carries its surest link, so that a search
-- reads no second table; triggers keep it in line.
ALTER TABLE chunk ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chunk ADD COLUMN replaced_by TEXT;
ALTER TABLE chunk ADD COLUMN replaced_kind TEXT;
ALTER TABLE chunk ADD COLUMN replaced_probability REAL;
ALTER TABLE chunk ADD COLUMN replaced_at REAL;
ALTER TABLE relationship ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE relationship ADD COLUMN closer TEXT;
UPDATE relationship SET closer = closed_by WHERE closed_by IS NOT NULL;
CREATE INDEX relationship_closer ON relationship (namespace, closer) WHERE closer IS NOT NULL;

CREATE TABLE link (
  namespace TEXT NOT NULL,
  older TEXT NOT NULL,
  newer TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('replaces', 'ends')),
  probability REAL NOT NULL,
  created_at REAL NOT NULL,
  PRIMARY KEY (namespace, older, newer)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_newer ON link (namespace, newer);
CREATE TRIGGER link_made AFTER INSERT ON link BEGIN
  UPDATE chunk SET (replaced_by, replaced_kind, replaced_probability, replaced_at) = (
    SELECT newer, kind, probability, created_at FROM link
    WHERE namespace = new.namespace AND older = new.older ORDER BY probability DESC, created_at DESC, newer LIMIT 1
  ) WHERE namespace = new.namespace AND id = new.older;
END;
CREATE TRIGGER link_removed AFTER DELETE ON link BEGIN
  UPDATE chunk SET (replaced_by, replaced_kind, replaced_probability, replaced_at) = (
    SELECT newer, kind, probability, created_at FROM link
    WHERE namespace = old.namespace AND older = old.older ORDER BY probability DESC, created_at DESC, newer LIMIT 1
  ) WHERE namespace = old.namespace AND id = old.older;
END;
CREATE TRIGGER chunk_removed_links AFTER DELETE ON chunk BEGIN
  DELETE FROM link WHERE namespace = old.namespace AND older = old.id;
END;

CREATE TRIGGER memory_text_reopened AFTER UPDATE OF live ON memory_text WHEN old.live = 0 AND new.live = 1 BEGIN
  INSERT INTO memory_change (namespace, kind, seq, replaced) VALUES (old.namespace, old.kind, old.seq, 1);
END;
CREATE TRIGGER relationship_reopened AFTER UPDATE OF closed_at ON relationship
WHEN old.closed_at IS NOT NULL AND new.closed_at IS NULL BEGIN
  UPDATE mention SET closed = 0 WHERE namespace = old.namespace AND relationship_id = old.id;
  UPDATE memory_text SET live = 1 WHERE namespace = old.namespace AND seq = old.seq;
END;
