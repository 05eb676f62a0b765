package rules

import "mayi/shellparse"

// A Request is one question that a line or a tool call raises: may this happen?
type Request struct {
	Permission string            `json:"permission"`
	Text       shellparse.Word   `json:"text"`           // what every rule sees
	Same       []shellparse.Word `json:"same,omitempty"` // other spellings that every rule sees
	Also       []shellparse.Word `json:"also,omitempty"` // spellings that only rules that restrict see

	// Via is the chain of carriers it was found through, the outermost first.
	Via []string `json:"via,omitempty"`

	// Exempt says why the request needs no allow of its own: it is a
	// transparent carrier, and what it runs is judged. Rules that ask or deny
	// by name still hold for it.
	Exempt string `json:"exempt,omitempty"`

	// Unnamed is set for a command whose name is empty or holds white space: no
	// rule allows it, for its text can be read in more than one way.
	Unnamed bool `json:"unnamed,omitempty"`

	// Unread says why the line could not be read whole. Such a request is at
	// best an ask, which only a person answers, and only for this once.
	Unread string `json:"unread,omitempty"`

	// Store is the pattern that an always would store by default, "" when the
	// request can only be answered for this once.
	Store string `json:"store,omitempty"`
}

// String is the text of the request, holes spelled as in the source.
func (q Request) String() string { return q.Text.String() }
