package attribution

import "reflect"

// Memory returns the approximate number of bytes that the tables hold.
func (t *Tables) Memory() int64 {
	texts := t.texts + t.code.memory() + bytesOf(t.names) + bytesOf(t.origins) + bytesOf(t.reJITs)
	facts := bytesOf(t.Processes) + bytesOf(t.Threads) + bytesOf(t.Images) + bytesOf(t.Files) + bytesOf(t.Methods) + bytesOf(t.Modules) +
		bytesOf(t.Debug) + bytesOf(t.Versions) + bytesOf(t.Volumes)
	return texts + facts + t.Stacks.memory()
}

func (s *Stacks) memory() int64 {
	definitions := bytesOf(s.definitions) + bytesOf(s.ends) + bytesOf(s.ids) + bytesOf(s.refs) + bytesOf(s.latest) + bytesOf(s.matches) + bytesOf(s.loose) + bytesOf(s.open)
	return definitions + s.frames.memory() + int64(s.keys.facts.len())*sizeOf[stackKey]()
}

// bytesOf returns the bytes of a list.
func bytesOf[T any](list []T) int64 { return int64(cap(list)) * sizeOf[T]() }

func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }
