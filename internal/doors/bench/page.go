package bench

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// writeMachine prints the machine and settings, which are the same for all traces.
func (r *Report) writeMachine(w io.Writer, o *Options) {
	m := &r.Machine
	system := cmp.Or(m.System, m.OS)
	var g texts.Grid
	g.Add("machine", fmt.Sprintf("%s, %s, %s memory, %s/%s, %s", m.cpuName(), texts.Counted(int64(m.Cores), "core"), texts.RoundSize(m.Memory), m.OS, m.Arch, system))
	g.Add("program", fmt.Sprintf("etl2parquet %s, %s", r.Program, r.GoVersion))
	g.Add("rounds", fmt.Sprintf("%d, after a warm-up; medians; spread is (most - least) / median", r.Settings.Rounds))
	g.Add("memory", fmt.Sprintf("a conversion may take %s", texts.RoundSize(r.Settings.Memory)))
	g.Print(w, o.Width)
}

// write prints the measurements of a trace.
func (t *Trace) write(w io.Writer, o *Options) {
	t.Shape.write(w, o)
	t.writeConversions(w, o)
	t.writeEstimate(w, o)
	t.writeStages(w, o)
}

func (s *Shape) write(w io.Writer, o *Options) {
	title := texts.Grid{Head: true, Style: o.Style}
	title.Add(texts.Printable(s.File))
	fmt.Fprintln(w)
	title.Print(w, o.Width)
	g := texts.Grid{Indent: "  "}
	compression := "not compressed"
	if s.Compression != nil {
		compression = fmt.Sprintf("%d compressed, %.2f times smaller", s.Compressed, *s.Compression)
	}
	g.Add("file", fmt.Sprintf("%s, %s: %s", texts.RoundSize(s.Size), texts.Counted(s.Buffers, "buffer"), compression))
	if s.Measured < s.Size {
		g.Add("measured", fmt.Sprintf("%s of the file, from its beginning", texts.PartOfSize(s.Measured, s.Size)))
	}
	g.Add("events", fmt.Sprintf("%s of %s, %s, %s raw", texts.Grouped(s.Events), texts.Counted(s.EventTypes, "type"), eachOf(s.Uncompressed, s.Events), texts.Share(s.NotDecoded, s.Events)))
	g.Add("headers", s.headers())
	stacks := "no stacks"
	if s.Stacks {
		stacks = "stacks"
	}
	g.Add("rows", fmt.Sprintf("%s in %s, %s", texts.Grouped(s.Rows), texts.Counted(s.Tables, "table"), stacks))
	g.Add("Parquet", fmt.Sprintf("%s, %s per event", texts.RoundSize(s.Parquet), eachOf(s.Parquet, s.Events)))
	g.Print(w, o.Width)
}

// eachOf returns the bytes per event as text.
func eachOf(bytes, events int64) string {
	return fmt.Sprintf("%.1f bytes", rate(bytes, float64(events)))
}

// headers returns the share of each header type, the largest first.
func (s *Shape) headers() string {
	names := slices.SortedFunc(maps.Keys(s.EventsByHeader), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.EventsByHeader[b], s.EventsByHeader[a]), cmp.Compare(a, b))
	})
	var list []string
	for _, name := range names {
		list = append(list, name+" "+texts.Share(s.EventsByHeader[name], s.Events))
	}
	return strings.Join(list, ", ")
}

func (t *Trace) writeConversions(w io.Writer, o *Options) {
	g := texts.Grid{Indent: "  ", Right: []bool{true, true, true, true, true, true, true}, Head: true, Style: o.Style}
	fmt.Fprintln(w)
	g.Add("workers", "events/s", "bytes/s", "events/s/core", "bytes/s/core", "processor", "spread")
	for i := range t.Conversions {
		c := &t.Conversions[i]
		g.Add(fmt.Sprint(c.Workers), texts.PerSecond(c.EventsPerSecond), texts.PerSecond(c.BytesPerSecond),
			texts.PerSecond(c.EventsPerCore), texts.PerSecond(c.BytesPerCore), elapsed(c.CPU.Median), c.CPU.text())
	}
	g.Print(w, o.Width)
}

// writeStages prints the stages: their rates with the smallest number of workers, and their cost
// with each number.
func (t *Trace) writeStages(w io.Writer, o *Options) {
	g := texts.Grid{Indent: "  ", Right: []bool{false, true, true, true, true}, Head: true, Style: o.Style}
	title := []string{"stage, per core", "share", "events/s", "bytes/s", "ns/event"}
	for _, c := range t.Conversions[1:] {
		title = append(title, "ns, "+texts.Counted(int64(c.Workers), "worker"))
		g.Right = append(g.Right, true)
	}
	fmt.Fprintln(w)
	g.Add(title...)
	each := len(t.Stages) / len(t.Conversions)
	for i := range t.Stages[:each] {
		s := &t.Stages[i]
		row := []string{s.Stage, percent(s.Share), "-", "-"}
		if s.CPU > 0 {
			row[2], row[3] = texts.PerSecond(s.EventsPerCore), texts.PerSecond(s.BytesPerCore)
		}
		for k := range t.Conversions {
			row = append(row, fmt.Sprintf("%.0f", t.Stages[k*each+i].NSPerEvent))
		}
		g.Add(row...)
	}
	g.Print(w, o.Width)
}

// text returns the range of the rounds as a share of their median.
func (s *Spread) text() string {
	if s.Median <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*(s.Most-s.Least)/s.Median)
}

func elapsed(seconds float64) string {
	return texts.Elapsed(time.Duration(seconds * float64(time.Second)))
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
