-- The first schema. Times are Unix milliseconds. Ids are never used twice, for
-- people and logs name rows by them.

PRAGMA application_id = 1835104617; -- "mayi"

-- A question that waits for an answer, or did. A row leaves the state pending
-- once and never changes again.
CREATE TABLE requests (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    state      TEXT    NOT NULL CHECK (state IN ('pending', 'once', 'always', 'rejected', 'withdrawn', 'expired')),
    project    TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    cwd        TEXT    NOT NULL,
    permission TEXT    NOT NULL CHECK (permission <> ''),
    line       TEXT    NOT NULL,
    program    TEXT    NOT NULL,
    bell       TEXT    NOT NULL, -- a socket's name among the bells, '' for none
    pid        INTEGER NOT NULL, -- the asker; 0 when unknown
    start      TEXT    NOT NULL,
    boot       TEXT    NOT NULL,
    space      TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    settled    INTEGER CHECK ((settled IS NULL) = (state = 'pending')),
    who        TEXT    NOT NULL DEFAULT '',
    feedback   TEXT    NOT NULL DEFAULT '' CHECK (feedback = '' OR state = 'rejected')
) STRICT;

-- Only pending rows are ever looked for, and they are few.
CREATE INDEX requests_pending ON requests (state, session) WHERE state = 'pending';

CREATE TRIGGER requests_settle_once BEFORE UPDATE ON requests WHEN OLD.state <> 'pending'
BEGIN
    SELECT RAISE(ABORT, 'a settled request never changes');
END;

-- What a request consists of, in order. The reason holds everything as JSON;
-- permission and text are there for people who read the table.
CREATE TABLE parts (
    request_id INTEGER NOT NULL REFERENCES requests (id),
    n          INTEGER NOT NULL,
    permission TEXT    NOT NULL,
    text       TEXT    NOT NULL,
    reason     TEXT    NOT NULL CHECK (json_valid(reason)),
    PRIMARY KEY (request_id, n)
) STRICT, WITHOUT ROWID;

-- There is no column for an action: an approval can only allow.
CREATE TABLE approvals (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      TEXT    NOT NULL CHECK (scope IN ('project', 'session', 'global')),
    key        TEXT    NOT NULL CHECK ((key = '') = (scope = 'global')),
    permission TEXT    NOT NULL CHECK (permission <> ''),
    pattern    TEXT    NOT NULL CHECK (pattern <> ''),
    head       TEXT    NOT NULL, -- the pattern's first word where it is literal, else ''
    at         INTEGER NOT NULL,
    request_id INTEGER REFERENCES requests (id),
    sum        TEXT    NOT NULL, -- of what it allows, so that a damaged row allows nothing
    UNIQUE (scope, key, permission, pattern)
) STRICT;

CREATE INDEX approvals_lookup ON approvals (scope, key, permission, head);

-- What happened to a request. What its JSON holds is in the request's row.
CREATE TABLE events (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('asked', 'replied')),
    request_id INTEGER NOT NULL REFERENCES requests (id),
    UNIQUE (request_id, kind)
) STRICT;

-- Every decision that was given. Each row holds a hash of itself and the row
-- before.
CREATE TABLE log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    verb       TEXT    NOT NULL CHECK (verb <> ''),
    outcome    TEXT    NOT NULL CHECK (outcome IN ('allow', 'deny', 'ask', 'once', 'always', 'rejected', 'corrected',
                                                   'expired', 'withdrawn', 'refused', 'error')),
    line       TEXT    NOT NULL,
    permission TEXT    NOT NULL,
    project    TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    cwd        TEXT    NOT NULL,
    pid        INTEGER NOT NULL,
    who        TEXT    NOT NULL,
    request_id INTEGER NOT NULL, -- 0 for none
    reasons    TEXT    NOT NULL CHECK (json_valid(reasons)),
    hash       TEXT    NOT NULL
) STRICT;

CREATE TRIGGER log_no_update BEFORE UPDATE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_no_delete BEFORE DELETE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

-- INSERT OR REPLACE deletes without a word to the trigger above.
CREATE TRIGGER log_no_replace BEFORE INSERT ON log WHEN EXISTS (SELECT 1 FROM log WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

-- How often a session asked for the same thing in a row.
CREATE TABLE streaks (
    session TEXT    NOT NULL PRIMARY KEY,
    digest  TEXT    NOT NULL,
    count   INTEGER NOT NULL CHECK (count > 0),
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
