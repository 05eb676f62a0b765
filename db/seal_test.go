package db

import (
	"errors"
	"testing"
)

// TestDamagedRequestIsNobodysAnswer changes single columns of an answered request,
// one that waits and what it asks for, as a damaged page does. None of it is taken
// for an answer, nor can it be answered.
func TestDamagedRequestIsNobodysAnswer(t *testing.T) {
	for _, damage := range []string{
		`UPDATE requests SET id = 9 WHERE id = 1`,
		`UPDATE requests SET state = 'always' WHERE id = 1`,
		`UPDATE requests SET state = 'once', settled = 1 WHERE id = 2`,
		`UPDATE requests SET state = 'once', settled = 1, sum = '' WHERE id = 2`,
		`UPDATE requests SET sum = '' WHERE id = 1`,
		`UPDATE requests SET line = 'another line' WHERE id = 1`,
		`UPDATE requests SET line = 'another line' WHERE id = 2`,
		`UPDATE requests SET project = '/q' WHERE id = 2`,
		`UPDATE requests SET who = 'me' WHERE id = 1`,
		`UPDATE parts SET reason = replace(reason, 'make', 'fake') WHERE request_id = 2`,
		`UPDATE parts SET request_id = 1 WHERE request_id = 2; UPDATE parts SET n = 1`,
		`DELETE FROM requests WHERE id = 1; UPDATE requests SET id = 1 WHERE id = 2`,
	} {
		db := newDB(t)
		settle(t, db, submit(t, db, request("s", part("make", "make *"))), Answer{Reply: Once})
		submit(t, db, request("s", part("make", "make *")))
		if _, err := db.sql.Exec(`PRAGMA foreign_keys = OFF; DROP TRIGGER requests_settle_once; ` + damage); err != nil {
			t.Logf("%s: %v", damage, err)
			continue // SQLite itself sees to it
		}
		seen := false
		for _, id := range []int64{1, 2, 9} {
			status, err := db.Status(t.Context(), id)
			seen = seen || errors.Is(err, ErrCorrupt)
			if err == nil && status.State.Allows() && (id != 1 || status.State != StateOnce) {
				t.Errorf("%s: request %d is %q", damage, id, status.State)
			}
			_, err = db.Settle(t.Context(), id, Answer{Reply: Once})
			seen = seen || errors.Is(err, ErrCorrupt)
			if err == nil && id != 2 {
				t.Errorf("%s: request %d was answered", damage, id)
			}
		}
		if !seen {
			t.Errorf("%s: nothing is wrong", damage)
		}
	}
}
