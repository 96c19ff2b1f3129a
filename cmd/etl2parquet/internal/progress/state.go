package progress

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// words formats the state of a run as text.
type words struct {
	*inputs.State
	wait string // what is waited for, or ""
}

// rate returns the events per second.
func (s *words) rate() string { return texts.PerSecond(s.PerSecond(s.Events)) + "/s" }

func (s *words) left() string {
	remaining, ok := s.Remaining()
	if !ok {
		return "-:--"
	}
	return texts.Clock(remaining)
}

func (s *words) percent() string {
	if s.Stream {
		return "?"
	}
	return strconv.Itoa(int(100 * s.Fraction())) // rounded down: 100 means that all is done
}

// text returns the state as a line for a log.
func (s *words) text() string {
	line := fmt.Sprintf("%d of %s, %s %%, %s, %s events, %s, %s left",
		s.Done, texts.Counted(int64(s.Files), "file"), s.percent(), texts.PartOfSize(s.Bytes, s.AllBytes), texts.Grouped(s.Events), s.rate(), s.left())
	if names := s.names(); names != "" {
		line += ": " + names
	}
	return line
}

// names lists what is being read: the trace that began first, and the number of others.
func (s *words) names() string {
	switch n := len(s.Current); {
	case s.wait != "":
		return s.wait
	case n == 0:
		return ""
	case n == 1:
		return texts.Printable(s.Current[0])
	default:
		return fmt.Sprintf("%s and %d more", texts.Printable(s.Current[0]), n-1)
	}
}

// The width of the bar itself.
const (
	barMin = 5
	barMax = 30
)

// bar returns the state in at most this number of columns; the least important parts
// are left out first. Parts are padded to their usual width, so that they do not
// move.
func (s *words) bar(columns int) string {
	percent := fmt.Sprintf("%3s %%", s.percent())
	if s.wait != "" { // nothing else moves
		return percent[:max(0, min(len(percent), columns))] + s.shortNames(columns-len(percent))
	}
	parts := []string{
		fmt.Sprintf("%5s left", s.left()),
		fmt.Sprintf("%8s", s.rate()),
		fmt.Sprintf("%10s events", texts.Grouped(s.Events)),
		fmt.Sprintf("%18s", texts.PartOfSize(s.Bytes, s.AllBytes)),
	}
	if s.Files > 1 {
		parts = append(parts, fmt.Sprintf("%d/%d files", s.Done, s.Files))
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
	full := int(s.Fraction() * float64(width))
	bar := percent + " [" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]" + right
	return bar + s.shortNames(columns-len(bar))
}

// shortNames returns the names of the traces being read, for the end of the bar, or ""
// if the columns left for them are too few.
func (s *words) shortNames(columns int) string {
	const gap, least = "  ", 12
	names := s.names()
	if names == "" || columns < len(gap)+least {
		return ""
	}
	return gap + texts.Shortened(names, columns-len(gap))
}
