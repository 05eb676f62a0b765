package db

// A Relative is a process of the tree that a request came from: the asker or one
// of those that led to it. Like a [Process] it is told apart from a later one of
// the same number by its start; boot and space are those of the asker.
type Relative struct {
	PID      int    `json:"pid"`
	Start    string `json:"start"`
	Name     string `json:"name"`               // for people
	Terminal string `json:"terminal,omitempty"` // the device and the start of its session's leader
	Wrapper  bool   `json:"wrapper,omitempty"`  // it is `mayi session`
}
