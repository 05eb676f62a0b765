package commands

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/urfave/cli/v2"

	"mayi/db"
)

// A jsonChain is what verifying the log found.
type jsonChain struct {
	OK    bool   `json:"ok"`
	Count int64  `json:"count"` // entries in order, from the first one
	Head  string `json:"head"`  // the hash of the last of them

	Bad  int64  `json:"bad,omitempty"` // the first entry that is not as it was written
	What string `json:"what,omitempty"`
	Have string `json:"have,omitempty"` // its hash
	Want string `json:"want,omitempty"`
}

func (a *app) logVerify() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "walk the chain of hashes, and say where the log was changed after it was written",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "head", Usage: "a `HASH` that this printed before must still be in the chain"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			if c.Args().Present() {
				return usagef("log verify takes no argument, and %q was given", c.Args().First())
			}
			head := c.String("head")
			if c.IsSet("head") && !hash.MatchString(head) {
				return &usageError{fmt.Sprintf("--head %q is no hash of the log", head), "it has 64 hexadecimal digits: `mayi log verify` prints it"}
			}
			return e.verifyLog(c, head)
		}),
	}
}

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// errHeadLost is a log that does not hold what it once did.
var errHeadLost = errors.New("no entry of the log has that hash: what was written up to then is not what is there now")

func (e *env) verifyLog(c *cli.Context, head string) error {
	var chain db.Chain
	store, err := e.read(c)
	if err == nil && store != nil {
		defer store.Close()
		chain, err = store.Chain(c.Context, head)
	}
	if err == nil && head != "" && chain.Known == 0 {
		err = errHeadLost
	}
	var broken *db.ChainError
	if err != nil && !errors.As(err, &broken) && !errors.Is(err, errHeadLost) {
		return err
	}
	if broken != nil {
		err = &hintedError{err, fmt.Sprintf("`mayi log show %d` shows it; what stands before it is in order", broken.ID)}
	}
	if e.out.json {
		out := jsonChain{OK: err == nil, Count: chain.Count, Head: chain.Head}
		switch {
		case broken != nil:
			out.Bad, out.What, out.Have, out.Want = broken.ID, broken.What, broken.Have, broken.Want
		case err != nil:
			out.What = err.Error()
		}
		return errors.Join(e.out.emit(out), err)
	}
	if err == nil {
		e.out.printf("%s entries, all as they were written\nhead %s\n", fmt.Sprint(chain.Count), first(chain.Head, "none"))
	}
	return err
}
