package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// An object is a JSON object as it was written: encoding/json takes keys that
// differ in case for one another and lets the last of equal ones win, which an
// agent may see differently, so that keys are looked up here exactly and
// duplicates are refused.
type object struct {
	keys   []string
	fields map[string]any // string, json.Number, bool, nil, []any or *object
	raw    string         // compact
}

// maxDepth is how deep the values of a payload may nest.
const maxDepth = 200

// parse reads exactly one object.
func parse(data []byte) (*object, error) {
	if len(data) > MaxPayload {
		return nil, fmt.Errorf("the payload is larger than %d MiB", MaxPayload>>20)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("the payload is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	r := &reader{dec: dec, data: data}
	v, err := r.value(0)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("something stands behind the object")
		}
	}
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("it ends too early")
		}
		return nil, fmt.Errorf("the payload is not JSON as it should be: %w", err)
	}
	o, ok := v.(*object)
	if !ok {
		return nil, errors.New("the payload is not a JSON object")
	}
	return o, nil
}

type reader struct {
	dec  *json.Decoder
	data []byte
}

func (r *reader) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("it nests too deeply")
	}
	tok, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	start := r.dec.InputOffset() - 1
	switch tok {
	case json.Delim('['):
		list := []any{}
		for r.dec.More() {
			v, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := r.dec.Token()
		return list, err
	case json.Delim('{'):
		o := &object{fields: map[string]any{}}
		for r.dec.More() {
			tok, err := r.dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ := tok.(string) // nothing else can be a key
			if _, twice := o.fields[key]; twice {
				return nil, fmt.Errorf("the key %.40q stands there twice", key)
			}
			v, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			o.keys = append(o.keys, key)
			o.fields[key] = v
		}
		if _, err := r.dec.Token(); err != nil {
			return nil, err
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, r.data[start:r.dec.InputOffset()]); err != nil {
			return nil, err
		}
		o.raw = compact.String()
		return o, nil
	}
	return tok, nil
}

// has reports whether a key is there.
func (o *object) has(key string) bool {
	_, ok := o.fields[key]
	return ok
}

// text is the first of the keys that holds a string, "" for none.
func (o *object) text(keys ...string) string {
	for _, key := range keys {
		if s, ok := o.fields[key].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// within is the object at a key; there always is one, perhaps empty.
func (o *object) within(key string) *object {
	if in, ok := o.fields[key].(*object); ok {
		return in
	}
	return &object{raw: "{}"}
}

// A payload is the object that an agent hands over.
type payload struct {
	*object
	world World
	joint string // of the agent whose it is
	err   error  // the first thing that could not be read
}

// input is the object at the first of the keys that is there, which some agents
// hand over as a string of JSON.
func (p *payload) input(keys ...string) *object {
	for _, key := range keys {
		switch v := p.fields[key].(type) {
		case *object:
			return v
		case string:
			if strings.TrimSpace(v) == "" {
				return &object{raw: "{}"}
			}
			o, err := parse([]byte(v))
			if err != nil {
				p.fail(fmt.Errorf("%s: %w", key, err))
				return &object{raw: "{}"}
			}
			return o
		case nil:
			continue
		default:
			p.fail(fmt.Errorf("%s is neither an object nor a string", key))
		}
	}
	return &object{raw: "{}"}
}

func (p *payload) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// marked names the agent whose payloads alone have what this one has, "" when
// nothing tells.
func (p *payload) marked() string {
	switch _, tool := p.fields["tool_name"].(string); {
	case p.has("cursor_version"):
		return "cursor"
	case p.has("agent_action_name"):
		return "windsurf"
	case p.has("hookName") && p.has("tool_call"), p.has("clineVersion"):
		return "cline"
	case p.has("toolCall") && p.has("conversationId"):
		return "antigravity"
	case p.has("toolName"):
		return "copilot"
	case p.has("hookEventName") && tool:
		return "vscode"
	}
	return ""
}

// passes reports whether an event is none in which a tool is about to run. An
// event of a name unknown here that comes with a tool is not passed.
func (p *payload) passes(event string, tool bool) bool {
	if !tool {
		return true
	}
	for _, prefix := range []string{"Post", "post", "After", "after", "PermissionRequest", "PermissionDenied", "permissionRequest"} {
		if strings.HasPrefix(event, prefix) {
			return true
		}
	}
	return false
}

// hookCall reads what most agents have in common: session_id, cwd,
// hook_event_name, tool_name and tool_input. before are the names of the event
// in which a tool is about to run.
func (p *payload) hookCall(before ...string) (*Call, error) {
	c := &Call{
		Event: p.text("hook_event_name"), Tool: p.text("tool_name"), Session: p.text("session_id"), Cwd: p.text("cwd"),
	}
	if p.has("agent_id") {
		c.Sub = p.text("agent_type", "agent_id")
	}
	switch p.text("permission_mode") {
	case "bypassPermissions", "auto", "dontAsk", "yolo":
		c.Unasked = true
	}
	return c, p.complete(c, before, func() []Want { return p.wants(c.Tool, p.input("tool_input")) })
}

// complete adds what a call wants, if its event is one in which a tool is about
// to run.
func (p *payload) complete(c *Call, before []string, want func() []Want) error {
	for _, name := range before {
		if c.Event == name {
			if c.Tool == "" {
				return fmt.Errorf("the payload of %s names no tool", c.Event)
			}
			c.Wants = want()
			return nil
		}
	}
	switch {
	case c.Event == "":
		return errors.New("the payload names no event")
	case p.passes(c.Event, c.Tool != ""):
		c.Passed = true
		return nil
	}
	return fmt.Errorf("the event %.40q comes with a tool and is none that is known here", c.Event)
}
