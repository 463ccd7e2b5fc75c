-- What a correction undid, as JSON: it is put back when the correction goes, and is read at no other time.
ALTER TABLE chunk ADD COLUMN set_aside TEXT;
