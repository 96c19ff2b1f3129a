package siblings_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// fileOf returns a file of a series, from minute i on, changed; events go on through the file.
func fileOf(i int, change ...func(*etltest.Trace)) etltest.Trace {
	x := traceAt(time.Duration(i)*time.Minute, time.Minute, 0)
	x.Mode, x.LoggerName, x.FileName, x.EventsLost = etltest.ModeNewFile, "series", fmt.Sprintf(`C:\logs\x_%06d.etl`, 1+i), uint32(10*i)
	x.FirstSequence = int64(1 + i) // one buffer each
	x.Buffers = []etltest.Buffer{withEvent(*x.StartTicks + int64(30*time.Second/100))}
	for _, f := range change {
		f(&x)
	}
	return x
}

// withEvent returns a buffer with an event of no kind that exists already.
func withEvent(ticks int64) etltest.Buffer {
	var b etltest.Buffer
	if err := b.Add(&etltest.Event{Kind: etltest.Event64, ID: 1, Time: ticks}); err != nil {
		panic(err)
	}
	return b
}

func private(x *etltest.Trace) {
	ticks := int64(100 * time.Second / 100)
	x.Mode |= etltest.ModePrivate
	x.Start, x.StartTicks = start, &ticks
}

// TestPlaces finds the sessions of traces and what was recorded together. The text of a trace is its
// session, its place there, its recording and the losses before; the numbers of sessions and recordings
// are in the order of the traces.
func TestPlaces(t *testing.T) {
	named := func(name string) func(*etltest.Trace) { return func(x *etltest.Trace) { x.FileName = name } }
	session := func(name string, after, length time.Duration, change ...func(*etltest.Trace)) etltest.Trace {
		x := traceAt(after, length, 0)
		x.LoggerName = name
		x.Buffers = []etltest.Buffer{withEvent(*x.StartTicks + int64(length/2/100))}
		for _, f := range change {
			f(&x)
		}
		return x
	}
	open := func(x *etltest.Trace) { x.Unfinalised = true }
	rundown := func(x *etltest.Trace) {
		x.Buffers = nil
		provider, err := etltest.ParseGUID("a669021c-c450-4609-a035-5af59af4df18")
		var b etltest.Buffer
		if err := errors.Join(err, b.Add(&etltest.Event{Kind: etltest.Event64, GUID: provider, ID: 144, Time: *x.StartTicks})); err != nil {
			t.Fatal(err)
		}
		x.Buffers = append(x.Buffers, b)
	}
	const m = time.Minute
	for name, test := range map[string]struct {
		traces []etltest.Trace
		want   string
	}{
		"a series":                     {[]etltest.Trace{fileOf(0), fileOf(1), fileOf(2)}, "1.1/1 1.2/1-0 1.3/1-10"},
		"a private series":             {[]etltest.Trace{fileOf(0, private), fileOf(1, private), fileOf(2, private)}, "1.1/1 1.2/1-0 1.3/1-10"},
		"one is missing":               {[]etltest.Trace{fileOf(0), fileOf(3), fileOf(4)}, "1.1/1 2.4/2 2.5/2-30"},
		"one of a private series is":   {[]etltest.Trace{fileOf(0, private), fileOf(3, private), fileOf(4, private)}, "1.1/1 1.4/1 1.5/1-30"},
		"another session":              {[]etltest.Trace{fileOf(0), fileOf(1, func(x *etltest.Trace) { x.LoggerName = "other" })}, "1.1/1 2.2/2"},
		"the counter restarts":         {[]etltest.Trace{fileOf(5), fileOf(6, func(x *etltest.Trace) { x.EventsLost = 3 })}, "1.6/1 2.7/2"},
		"it begins two seconds later":  {[]etltest.Trace{fileOf(0), fileOf(1, func(x *etltest.Trace) { x.Start = x.Start.Add(2 * time.Second) })}, "1.1/1 2.2/2"},
		"not of that mode":             {[]etltest.Trace{fileOf(0), fileOf(1, func(x *etltest.Trace) { x.Mode = etltest.ModeSequential })}, "1.1/1 2.1/2"},
		"the file before has no end":   {[]etltest.Trace{fileOf(0, private, open), fileOf(1, private)}, "1.1/1 1.2/1"},
		"copies":                       {[]etltest.Trace{fileOf(0), fileOf(1), fileOf(1)}, "1.1/1 1.2/1-0 1.2/1-0"},
		"by the numbers of buffers":    {[]etltest.Trace{fileOf(0, named("a")), fileOf(1, named("b")), fileOf(2, named("c"))}, "1.0/1 1.0/1-0 1.0/1-10"},
		"numbers of buffers with gaps": {[]etltest.Trace{fileOf(0, named("a")), fileOf(2, named("c"), private)}, "1.0/1 1.0/1"},
		"a number among others":        {[]etltest.Trace{fileOf(0, named("D-20260101-0009-ff12.bin")), fileOf(1, named("D-20260101-0010-ff12.bin"))}, "1.9/1 1.10/1-0"},
		"recorded together":            {[]etltest.Trace{session("a", 0, 10*m), session("b", m, 9*m), session("c", m/2, 10*m)}, "1.1/1 2.1/1 3.1/1"},
		"never chained":                {[]etltest.Trace{session("a", 0, 10*m), session("b", m, 10*m), session("c", 2*m, 10*m)}, "1.1/1 2.1/1 3.1/2"},
		"the end differs":              {[]etltest.Trace{session("a", 0, 10*m), session("b", 0, 12*m)}, "1.1/1 2.1/2"},
		"one after the other":          {[]etltest.Trace{session("a", 0, 10*m), session("b", 10*m+m/2, 10*m)}, "1.1/1 2.1/2"},
		"a rundown after the end":      {[]etltest.Trace{session("a", 0, 10*m), session("b", 10*m+m/2, m, rundown)}, "1.1/1 2.1/1"},
		"a rundown long after the end": {[]etltest.Trace{session("a", 0, 10*m), session("b", 12*m, m, rundown)}, "1.1/1 2.1/2"},
		"an end by the last event":     {[]etltest.Trace{session("a", 0, 20*m, open), session("b", 0, 10*m)}, "1.1/1 2.1/1"},
		"another boot":                 {[]etltest.Trace{session("a", 0, m), session("b", 0, m, func(x *etltest.Trace) { x.Boot = x.Boot.Add(time.Hour) })}, "1.1/1 2.1/2"},
		"another clock":                {[]etltest.Trace{session("a", 0, m), session("b", 0, m, func(x *etltest.Trace) { x.Clock, x.StartTicks, x.Buffers = etltest.ClockSystem, nil, nil })}, "1.1/1 2.1/1"},
	} {
		t.Run(name, func(t *testing.T) {
			var members []*siblings.Member
			for _, x := range test.traces {
				members = append(members, memberOf(t, x))
			}
			if diff := cmp.Diff(test.want, placesText(members, siblings.Places(members))); diff != "" {
				t.Error(diff)
			}
			for seed := range uint64(3) {
				shuffled := slices.Clone(members)
				rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
				if diff := cmp.Diff(test.want, placesText(members, siblings.Places(shuffled))); diff != "" {
					t.Error("shuffled:", diff)
				}
			}
		})
	}
}

