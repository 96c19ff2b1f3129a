package info

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

func TestZoneText(t *testing.T) {
	rule := "month 3, week 2, day 0 02:00"
	for want, zone := range map[string]facts.Zone{
		"UTC+00:00": {},
		"UTC-08:00 (Pacific Standard Time), UTC-07:00 in summer": {Bias: 480, StandardName: "Pacific Standard Time", DaylightBias: -60, DaylightDate: &rule},
		"UTC+05:30 (India Standard Time)":                        {Bias: -330, StandardName: "India Standard Time"},
		"UTC+35791394:08":                                        {Bias: -1 << 31},
	} {
		if got := zoneText(&zone); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestNarrowPage checks that the page of a terminal of 80 columns fits, and cuts no name and no number
// of usual length.
func TestNarrowPage(t *testing.T) {
	provider, id, name := "Microsoft-Windows-DotNETRuntime", "6f669bfa-816a-4204-a824-47c8e6a00474", "MethodLoad"
	start := facts.Instant(0)
	s := &facts.Info{
		Start: &start, Events: 123_456, Decoding: &facts.Decoding{},
		Providers: []facts.ProviderTotal{{Name: &provider, Events: 12_345, EventTypes: 7, LastEvent: 12e9}, {ID: &id, Events: 1, EventTypes: 1}},
		EventTypes: []facts.EventTypeTotal{
			{ProviderName: &provider, EventName: &name, EventID: 143, HeaderTable: "event_header", Events: 12_345},
			{ProviderID: &id, EventID: 0x1234, HeaderTable: "perfinfo_trace_header", Events: 1},
		},
	}
	var page strings.Builder
	write(&page, &Options{Width: 80}, s)
	for line := range strings.Lines(page.String()) {
		if n := texts.Width(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
		if strings.Contains(line, "…") {
			t.Errorf("cut: %s", line)
		}
	}
	for _, want := range []string{provider, id, name, "id 143", "hook 0x1234"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s:\n%s", want, &page)
		}
	}
}
