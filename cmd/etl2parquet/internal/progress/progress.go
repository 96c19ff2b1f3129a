// Package progress shows the progress of a run: on a terminal, or in lines for people or programs.
package progress

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// The intervals at which progress is shown.
const (
	barInterval   = 100 * time.Millisecond
	plainInterval = 5 * time.Second
	jsonInterval  = time.Second
)

// How progress is shown: the values of --progress.
const (
	Auto  = "auto"
	Bar   = "bar"
	Plain = "plain"
	JSON  = "json"
	None  = "none"
)

// Display shows the progress of a run: as a bar that is redrawn, as a line at
// intervals, or as JSON lines for programs.
type Display struct {
	*inputs.Progress
	out     io.Writer
	json    bool
	columns func() int // returns the width of the terminal; nil if there is no bar
	erase   string     // escape sequence that clears the line; "" if it must be overwritten
	drawn   int        // width of the bar on the screen
	wait    string     // what is waited for, shown in the bar instead of the traces; guarded by Progress.Show
	started bool       // guarded by Progress.Show
	stop    chan struct{}
	stopped sync.WaitGroup
}

// New returns a display, on out, of a run over this number of files and bytes. It shows nothing if
// out is nil.
func New(out io.Writer, how string, files int, bytes int64) *Display {
	p := &Display{Progress: inputs.NewProgress(files, bytes), out: out, stop: make(chan struct{})}
	file, ok := out.(*os.File)
	terminal := ok && term.IsTerminal(int(file.Fd()))
	switch {
	case how == None:
		p.out = nil
	case how == JSON:
		if p.json = out != nil; p.json {
			p.Finished = func(now *inputs.State) { p.print(now, stateRunning) }
		}
	case how == Bar, how == Auto && terminal:
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
func (p *Display) interval() time.Duration {
	switch {
	case p.json:
		return jsonInterval
	case p.columns != nil:
		return barInterval
	}
	return plainInterval
}

// Start shows the progress at intervals until End is called. ticker is time.NewTicker, except in
// tests.
func (p *Display) Start(ticker func(time.Duration) *time.Ticker) {
	p.Show(func(*inputs.State) { p.started = true })
	if p.out == nil || p.Indexes && p.columns == nil {
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

// End removes the bar from the screen, or prints the last JSON line.
func (p *Display) End() {
	if !p.started {
		return
	}
	close(p.stop)
	p.stopped.Wait()
	p.Show(func(now *inputs.State) {
		p.remove()
		if p.json {
			p.print(now, stateEnded)
		}
	})
}

// Aside removes the bar while f prints lines to any stream.
func (p *Display) Aside(f func()) {
	p.Show(func(*inputs.State) {
		p.remove()
		f()
	})
}

// remove removes the bar from the screen.
func (p *Display) remove() {
	if p.drawn == 0 {
		return
	}
	if p.erase != "" {
		fmt.Fprint(p.out, "\r", p.erase)
	} else {
		fmt.Fprint(p.out, "\r", strings.Repeat(" ", p.drawn), "\r")
	}
	p.drawn = 0
}

// Wait shows, in the bar, what is waited for, until it is called with "". It returns false if there is
// no bar.
func (p *Display) Wait(text string) bool {
	if p.columns == nil || p.out == nil {
		return false
	}
	shown := false
	p.Show(func(*inputs.State) { p.wait, shown = text, p.started })
	return shown
}

func (p *Display) show() { p.Show(p.draw) }

func (p *Display) draw(s *inputs.State) {
	if p.json {
		p.print(s, stateRunning)
		return
	}
	now := words{s, p.wait}
	if p.columns == nil {
		fmt.Fprintf(p.out, "etl2parquet: %s\n", now.text())
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