func placesText(members []*siblings.Member, places map[*siblings.Member]index.Place) string {
	numbers := make(map[string]int)
	number := func(kind, id string) int {
		if numbers[kind+id] == 0 {
			numbers[kind]++
			numbers[kind+id] = numbers[kind]
		}
		return numbers[kind+id]
	}
	var list []string
	for _, m := range members {
		p := places[m]
		text := fmt.Sprintf("%d.%d/%d", number("session", p.Session), p.File, number("recording", p.Recording))
		if p.Earlier.Known {
			text += fmt.Sprintf("-%d", p.Earlier.EventsLost)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// TestPlacesOfManyFiles checks that neither sessions nor recordings have a bound, and that many
// sessions of a boot take no time.
func TestPlacesOfManyFiles(t *testing.T) {
	var members []*siblings.Member
	const n = 300
	for i := range n {
		members = append(members, memberOf(t, fileOf(i)))
	}
	if unclear := siblings.Unclear(members); len(unclear) > n {
		t.Errorf("%d unclear", len(unclear))
	}
	places := siblings.Places(members)
	for i, m := range members {
		if p := places[m]; p.Session != places[members[0]].Session || p.File != int64(1+i) || p.Earlier.Known != (i > 0) {
			t.Errorf("%d: %+v", i, p)
		}
	}
}

// TestBootsOfSteps checks that traces on both sides of a step of the clock are of one boot.
func TestBootsOfSteps(t *testing.T) {
	const step = 7 * time.Hour
	a, b, c := traceAt(0, time.Hour, 0), traceAt(time.Second, time.Hour, 0), traceAt(time.Second, time.Hour, 0)
	b.Boot, c.Boot = b.Boot.Add(step+300*time.Millisecond), c.Boot.Add(3*step)
	members := []*siblings.Member{memberOf(t, a), memberOf(t, b), memberOf(t, c)}
	recordings := func() []string {
		places := siblings.Places(members)
		return []string{places[members[0]].Recording, places[members[1]].Recording, places[members[2]].Recording}
	}
	if r := recordings(); r[0] == r[1] {
		t.Error("one boot without a step")
	}
	for i := range 2 { // whichever trace states it
		members = []*siblings.Member{memberOf(t, a), memberOf(t, b), memberOf(t, c)}
		members[i].Know(&facts.Ends{Steps: []int64{int64(step / 100)}})
		if r := recordings(); r[0] != r[1] || r[1] == r[2] {
			t.Errorf("%d: recordings %q", i, r)
		}
	}
}
