-- When a statement was told last (null: when it was created), and the key of an item that can be replaced as a whole.
ALTER TABLE chunk ADD COLUMN told_at REAL;
ALTER TABLE chunk ADD COLUMN item_key TEXT;
ALTER TABLE relationship ADD COLUMN told_at REAL;
CREATE INDEX chunk_key ON chunk (namespace, persona, item_key) WHERE item_key IS NOT NULL;

-- Documents as they were sent; their text in pieces is in chunk, under the same persona and key.
CREATE TABLE document (
  namespace TEXT NOT NULL,
  persona TEXT NOT NULL,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  content_type TEXT NOT NULL,
  metadata TEXT,
  bytes INTEGER NOT NULL,
  etag TEXT NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  PRIMARY KEY (namespace, persona, path)
) STRICT;
