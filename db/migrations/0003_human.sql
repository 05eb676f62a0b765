-- What tells a person apart from who asked: the processes that asked, as JSON,
-- and the answers that were refused because nobody could tell that a person gave
-- them.

ALTER TABLE requests ADD COLUMN tree TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tree));

CREATE TABLE events_new (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('asked', 'replied', 'refused')),
    request_id INTEGER NOT NULL REFERENCES requests (id),
    who        TEXT    NOT NULL DEFAULT '',
    why        TEXT    NOT NULL DEFAULT '' CHECK ((kind = 'refused') = (why <> ''))
) STRICT;

INSERT INTO events_new (id, at, kind, request_id) SELECT id, at, kind, request_id FROM events;
DROP TABLE events;
ALTER TABLE events_new RENAME TO events;

-- A request is asked once and replied to once.
CREATE UNIQUE INDEX events_once ON events (request_id, kind) WHERE kind <> 'refused';

-- A waiter looks for these each time it looks at its row.
CREATE INDEX events_refused ON events (request_id) WHERE kind = 'refused';
