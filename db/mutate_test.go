package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mayi/rules"
)

// files are the contents of a database's three files. One that is not there is
// nil.
type files struct{ db, wal, shm []byte }

func (f *files) each() []*[]byte { return []*[]byte{&f.db, &f.wal, &f.shm} }

var suffixes = []string{"", "-wal", "-shm"}

func takeFiles(t *testing.T, path string) (f files) {
	t.Helper()
	for i, part := range f.each() {
		data, err := os.ReadFile(path + suffixes[i])
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		*part = data
	}
	return f
}

func (f files) put(t *testing.T, path string) {
	t.Helper()
	for i, part := range f.each() {
		if *part == nil {
			os.Remove(path + suffixes[i])
			continue
		}
		if err := os.WriteFile(path+suffixes[i], *part, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (f files) clone() files {
	for _, part := range f.each() {
		if *part != nil {
			*part = append([]byte{}, *part...)
		}
	}
	return f
}

// A damager changes a copy of the files. stale is the -wal of an earlier day.
type damager struct {
	*rand.Rand
	stale []byte
}

// one chooses a file that is there.
func (d *damager) one(f *files) *[]byte {
	for {
		if part := f.each()[d.IntN(3)]; len(*part) > 0 {
			return part
		}
	}
}

const pageSize = 4096 // of SQLite, unless it is told another

// page chooses a page of the database, or a frame of the -wal with its header
// of 24 bytes (https://www.sqlite.org/fileformat2.html).
func (d *damager) page(f *files) (part []byte, page func() []byte) {
	if len(f.wal) > 32+24+pageSize && d.IntN(2) == 0 {
		frame := 24 + pageSize
		n := (len(f.wal) - 32) / frame
		return f.wal, func() []byte { i := d.IntN(n); return f.wal[32+i*frame:][:frame] }
	}
	n := len(f.db) / pageSize
	return f.db, func() []byte { i := d.IntN(n); return f.db[i*pageSize:][:pageSize] }
}

// damages are what may happen to files.
var damages = map[string]func(d *damager, f *files){
	"bit": func(d *damager, f *files) {
		part := *d.one(f)
		part[d.IntN(len(part))] ^= 1 << d.IntN(8)
	},
	"byte in use": func(d *damager, f *files) {
		part := *d.one(f)
		for range 10_000 {
			if i := d.IntN(len(part)); part[i] != 0 {
				part[i] = byte(d.Uint32())
				return
			}
		}
	},
	"burst": func(d *damager, f *files) {
		part := *d.one(f)
		at := d.IntN(len(part))
		for i := at; i < min(at+1+d.IntN(100), len(part)); i++ {
			part[i] = byte(d.Uint32())
		}
	},
	"field of a header": func(d *damager, f *files) {
		part := *d.one(f)
		at := d.IntN(min(34, len(part)/4)) * 4
		binary.BigEndian.PutUint32(part[at:], []uint32{0, 1, 2, 4, 1 << 16, 1<<32 - 1, d.Uint32(), binary.BigEndian.Uint32(part[at:]) + 1}[d.IntN(8)])
	},
	"field of a page": func(d *damager, f *files) {
		_, page := d.page(f)
		p := page()
		p[d.IntN(min(48, len(p)))] = []byte{0, 1, 2, 5, 10, 13, 0xff, byte(d.Uint32())}[d.IntN(8)]
	},
	"number of a row": func(d *damager, f *files) {
		_, page := d.page(f)
		p := page()
		p = p[len(p)-min(len(p), pageSize):]
		cells := int(binary.BigEndian.Uint16(p[3:]))
		if p[0] != 13 || cells == 0 || cells > pageSize/8 {
			return // no page of rows
		}
		at := int(binary.BigEndian.Uint16(p[8+2*d.IntN(cells):])) // a cell: its size, the number, the row
		for at < len(p) && p[at] >= 0x80 {
			at++
		}
		if at+1 < len(p) {
			p[at+1] ^= byte(1 + d.IntN(7))
		}
	},
	"truncation": func(d *damager, f *files) {
		part := d.one(f)
		*part = (*part)[:d.IntN(len(*part))]
	},
	"truncation to a page": func(d *damager, f *files) {
		part := d.one(f)
		*part = (*part)[:d.IntN(len(*part)/pageSize+1)*pageSize]
	},
	"swapped pages": func(d *damager, f *files) {
		_, page := d.page(f)
		a, b := page(), page()
		for i := range a {
			a[i], b[i] = b[i], a[i]
		}
	},
	"copied page": func(d *damager, f *files) {
		_, page := d.page(f)
		copy(page(), page())
	},
	"zeroed page": func(d *damager, f *files) {
		_, page := d.page(f)
		clear(page())
	},
	"lost file": func(d *damager, f *files) { *f.each()[1+d.IntN(2)] = nil },
	"stale wal": func(d *damager, f *files) { f.wal = append([]byte{}, d.stale...) },
	"garbage behind": func(d *damager, f *files) {
		part := d.one(f)
		for range 1 + d.IntN(2*pageSize) {
			*part = append(*part, byte(d.Uint32()))
		}
	},
}

// allowedBy is all that a database allows of what is asked here: by approvals in
// some places, and by the answers to requests.
func allowedBy(db *DB, err error, texts []string, requests int64) map[string]bool {
	set := map[string]bool{}
	if err != nil {
		return set
	}
	defer db.Close()
	ctx := context.Background()
	for _, place := range []Place{{"/p", "s"}, {"/q", "r"}} {
		for _, text := range texts {
			reason := part(text, "")
			found, err := db.Approvals(ctx, place, []rules.Request{reason.Request})
			if err == nil && rules.Answer(reason, found).Action == rules.Allow {
				set[fmt.Sprintf("%s in %v", text, place)] = true
			}
		}
	}
	for id := range requests + 3 {
		if status, err := db.Status(ctx, id); err == nil && status.State.Allows() {
			set[fmt.Sprintf("request %d", id)] = true
		}
	}
	return set
}

// TestDamagedFilesNeverAllowMore damages the files in every way there is. What is
// decided with them afterwards is the same, stricter, or an error: nothing that
// was never approved is allowed, nothing that was taken back, nothing of another
// project or session, and no request that nobody let pass.
func TestDamagedFilesNeverAllowMore(t *testing.T) {
	texts := []string{"git push", "git pusi", "git qush", "make it", "make", "npm test", "npm tesu", "cargo run"}
	place := filepath.Join(t.TempDir(), "mayi.db")
	db := open(t, place)
	approve(t, db, "make it", "make *", ScopeSession)
	approve(t, db, "npm test", "npm test *", ScopeGlobal)
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("target%d *", i))
	}
	approveAll(t, db, many)
	states := []Answer{{Reply: Once}, {Reply: Reject, Cascade: CascadeNone}, {Reply: Once}, {Reply: Reject, Cascade: CascadeNone}}
	for _, answer := range states {
		settle(t, db, submit(t, db, request("s", part("cargo run", "cargo run *"))), answer)
		submit(t, db, request("s", part("cargo run", "cargo run *")))
	}
	stale := takeFiles(t, place).wal
	approve(t, db, "git push", "git push *", ScopeProject)
	approve(t, db, "cargo run", "cargo run *", ScopeGlobal)
	all, err := db.AllApprovals(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Revoke(t.Context(), all[len(all)-1].ID); err != nil {
		t.Fatal(err)
	}
	for _, answer := range states {
		settle(t, db, submit(t, db, request("r", part("tar x", "tar *"))), answer)
		submit(t, db, request("r", part("tar x", "tar *")))
	}
	approve(t, db, "git push", "git push *", ScopeSession)
	last := submit(t, db, request("r", part("tar x", "tar *")))
	live := takeFiles(t, place)
	db.Close()
	closed := takeFiles(t, place)

	names := slices.Sorted(maps.Keys(damages)) // the same ones every time
	d := &damager{rand.New(rand.NewPCG(5, 6)), stale}
	path := filepath.Join(t.TempDir(), "damaged.db")
	counts := map[bool]int{}
	violations := 0
	mutations := figure(200, 2000, 50_000)
	for _, name := range []string{"in use", "closed"} {
		whole := map[string]files{"in use": live, "closed": closed}[name]
		whole.put(t, path)
		store, err := OpenRead(t.Context(), path)
		before := allowedBy(store, err, texts, last)
		if len(before) != 18 {
			t.Fatal(len(before), before)
		}
		for n := range mutations / 2 {
			damaged := whole.clone()
			damage := names[d.IntN(len(names))]
			damages[damage](d, &damaged)
			damaged.put(t, path)
			opens := OpenRead
			if n%2 == 0 {
				opens = Open
			}
			store, err := opens(t.Context(), path)
			after := allowedBy(store, err, texts, last)
			for what := range after {
				if !before[what] {
					violations++
					t.Errorf("%s, %s, number %d: allowed %s", name, damage, n, what)
				}
			}
			counts[len(after) == len(before)]++
		}
	}
	tell(t, "damaged db, -wal and -shm | %d damages, %d decided as before, %d failed closed | %d violations", mutations, counts[true], counts[false], violations)
}
