package attribution

import (
	"errors"
	"slices"
	"strings"
)

// Snapshot is the tables of a trace in a form that package snapshot writes. Equal tables give equal
// snapshots, however they were made.
type Snapshot struct {
	Tables Tables
	Keys   []snapshotKey // distinct definitions of stack keys
	Said   []observation // by key and time; the facts are indices in Keys
}

// snapshotKey is a definition of a stack key with its frames; see [appendPackedFrames].
type snapshotKey struct {
	Key    uint64
	Create bool
	Frames string
}

// Definitions returns the number of records of stack keys.
func (s *Stacks) Definitions() int { return len(s.definitions) }

// Snapshot returns the snapshot of the tables, which share memory with it. An error is from the
// [Overflow].
func (t *Tables) Snapshot() (*Snapshot, error) {
	s := &Snapshot{Tables: *t}
	s.numberDebug()
	number := make(map[snapshotKey]listFact)
	for _, definition := range t.Stacks.definitions {
		k := t.Stacks.keys.facts.at(definition.fact)
		packed, err := t.Stacks.frames.text(k.frames)
		if err != nil {
			return nil, err
		}
		key := snapshotKey{k.key, k.create, packed}
		n, ok := number[key]
		if !ok {
			if len(s.Keys) > 0 && s.Keys[len(s.Keys)-1].Key != key.Key {
				clear(number) // no later definition is of these keys
			}
			n = listFact(len(s.Keys))
			number[key] = n
			s.Keys = append(s.Keys, key)
		}
		s.Said = append(s.Said, observation{definition.time, n})
	}
	return s, nil
}

// numberDebug orders the debug information by the first image that has it: in a builder, the order
// depends on which worker read which buffers.
func (s *Snapshot) numberDebug() {
	number := make(map[DebugInfo]int32)
	var list []DebugInfo
	images := slices.Clone(s.Tables.Images)
	for i := range images {
		m := &images[i]
		if m.Debug < 0 {
			continue
		}
		info := s.Tables.Debug[m.Debug]
		if _, ok := number[info]; !ok {
			number[info] = int32(len(list))
			list = append(list, info)
		}
		m.Debug = number[info]
	}
	s.Tables.Images, s.Tables.Debug = images, list
}

// ErrSnapshot is the error for a snapshot that cannot come from tables.
var ErrSnapshot = errors.New("the tables of processes, images or stacks contradict themselves")

// Restore returns the tables of a snapshot. buffers is the number of buffers in the trace. It calls
// overflow as a builder does.
func (s *Snapshot) Restore(limit int64, buffers int, overflow func() (Overflow, error)) (*Tables, error) {
	t := &s.Tables
	if !t.consistent(buffers) {
		return nil, ErrSnapshot
	}
	t.Stacks.frames = newFrameStore(limit, overflow)
	for i := range s.Keys {
		k := &s.Keys[i]
		if !validFrames(k.Frames) {
			return nil, ErrSnapshot
		}
		t.Stacks.keys.facts.push(stackKey{k.Key, t.Stacks.frames.keep(k.Frames), k.Create})
	}
	for i, definition := range s.Said {
		if int64(definition.fact) >= int64(len(s.Keys)) || i > 0 && s.Keys[definition.fact].Key < s.Keys[s.Said[i-1].fact].Key {
			return nil, ErrSnapshot
		}
		if i > 0 && s.Keys[definition.fact].Key != s.Keys[s.Said[i-1].fact].Key {
			t.Stacks.ends = append(t.Stacks.ends, i)
		}
	}
	if len(s.Said) > 0 {
		t.Stacks.ends = append(t.Stacks.ends, len(s.Said))
	}
	t.Stacks.definitions, t.Stacks.keys.n = s.Said, len(s.Said)
	t.Stacks.listIDs()
	t.Stacks.rangeRefs()
	return t, t.Stacks.frames.flush()
}

// consistent reports whether all indices and codes are in range. It does not check orders: a wrong
// order only makes searches miss something.
func (t *Tables) consistent(buffers int) bool {
	texts := Text(t.Texts())
	in := func(i int64, n int) bool { return i >= -1 && i < int64(n) }
	isBuffer := func(ref int64) bool { return ref >= 0 && ref>>32 < int64(buffers) }
	return len(t.names) > 0 &&
		!slices.ContainsFunc(t.Threads, func(v Thread) bool { return int64(v.name) >= int64(len(t.names)) }) &&
		!slices.ContainsFunc(t.Images, func(v Image) bool {
			return !in(int64(v.Debug), len(t.Debug)) || !in(int64(v.Version), len(t.Versions))
		}) &&
		!slices.ContainsFunc(t.Methods, func(v Method) bool {
			return !in(int64(v.module), len(t.Modules)) || v.Runtime > RuntimeScript || max(v.Namespace, v.Name, v.Signature) >= texts ||
				int64(v.origin) >= int64(len(t.origins)) || int64(v.reJIT) > int64(len(t.reJITs))
		}) && t.code.consistent() &&
		!slices.ContainsFunc(t.Volumes, func(v Volume) bool { return v.Device == "" }) &&
		(t.Windows == "" || len(t.Windows) > driveLength && hasDrive(t.Windows) && strings.HasSuffix(t.Windows, `\`)) &&
		!slices.ContainsFunc(t.Stacks.refs, func(r Reference) bool { return r.Buffer < 0 || int(r.Buffer) >= buffers }) &&
		!slices.ContainsFunc(t.Stacks.matches, func(m Match) bool { return !isBuffer(m.Ref) }) &&
		!slices.ContainsFunc(t.Stacks.loose, func(w walkable) bool { return !isBuffer(w.ref) })
}
