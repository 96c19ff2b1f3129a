package facts

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestParseTimeBound(t *testing.T) {
	since := func(d time.Duration) TimeBound { return TimeBound{Set: true, Kind: BoundSinceStart, Since: d} }
	clock := func(d time.Duration) TimeBound { return TimeBound{Set: true, Kind: BoundTimeOfDay, Since: d} }
	at := func(text string) TimeBound {
		v, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return TimeBound{Set: true, At: v}
	}
	for text, want := range map[string]TimeBound{
		"":                               {},
		"0":                              since(0),
		"10":                             since(10 * time.Second),
		"1.5":                            since(1500 * time.Millisecond),
		".25":                            since(250 * time.Millisecond),
		"-2":                             since(-2 * time.Second),
		"90s":                            since(90 * time.Second),
		"1m5s":                           since(65 * time.Second),
		"0.000000001":                    since(1),
		"2024-05-31T12:00:00Z":           at("2024-05-31T12:00:00Z"),
		"2024-05-31T12:00:00.123456789Z": at("2024-05-31T12:00:00.123456789Z"),
		"2024-05-31T14:00:00+02:00":      at("2024-05-31T12:00:00Z"),
		"2024-05-31":                     at("2024-05-31T00:00:00Z"),
		"12:30":                          clock(12*time.Hour + 30*time.Minute),
		"00:00":                          clock(0),
		"12:30:05":                       clock(12*time.Hour + 30*time.Minute + 5*time.Second),
		"12:30:05.5":                     clock(12*time.Hour + 30*time.Minute + 5500*time.Millisecond),
		"23:59:59.999999999":             clock(24*time.Hour - 1),
		// DuckDB's, Polars', pandas' and Python's texts, and those of info, cat and query.
		"2023-03-29 15:12:38.020459+00":      at("2023-03-29T15:12:38.020459Z"),
		"2023-03-29 15:12:38.020459+00:00":   at("2023-03-29T15:12:38.020459Z"),
		"2023-03-29 15:12:38.020459 UTC":     at("2023-03-29T15:12:38.020459Z"),
		"2023-03-29 15:12:38.020459":         at("2023-03-29T15:12:38.020459Z"),
		"2023-03-29T15:12:38,5":              at("2023-03-29T15:12:38.5Z"),
		"2023-03-29 15:12":                   at("2023-03-29T15:12:00Z"),
		"2023-03-29 15:12Z":                  at("2023-03-29T15:12:00Z"),
		"2023-03-29 17:12:38+02":             at("2023-03-29T15:12:38Z"),
		"2023-03-29 17:12:38 +0200":          at("2023-03-29T15:12:38Z"),
		"2023-03-29 10:42:38.5-04:30":        at("2023-03-29T15:12:38.5Z"),
		"2023-03-29t15:12:38.0204591z":       at("2023-03-29T15:12:38.0204591Z"),
		"2020-07-29 00:06:19.7984230 UTC":    at("2020-07-29T00:06:19.798423Z"),
		"2011-01-23T22:06:37.476858500Z":     at("2011-01-23T22:06:37.4768585Z"),
		"2011-01-23T22:06:37.4768585001239Z": at("2011-01-23T22:06:37.4768585Z"),
		"2024-05-31 UTC":                     at("2024-05-31T00:00:00Z"),
		" 2024-05-31 12:00:00\n":             at("2024-05-31T12:00:00Z"),
		"1295820397476858500":                at("2011-01-23T22:06:37.4768585Z"),
		"915148800000000000":                 at("1999-01-01T00:00:00Z"),
		"15:12:38.020459+00":                 clock(15*time.Hour + 12*time.Minute + 38020459*time.Microsecond),
		"15:12:38 UTC":                       clock(15*time.Hour + 12*time.Minute + 38*time.Second),
		"9:05":                               clock(9*time.Hour + 5*time.Minute),
		"12.5 s":                             since(12500 * time.Millisecond),
		"+12.5":                              since(12500 * time.Millisecond),
		"+12.5 s":                            since(12500 * time.Millisecond),
		"1.5E-05":                            since(15 * time.Microsecond),
		"1e3":                                since(1000 * time.Second),
		"-1.5s":                              since(-1500 * time.Millisecond),
		" 1":                                 since(time.Second),
		"612 µs":                             since(612 * time.Microsecond),
		"1 min 49.4 s":                       since(109400 * time.Millisecond),
		"2 h 3 min 4 s":                      since(2*time.Hour + 3*time.Minute + 4*time.Second),
		"3 d 2 h 1 min":                      since(74*time.Hour + time.Minute),
	} {
		got, err := ParseTimeBound(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got.Set != want.Set || got.Kind != want.Kind || got.Since != want.Since || !got.At.Equal(want.At) || got.Text != text {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"yesterday", "24:00", "12:60", "1:2:3:4", "2024-05-32", "2024-05", "1,5", "NaN", "99999999999999999999",
		" ", "9999999999999999999", "9999999999999999", "1e999", "1e9999", "0x10", "1/2", "1_000", "1 2", "5 parsecs", "s", "+", "--1", "infinity",
		"2024-02-30 12:00:00", "2024-05-31 24:00:00", "2024-05-31 12:30.5", "2024-05-31 12:00:00+99", "2024-05-31 12:00:00 CET", "2024-05-31 12:00:00 +02:60",
		"12:30+02:00", "31.05.2024", "05/31/2024", "2024-5-1", "20240531T120000Z"} {
		if got, err := ParseTimeBound(text); err == nil || !strings.Contains(err.Error(), strconv.Quote(text)) {
			t.Errorf("%q: no error but %+v", text, got)
		}
	}
}

// boundOf returns where a bound is in a trace that begins at noon of 1 May 2024 and whose events
// span a duration of long.
func boundOf(t testing.TB, text string, long time.Duration) (time.Time, error) {
	t.Helper()
	noon := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	span := &TimeSpan{Start: noon.UnixNano(), First: noon.UnixNano(), Last: noon.Add(long).UnixNano()}
	bound := parseBound(t, text)
	ns, err := bound.UnixNano(span)
	return time.Unix(0, ns).UTC(), err
}

// TestTimeBoundFar checks times that exceed an int64 of ns.
func TestTimeBoundFar(t *testing.T) {
	for text, want := range map[string]time.Time{
		"9999-12-31T23:59:59Z": time.Unix(0, math.MaxInt64),
		"2263-01-01":           time.Unix(0, math.MaxInt64),
		"0001-01-01T00:00:00Z": time.Unix(0, math.MinInt64),
		"1677-01-01":           time.Unix(0, math.MinInt64),
		"2262-01-01T00:00:00Z": time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC),
		"9000000000":           time.Unix(0, math.MaxInt64),
		"-9000000000":          time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC).Add(-9e18),
	} {
		if got, err := boundOf(t, text, time.Hour); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, want %v: %v", text, got, want, err)
		}
	}
}

