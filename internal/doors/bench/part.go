package bench

import (
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// DefaultPart is how many bytes of a trace are measured, unless an option says otherwise. They take
// seconds, and the start of a conversion is less than a hundredth of them.
const DefaultPart = 256 << 20

// cut ends the input with the last whole buffer in its first o.Part bytes.
func (m *measurement) cut() error {
	m.whole = m.in.Size
	if m.o.Part <= 0 || m.in.Size <= m.o.Part {
		return nil
	}
	f, err := decode.NewFile(m.in.Trace, m.o.Part)
	if err != nil {
		return err
	}
	for i := f.Buffers() - 1; i >= 0; i-- {
		b := f.BufferInfo(i)
		if end := b.Offset + int64(b.Size); end <= m.o.Part {
			m.in.Size = end
			break
		}
	}
	return nil
}

// estimate says what the whole trace takes, if its other parts are as the one that was measured.
func (t *Trace) estimate() {
	s := &t.Shape
	if s.Measured <= 0 {
		return
	}
	times := float64(s.Size) / float64(s.Measured)
	s.WholeParquet = int64(float64(s.Parquet) * times)
	for i := range t.Conversions {
		c := &t.Conversions[i]
		c.WholeCPU, c.WholeWall = c.CPU.Median*times, c.Wall.Median*times
	}
}

// writeEstimate prints what the whole trace takes with the most workers, and what each GiB does.
func (t *Trace) writeEstimate(w io.Writer, o *Options) {
	s, c := &t.Shape, &t.Conversions[len(t.Conversions)-1]
	if s.Size <= 0 {
		return
	}
	g := texts.Grid{Indent: "  ", Right: []bool{false, true, true, true}, Head: true, Style: o.Style}
	fmt.Fprintln(w)
	g.Add("takes about, "+texts.Counted(int64(c.Workers), "worker"), "elapsed", "processor", "Parquet")
	add := func(what string, times float64) {
		g.Add(what, elapsed(c.WholeWall*times), elapsed(c.WholeCPU*times), texts.RoundSize(int64(float64(s.WholeParquet)*times)))
	}
	add("this trace, "+texts.RoundSize(s.Size), 1)
	add("each GiB like it", float64(1<<30)/float64(s.Size))
	g.Print(w, o.Width)
}
