package texts

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Grouped returns a number with thousands separators.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// GroupedOrDash is Grouped, but returns "-" for 0.
func GroupedOrDash(n int64) string {
	if n == 0 {
		return "-"
	}
	return Grouped(n)
}

// Counted returns a number with a noun, as in "1 trace" and "28 traces".
func Counted(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Grouped(n) + " " + thing
}

// Share returns a part of a whole in percent.
func Share(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// WholeShare returns a part in percent, rounded down: 100 only if it is the whole.
func WholeShare(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", math.Floor(1000*float64(part)/float64(whole))/10)
}

// PerSecond returns a rate with three digits, as in "2.13 M".
func PerSecond(rate float64) string {
	switch {
	case rate >= 1e9:
		return threeDigits(rate/1e9) + " G"
	case rate >= 1e6:
		return threeDigits(rate/1e6) + " M"
	case rate >= 1e3:
		return threeDigits(rate/1e3) + " k"
	}
	return strconv.FormatFloat(math.Round(rate), 'f', -1, 64)
}

func threeDigits(v float64) string {
	switch {
	case v >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// Clock returns a duration as minutes and seconds, or hours before them.
func Clock(d time.Duration) string {
	s := int64(math.Ceil(d.Seconds()))
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Elapsed returns a duration with units, with fewer decimals the longer it is.
func Elapsed(d time.Duration) string {
	switch s := d.Seconds(); {
	case d == 0:
		return "0 s"
	case s < 1:
		return threeDigits(1e3*s) + " ms"
	case s < 60:
		return fmt.Sprintf("%.2f s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %.1f s", int(s)/60, math.Mod(s, 60))
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min %.0f s", int(s)/3600, int(s)/60%60, math.Floor(math.Mod(s, 60)))
	}
	return fmt.Sprintf("%d d %d h %d min", int(d.Hours())/24, int(d.Hours())%24, int(d.Minutes())%60)
}
