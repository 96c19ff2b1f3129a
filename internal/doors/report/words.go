package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// duration returns a time for people.
func duration(ns int64) string {
	f := float64(ns)
	switch {
	case ns < 1000:
		return strconv.FormatInt(ns, 10) + " ns"
	case ns < 1e6:
		return significant(f/1e3) + " µs"
	case ns < 1e9:
		return significant(f/1e6) + " ms"
	case ns < 120e9:
		return significant(f/1e9) + " s"
	case ns < 7200e9:
		return fmt.Sprintf("%d min %d s", ns/60e9, ns%60e9/1e9)
	}
	return fmt.Sprintf("%s h %d min", texts.Grouped(ns/3600e9), ns%3600e9/60e9)
}

// bytesText returns a size for people.
func bytesText(n int64) string {
	switch f := float64(n); {
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1<<20:
		return significant(f/(1<<10)) + " KiB"
	case n < 1<<30:
		return significant(f/(1<<20)) + " MiB"
	default:
		return significant(f/(1<<30)) + " GiB"
	}
}

// significant returns a number with three digits.
func significant(f float64) string {
	switch {
	case f >= 99.95:
		return strconv.FormatFloat(f, 'f', 0, 64)
	case f >= 9.995:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

// percent returns a share for people.
func percent(part, all float64) string {
	if all == 0 {
		return "0 %"
	}
	share := 100 * part / all
	switch {
	case share >= 10 || share == 0:
		return strconv.FormatFloat(share, 'f', 0, 64) + " %"
	case share < 0.1:
		return "less than 0.1 %"
	}
	return strconv.FormatFloat(share, 'f', 1, 64) + " %"
}

// plural returns a number with its noun.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return texts.Grouped(n) + " " + many
}

// lastPart returns the name of a file without its folders.
func lastPart(path string) string { return path[strings.LastIndexAny(path, `\/`)+1:] }
