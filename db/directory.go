package db

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// directoryID tells a directory from every other one that was, or will be, at its
// path: by its file system, its inode and when it was made. It is "" where that
// cannot be told. An inode alone is given to the next directory once the first is
// gone (measured on ext4: mkdir behind rm -r gets it at once), and the number of a
// device may be another after a reboot (btrfs, overlayfs and NFS make one up for
// each mount), so the file system's own ID counts where it has one.
func directoryID(path string) string {
	dir, err := os.Stat(path)
	if err != nil || !dir.IsDir() {
		return ""
	}
	s := dir.Sys().(*syscall.Stat_t)
	device := fmt.Sprint(s.Dev)
	var fs unix.Statfs_t
	if unix.Statfs(path, &fs) == nil && fs.Fsid != (unix.Fsid{}) {
		device = fmt.Sprintf("%08x%08x", uint32(fs.Fsid.Val[0]), uint32(fs.Fsid.Val[1]))
	}
	return fmt.Sprintf("%s %d %d", device, s.Ino, born(path))
}

// replacements returns a function that reports whether an approval was given to
// another directory than the one that is there now. It looks at each directory
// once.
func replacements() func(Approval) bool {
	known := map[string]string{}
	return func(a Approval) bool {
		if a.Scope != ScopeProject {
			return false
		}
		now, ok := known[a.Key]
		if !ok {
			now = directoryID(a.Key)
			known[a.Key] = now
		}
		return a.directory != now
	}
}

// Revive lets the approvals of a project count that were given to another
// directory at its path, and returns them.
func (db *DB) Revive(ctx context.Context, project string) (revived []Approval, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `
			UPDATE approvals SET directory = ?1 WHERE scope = 'project' AND key = ?2 AND directory <> ?1
			RETURNING `+approvalColumns, directoryID(project), project)
		revived, err = collect(rows, err, scanApproval)
		return err
	})
	if err != nil {
		return nil, err
	}
	return revived, nil
}
