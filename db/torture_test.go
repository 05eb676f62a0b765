package db

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// figure is how many of something a test tries: few in go test -short, some in
// go test, and for scripts/torture, which says so, a percentage of the full
// figure.
func figure(short, usual, full int) int {
	percent, err := strconv.Atoi(os.Getenv("MAYI_TORTURE"))
	switch {
	case err == nil:
		return max(1, full*percent/100)
	case testing.Short():
		return short
	}
	return usual
}

// tell puts a figure into the output, where scripts/torture collects it.
func tell(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Logf("figure: "+format, args...)
}

// roleAsk asks again and again, and says what it was told: "asked ID", then
// "known ID STATE MILLISECONDS", and how long Submit took.
func roleAsk(args []string) error {
	ctx := context.Background()
	db, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	rounds, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	for n := 0; n < rounds; n++ {
		bell, err := Listen(db.Bells(), AskerBell)
		if err != nil {
			return err
		}
		// Numbers of processes come again, and these must not.
		text := fmt.Sprintf("make %d-%d-%x", os.Getpid(), n, rand.Uint64())
		r := request(text, part(text, text))
		r.Bell, r.Asker = bell.Path(), Self()
		before := time.Now()
		id, err := db.Submit(ctx, r)
		if err != nil {
			return err
		}
		fmt.Println("asked", id, time.Since(before).Microseconds())
		status, err := db.Await(ctx, id, bell)
		if err != nil {
			return err
		}
		fmt.Println("known", id, status.State, time.Since(status.Settled).Microseconds())
		bell.Close()
	}
	return nil
}

// roleAnswer answers whatever waits, and says what it was told is done: "settled
// ID STATE". It ends when it is killed, or when its standard input does.
func roleAnswer(args []string) error {
	ctx := context.Background()
	db, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	bell, err := Listen(db.Bells(), WatcherBell)
	if err != nil {
		return err
	}
	defer bell.Close()
	ended := make(chan struct{})
	go func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		close(ended)
	}()
	for {
		pending, err := db.Pending(ctx, Filter{})
		if err != nil {
			return err
		}
		rand.Shuffle(len(pending), func(i, j int) { pending[i], pending[j] = pending[j], pending[i] })
		for _, r := range pending {
			answer := Answer{Reply: Reply(rand.N(3)), Scope: ScopeProject, By: fmt.Sprint(os.Getpid())}
			settled, err := db.Settle(ctx, r.ID, answer)
			if errors.Is(err, ErrSettled) {
				continue // another one was faster
			}
			if err != nil {
				return err
			}
			for _, s := range settled {
				fmt.Println("settled", s.ID, s.State)
			}
		}
		select {
		case <-ended:
			return nil
		case <-bell.C():
		case <-time.After(tick):
		}
	}
}

// A player is a process that plays a part again whenever it was killed.
type player struct {
	*process
	role  string
	lines chan string // closed when it has ended
}

func (p *player) start(t *testing.T, path string) {
	p.process = start(t, p.role, path, "1000000000")
	p.lines = make(chan string, 1000)
	go func(out *bufio.Reader, lines chan<- string) {
		defer close(lines)
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				return // what was said by half was not said
			}
			lines <- strings.TrimSpace(line)
		}
	}(p.out, p.lines)
}