// TestTimeOfDay checks that a time of day, in UTC, works only in a trace of one day.
func TestTimeOfDay(t *testing.T) {
	for text, want := range map[string]time.Time{
		"12:30":      time.Date(2024, 5, 1, 12, 30, 0, 0, time.UTC),
		"00:00":      time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC),
		"23:59:59.5": time.Date(2024, 5, 1, 23, 59, 59, 5e8, time.UTC),
	} {
		if got, err := boundOf(t, text, 12*time.Hour-1); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, want %v: %v", text, got, want, err)
		}
		_, err := boundOf(t, text, 12*time.Hour)
		if err == nil || !strings.Contains(err.Error(), "the trace is of several days (2024-05-01T12:00:00.000000000Z to 2024-05-02T00:00:00.000000000Z, 0 to 43200 s after the start)") {
			t.Errorf("%s, over midnight: %v", text, err)
		}
	}
	for _, span := range []TimeSpan{{}, {Start: math.MinInt64, First: math.MinInt64, Last: math.MaxInt64}, {Start: math.MaxInt64, First: math.MaxInt64, Last: math.MaxInt64}, {Start: math.MinInt64, First: math.MinInt64, Last: math.MinInt64}} {
		bound := parseBound(t, "12:30")
		_, err := bound.UnixNano(&span) // must only return
		t.Log(err)
	}
}

func parseBound(t testing.TB, text string) TimeBound {
	t.Helper()
	b, err := ParseTimeBound(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
