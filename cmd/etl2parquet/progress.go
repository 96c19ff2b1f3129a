package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/etl2parquet/etl2parquet/convert"
)

// How often the progress is shown, and how soon.
const (
	barInterval   = 100 * time.Millisecond
	plainInterval = 5 * time.Second
)

// progress shows how far a run over several traces is: as a bar that is
// drawn over and over on a terminal, as a line now and then elsewhere.
type progress struct {
	out     io.Writer
	columns func() int // of the terminal; nil if it is none
	erase   string     // what clears the line; "" where it has to be written over
	indexes bool       // the run makes the index only

	mu      sync.Mutex
	drawn   int // width of the bar that is on the screen
	begin   time.Time
	files   int   // all of them
	file    int   // the one being read, from 1
	bytes   int64 // of all files that are not skipped
	before  int64 // bytes of the files before this one
	events  int64 // of the files before this one
	size    int64 // bytes of this trace
	rest    int64 // bytes of the file that no trace has taken
	stream  bool  // the file is one of unknown size
	current *convert.Progress
	stop    chan struct{}
	stopped sync.WaitGroup
}

// newProgress shows nothing if out is nil.
func newProgress(out io.Writer, files int, bytes int64) *progress {
	p := &progress{out: out, files: files, bytes: bytes, begin: time.Now(), stop: make(chan struct{})}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.columns = func() int {
			width, _, err := term.GetSize(int(file.Fd()))
			if err != nil || width <= 0 { // a terminal that does not say
				return 80
			}
			return width
		}
		if runtime.GOOS != "windows" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
			p.erase = "\x1b[K"
		}
	}
	return p
}

// start begins to show it, until done.
func (p *progress) start() {
	interval := plainInterval
	if p.columns != nil {
		interval = barInterval
	}
	if p.out == nil || p.indexes && p.columns == nil {
		return
	}
	p.stopped.Go(func() {
		tick := time.NewTicker(interval)
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

// done takes it from the screen.
func (p *progress) done() {
	close(p.stop)
	p.stopped.Wait()
	p.aside(func() {})
}

// open begins a file; its size is -1 if it is not known.
func (p *progress) open(size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.file++
	p.rest, p.stream = max(size, 0), size < 0
}

// close ends the file. What was not read of it was no work.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes -= p.rest
	p.rest, p.stream = 0, false
}

// next begins a trace in the file, which takes some bytes of it.
func (p *progress) next(size int64) *convert.Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes += max(0, size-p.rest)
	p.rest = max(0, p.rest-size)
	p.size = size
	p.current = new(convert.Progress)
	return p.current
}

// finish ends the trace; one that was skipped was no work, and does not count.
func (p *progress) finish(skipped bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if skipped {
		p.bytes -= p.size
	} else {
		p.before += p.size
		p.events += p.current.Events.Load()
	}
	p.size, p.current = 0, nil
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
	now := p.state(time.Since(p.begin))
	if p.columns == nil {
		fmt.Fprintf(p.out, "etl2parquet: %s\n", now.line())
		return
	}
	bar := now.bar(p.columns() - 1) // in the last column some terminals wrap
	rest := p.erase
	if rest == "" {
		rest = strings.Repeat(" ", max(0, p.drawn-len(bar)))
	}
	fmt.Fprint(p.out, "\r", bar, rest)
	p.drawn = len(bar)
}

// indexShare is how much of the work of a conversion the index pass is, about.
const indexShare = 0.1

// state adds up where the run is.
func (p *progress) state(after time.Duration) progressState {
	s := progressState{after: after, file: p.file, files: p.files, bytes: p.before, allBytes: p.bytes, events: p.events, stream: p.stream}
	if c := p.current; c != nil && p.size > 0 {
		indexed := fraction(c.IndexedBytes.Load(), c.FileBytes.Load())
		done, events := indexed, c.Events.Load()
		if !p.indexes {
			done = indexShare*indexed + (1-indexShare)*fraction(c.Converted.Load(), events)
			events = c.Converted.Load()
		}
		s.bytes += int64(done * float64(p.size))
		s.events += events
	}
	return s
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
	file, files     int
	bytes, allBytes int64
	events          int64
	stream          bool // allBytes is what is known so far
}

func (s *progressState) fraction() float64 { return fraction(s.bytes, s.allBytes) }

// rate returns the events per second.
func (s *progressState) rate() string {
	return perSecond(float64(s.events)/max(s.after.Seconds(), 1e-3)) + "/s"
}

// left returns the time that is left, once that can be told.
func (s *progressState) left() string {
	f := s.fraction()
	if s.after < time.Second || f < 0.01 || s.stream {
		return "-:--"
	}
	return clock(time.Duration(float64(s.after) * (1 - f) / f))
}

func (s *progressState) percent() string {
	if s.stream {
		return "?"
	}
	return fmt.Sprintf("%.0f", 100*s.fraction())
}

// line is the state for a log.
func (s *progressState) line() string {
	return fmt.Sprintf("file %d of %d, %s %%, %s, %s events, %s, %s left",
		s.file, s.files, s.percent(), partOfSize(s.bytes, s.allBytes), grouped(s.events), s.rate(), s.left())
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
		parts = append(parts, fmt.Sprintf("file %d/%d", s.file, s.files))
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
	return percent + " [" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]" + right
}
