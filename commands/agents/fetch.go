package agents

import (
	"regexp"
	"strings"
)

// address finds addresses in words, also such as a browser would put right: with
// one slash, or none, or backslashes.
var address = regexp.MustCompile(`(?i)\b(?:https?|wss?|ftps?|file):[^\s"'<>)\]]+`)

// sloppy is what WHATWG's URL standard reads as an address of the web, however
// many slashes of either kind there are.
var sloppy = regexp.MustCompile(`(?i)^(https?|wss?|ftp):[/\\]*`)

// fetchWants are the addresses that a tool fetches: what the keys for them hold,
// and those in the words it is told.
func (p *payload) fetchWants(in *object) (list []Want) {
	found := p.addresses(in)
	for _, text := range p.texts(in, []string{"prompt"}) {
		found = append(found, address.FindAllString(text, -1)...)
	}
	for _, text := range found {
		list = append(list, each("webfetch", []string{text})...)
		if u := straight(text); u != text {
			list = append(list, each("webfetch", []string{u})...)
		}
	}
	return list
}

// addresses are those at the keys for them, also in objects of a list.
func (p *payload) addresses(in *object) (list []string) {
	for _, key := range urlKeys {
		items, ok := in.fields[key].([]any)
		if !ok {
			list = append(list, p.strings(key, in.fields[key])...)
			continue
		}
		for _, item := range items {
			if o, ok := item.(*object); ok {
				list = append(list, p.addresses(o)...)
				continue
			}
			list = append(list, p.strings(key, item)...)
		}
	}
	return list
}

// straight is an address as a lenient reader takes it.
func straight(text string) string {
	u := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(text))
	if m := sloppy.FindStringSubmatch(u); m != nil {
		rest := u[len(m[0]):]
		end := strings.IndexAny(rest, "?#")
		if end < 0 {
			end = len(rest)
		}
		u = strings.ToLower(m[1]) + "://" + strings.ReplaceAll(rest[:end], `\`, "/") + rest[end:]
	}
	return u
}
