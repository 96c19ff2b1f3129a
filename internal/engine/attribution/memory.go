package attribution

import "reflect"

// Memory returns about how many bytes the tables hold.
func (t *Tables) Memory() int64 {
	texts := t.texts + t.code.memory() + held(t.names) + held(t.origins) + held(t.reJITs)
	facts := held(t.Processes) + held(t.Threads) + held(t.Images) + held(t.Files) + held(t.Methods) + held(t.Modules) +
		held(t.Debug) + held(t.Versions) + held(t.Volumes)
	return texts + facts + t.Stacks.memory()
}

func (s *Stacks) memory() int64 {
	sayings := held(s.said) + held(s.ends) + held(s.refs) + held(s.latest) + held(s.matches) + held(s.loose) + held(s.open)
	return sayings + s.frames.memory() + int64(s.keys.facts.len())*sizeOf[stackKey]()
}

// held returns the bytes of a list.
func held[T any](list []T) int64 { return int64(cap(list)) * sizeOf[T]() }

func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }
