package export

import "strconv"

// frame is a frame of a stack. Frames that look alike in a profile are one.
type frame struct {
	module, function string // "" if unknown
	offset           uint64 // of the address in the module, or the address without a module; 0 with a function
	kernel           bool
}

// name returns the frame as a profile shows it, without its module if it has a function.
func (f *frame) name() string {
	switch {
	case f.function != "":
		return f.function
	case f.module != "":
		return f.module + "+0x" + strconv.FormatUint(f.offset, 16)
	}
	return "0x" + strconv.FormatUint(f.offset, 16)
}

// node is a stack: its innermost frame, and the stack of its caller.
type node struct{ caller, frame int32 }

// noStack is the node of a stack without frames.
const noStack = 0

// process is a process of a trace, or of the traces of one recording.
type process struct {
	machine int32 // traces of one recording have the same
	id      int64 // -1 if unknown
	name    string
}

// short returns the name of the process, or what stands for it.
func (p *process) short() string {
	if p.name != "" {
		return p.name
	}
	return p.label()
}

// label returns the process as a profile shows it.
func (p *process) label() string {
	switch {
	case p.name != "" && p.id >= 0:
		return p.name + " (" + strconv.FormatInt(p.id, 10) + ")"
	case p.name != "":
		return p.name
	case p.id >= 0:
		return "process " + strconv.FormatInt(p.id, 10)
	}
	return "unknown process"
}

// thread is a thread of a process.
type thread struct {
	process int32
	id      int64 // -1 if unknown
}

// label returns the thread as a profile shows it.
func (t *thread) label() string {
	if t.id < 0 {
		return "unknown thread"
	}
	return "thread " + strconv.FormatInt(t.id, 10)
}

// table interns values: each distinct value has a number, from 0.
type table[T comparable] struct {
	list []T
	ids  map[T]int32
}

// id returns the number of a value. keep, unless nil, returns the value as it is stored if it is new,
// for values that share memory with a batch.
func (t *table[T]) id(v T, keep func(T) T) (id int32, isNew bool) {
	if id, ok := t.ids[v]; ok {
		return id, false
	}
	if keep != nil {
		v = keep(v)
	}
	if t.ids == nil {
		t.ids = make(map[T]int32)
	}
	id = int32(len(t.list))
	t.ids[v], t.list = id, append(t.list, v)
	return id, true
}

// interned are the distinct parts of a profile.
type interned struct {
	texts     map[string]string
	frames    table[frame]
	nodes     table[node] // the first is noStack
	processes table[process]
	threads   table[thread]
}

func newInterned() *interned {
	n := &interned{texts: make(map[string]string)}
	n.nodes.id(node{-1, -1}, nil)
	return n
}

// text returns a text that does not share memory with a batch.
func (n *interned) text(s string) string {
	if known, ok := n.texts[s]; ok {
		return known
	}
	s = string(append([]byte(nil), s...))
	n.texts[s] = s
	return s
}

// frame returns the number of a frame.
func (n *interned) frame(f frame) int32 {
	if f.function != "" {
		f.offset = 0
	}
	id, _ := n.frames.id(f, func(f frame) frame {
		f.module, f.function = n.text(f.module), n.text(f.function)
		return f
	})
	return id
}

// call returns the stack of a frame that another stack calls.
func (n *interned) call(caller, frame int32) int32 {
	id, _ := n.nodes.id(node{caller, frame}, nil)
	return id
}

// thread returns the number of a thread.
func (n *interned) thread(machine int32, processID int64, name string, threadID int64) int32 {
	p, _ := n.processes.id(process{machine, processID, name}, func(p process) process {
		p.name = n.text(p.name)
		return p
	})
	id, _ := n.threads.id(thread{p, threadID}, nil)
	return id
}

// stack calls do for the frames of a stack, innermost first.
func (n *interned) stack(node int32, do func(frame int32)) {
	for node != noStack {
		call := n.nodes.list[node]
		do(call.frame)
		node = call.caller
	}
}
