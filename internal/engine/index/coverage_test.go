package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const tenBuffers = `
repeat 10 dt=+1s {
	buffer
	repeat 3 dt=+1ms { event64 provider=11111111-2222-3333-4444-555555555555 id=1 t=+1s payload=u32:$i }
}
`

// TestCoverage checks what files cover and what was lost.
func TestCoverage(t *testing.T) {
	for name, test := range map[string]struct {
		trace    string
		kind     string
		first    time.Duration // since the start
		last     time.Duration
		covered  time.Duration // 0 if it has not wrapped
		events   int64
		problems []string
		serious  int64
		lost     index.Losses
	}{
		"whole": {
			trace: "trace" + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			lost: index.Losses{Own: true, Known: true},
		},
		"no events but the header": {
			trace: "trace", events: 1, lost: index.Losses{Own: true, Known: true},
		},
		"circular, not wrapped": {
			trace: "trace mode=circular maxsize=1" + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			lost: index.Losses{Own: true, Known: true},
		},
		"circular, wrapped": {
			trace: "trace mode=circular startbuffers=1 wrap=4" + tenBuffers + "logfile bufferswritten=6827\n",
			first: 1 * time.Second, last: 10*time.Second + 2*time.Millisecond, covered: time.Second, events: 31,
			problems: []string{"info circular_wrapped 6816 TRACE_LOGFILE_HEADER.BuffersWritten"},
			lost:     index.Losses{Own: true, Known: true},
		},
		"circular, wrapped, some kept": {
			trace: "trace mode=circular startbuffers=3 wrap=4" + tenBuffers + "logfile bufferswritten=20\n",
			first: 1 * time.Second, last: 10*time.Second + 2*time.Millisecond, covered: 3 * time.Second, events: 31,
			problems: []string{"info circular_wrapped 9 TRACE_LOGFILE_HEADER.BuffersWritten"},
			lost:     index.Losses{Own: true, Known: true},
		},
		"circular, cut off": {
			trace: "trace mode=circular maxsize=1" + tenBuffers + "logfile bufferswritten=20\n",
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			problems: []string{"warning buffers_missing 9 TRACE_LOGFILE_HEADER.BuffersWritten"}, serious: 9,
			lost: index.Losses{Own: true, Known: true},
		},
		"circular, copied while it ran": {
			trace: "trace mode=circular wrap=4 seq=5001 unfinalised" + tenBuffers,
			first: 1 * time.Second, last: 10*time.Second + 2*time.Millisecond, covered: time.Second, events: 31,
			problems: []string{"info circular_wrapped 5000 WMI_BUFFER_HEADER.SequenceNumber", "info not_finalised 1 TRACE_LOGFILE_HEADER.EndTime"},
		},
		"circular, copied before it was full": {
			trace: "trace mode=circular unfinalised" + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			problems: []string{"info not_finalised 1 TRACE_LOGFILE_HEADER.EndTime"},
		},
		"the first file of a series": {
			trace: `trace mode=newfile|sequential file=C:\x_000001.etl eventslost=41 bufferslost=2` + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			problems: []string{"warning events_lost 41 TRACE_LOGFILE_HEADER.EventsLost", "warning buffers_lost 2 TRACE_LOGFILE_HEADER.BuffersLost"}, serious: 43,
			lost: index.Losses{Events: 41, Buffers: 2, SessionEvents: 41, SessionBuffers: 2, Own: true, Known: true, Series: true},
		},
		"a later file of a series": {
			trace: `trace mode=newfile|sequential seq=8 eventslost=41 bufferslost=2` + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, covered: time.Second, events: 31,
			problems: []string{"warning session_events_lost 41 TRACE_LOGFILE_HEADER.EventsLost", "warning session_buffers_lost 2 TRACE_LOGFILE_HEADER.BuffersLost"}, serious: 43,
			lost: index.Losses{SessionEvents: 41, SessionBuffers: 2, Known: true, Series: true},
		},
		"a later file by its name": {
			trace: `trace mode=newfile|sequential file=C:\x_000003.etl eventslost=41` + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, covered: time.Second, events: 31,
			problems: []string{"warning session_events_lost 41 TRACE_LOGFILE_HEADER.EventsLost"}, serious: 41,
			lost: index.Losses{SessionEvents: 41, Known: true, Series: true},
		},
		"a later file of a session that lost nothing": {
			trace: `trace mode=newfile|sequential seq=8` + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, covered: time.Second, events: 31,
			lost: index.Losses{Own: true, Known: true, Series: true},
		},
		"not stopped": {
			trace: "trace unfinalised" + tenBuffers,
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			problems: []string{"info not_finalised 1 TRACE_LOGFILE_HEADER.EndTime"},
		},
		"real-time backup": {
			trace: "trace rtbackup clock=system" + tenBuffers, kind: "real-time backup",
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 30,
			problems: []string{"info real_time_backup 1"},
		},
		"real-time backup, ticks": {
			trace: "trace rtbackup" + tenBuffers, kind: "real-time backup",
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 30,
			problems: []string{"info real_time_backup 1", "warning clock_frequency_unknown 1"}, serious: 1,
		},
		"no clock": {
			trace: "trace startticks=0x1000" + tenBuffers + "logfile clocktype=0 perffreq=0 starttime=0\n",
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			problems: []string{"warning clock_unknown 1 TRACE_LOGFILE_HEADER"}, serious: 1,
			lost: index.Losses{Own: true, Known: true},
		},
		"Windows XP": {
			trace: "trace old clock=system" + tenBuffers, kind: "log file before Windows Vista",
			first: time.Second, last: 10*time.Second + 2*time.Millisecond, events: 31,
			lost: index.Losses{Own: true, Known: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := indextest.Data(t, etltest.MustParse(t, test.trace))
			defer x.Close()
			s := indextest.Summary(t, x, "a.etl")
			start := facts.Instant(0x1000 * 100) // startticks of the clock that nothing describes, at 10 MHz
			if s.Start != nil {
				start = *s.Start
			}
			since := func(at *facts.Instant) time.Duration {
				if at == nil {
					return 0
				}
				return time.Duration(*at - start)
			}
			if kind := test.kind; kind == "" && s.FileKind != "log file" || kind != "" && s.FileKind != kind {
				t.Errorf("kind %q", s.FileKind)
			}
			if since(s.FirstEvent) != test.first || since(s.LastEvent) != test.last || since(s.CoveredFrom) != test.covered || s.Events != test.events {
				t.Errorf("first %v, last %v, covered from %v, %d events", since(s.FirstEvent), since(s.LastEvent), since(s.CoveredFrom), s.Events)
			}
			var found []string
			for _, p := range s.Problems {
				found = append(found, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", p.Severity, p.Code, p.Count, p.Field)))
			}
			slices.Sort(found)
			slices.Sort(test.problems)
			if diff := cmp.Diff(test.problems, found); diff != "" || x.Serious != test.serious {
				t.Errorf("%d serious; problems -want +got:\n%s", x.Serious, diff)
			}
			if diff := cmp.Diff(test.lost, x.Losses()); diff != "" {
				t.Errorf("losses -want +got:\n%s", diff)
			}
		})
	}
}

// TestCircularCase checks the case of a circular file that was copied while its session ran.
func TestCircularCase(t *testing.T) {
	x := indextest.Data(t, testenv.ReadFile(t, testenv.Shared(t, "cases/circular-unfinalised.etl")))
	defer x.Close()
	s := indextest.Summary(t, x, "a.etl")
	if s.CoveredFrom == nil || s.CoveredFrom.String() != "2024-05-01T13:56:41.000000000Z" || s.Overwritten != 5000 {
		t.Errorf("covered from %v, %d buffers overwritten", s.CoveredFrom, s.Overwritten)
	}
}
