package info

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

func TestZoneText(t *testing.T) {
	rule := "month 3, week 2, day 0 02:00"
	for want, zone := range map[string]index.Zone{
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
