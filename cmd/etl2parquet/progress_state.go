package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/grid"
)

// progressState is the state of a run at one moment.
type progressState struct {
	after           time.Duration
	done, files     int
	traces, failed  int
	bytes, allBytes int64
	events          int64
	stream          bool     // allBytes is only what is known so far
	current         []string // traces being read, in the order of their start
}

func (s *progressState) fraction() float64 { return fraction(s.bytes, s.allBytes) }

// perSecond returns the rate at which n things were done.
func (s *progressState) perSecond(n int64) float64 { return float64(n) / max(s.after.Seconds(), 1e-3) }

// rate returns the events per second.
func (s *progressState) rate() string { return perSecond(s.perSecond(s.events)) + "/s" }

// remaining estimates the time left; ok is false while it cannot be estimated.
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
	return strconv.Itoa(int(100 * s.fraction())) // rounded down: 100 means that all is done
}

// line returns the state as a line for a log.
func (s *progressState) line() string {
	line := fmt.Sprintf("%d of %s, %s %%, %s, %s events, %s, %s left",
		s.done, counted(int64(s.files), "file"), s.percent(), bytesize.PartOf(s.bytes, s.allBytes), grouped(s.events), s.rate(), s.left())
	if names := s.names(); names != "" {
		line += ": " + names
	}
	return line
}

// names lists what is being read: the trace that began first, and the number of others.
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

// bar returns the state in at most so many columns; the least important parts are
// left out first. Parts are padded to their usual width, so that they do not
// move.
func (s *progressState) bar(columns int) string {
	percent := fmt.Sprintf("%3s %%", s.percent())
	parts := []string{
		fmt.Sprintf("%5s left", s.left()),
		fmt.Sprintf("%8s", s.rate()),
		fmt.Sprintf("%10s events", grouped(s.events)),
		fmt.Sprintf("%18s", bytesize.PartOf(s.bytes, s.allBytes)),
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
	names := s.names()
	if names == "" || columns < len(gap)+least {
		return ""
	}
	return gap + grid.Shortened(names, columns-len(gap))
}
