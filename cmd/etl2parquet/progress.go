package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/etl2parquet/etl2parquet/convert"
)

// The intervals at which progress is shown.
const (
	barInterval   = 100 * time.Millisecond
	plainInterval = 5 * time.Second
	jsonInterval  = time.Second
)

// The values of --progress.
const (
	autoProgress  = "auto"
	barProgress   = "bar"
	plainProgress = "plain"
	jsonProgress  = "json"
	noProgress    = "none"
)

// progress shows the progress of a run: as a bar that is redrawn, as a line at
// intervals, or as JSON lines for programs.
type progress struct {
	out     io.Writer
	json    bool
	columns func() int // returns the width of the terminal; nil if there is no bar
	erase   string     // escape sequence that clears the line; "" if it must be overwritten
	indexes bool       // the run only makes the index

	mu      sync.Mutex
	drawn   int // width of the bar on the screen
	begin   time.Time
	files   int   // all input files
	done    int   // input files whose traces are all finished
	traces  int   // traces finished, skipped or failed
	failed  int   // inputs and traces that failed
	bytes   int64 // of all files except skipped ones
	before  int64 // bytes done of the traces that are not running
	events  int64 // of the traces that are not running
	rest    int64 // bytes of the file being walked that no trace has claimed
	stream  bool  // the size of the file being walked is unknown
	running []*work
	stop    chan struct{}
	stopped sync.WaitGroup
}

// work is a trace that is being converted.
type work struct {
	convert.Progress
	name    string
	size    int64
	counted int64 // its bytes already in progress.before, while it waits for its bundle
}

// newProgress returns a progress that shows nothing if out is nil.
func newProgress(out io.Writer, how string, files int, bytes int64) *progress {
	p := &progress{out: out, files: files, bytes: bytes, begin: time.Now(), stop: make(chan struct{})}
	file, ok := out.(*os.File)
	terminal := ok && term.IsTerminal(int(file.Fd()))
	switch {
	case how == noProgress:
		p.out = nil
	case how == jsonProgress:
		p.json = out != nil
	case how == barProgress, how == autoProgress && terminal:
		p.columns = func() int {
			const usual = 80 // if the terminal does not report its width
			if !terminal {
				return usual
			}
			width, _, err := term.GetSize(int(file.Fd()))
			if err != nil || width <= 0 {
				return usual
			}
			return width
		}
		if terminal && runtime.GOOS != "windows" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
			p.erase = "\x1b[K"
		}
	}
	return p
}

// interval returns the time between two updates.
func (p *progress) interval() time.Duration {
	switch {
	case p.json:
		return jsonInterval
	case p.columns != nil:
		return barInterval
	}
	return plainInterval
}

// start shows the progress at intervals until end is called.
func (p *progress) start(ticker newTicker) {
	if p.out == nil || p.indexes && p.columns == nil {
		return
	}
	p.stopped.Go(func() {
		tick := ticker(p.interval())
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show()
			case <-p.stop:
				return
			}
		}
	})
}

// end removes the bar from the screen, or prints the last JSON line.
func (p *progress) end() {
	close(p.stop)
	p.stopped.Wait()
	p.aside(func() {
		if p.json {
			p.print(stateEnded)
		}
	})
}

// open begins the walk over a file; size is -1 if unknown.
func (p *progress) open(size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest, p.stream = max(size, 0), size < 0
}

// close ends the walk. Bytes that no trace has claimed no longer count.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes -= p.rest
	p.rest, p.stream = 0, false
}

// finishInput counts a file whose traces are all finished.
func (p *progress) finishInput() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.json {
		p.print(stateRunning)
	}
}

// next begins a trace in the file being walked. The trace claims size bytes of the file.
func (p *progress) next(name string, size int64) *work {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes += max(0, size-p.rest)
	p.rest = max(0, p.rest-size)
	w := &work{name: name, size: size}
	p.running = append(p.running, w)
	return w
}

// finish ends a trace. The bytes of a skipped trace no longer count.
func (p *progress) finish(w *work, skipped bool) {
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

// wait suspends a trace that has been read and waits to be written with the
// other traces of its bundle.
func (p *progress) wait(w *work) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pause(w)
}

// pause ends the running state of a trace and keeps the work done so far.
func (p *progress) pause(w *work) {
	i := slices.Index(p.running, w)
	if i < 0 {
		return
	}
	bytes, events := w.state(p.indexes)
	w.counted = bytes
	p.before += bytes
	p.events += events
	p.running = slices.Delete(p.running, i, i+1)
}

// pass counts a trace that is skipped without being read.
func (p *progress) pass() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traces++
}

// fail counts an input or a trace that cannot be read or converted.
func (p *progress) fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed++
}

// aside removes the bar while f prints lines to any stream.
func (p *progress) aside(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn > 0 {
		if p.erase != "" {
			fmt.Fprint(p.out, "\r", p.erase)
		} else {
			fmt.Fprint(p.out, "\r", strings.Repeat(" ", p.drawn), "\r")
		}
		p.drawn = 0
	}
	f()
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.json {
		p.print(stateRunning)
		return
	}
	now := p.state(time.Since(p.begin))
	if p.columns == nil {
		fmt.Fprintf(p.out, "etl2parquet: %s\n", now.line())
		return
	}
	bar := now.bar(p.columns() - 1) // some terminals wrap after the last column
	width := utf8.RuneCountInString(bar)
	rest := p.erase
	if rest == "" {
		rest = strings.Repeat(" ", max(0, p.drawn-width))
	}
	fmt.Fprint(p.out, "\r", bar, rest)
	p.drawn = width
}

// state sums up the run so far.
func (p *progress) state(after time.Duration) progressState {
	s := progressState{
		after: after, done: p.done, files: p.files, traces: p.traces, failed: p.failed,
		bytes: p.before, allBytes: p.bytes, events: p.events, stream: p.stream, current: []string{},
	}
	for _, w := range p.running {
		bytes, events := w.state(p.indexes)
		s.bytes += bytes
		s.events += events
		s.current = append(s.current, w.name)
	}
	return s
}

// state returns the bytes and events of a trace done so far.
func (w *work) state(indexes bool) (bytes, events int64) {
	if indexes {
		done := fraction(w.IndexedBytes.Load(), w.FileBytes.Load())
		return int64(done * float64(w.size)), w.Events.Load()
	}
	return int64(w.Fraction() * float64(w.size)), w.Converted.Load()
}

func fraction(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(1, float64(part)/float64(whole))
}
