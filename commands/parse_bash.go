package commands

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"mayi/shellparse"
)

func (a *app) parseBash() *cli.Command {
	return &cli.Command{
		Name:      "parse-bash",
		Usage:     "show what a line would run",
		ArgsUsage: "LINE | -",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "shell", Value: "bash", Usage: "the shell the line is for: bash, posix, mksh, zsh, bats, fish"},
			&cli.StringFlag{Name: "file", Aliases: []string{"f"}, Usage: "read the script `FILE`"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			g := &gate{env: e}
			if c.NArg() > 1 {
				return &usageError{"parse-bash reads one line", "quote it: mayi parse-bash 'git status && make'"}
			}
			q, err := g.question(c)
			if err != nil {
				return err
			}
			shell, err := shellparse.ParseShell(g.shell)
			if err != nil {
				return &usageError{msg: err.Error()}
			}
			return e.printScript(g.parsed(q, shellparse.Parse(q.line, shellparse.Options{Shell: shell, Home: e.home, HomeOf: remembered(homeOf)})))
		}),
	}
}

// The JSON of a line's contents. Its fields are stable.
type (
	jsonScript struct {
		Line     string        `json:"line"`
		Commands []jsonCommand `json:"commands"`
		Files    []jsonFile    `json:"files"`
		Unread   []string      `json:"unread,omitempty"`
	}
	jsonCommand struct {
		Permission string   `json:"permission"`
		Text       string   `json:"text"`
		Words      []string `json:"words"`
		Prefix     string   `json:"prefix,omitempty"`
		Always     string   `json:"always,omitempty"`
		Via        []string `json:"via,omitempty"`
		Carrier    bool     `json:"carrier,omitempty"`
		Guess      bool     `json:"guess,omitempty"` // only a text in code of another language
		Holes      []string `json:"holes,omitempty"`
		Line       int      `json:"line"`
		Col        int      `json:"col"`
	}
	jsonFile struct {
		Permission string   `json:"permission"`
		Text       string   `json:"text"`
		Always     string   `json:"always,omitempty"`
		Via        []string `json:"via,omitempty"`
	}
)

// parsed puts what was read and what it asks for together. The requests stand in
// the order of the script: what could not be read, commands, files.
func (g *gate) parsed(q *question, s *shellparse.Script) jsonScript {
	out := jsonScript{Line: q.line, Commands: []jsonCommand{}, Files: []jsonFile{}}
	for _, e := range s.Unread {
		out.Unread = append(out.Unread, e.Error())
	}
	always := map[string]string{}
	for _, r := range q.requests {
		if r.Unread != "" || r.Guess {
			continue
		}
		always[r.Permission+r.String()] = r.Store
		if r.Permission != "bash" {
			out.Files = append(out.Files, jsonFile{r.Permission, r.String(), r.Store, r.Via})
		}
	}
	for _, c := range s.Commands {
		words := append([]shellparse.Word(nil), c.Words...)
		if len(words) == 0 {
			for _, a := range c.Assigns {
				words = append(words, a.Word())
			}
		}
		j := jsonCommand{
			Permission: "bash", Text: commandText(c), Via: c.Via, Carrier: c.Carrier, Guess: c.Guess, Line: c.Line, Col: c.Col,
		}
		if !c.Guess {
			j.Always = always["bash"+commandText(c)]
		}
		for _, w := range words {
			j.Words = append(j.Words, w.String())
			for _, p := range w {
				if p.Hole != shellparse.Known {
					j.Holes = append(j.Holes, p.Text)
				}
			}
		}
		if prefix, ok := c.Prefix(); ok && !c.Guess {
			j.Prefix = strings.Join(prefix, " ")
		}
		out.Commands = append(out.Commands, j)
	}
	return out
}

func commandText(c shellparse.Command) string {
	var words []shellparse.Word
	for _, a := range c.Assigns {
		words = append(words, a.Word())
	}
	return shellparse.Join(append(words, c.Words...)).String()
}

func (e *env) printScript(s jsonScript) error {
	if e.out.json {
		return e.out.emit(s)
	}
	if e.out.quiet {
		return nil
	}
	t := tabwriter.NewWriter(e.out.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "PERMISSION\tPATTERN\tPREFIX\tALWAYS\tTHROUGH\tHOLES\n")
	row := func(cells ...string) {
		for i, c := range cells {
			cells[i] = visible(first(c, "-"))
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	for _, c := range s.Commands {
		if c.Guess {
			c.Permission += " (a guess)"
		}
		row(c.Permission, c.Text, c.Prefix, c.Always, strings.Join(c.Via, " > "), strings.Join(c.Holes, " "))
	}
	for _, f := range s.Files {
		row(f.Permission, f.Text, "", f.Always, strings.Join(f.Via, " > "), "")
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, u := range s.Unread {
		fmt.Fprintf(e.out.out, "not read: %s\n", visible(u))
	}
	return nil
}
