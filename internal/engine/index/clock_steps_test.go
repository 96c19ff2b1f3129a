package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
)

// set is an event that states a step, by hours, minutes and seconds after the start of the session.
func set(old, new string) string {
	return fmt.Sprintf("event64 provider=a68ca8b7-004f-d7b6-a698-07e2de0f1f5d id=1 ver=1 t=+%[2]s payload=filetime:+%[2]s,filetime:+%[1]s,u32:1\n", old, new)
}

func events(times string) (text string) {
	for t := range strings.FieldsSeq(times) {
		text += "event64 provider=11111111-2222-3333-4444-555555555555 id=1 t=+" + t + "\n"
	}
	return text
}

// TestClockSteps checks the times of events by a clock that is never set.
func TestClockSteps(t *testing.T) {
	const head = "trace clock=system mode=noperprocessor start=2024-05-01T12:00:00Z end=2024-05-01T15:00:00Z\n"
	const two = "trace clock=system start=2024-05-01T12:00:00Z end=2024-05-01T15:00:00Z\n"
	for name, test := range map[string]struct {
		trace    string
		clock    string // seconds of the events since the start, in their order
		length   string // "" if it is unknown
		problems int    // clock_set
		breaks   int
	}{
		"never": {trace: head + "buffer\n" + events("1s 2s"), clock: "1 2", length: "10800"},
		"back and forward": {
			trace: head + "buffer\n" + events("7201s") + set("7202s", "2s") + events("3s") + set("7s", "7207s") + events("7208s"),
			clock: "7201 7202 7203 7207 7208", length: "10800", problems: 2,
		},
		"forward, over buffers": {
			trace: head + "buffer\n" + events("1s") + "buffer\n" + set("2s", "3602s") + "buffer\n" + events("3603s 3604s"),
			clock: "1 2 3 4", length: "7200", problems: 1,
		},
		"by a counter": {
			trace: strings.Replace(head, "clock=system ", "", 1) + "buffer\n" + events("1s") + set("1s", "3601s") + events("3602s"),
			clock: "1 3601 3602", length: "10800",
		},
		"to the same time": {trace: head + "buffer\n" + events("1s") + set("2s", "2s") + events("3s"), clock: "1 2 3", length: "10800"},
		"by 50 ms":         {trace: head + "buffer\n" + events("1s") + set("2s", "1950ms") + events("3s"), clock: "1 2 3.05", length: "10800.05"},
		"not stated": {
			trace: head + "buffer\n" + events("7201s 7202s 5s 6s"), clock: "7201 7202 7202.0000001 7203.0000001", problems: 1, breaks: 1,
		},
		"not stated, between buffers": {
			trace: head + "buffer\n" + events("7201s 7202s") + "buffer\n" + events("5s 6s"), clock: "7201 7202 7202.0000001 7203.0000001", problems: 1, breaks: 1,
		},
		"not stated, of two processors": {
			trace: two + "buffer cpu=0\n" + events("7200s 7202s 6s 7s") + "buffer cpu=1\n" + events("7201s 5s 8s"),
			clock: "7200 7202 7203.0000001 7204.0000001 7201 7202.0000001 7205.0000001", problems: 1, breaks: 1,
		},
		"stated by another processor": {
			trace: two + "buffer cpu=0\n" + events("7201s") + set("7202s", "2s") + events("4s") + "buffer cpu=1\n" + events("7201s 3s") + set("7s", "7207s") + "buffer cpu=0\n" + events("6s 7209s"),
			clock: "7201 7202 7204 7201 7203 7207 7206 7209", length: "10800", problems: 2,
		},
		"a wrong time between others":   {trace: head + "buffer\n" + events("7201s 7202s 5s 7203s 7204s"), clock: "7201 7202 5 7203 7204", length: "10800"},
		"a late time between others":    {trace: head + "buffer\n" + events("1s 2s 9000s 3s 4s"), clock: "1 2 9000 3 4", length: "10800"},
		"out of order by half a second": {trace: head + "buffer\n" + events("1s 2.5s 2.6s 2s 2.7s"), clock: "1 2.5 2.6 2 2.7", length: "10800"},
		"not stopped": {
			trace: strings.Replace(head, "end=2024-05-01T15:00:00Z", "unfinalised", 1) + "buffer\n" + events("1s") + set("2s", "3602s") + events("3604s"),
			clock: "1 2 4", length: "4", problems: 1,
		},
		"the last buffer has events before the step": {
			trace: two + "buffer cpu=0\n" + events("1s") + set("2s", "3602s") + events("3603s") + "buffer cpu=1\n" + events("1s"),
			clock: "1 2 3 1", length: "7200", problems: 1,
		},
		"ends before it starts": {
			trace: strings.Replace(head, "end=2024-05-01T15", "end=2024-05-01T09", 1) + "buffer\n" + events("1s 2s"), clock: "1 2", length: "2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := indextest.Data(t, etltest.MustParse(t, test.trace))
			defer x.Close()
			var clock []string
			indextest.Each(t, x.File, func(_ int, b *decode.Buffer, ev *decode.Event) {
				if ev.Family == decode.FamilyEvent {
					ns := x.Clock.UnixNano(ev.Time) - x.ClockSteps.Offset(int64(b.Index)<<32|int64(ev.Offset))
					clock = append(clock, strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.7f", float64(ns-x.StartNS())/1e9), "0"), "."))
				}
			})
			if diff := cmp.Diff(strings.Fields(test.clock), clock); diff != "" {
				t.Errorf("clock -want +got:\n%s", diff)
			}
			s := indextest.Summary(t, x, "a.etl")
			length := ""
			if s.DurationNS != nil {
				length = fmt.Sprint(float64(*s.DurationNS) / 1e9)
			}
			found := 0
			for _, p := range s.Problems {
				if p.Code == "clock_set" {
					found++
				}
			}
			breaks := 0
			if x.ClockSteps != nil {
				breaks = len(x.ClockSteps.Breaks)
			}
			if length != test.length || found != test.problems || breaks != test.breaks {
				t.Errorf("length %q, want %q; %d problems, want %d; %d breaks, want %d", length, test.length, found, test.problems, breaks, test.breaks)
			}
		})
	}
}

