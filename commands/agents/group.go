package agents

import "slices"

// ours are the elements of an array that hold the agent's hook.
func (e *editor) ours(at *node) (list []int) {
	for i, c := range at.children {
		if at.kind == '[' && e.agent.own(c.strings()) {
			list = append(list, i)
		}
	}
	return list
}

// take removes the agent's hook from an array of groups: the group, or where
// somebody else's hooks stand in it too, the hook alone.
func (e *editor) take(at *node, i int) {
	if hooks, k := e.shared(at.children[i].node); hooks != nil {
		e.remove(hooks, k)
		return
	}
	e.remove(at, i)
}

// shared finds the agent's hook in a group that others have theirs in, nil where
// the group is the agent's alone.
func (e *editor) shared(group *node) (hooks *node, i int) {
	m := group.member("hooks")
	if m < 0 {
		return nil, 0
	}
	hooks = group.children[m].node
	ours := e.ours(hooks)
	if len(ours) == 0 || len(hooks.children) == 1 {
		return nil, 0
	}
	return hooks, ours[len(ours)-1]
}

// hookOf is the hook in the group that is to be written, nil where that is none.
func hookOf(group any) any {
	f, _ := group.(fields)
	for _, member := range f {
		if list, ok := member.value.([]any); ok && member.key == "hooks" && len(list) == 1 {
			return list[0]
		}
	}
	return nil
}

// sameGroup reports whether a group says the same about when its hooks run as
// the one that is to be written.
func sameGroup(group *node, want any) bool {
	f, _ := want.(fields)
	for _, c := range group.children {
		i := slices.IndexFunc(f, func(w field) bool { return w.key == c.key })
		if c.key != "hooks" && (i < 0 || c.compact() != compact(f[i].value)) {
			return false
		}
	}
	return len(group.children) == len(f) && hookOf(want) != nil
}
