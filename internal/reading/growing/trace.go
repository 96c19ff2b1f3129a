package growing

import (
	"context"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// windowBytes bounds the buffers that are read at a time. Their rows are in the order of time.
const windowBytes = 64 << 20

// Trace is a growing trace with what is remembered of it. It is for one goroutine.
type Trace struct {
	File
	memory  *Memory
	learned int // the buffers before this one have been read for their facts
	skipped int // the buffers before this one were printed by an earlier run
}

// NewTrace returns a trace that nothing has been read of. say is called with what becomes of it: the
// rest of a sentence whose subject is the file. memory bounds what is remembered; 0 is DefaultMemory.
func NewTrace(path string, memory int64, say func(text string)) *Trace {
	t := &Trace{File: File{Path: path, Say: say}, memory: NewMemory(memory)}
	t.memory.Forgot = func(n int) {
		say(fmt.Sprintf("has more facts about running processes than are remembered (%d MiB): the %d oldest are forgotten", t.memory.limit>>20, n))
	}
	return t
}

// Poll looks at the file; see [File.Poll]. It reports whether it is another file now.
func (t *Trace) Poll() (restarted bool, err error) {
	if restarted, err = t.File.Poll(); restarted {
		t.memory.clear()
		t.learned, t.skipped = 0, 0
	}
	return restarted, err
}

// Window is some buffers of a growing trace that are read together.
type Window struct {
	Input   pipeline.Input
	From    int   // number of the first buffer
	To      int   // number of the buffer after the last
	Offset  int64 // of the first buffer in the file
	End     int64 // of the last buffer
	Last    decode.BufferHeader
	facts   int // buffers in Input.Part.File before those of the window
	buffers []decode.BufferInfo
}

// Learn reads the facts in the buffers that were found, so that rows of earlier buffers have them.
func (t *Trace) Learn(ctx context.Context, o *pipeline.Options) error {
	for {
		w, err := t.window(t.learned, false)
		if err != nil {
			return err
		}
		if w == nil {
			t.skip()
			return nil
		}
		source, err := pipeline.OpenSource(ctx, w.Input, o)
		if err != nil {
			return err
		}
		t.learned = w.To
		if err := source.Close(); err != nil {
			return err
		}
	}
}

// skip drops the buffers that an earlier run has printed.
func (t *Trace) skip() {
	if n := t.skipped - t.number; n > 0 {
		t.found, t.number = t.found[n:], t.skipped
	}
}

// Next returns the next buffers to print, or nil if no complete ones have come.
func (t *Trace) Next() (*Window, error) { return t.window(t.number, true) }

// Printed takes note that the rows of a window have been printed.
func (t *Trace) Printed(w *Window) {
	t.found = t.found[w.To-t.number:]
	t.number, t.learned = w.To, max(t.learned, w.To)
}

// Skip makes Learn skip the buffers before a number, which an earlier run has printed, after it has read
// their facts. They must have been found.
func (t *Trace) Skip(number int) { t.skipped = number }

// Last returns the buffer before a number, if that many were found.
func (t *Trace) Last(number int) (decode.BufferInfo, bool) {
	if i := number - 1 - t.number; i >= 0 && i < len(t.found) {
		return t.found[i], true
	}
	return decode.BufferInfo{}, false
}

// window returns buffers from a number on.
func (t *Trace) window(from int, printing bool) (*Window, error) {
	first := from - t.number
	if first < 0 || first >= len(t.found) {
		return nil, nil
	}
	bytes, n := int64(0), 0
	for _, b := range t.found[first:] {
		if bytes += int64(b.Size); n > 0 && bytes > windowBytes {
			break
		}
		n++
	}
	w := &Window{From: from, To: from + n, buffers: t.found[first : first+n]}
	last := &w.buffers[n-1]
	w.Offset, w.End, w.Last = w.buffers[0].Offset, last.Offset+int64(last.Size), last.Header
	c, head := t.container, []byte(nil)
	c.Buffers, head = t.memory.buffers(w.From, w.To)
	w.facts = len(c.Buffers)
	size := int64(len(head)) + w.End - w.Offset
	for _, b := range w.buffers {
		b.Offset += int64(len(head)) - w.Offset
		c.Buffers = append(c.Buffers, b)
	}
	v := &view{head: head, file: t.file, from: w.Offset}
	file, err := decode.FileOf(v, size, &c)
	if err != nil {
		return nil, err
	}
	w.Input = pipeline.Input{Name: t.Path, Size: size, Trace: io.ReaderAt(v), Part: &pipeline.Part{
		File: file, Facts: w.facts, Number: int64(w.From),
		Keep: func(e index.KeptEvent) { t.keep(w, e, printing) },
	}}
	return w, nil
}

// keep remembers an event of a window.
func (t *Trace) keep(w *Window, e index.KeptEvent, printing bool) {
	e.Buffer += w.From - w.facts
	if e.Kind == index.KeptSwitch || e.Buffer >= t.learned {
		t.memory.add(e, printing || e.Buffer < t.skipped)
	}
}

// Damaged returns the damaged buffers of a window, by its index.
func (w *Window) Damaged(x *index.Index) (list []decode.BufferInfo) {
	for i := range w.buffers {
		if x.Buffers[w.facts+i].Damaged {
			list = append(list, w.buffers[i])
		}
	}
	return list
}
