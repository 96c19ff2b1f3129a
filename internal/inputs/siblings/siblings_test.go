package siblings_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var start = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

// traceAt returns a trace of the default system that begins a time after start, and ends a time
// after that. late is the delay of its clock.
func traceAt(after, length, late time.Duration) etltest.Trace {
	ticks := int64((100*time.Second + after - late) / 100)
	return etltest.Trace{
		Boot: start.Add(-100 * time.Second), Start: start.Add(after), StartTicks: &ticks, End: start.Add(after + length),
		LoggerName: fmt.Sprintf("%v %v %v", after, length, late),
	}
}

func TestFind(t *testing.T) {
	minute := traceAt(0, time.Minute, 0)
	with := func(change func(*etltest.Trace)) etltest.Trace {
		x := traceAt(time.Second, time.Minute, 0)
		change(&x)
		return x
	}
	for name, test := range map[string]struct {
		other etltest.Trace
		match bool
	}{
		"overlapping":              {traceAt(30*time.Second, time.Minute, 0), true},
		"within":                   {traceAt(10*time.Second, time.Second, 0), true},
		"a rundown after the end":  {traceAt(62*time.Second, 30*time.Second, 0), true},
		"long after the end":       {traceAt(121*time.Second, time.Minute, 0), false},
		"not stopped":              {with(func(x *etltest.Trace) { x.Unfinalised = true }), true},
		"microseconds off":         {traceAt(time.Second, time.Minute, 5*time.Microsecond), true},
		"drift":                    {traceAt(30*time.Second, time.Minute, 10*time.Millisecond), true},
		"another system's clock":   {traceAt(time.Second, time.Minute, 20*time.Millisecond), false},
		"another boot":             {with(func(x *etltest.Trace) { x.Boot = x.Boot.Add(time.Second) }), false},
		"another build":            {with(func(x *etltest.Trace) { x.Build = 22631 }), false},
		"another processor":        {with(func(x *etltest.Trace) { x.MHz = 2401 }), false},
		"more processors":          {with(func(x *etltest.Trace) { x.Processors = 3 }), false},
		"no buffers per processor": {with(func(x *etltest.Trace) { x.Mode = etltest.ModeNoPerProcessor }), true},
		"another clock":            {with(func(x *etltest.Trace) { x.Clock, x.StartTicks = etltest.ClockSystem, nil }), false},
		"another frequency":        {with(func(x *etltest.Trace) { x.Frequency = 3_000_000 }), false},
		"another time zone":        {with(func(x *etltest.Trace) { x.TimeZone.Bias = -60 }), false},
		"another name of its zone": {with(func(x *etltest.Trace) { x.TimeZone.StandardName = "UTC" }), true},
		"a copy":                   {minute, false},
		"a copy, damaged":          {func() etltest.Trace { x := minute; x.EventsLost = 7; return x }(), false},
	} {
		t.Run(name, func(t *testing.T) {
			members := []*siblings.Member{memberOf(t, test.other), memberOf(t, minute)}
			if got := len(siblings.Find(members)) == 1; got != test.match {
				t.Errorf("matches: %v, want %v", got, test.match)
			}
		})
	}
}

func memberOf(t *testing.T, trace etltest.Trace) *siblings.Member {
	t.Helper()
	data := trace.MustBytes(t)
	m, ok := siblings.Read(data[:min(len(data), siblings.HeadSize)], int64(len(data)))
	if !ok {
		t.Fatal("it can have no siblings")
	}
	m.Look(bytes.NewReader(data), int64(len(data)))
	return m
}

// TestNoBoot checks that traces without a boot time, and files that are not traces, belong to no
// session.
func TestNoBoot(t *testing.T) {
	x := traceAt(0, time.Minute, 0)
	x.Logfile = etltest.Fields{"boottime": 0}
	for _, data := range [][]byte{x.MustBytes(t), nil, []byte("MZ"), make([]byte, siblings.HeadSize)} {
		if _, ok := siblings.Read(data, int64(len(data))); ok {
			t.Errorf("%d bytes may be of a session", len(data))
		}
	}
}

// TestLargeSessions checks that the traces of a log in many files have no siblings.
func TestLargeSessions(t *testing.T) {
	for n, want := range map[int]int{2: 1, siblings.MaxMembers: 1, siblings.MaxMembers + 1: 0} {
		var members []*siblings.Member
		for i := range n {
			members = append(members, memberOf(t, traceAt(time.Duration(i)*time.Minute, time.Minute, 0)))
		}
		if got := siblings.Find(members); len(got) != want {
			t.Errorf("%d traces: %d sessions, want %d", n, len(got), want)
		}
	}
}

// TestRealTraces finds one session among all traces, in any order: the traces of the .diagsession.
func TestRealTraces(t *testing.T) {
	var members []*siblings.Member
	names := make(map[*siblings.Member]string)
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		data := testenv.ReadFile(t, path)
		if m, ok := siblings.Read(data, int64(len(data))); ok {
			members = append(members, m)
			names[m] = filepath.Base(path)
		}
	}
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		var got []string
		for _, session := range siblings.Find(members) {
			var list []string
			for _, m := range session {
				list = append(list, names[m])
			}
			got = append(got, strings.Join(list, " "))
		}
		slices.Sort(got)
		if diff := cmp.Diff([]string{"diaghub.kernel.1.etl diaghub.etl diaghub.user_paged.1.etl"}, got); diff != "" {
			t.Error(diff)
		}
	}
}
