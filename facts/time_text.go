package facts

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The forms of a bound. Letters may have any case.
var (
	// instantForm is a date, or a date and a time, with or without a zone.
	instantForm = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)` + fraction + `)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$`)
	// clockForm is a time of day in UTC.
	clockForm = regexp.MustCompile(`^(\d\d?:\d\d(?::\d\d)?)` + fraction + `(?: ?(?:Z|UTC|GMT|[+]00(?::?00)?))?$`)
	// nanosecondsForm is a value of a column time_ns: ns since 1970, in the years 1973 to 2262.
	nanosecondsForm = regexp.MustCompile(`^\d{18,19}$`)
	// sinceForm is a number of seconds, or numbers with units.
	sinceForm = regexp.MustCompile(`^([+-]?)(?:(` + decimal + `)|((?:` + decimal + ` ?[a-zµμ]+ ?)+))$`)
	// quantity is a number with a unit in a sinceForm.
	quantity = regexp.MustCompile(`(` + decimal + `) ?([a-zµμ]+)`)
)

const (
	fraction = `(?:[.,](\d+))?`
	decimal  = `(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?`
)

// units are the units of durations, in ns.
var units = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "µs": time.Microsecond, "μs": time.Microsecond, "ms": time.Millisecond,
	"s": time.Second, "sec": time.Second, "m": time.Minute, "min": time.Minute, "h": time.Hour, "d": day,
}

// ParseTimeBound parses a bound in any form in which times are printed: a date and a time, such as
// 2024-05-31T12:00:00.5Z or 2024-05-31 14:00:00+02; a date; a time of day such as 12:30 (for a trace
// that lies within one day); seconds since the start of the session such as 1.5, 1.5 s or 90s; or an
// integer of 18 or 19 digits: ns since 1970. A time without a zone is UTC. "" is no bound.
func ParseTimeBound(text string) (TimeBound, error) {
	if text == "" {
		return TimeBound{}, nil
	}
	b, err := parseForm(strings.ToUpper(strings.TrimSpace(text)))
	if err != nil {
		return TimeBound{}, fmt.Errorf("%q %w", text, err)
	}
	b.Set, b.Text = true, text
	return b, nil
}

var (
	errNoTime = errors.New("is no time: give a time (2024-05-31 12:00:00.5, 2024-05-31T14:00:00+02:00), a date (2024-05-31), " +
		"a time of day (12:30), seconds since the start (1.5, 90s), or a value of time_ns")
	errNoSuchTime = errors.New("has the form of a time, but there is no such date, hour, minute, second or zone")
	errFarTime    = errors.New("is too far from the start: a trace has less than 292 years")
)

// parseForm parses a text in upper case.
func parseForm(text string) (TimeBound, error) {
	if part := instantForm.FindStringSubmatch(text); part != nil {
		moment, err := parseInstant(part[1], part[2], part[3], part[4])
		return TimeBound{At: moment}, err
	}
	if part := clockForm.FindStringSubmatch(text); part != nil {
		t, err := parseClock(part[1], part[2])
		return TimeBound{Kind: BoundTimeOfDay, Since: t.Sub(t.Truncate(day))}, err
	}
	if nanosecondsForm.MatchString(text) {
		ns, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return TimeBound{}, errFarTime
		}
		return TimeBound{At: time.Unix(0, ns).UTC()}, nil
	}
	since, err := parseSince(strings.ToLower(text))
	return TimeBound{Kind: BoundSinceStart, Since: since}, err
}

// parseInstant parses the parts of an instantForm; all but the date may be "".
func parseInstant(date, clock, fraction, zone string) (time.Time, error) {
	moment, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return moment, errNoSuchTime
	}
	if clock != "" {
		t, err := parseClock(clock, fraction)
		if err != nil {
			return moment, err
		}
		moment = moment.Add(t.Sub(t.Truncate(day)))
	}
	if zone == "" || zone[0] != '+' && zone[0] != '-' {
		return moment, nil
	}
	digits := strings.ReplaceAll(zone[1:], ":", "")
	offset, err := time.Parse("1504", digits+"0000"[len(digits):])
	if err != nil {
		return moment, errNoSuchTime
	}
	east := offset.Sub(offset.Truncate(day))
	if zone[0] == '-' {
		east = -east
	}
	return moment.Add(-east), nil
}

// parseClock parses a time of day. Digits below a nanosecond are left out.
func parseClock(clock, fraction string) (time.Time, error) {
	if strings.Count(clock, ":") == 1 {
		if fraction != "" {
			return time.Time{}, errNoTime
		}
		clock += ":00"
	}
	t, err := time.Parse("15:04:05", clock)
	if err != nil {
		return t, errNoSuchTime
	}
	ns, err := strconv.Atoi((fraction + "000000000")[:9])
	return t.Add(time.Duration(ns)), err
}

// parseSince parses a time since the start, in lower case.
func parseSince(text string) (time.Duration, error) {
	part := sinceForm.FindStringSubmatch(text)
	if part == nil || len(text) > 100 {
		return 0, errNoTime
	}
	sum := new(big.Rat)
	add := func(number string, unit time.Duration) {
		n, _ := new(big.Rat).SetString(number) // the form allows numbers only
		sum.Add(sum, n.Mul(n, new(big.Rat).SetInt64(int64(unit))))
	}
	if part[2] != "" {
		add(part[2], time.Second)
	}
	for _, q := range quantity.FindAllStringSubmatch(part[3], -1) {
		unit := units[q[2]]
		if unit == 0 {
			return 0, errNoTime
		}
		add(q[1], unit)
	}
	if part[1] == "-" {
		sum.Neg(sum)
	}
	ns := new(big.Int).Quo(sum.Num(), sum.Denom())
	if !ns.IsInt64() {
		return 0, errFarTime
	}
	return time.Duration(ns.Int64()), nil
}
