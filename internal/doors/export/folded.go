package export

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

var foldedFormat = &Format{
	Name: "folded", Extension: ".folded", IsProfile: true, Write: writeFolded,
	Doc: "lines for flamegraph.pl, inferno, speedscope",
}

// writeFolded writes a line for each stack of each process: the process and the frames, outermost
// first, joined by semicolons, then a space and the number of samples, or the weight of other events.
// The texts are those of the view folded_stacks.
func writeFolded(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) error {
	p, err := newProfile(ctx, traces, &o)
	if err != nil {
		return err
	}
	totals, err := p.total(ctx, func(s *sample) total { return total{p.threads.list[s.thread].process, s.stack} })
	if err != nil {
		return err
	}
	if err := p.checkEvents(ctx); err != nil {
		return err
	}
	f := &foldedFile{profile: p, w: bufio.NewWriter(w), known: make(map[total]int32)}
	f.lines.id(node{-1, -1}, nil)
	for key, sum := range totals {
		weight := sum.weight
		if p.kind.name == Samples {
			weight = sum.events
		}
		line := f.line(key)
		f.weights = append(f.weights, make([]int64, len(f.lines.list)-len(f.weights))...)
		f.weights[line] += weight
	}
	f.write()
	if err := f.w.Flush(); err != nil {
		return err
	}
	return p.joined()
}

// foldedFile makes stacks that look alike one line, and sorts the lines. A line is a node of a tree of
// texts: memory grows with the distinct ends of stacks, not with the lengths of lines.
type foldedFile struct {
	*profile
	w       *bufio.Writer // keeps the first error until Flush
	texts   table[string]
	lines   table[node]     // of texts; the first is no line
	known   map[total]int32 // the lines of the stacks of processes
	weights []int64         // by line
}

// line returns the line of a stack of a process, which are the parts of the key.
func (f *foldedFile) line(key total) int32 {
	if line, ok := f.known[key]; ok {
		return line
	}
	caller, text := int32(0), ""
	if key.stack == noStack {
		text = foldedProcess(&f.processes.list[key.thread])
	} else {
		n := f.nodes.list[key.stack]
		caller, text = f.line(total{key.thread, n.caller}), foldedFrame(&f.frames.list[n.frame])
	}
	id, _ := f.texts.id(text, nil)
	line, _ := f.lines.id(node{caller, id}, nil)
	f.known[key] = line
	return line
}

// write writes the lines that have a weight, sorted by their texts.
func (f *foldedFile) write() {
	order := make([]int32, len(f.texts.list)) // of the texts
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(f.texts.list[a], f.texts.list[b]) })
	rank := make([]int32, len(order))
	for i, text := range order {
		rank[text] = int32(i)
	}
	children := make([][]int32, len(f.lines.list))
	for line := range f.lines.list {
		if caller := f.lines.list[line].caller; caller >= 0 {
			children[caller] = append(children[caller], int32(line))
		}
	}
	var buffer []byte
	var visit func(line int32, length int)
	visit = func(line int32, length int) {
		list := children[line]
		slices.SortFunc(list, func(a, b int32) int { return int(rank[f.lines.list[a].frame] - rank[f.lines.list[b].frame]) })
		for _, child := range list {
			buffer = buffer[:length]
			if length > 0 {
				buffer = append(buffer, ';')
			}
			buffer = append(buffer, f.texts.list[f.lines.list[child].frame]...)
			end := len(buffer)
			if int(child) < len(f.weights) && f.weights[child] > 0 {
				buffer = strconv.AppendInt(append(buffer, ' '), f.weights[child], 10)
				f.w.Write(append(buffer, '\n'))
				buffer = buffer[:end]
			}
			visit(child, end)
		}
	}
	visit(0, 0)
}

var foldedMarks = strings.NewReplacer(";", ":", "\n", " ")

// foldedText replaces the characters that end a frame or a line, or that control a terminal.
func foldedText(text string) string { return texts.Printable(foldedMarks.Replace(text)) }

func foldedProcess(p *process) string {
	switch {
	case p.name != "":
		return foldedText(p.name)
	case p.id >= 0:
		return "process " + strconv.FormatInt(p.id, 10)
	}
	return "?"
}

func foldedFrame(f *frame) string {
	if f.function != "" && f.module != "" {
		return foldedText(f.module + "!" + f.function)
	}
	return foldedText(f.name())
}
