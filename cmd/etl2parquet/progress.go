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

// How often the progress is shown, and how soon.
const (
	barInterval   = 100 * time.Millisecond
	plainInterval = 5 * time.Second
	jsonInterval  = time.Second
)

// What --progress may be.
const (
	autoProgress  = "auto"
	barProgress   = "bar"
	plainProgress = "plain"
	jsonProgress  = "json"
	noProgress    = "none"
)

// progress shows how far a run over several traces is: as a bar that is drawn
// over and over, as a line now and then, or as lines for programs.
type progress struct {
	out     io.Writer
	json    bool
	columns func() int // of the terminal; nil if there is no bar
	erase   string     // what clears the line; "" where it has to be written over
	indexes bool       // the run makes the index only

	mu      sync.Mutex
	drawn   int // width of the bar that is on the screen
	begin   time.Time
	files   int   // all of them
	done    int   // those that are finished, with all their traces
	traces  int   // finished or skipped
	failed  int   // inputs or traces
	bytes   int64 // of all files that are not skipped
	before  int64 // bytes of the traces that are finished
	events  int64 // of the traces that are finished
	rest    int64 // bytes of the file being walked that no trace has taken
	stream  bool  // the file being walked is one of unknown size
	running []*work
	stop    chan struct{}
	stopped sync.WaitGroup
}

// work is a trace that is being read.
type work struct {
	convert.Progress
	name string
	size int64
}

// newProgress shows nothing if out is nil.
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
			const usual = 80 // of a terminal that does not say
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

// interval is how often it is shown.
func (p *progress) interval() time.Duration {
	switch {
	case p.json:
		return jsonInterval
	case p.columns != nil:
		return barInterval
	}
	return plainInterval
}

// start begins to show it, until end.
func (p *progress) start() {
	if p.out == nil || p.indexes && p.columns == nil {
		return
	}
	p.stopped.Go(func() {
		tick := time.NewTicker(p.interval())
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

// end takes it from the screen; programs get a last line.
func (p *progress) end() {
	close(p.stop)
	p.stopped.Wait()
	p.aside(func() {
		if p.json {
			p.print(stateEnded)
		}
	})
}

// open begins to walk a file; its size is -1 if it is not known.
func (p *progress) open(size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest, p.stream = max(size, 0), size < 0
}

// close ends the walk. What was not read of the file was no work.
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

// next begins a trace in the file being walked, which takes some bytes of it.
func (p *progress) next(name string, size int64) *work {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes += max(0, size-p.rest)
	p.rest = max(0, p.rest-size)
	w := &work{name: name, size: size}
	p.running = append(p.running, w)
	return w
}

// finish ends a trace; one that was skipped was no work, and does not count.
func (p *progress) finish(w *work, skipped bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traces++
	if skipped {
		p.bytes -= w.size
	} else {
		p.before += w.size
		p.events += w.Events.Load()
	}
	p.running = slices.DeleteFunc(p.running, func(r *work) bool { return r == w })
}

// pass counts a trace that is not read.
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

// aside lets f print lines, on whatever stream, without the bar between them.
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
	bar := now.bar(p.columns() - 1) // in the last column some terminals wrap
	width := utf8.RuneCountInString(bar)
	rest := p.erase
	if rest == "" {
		rest = strings.Repeat(" ", max(0, p.drawn-width))
	}
	fmt.Fprint(p.out, "\r", bar, rest)
	p.drawn = width
}

// indexShare is how much of the work of a conversion the index pass is, about.
const indexShare = 0.1

// state adds up where the run is.
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

// state returns how many bytes and events of a trace are done.
func (w *work) state(indexes bool) (bytes, events int64) {
	done, events := fraction(w.IndexedBytes.Load(), w.FileBytes.Load()), w.Events.Load()
	if !indexes {
		done = indexShare*done + (1-indexShare)*fraction(w.Converted.Load(), events)
		events = w.Converted.Load()
	}
	return int64(done * float64(w.size)), events
}

func fraction(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(1, float64(part)/float64(whole))
}

// progressState is where a run is at one moment.
type progressState struct {
	after           time.Duration
	done, files     int
	traces, failed  int
	bytes, allBytes int64
	events          int64
	stream          bool     // allBytes is what is known so far
	current         []string // traces being read, in the order of their start
}

func (s *progressState) fraction() float64 { return fraction(s.bytes, s.allBytes) }

// perSecond returns how much of something was done in a second.
func (s *progressState) perSecond(n int64) float64 { return float64(n) / max(s.after.Seconds(), 1e-3) }

// rate returns the events per second.
func (s *progressState) rate() string { return perSecond(s.perSecond(s.events)) + "/s" }

// remaining returns the time that is left, once that can be told.
func (s *progressState) remaining() (time.Duration, bool) {
	f := s.fraction()
	if s.after < time.Second || f < 0.01 || s.stream {
		return 0, false
	}
	return time.Duration(float64(s.after) * (1 - f) / f), true
}

func (s *progressState) left() string {
	left, ok := s.remaining()
	if !ok {
		return "-:--"
	}
	return clock(left)
}

func (s *progressState) percent() string {
	if s.stream {
		return "?"
	}
	return fmt.Sprintf("%.0f", 100*s.fraction())
}

// line is the state for a log.
func (s *progressState) line() string {
	line := fmt.Sprintf("%d of %s, %s %%, %s, %s events, %s, %s left",
		s.done, counted(int64(s.files), "file"), s.percent(), partOfSize(s.bytes, s.allBytes), grouped(s.events), s.rate(), s.left())
	if names := s.names(); names != "" {
		line += ": " + names
	}
	return line
}

// names says what is being read: the trace that has been for longest, and how
// many others.
func (s *progressState) names() string {
	switch n := len(s.current); n {
	case 0:
		return ""
	case 1:
		return printable(s.current[0])
	default:
		return fmt.Sprintf("%s and %d more", printable(s.current[0]), n-1)
	}
}

// The width of the bar itself.
const (
	barMin = 5
	barMax = 30
)

// bar is the state in at most so many columns: what matters least goes first.
// Its parts have a width that is enough for what is usual, so that they stay
// where they are.
func (s *progressState) bar(columns int) string {
	percent := fmt.Sprintf("%3s %%", s.percent())
	parts := []string{
		fmt.Sprintf("%5s left", s.left()),
		fmt.Sprintf("%8s", s.rate()),
		fmt.Sprintf("%10s events", grouped(s.events)),
		fmt.Sprintf("%18s", partOfSize(s.bytes, s.allBytes)),
	}
	if s.files > 1 {
		parts = append(parts, fmt.Sprintf("%d/%d files", s.done, s.files))
	}
	var right string
	for _, part := range parts {
		if len(percent)+2+len(part)+len(right)+3+barMin > columns {
			break
		}
		right = "  " + part + right
	}
	width := min(barMax, columns-len(percent)-len(right)-3)
	if width < barMin {
		return percent[:max(0, min(len(percent), columns))]
	}
	full := int(s.fraction() * float64(width))
	bar := percent + " [" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]" + right
	return bar + s.shortNames(columns-len(bar))
}

// shortNames says what is being read behind the bar, if that makes sense in so
// many columns.
func (s *progressState) shortNames(columns int) string {
	const gap, least = "  ", 12
	names := []rune(s.names())
	if len(names) == 0 || columns < len(gap)+least {
		return ""
	}
	if most := columns - len(gap); len(names) > most {
		names = append(names[:most-1], '…')
	}
	return gap + string(names)
}
