-- A sum of what was asked and of how it was answered, so that a damaged row is
-- nobody's answer. '' is a row of before this column.
ALTER TABLE requests ADD COLUMN sum TEXT NOT NULL DEFAULT '';
