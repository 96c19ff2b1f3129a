package absence

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// finding is what a trace says about events that it lacks. The higher one of several counts.
type finding int

const (
	noKernel    finding = iota // it has no events of the kernel, and does not say what the session enabled
	noProvider                 // it has no events of the provider
	notEnabled                 // the session did not enable the flag
	notSaid                    // it does not say whether the session enabled the flag
	otherEvents                // it has other events of the provider
	hasNone                    // no flag is known to record them
	noneLogged                 // the session enabled the flag
	notDecoded                 // it has the events, but nothing decodes them
	notSelected                // it has the events, but they were not selected
)

// one has the words of each finding for a single trace.
var one = [...]string{
	noKernel:    "the trace has no events of the kernel",
	noProvider:  "the trace has no events of this provider",
	notEnabled:  "the session did not enable %s",
	notSaid:     "the trace does not say whether its session enabled %s",
	otherEvents: "the trace has only other events of this provider",
	hasNone:     "the trace has none",
	noneLogged:  "the session enabled %s, and recorded none",
	notDecoded:  "the trace has %[2]s of them, but nothing decodes their payload",
	notSelected: "the trace has %[2]s of them, but they are not selected",
}

// many has the words of each finding for a number of traces.
var many = [...]string{
	noKernel:    "had no events of the kernel",
	noProvider:  "had no events of this provider",
	notEnabled:  "did not enable %s",
	notSaid:     "did not say whether their session enabled %s",
	otherEvents: "had only other events of this provider",
	hasNone:     "had none",
	noneLogged:  "enabled %s and recorded none",
	notDecoded:  "had %[2]s of them, but nothing decodes their payload",
	notSelected: "had %[2]s of them, but they are not selected",
}

// found says what the traces have instead of the events of the groups.
func found(groups []group, traces []Trace) string {
	if len(traces) == 0 {
		return noTrace
	}
	var traced [len(one)]int64 // traces, by finding
	var events [len(one)]int64
	lost := Trace{}
	losers := int64(0)
	for i := range traces {
		t := &traces[i]
		f, n := t.find(groups)
		traced[f]++
		events[f] += n
		if f >= notSaid && f <= noneLogged && t.EventsLost+t.BuffersLost > 0 {
			losers++
			lost.EventsLost, lost.BuffersLost = lost.EventsLost+t.EventsLost, lost.BuffersLost+t.BuffersLost
		}
	}
	it := pronoun(groups)
	if len(traces) == 1 {
		for f, n := range traced {
			if n == 1 {
				return plain(one[f], it, events[f]) + prefixed(", and lost ", lost.losses())
			}
		}
	}
	var parts []string
	for f, n := range traced {
		if n == int64(len(traces)) {
			parts = []string{fmt.Sprintf("all %s traces %s", texts.Grouped(n), plain(many[f], it, events[f]))}
		} else if n > 0 {
			parts = append(parts, texts.Grouped(n)+" "+plain(many[f], it, events[f]))
		}
	}
	text := strings.Join(parts, ", ")
	if len(parts) > 1 {
		text = fmt.Sprintf("of %s traces, %s", texts.Grouped(int64(len(traces))), text)
	}
	if losers > 0 {
		text += fmt.Sprintf("; %s lost %s", texts.Grouped(losers), lost.losses())
	}
	return text
}

// plain fills in the words of a finding.
func plain(words, it string, events int64) string {
	switch {
	case strings.Contains(words, "%[2]s"):
		return fmt.Sprintf(words, it, texts.Grouped(events))
	case strings.Contains(words, "%s"):
		return fmt.Sprintf(words, it)
	}
	return words
}

// pronoun stands for the flags of the groups.
func pronoun(groups []group) string {
	flags := 0
	for _, g := range groups {
		if isFlag(g[0].Recorder) {
			flags++
		}
	}
	if flags > 1 {
		return "any of these"
	}
	return "it"
}

// losses says how many events and buffers a trace lost, or returns "".
func (t *Trace) losses() string {
	var parts []string
	if t.EventsLost > 0 {
		parts = append(parts, texts.Counted(t.EventsLost, "event"))
	}
	if t.BuffersLost > 0 {
		parts = append(parts, texts.Counted(t.BuffersLost, "buffer"))
	}
	return strings.Join(parts, " and ")
}

// find returns what the trace says about the events of the groups, and how many of them it has.
func (t *Trace) find(groups []group) (f finding, events int64) {
	raw := int64(0)
	for _, g := range groups {
		n, undecoded := t.count(g)
		events, raw = events+n, raw+undecoded
		f = max(f, t.findGroup(g))
	}
	switch {
	case events > 0 && raw == events:
		return notDecoded, events
	case events > 0:
		return notSelected, events
	case f == noProvider && groups[0][0].Provider == "": // neither the kernel's nor a provider's
		return hasNone, 0
	}
	return f, 0
}

// findGroup is find for events with one recorder that the trace lacks.
func (t *Trace) findGroup(g group) finding {
	e := &g[0]
	switch {
	case e.Provider != "" && t.ofProvider(e.GUID) > 0:
		return otherEvents
	case e.Provider != "":
		return noProvider
	case !isFlag(e.Recorder):
		return hasNone
	}
	switch t.stateOf(e.Recorder) {
	case enabled:
		return noneLogged
	case disabled:
		return notEnabled
	}
	if !t.hasKernelEvents() {
		return noKernel
	}
	return notSaid
}
