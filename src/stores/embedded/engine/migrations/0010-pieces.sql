-- Of a text that was told in a session in several pieces, the row of the first one (null: it is that, or the only one):
-- the neighbours of a piece are other texts.
ALTER TABLE memory_text ADD COLUMN first_seq INTEGER;
UPDATE memory_text SET first_seq = piece.first_seq FROM (
  SELECT c.seq, i.first_seq FROM (
    SELECT namespace, item_id, min(seq) AS first_seq FROM chunk WHERE session_id IS NOT NULL
    GROUP BY namespace, item_id HAVING count(*) > 1
  ) i JOIN chunk c ON c.namespace = i.namespace AND c.item_id = i.item_id AND c.seq > i.first_seq
) piece WHERE memory_text.seq = piece.seq;
CREATE TRIGGER chunk_continues AFTER INSERT ON chunk WHEN new.session_id IS NOT NULL BEGIN
  UPDATE memory_text SET first_seq = i.first_seq FROM (
    SELECT seq AS first_seq FROM chunk WHERE namespace = new.namespace AND item_id = new.item_id
    ORDER BY seq LIMIT 1
  ) i WHERE memory_text.seq = new.seq AND new.seq > i.first_seq;
END;
