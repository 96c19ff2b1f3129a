package inputs

import (
	"slices"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// Progress counts the finished part of the files. It is safe for use from many
// goroutines.
type Progress struct {
	Indexes  bool             // the run only makes the index of each trace
	Finished func(now *State) // called like the function of Show when a file is finished; nil: not called

	mu      sync.Mutex
	begin   time.Time
	files   int   // all files
	done    int   // files whose traces are all finished
	traces  int   // traces finished, skipped or failed
	failed  int   // files and traces that failed
	bytes   int64 // of all files except skipped ones
	before  int64 // bytes done of the traces that are not running
	events  int64 // of the traces that are not running
	rest    int64 // bytes of the file being walked that no trace has claimed
	stream  bool  // the size of the file being walked is unknown
	running []*Work
}

// Work is a trace that is being read or converted.
type Work struct {
	pipeline.Progress
	name    string
	size    int64
	counted int64 // bytes of it already in Progress.before, while it waits for its bundle
}

// NewProgress returns the progress of a run over a number of files with a known number of
// bytes. The run begins now.
func NewProgress(files int, bytes int64) *Progress {
	return &Progress{files: files, bytes: bytes, begin: time.Now()}
}

// Open begins the walk over a file; size is -1 if unknown.
func (p *Progress) Open(size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest, p.stream = max(size, 0), size < 0
}

// Close ends the walk. Bytes that no trace has claimed no longer count.
func (p *Progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes -= p.rest
	p.rest, p.stream = 0, false
}

// FinishFile counts a file whose traces are all finished.
func (p *Progress) FinishFile() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.Finished != nil {
		p.Finished(p.state())
	}
}

// Again records that a number of finished files and traces will be read again. They count as
// unfinished until then, and their bytes count again, trace by trace.
func (p *Progress) Again(files, traces int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done -= files
	p.traces -= traces
}

// Next begins a trace in the file being walked. The trace claims size bytes of the file.
func (p *Progress) Next(name string, size int64) *Work {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes += max(0, size-p.rest)
	p.rest = max(0, p.rest-size)
	w := &Work{name: name, size: size}
	p.running = append(p.running, w)
	return w
}

// Finish ends a trace. The bytes of a skipped trace no longer count.
func (p *Progress) Finish(w *Work, skipped bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pause(w)
	p.traces++
	if skipped {
		p.bytes -= w.size
		p.before -= w.counted
	} else {
		p.before += w.size - w.counted
	}
}

// Wait suspends a trace that has been read and waits to be written with the
// other traces of its bundle.
func (p *Progress) Wait(w *Work) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pause(w)
}

// pause ends the running state of a trace and keeps the work done so far.
func (p *Progress) pause(w *Work) {
	i := slices.Index(p.running, w)
	if i < 0 {
		return
	}
	bytes, events := w.state(p.Indexes)
	w.counted = bytes
	p.before += bytes
	p.events += events
	p.running = slices.Delete(p.running, i, i+1)
}

// Skip counts a trace that is skipped without being read.
func (p *Progress) Skip() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traces++
}

// Fail counts a file or a trace that cannot be read or converted.
func (p *Progress) Fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed++
}

// Show calls f with the state. Nothing is counted during the call, and no other
// call of Show or Finished runs, so f can print.
func (p *Progress) Show(f func(now *State)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.state())
}

// state sums up the run so far.
func (p *Progress) state() *State {
	s := &State{
		After: time.Since(p.begin), Done: p.done, Files: p.files, Traces: p.traces, Failed: p.failed,
		Bytes: p.before, AllBytes: p.bytes, Events: p.events, Stream: p.stream, Current: []string{},
	}
	for _, w := range p.running {
		bytes, events := w.state(p.Indexes)
		s.Bytes += bytes
		s.Events += events
		s.Current = append(s.Current, w.name)
	}
	return s
}

// state returns the bytes and events of a trace done so far.
func (w *Work) state(indexes bool) (bytes, events int64) {
	if indexes {
		done := fraction(w.IndexedBytes.Load(), w.FileBytes.Load())
		return int64(done * float64(w.size)), w.Events.Load()
	}
	return int64(w.Fraction() * float64(w.size)), w.Converted.Load()
}
