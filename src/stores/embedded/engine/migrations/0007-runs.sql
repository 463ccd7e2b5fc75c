-- What the last runs did, as JSON, newest first: they are few, and read and written together.
ALTER TABLE lifecycle_run ADD COLUMN runs TEXT NOT NULL DEFAULT '[]';