// TestClockStepsAtRandom checks that no times of any trace make the steps fail, that they do not depend on
// the number of workers, and that a clock of one processor whose steps are all stated only goes forward:
// of several, an event that fits before and after a step may stand on the wrong side.
func TestClockStepsAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		text := "trace clock=system start=2024-05-01T12:00:00Z\n"
		var real, offset int64 // ms
		stated := n%3 == 0
		for range 1 + r.IntN(6) {
			text += fmt.Sprintf("buffer cpu=%d\n", r.IntN(1+n%3))
			for range r.IntN(8) {
				real += r.Int64N(5000)
				switch step := r.Int64N(1e8) - 5e7; {
				case r.IntN(8) == 0:
					text += set(fmt.Sprintf("%dms", 1e8+real+offset), fmt.Sprintf("%dms", 1e8+real+offset+step))
					offset += step
				case r.IntN(30) == 0:
					offset, stated = offset+step, false
				}
				text += events(fmt.Sprintf("%dms", int64(1e8)+real+offset))
			}
		}
		x := indextest.Data(t, etltest.MustParse(t, text))
		var last int64
		if c := x.ClockSteps; c != nil {
			if !slices.IsSortedFunc(c.Offsets, func(a, b index.ClockOffset) int { return int(a.Ref>>8 - b.Ref>>8) }) {
				t.Errorf("trace %d: offsets %v", n, c.Offsets)
			}
		}
		indextest.Each(t, x.File, func(_ int, b *decode.Buffer, ev *decode.Event) {
			ns := x.Clock.UnixNano(ev.Time) - x.ClockSteps.Offset(int64(b.Index)<<32|int64(ev.Offset))
			if stated && ns < last-1e8 {
				t.Errorf("trace %d, buffer %d, position %#x: the clock goes back by %d ms\n%s", n, b.Index, ev.Offset, (last-ns)/1e6, text)
			}
			last = ns
		})
		x.Close()
		if t.Failed() {
			return
		}
	}
}
