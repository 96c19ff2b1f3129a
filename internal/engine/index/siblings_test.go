package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// The events of the traces, by a process id, a name and a time.
const (
	kernelStart   = "system64 hook=0x0301 ver=4 pid=4 tid=8 t=+%[3]s payload=u64:0xffff8000000%[1]d,u32:%[1]d,u32:4,u32:1,u32:0,u64:0,u32:0,u32:0,str8:\"%[2]s\",str16:\"\",str16:\"\",str16:\"\"\n"
	kernelEnd     = "system64 hook=0x0302 ver=4 pid=4 tid=8 t=+%[3]s payload=u64:0xffff8000000%[1]d,u32:%[1]d,u32:4,u32:1,u32:0,u64:0,u32:0,u32:0,str8:\"%[2]s\",str16:\"\",str16:\"\",str16:\"\"\n"
	manifestStart = "event64 provider=22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716 id=1 ver=0 pid=4 tid=8 t=+%[3]s payload=u32:%[1]d,u64:0,u32:4,u32:1,str16:\"%[2]s\"\n"
)

func said(event string, id int, name, at string) string { return fmt.Sprintf(event, id, name, at) }

const traceHead = "trace ptr=64 buffersize=8192\nbuffer cpu=0\n"

// siblingIn is a sibling in memory.
type siblingIn struct{ *bytes.Reader }

func (siblingIn) Close() error { return nil }

func siblingOf(data []byte) index.Sibling {
	return index.Sibling{Name: "s.etl", Open: func(context.Context) (index.SiblingFile, error) { return siblingIn{bytes.NewReader(data)}, nil }}
}

