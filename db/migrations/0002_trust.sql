-- Projects' files that a person trusts. The sum is of the path and the bytes:
-- other bytes, or the same ones elsewhere, are not trusted. The bytes are kept to
-- show what changed since. The directory says which one it was.
CREATE TABLE trusts (
    path      TEXT    NOT NULL PRIMARY KEY,
    sum       TEXT    NOT NULL,
    bytes     BLOB    NOT NULL,
    directory TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    who       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- Which directory the project was when the approval was stored: another one at
-- the same path does not inherit it. '' is one that was not there, and those of
-- before this column: a person can revive them.
ALTER TABLE approvals ADD COLUMN directory TEXT NOT NULL DEFAULT '';
