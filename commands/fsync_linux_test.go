package commands

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// written matches a call on a file that strace names with -y, or its end.
var written = regexp.MustCompile(`^(\d+) +(?:<\.\.\. )?(\w+)(?: resumed>|\((?:(\d+)<([^>]*)>|"([^"]*)")?)`)

// acknowledgement says which line of a trace tells somebody that something is
// done: the output, a ring, and exit status 0.
var acknowledgement = regexp.MustCompile(`^\d+ +(write\(1<|sendto\(|exit_group\(0\))`)

// undurable goes through a trace and returns the acknowledgements that come
// before what was written to the database is on the disk, and how often the
// disk was waited for. Of a call that is interrupted in the trace, a write counts
// from its start and a sync from its end.
func undurable(trace, dir string) (early []string, syncs int) {
	dirty, syncing := map[string]bool{}, map[string]string{}
	for line := range strings.Lines(trace) {
		if acknowledgement.MatchString(line) {
			for file := range dirty {
				early = append(early, file+" when "+strings.TrimSpace(line))
			}
			continue
		}
		m := written.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		thread, call, file := m[1], m[2], m[4]+m[5]
		switch {
		case strings.HasSuffix(file, "-shm"):
		case strings.HasSuffix(file, "-wal") && (strings.HasPrefix(call, "unlink") || call == "ftruncate" && strings.Contains(line, ">, 0)")):
			delete(dirty, file) // what it held is in the database by now
		case (call == "pwrite64" || call == "write" || call == "ftruncate") && strings.HasPrefix(file, dir+"/mayi.db"):
			dirty[file] = true
		case call != "fsync" && call != "fdatasync":
		case strings.Contains(line, "<unfinished"):
			syncing[thread] = file
		default:
			if strings.HasSuffix(strings.TrimSpace(line), "= 0") {
				delete(dirty, file+syncing[thread])
				syncs++
			}
			delete(syncing, thread)
		}
	}
	return early, syncs
}

// TestDiskBeforeAnswer demands of every command that changes something that the
// disk has it before anybody is told.
func TestDiskBeforeAnswer(t *testing.T) {
	needStrace(t)
	type mode struct {
		name    string
		file    string // what is written to only in this mode
		options []string
	}
	// The kernel says of every file system that it is NFS (statfs(2)), where there is
	// no WAL. Those who wait and answer beside the command do not see that.
	modes := []mode{
		{"WAL", "mayi.db-wal", nil},
		{"journal", "mayi.db-journal", []string{"-e", "inject=?statfs,?fstatfs:poke_exit=@arg2=6969000000000000"}},
	}
	commands, waits, wrong := 0, 0, 0
	demand := func(v victim, m mode) {
		t.Run(m.name+" "+v.name, func(t *testing.T) {
			options := append([]string{"-y", "-s", "200", "-e", "trace=openat,write,pwrite64,ftruncate,fsync,fdatasync,?unlink,unlinkat,sendto,?statfs,?fstatfs,exit_group"}, m.options...)
			r := v.once(t, &tally{}, options...)
			if !v.acked(r) {
				t.Fatalf("it ended with %d:\n%s", r.code, r.shown)
			}
			if !regexp.MustCompile(`(?m)pwrite64\(\d+<[^>]*/` + m.file + `>`).MatchString(r.trace) {
				t.Errorf("nothing was written to %s:\n%s", m.file, r.trace)
			}
			early, syncs := undurable(r.trace, filepath.Dir(home{t, r.dir}.db()))
			for _, e := range early {
				t.Errorf("not on the disk yet: %s", e)
			}
			if syncs == 0 {
				t.Errorf("the disk was never waited for:\n%s", r.trace)
			}
			commands, waits, wrong = commands+1, waits+syncs, wrong+len(early)
		})
	}
	for _, v := range victims() {
		if v.never {
			continue
		}
		for _, m := range modes {
			alone := v.waits == nil && v.during == nil
			if m.name == "WAL" || alone && (v.name == "revoke" || !testing.Short()) {
				demand(v, m)
			}
		}
	}
	t.Logf("figure: the disk before the answer, by strace | %d commands, with a WAL and with a journal, which waited %d times for the disk | %d violations", commands, waits, wrong)
}

// TestUndurableIsSeen holds the reader of traces against traces that are wrong.
func TestUndurableIsSeen(t *testing.T) {
	for name, tt := range map[string]struct {
		trace string
		early int
	}{
		"in order":        {"1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 fdatasync(3</d/mayi.db-wal>) = 0\n1 exit_group(0) = ?\n", 0},
		"no sync":         {"1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 exit_group(0) = ?\n", 1},
		"another file":    {"1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 fdatasync(3</d/mayi.db>) = 0\n1 write(1<pipe:[1]>, \"\", 1) = 1\n", 1},
		"a failing sync":  {"1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 fsync(3</d/mayi.db-wal>) = -1 EIO\n1 exit_group(0) = ?\n", 1},
		"written later":   {"1 fsync(3</d/mayi.db-wal>) = 0\n1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 sendto(4<socket:[1]>, \"\") = 1\n", 1},
		"a sync in parts": {"1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 fsync(3</d/mayi.db-wal> <unfinished ...>\n2 sendto(4<socket:[1]>, \"\") = 1\n1 <... fsync resumed>) = 0\n2 exit_group(0) = ?\n", 1},
		"emptied":         {"1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 ftruncate(3</d/mayi.db-wal>, 0) = 0\n1 exit_group(0) = ?\n", 0},
		"removed":         {"1 pwrite64(3</d/mayi.db-wal>, \"\", 1, 0) = 1\n1 unlink(\"/d/mayi.db-wal\") = 0\n1 exit_group(0) = ?\n", 0},
		"a journal":       {"1 ftruncate(3</d/mayi.db-journal>, 0) = 0\n1 exit_group(0) = ?\n", 1},
	} {
		if early, _ := undurable(tt.trace, "/d"); len(early) != tt.early {
			t.Errorf("%s: have %q, want %d", name, early, tt.early)
		}
	}
}