func withSiblings(t *testing.T, own []byte, before int, list ...index.Sibling) *index.Index {
	t.Helper()
	f := decodetest.Open(t, own)
	x, err := index.Build(t.Context(), f, index.Options{Workers: 2, Siblings: list, Before: before})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestSiblings merges the processes of a trace and a sibling, which comes before or after it.
func TestSiblings(t *testing.T) {
	for name, test := range map[string]struct {
		own, sibling string
		want         []string // id, name, times of start and end, sources
	}{
		"only the sibling's":      {"", said(kernelStart, 100, "a.exe", "1ms"), []string{"100 a.exe 1000000 - start sibling"}},
		"only its own":            {said(kernelStart, 100, "a.exe", "1ms"), "", []string{"100 a.exe 1000000 - start"}},
		"one start, in both":      {said(kernelStart, 100, "a.exe", "1ms"), said(kernelStart, 100, "a.exe", "1ms"), []string{"100 a.exe 1000000 - start"}},
		"the end in the sibling":  {said(kernelStart, 100, "a.exe", "1ms"), said(kernelEnd, 100, "a.exe", "9ms"), []string{"100 a.exe 1000000 9000000 start end"}},
		"the start by a provider": {said(manifestStart, 100, "a.exe", "1010us"), said(kernelStart, 100, "a.exe", "1ms"), []string{"100 a.exe 1000000 - start"}},
		"each by its own events":  {said(manifestStart, 100, "a.exe", "1ms"), said(kernelStart, 200, "b.exe", "5ms"), []string{"100 a.exe 1000000 - start", "200 b.exe 5000000 - start sibling"}},
		"an id used again":        {said(kernelStart, 100, "b.exe", "20ms"), said(kernelStart, 100, "a.exe", "1ms"), []string{"100 a.exe 1000000 - start sibling", "100 b.exe 20000000 - start"}},
		"a kernel's start hides the provider's of the process":    {said(kernelStart, 100, "a.exe", "1ms") + said(manifestStart, 100, "c.exe", "2ms"), "", []string{"100 a.exe 1000000 - start"}},
		"a kernel's start does not hide those of other processes": {said(kernelStart, 100, "a.exe", "1ms") + said(manifestStart, 300, "c.exe", "2ms"), "", []string{"100 a.exe 1000000 - start", "300 c.exe 2000000 - start"}},
	} {
		t.Run(name, func(t *testing.T) {
			own, sibling := etltest.MustParse(t, traceHead+test.own), etltest.MustParse(t, traceHead+test.sibling)
			for before := range 2 {
				x := withSiblings(t, own, before, siblingOf(sibling))
				if diff := cmp.Diff(test.want, processesOf(x)); diff != "" {
					t.Errorf("%d siblings before: %s", before, diff)
				}
				if list := x.Problems.All(); len(list) > 0 {
					t.Errorf("problems %v", list)
				}
			}
		})
	}
}

// processesOf returns the processes as text; times are ns since the start of the trace.
func processesOf(x *index.Index) []string {
	start := x.Clock.UnixNano(x.File.Header().EventTicks)
	var list []string
	for _, p := range x.Tables().Processes {
		text := fmt.Sprintf("%d %s %d ", p.ID, p.Name, x.Clock.UnixNano(p.From)-start)
		if p.Ended {
			text += fmt.Sprint(x.Clock.UnixNano(p.To) - start)
		} else {
			text += "-"
		}
		list = append(list, text+" "+strings.Join(p.Sources.Names(), " "))
	}
	return list
}

// TestDamagedSiblings checks that the readable part of a sibling is used, and the rest reported
// once.
func TestDamagedSiblings(t *testing.T) {
	own := etltest.MustParse(t, traceHead+said(kernelStart, 100, "a.exe", "1ms"))
	good := etltest.MustParse(t, traceHead+said(kernelStart, 200, "b.exe", "2ms")+"buffer cpu=0\n"+said(kernelStart, 300, "c.exe", "3ms"))
	damaged := bytes.Clone(good)
	copy(damaged[len(damaged)-8192+0x48+4:], []byte{0xff, 0xff}) // the size of the last event
	gone := index.Sibling{Name: "gone.etl", Open: func(context.Context) (index.SiblingFile, error) { return nil, errors.New("it is gone") }}
	for name, test := range map[string]struct {
		sibling   index.Sibling
		processes int
	}{
		"whole":    {siblingOf(good), 3},
		"an event": {siblingOf(damaged), 2},
		"no trace": {siblingOf([]byte("MZ")), 1},
		"gone":     {gone, 1},
		"unreadable": {index.Sibling{Name: "s.etl", Open: func(context.Context) (index.SiblingFile, error) {
			return failingIn{siblingIn{bytes.NewReader(good)}}, nil
		}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			x := withSiblings(t, own, 0, test.sibling)
			if n := len(x.Tables().Processes); n != test.processes {
				t.Errorf("%d processes, want %d", n, test.processes)
			}
			if want := name == "gone" || name == "unreadable"; x.Unread[0] != want {
				t.Errorf("unread: %v, want %v", x.Unread[0], want)
			}
			list := x.Problems.All()
			if want := min(1, 3-test.processes); len(list) != want {
				t.Errorf("problems %v, want %d", list, want)
			}
			for _, p := range list {
				if p.Severity != facts.SeverityInfo || p.Code != "sibling_damaged" || p.Count != 1 || !strings.HasPrefix(p.Message, test.sibling.Name) {
					t.Errorf("problem %v", p)
				}
			}
		})
	}
}

// failingIn fails to read its last buffer, except for the buffer's header.
type failingIn struct{ siblingIn }

func (f failingIn) ReadAt(p []byte, at int64) (int, error) {
	if len(p) > 0x48 && at+int64(len(p)) > f.Size()-8192 {
		return 0, errors.New("bad sector")
	}
	return f.siblingIn.ReadAt(p, at)
}

// TestInterruptedSibling checks that cancelling while a sibling is read ends the index pass.
func TestInterruptedSibling(t *testing.T) {
	own := etltest.MustParse(t, traceHead)
	f := decodetest.Open(t, own)
	ctx, cancel := context.WithCancel(t.Context())
	s := index.Sibling{Open: func(context.Context) (index.SiblingFile, error) {
		cancel()
		return siblingIn{bytes.NewReader(own)}, nil
	}}
	if _, err := index.Build(ctx, f, index.Options{Workers: 1, Siblings: []index.Sibling{s}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