// TestRandomKills kills 8 askers and 3 approvers at random. Whatever one of them
// said is done is there, and an asker that lives gets its answer.
func TestRandomKills(t *testing.T) {
	db := newDB(t)
	kills := figure(60, 1000, 50_000)
	var all []*player
	for i := range 11 {
		p := &player{role: "ask"}
		if i < 3 {
			p.role = "answer"
		}
		p.start(t, db.Path())
		all = append(all, p)
	}
	said, violations := 0, 0
	wrong := func(format string, args ...any) {
		t.Helper()
		violations++
		t.Errorf(format, args...)
	}
	state := map[string]string{} // what the row of a request said
	heard := func(line string) {
		words := strings.Fields(line)
		if words[0] == "asked" {
			words = []string{"asked", words[1], "pending"}
		}
		said++
		id, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			t.Fatal(line)
		}
		status, err := db.Status(t.Context(), id)
		if err != nil || words[0] != "asked" && string(status.State) != words[2] {
			wrong("it was said that %q, and it is %q, %v", line, status.State, err)
		}
		if other, ok := state[words[1]]; ok && words[0] != "asked" && other != words[2] {
			wrong("request %s had two answers: %s and %s", words[1], other, words[2])
		}
		if words[0] != "asked" {
			state[words[1]] = words[2]
		}
		if words[0] == "known" && status.State == StateWithdrawn {
			wrong("a living asker was taken for dead: %q", line)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range kills {
		time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond / time.Duration(1+kills/1000))
		p := all[random.IntN(len(all))]
		p.Process.Kill()
		for line := range p.lines {
			heard(line)
		}
		p.Wait()
		if p.ProcessState.Exited() {
			wrong("%s ended by itself: %s", p.role, p.stderr)
		}
		p.start(t, db.Path())
	}
	// Those who live now are answered: each says so at least once more.
	for _, p := range all {
		late := time.AfterFunc(time.Minute, func() { p.Process.Kill() })
		for p.role == "ask" {
			line, ok := <-p.lines
			if !ok {
				wrong("an asker got no answer: %s", p.stderr)
				break
			}
			heard(line)
			if strings.HasPrefix(line, "known") {
				break
			}
		}
		late.Stop()
	}
	for _, p := range all {
		p.Process.Kill()
		for line := range p.lines {
			heard(line)
		}
		p.Wait()
	}
	if left, err := db.Pending(t.Context(), Filter{}); err != nil || len(left) != 0 {
		wrong("%d requests are pending whose askers are dead, %v", len(left), err)
	}
	var check string
	if err := db.sql.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		wrong("integrity: %s, %v", check, err)
	}
	var half int
	err := db.sql.QueryRow(`
		SELECT count(*) FROM requests FULL JOIN approvals ON request_id = requests.id
		WHERE (state = 'always') IS NOT (approvals.id IS NOT NULL)`).Scan(&half)
	if err != nil || half != 0 {
		wrong("of %d requests the state and the approvals do not agree, %v", half, err)
	}
	tell(t, "random kills of 8 askers and 3 approvers | %d kills, %d acknowledgements held against the rows | %d violations", kills, said, violations)
}

// TestCrowd lets many wait and many answer, all of whom try every request. Each
// request is answered once, and each waiter knows.
func TestCrowd(t *testing.T) {
	db := newDB(t)
	waiters, approvers, rounds := figure(12, 20, 200), figure(3, 4, 10), figure(2, 3, 5)
	answers := map[string]string{}
	var lock sync.Mutex
	var crowd []*process
	var answering sync.WaitGroup
	for range approvers {
		p := start(t, "answer", db.Path())
		crowd = append(crowd, p)
		answering.Go(func() {
			for {
				line, err := p.out.ReadString('\n')
				if err != nil {
					return
				}
				words := strings.Fields(line)
				lock.Lock()
				if before, ok := answers[words[1]]; ok {
					t.Errorf("request %s was answered twice: %s, %s", words[1], before, words[2])
				}
				answers[words[1]] = words[2]
				lock.Unlock()
			}
		})
	}
	var asking []*process
	for range waiters {
		asking = append(asking, start(t, "ask", db.Path(), fmt.Sprint(rounds)))
	}
	var inserts, knows []int
	known := map[string]string{}
	for _, p := range asking {
		for _, line := range strings.Split(p.finish(t), "\n") {
			words := strings.Fields(line)
			n, err := strconv.Atoi(words[len(words)-1])
			if err != nil {
				t.Fatal(line)
			}
			if words[0] == "asked" {
				inserts = append(inserts, n)
			} else {
				knows = append(knows, n)
				known[words[1]] = words[2]
			}
		}
	}
	for _, p := range crowd {
		p.stdin.Close()
	}
	answering.Wait()
	for _, p := range crowd {
		if err := p.Wait(); err != nil {
			t.Errorf("an approver: %v\n%s", err, p.stderr)
		}
	}
	if want := waiters * rounds; len(known) != want || len(answers) != want {
		t.Errorf("%d requests were answered and %d answers known, want %d", len(answers), len(known), want)
	}
	for id, state := range known {
		if answers[id] != state {
			t.Errorf("request %s was answered %q and known as %q", id, answers[id], state)
		}
	}
	tell(t, "%d waiters, %d approvers, %d rounds | insert p99 %v, answer to known p99 %v | every request answered once: %v",
		waiters, approvers, rounds, p99(inserts), p99(knows), !t.Failed())
}

// p99 is what 99 of 100 durations do not exceed.
func p99(microseconds []int) time.Duration {
	slices.Sort(microseconds)
	if len(microseconds) == 0 {
		return 0
	}
	return time.Duration(microseconds[(len(microseconds)-1)*99/100]) * time.Microsecond
}
