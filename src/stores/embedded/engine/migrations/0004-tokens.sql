-- The token vectors of chunks, read for the candidates of a search alone. A chunk of an older store has none.
CREATE TABLE chunk_tokens (
  seq INTEGER PRIMARY KEY,
  codes BLOB NOT NULL
) STRICT;
CREATE TRIGGER chunk_removed_tokens AFTER DELETE ON chunk BEGIN
  DELETE FROM chunk_tokens WHERE seq = old.seq;
END;
