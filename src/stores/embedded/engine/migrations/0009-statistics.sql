-- How many rows SQLite is to expect for a key, the same in every store: without this it takes a namespace for ten rows, and
-- walks the whole of it where a few ids are given. Nothing runs ANALYZE, which would measure them anew.
ANALYZE sqlite_schema;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('memory_text', 'memory_text_id', '1000000 100000 40000 1'),
  ('memory_text', 'memory_text_live', '1000000 100000 40000 1'),
  ('memory_vector', NULL, '1000000'),
  ('memory_change', 'memory_change_namespace', '100000 10000 4000 1'),
  ('chunk', 'chunk_id', '1000000 100000 1'),
  ('chunk', 'chunk_hash', '1000000 100000 20000 1'),
  ('chunk', 'chunk_item', '1000000 100000 2'),
  ('chunk', 'chunk_created', '1000000 100000 20 1'),
  ('chunk', 'chunk_key', '10000 1000 500 2'),
  ('chunk', 'chunk_pinned', '1000 100 2 1'),
  ('chunk_tokens', NULL, '1000000'),
  ('entity', 'entity_id', '1000000 100000 1'),
  ('entity', 'entity_key', '1000000 100000 1'),
  ('entity_name', 'entity_name', '1000000 100000 2 1'),
  ('entity_name', 'entity_name_entity', '1000000 100000 2'),
  ('relationship', 'relationship_id', '1000000 100000 1'),
  ('relationship', 'relationship_rows', '1000000 100000 1'),
  ('relationship', 'relationship_subject', '1000000 100000 20 10 2 1'),
  ('relationship', 'relationship_object', '1000000 100000 4 3 2 1'),
  ('relationship', 'relationship_slot', '1000000 100000 20000 20 2'),
  ('relationship', 'relationship_chunk', '1000000 100000 3'),
  ('relationship', 'relationship_created', '1000000 100000 20 1'),
  ('relationship', 'relationship_closed_by', '100000 10000 2'),
  ('relationship', 'relationship_closer', '100000 10000 2'),
  ('relationship', 'relationship_pinned', '1000 100 2 1'),
  ('mention', 'mention', '1000000 100000 2 1'),
  ('mention', 'mention_chunk', '1000000 100000 3'),
  ('link', 'link', '100000 10000 2 1'),
  ('link', 'link_newer', '100000 10000 2');
ANALYZE sqlite_schema;
