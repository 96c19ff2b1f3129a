package interop_test

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// The texts of values as PerfView prints them.

// grouped returns a number with thousands commas.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	digits := strings.TrimPrefix(text, "-")
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return text[:len(text)-len(digits)] + b.String()
}

func address(n uint64) string { return fmt.Sprintf("0x%08x", n) }

func timeText(t time.Time) string { return t.UTC().Format("06/01/02 15:04:05.000000") }

// milliseconds prints seconds, rounded half up to 1 us.
func milliseconds(seconds *big.Rat) string {
	return seconds.Mul(seconds, big.NewRat(1000, 1)).FloatString(3)
}

// boolNames maps DuckDB's texts of booleans to PerfView's.
var boolNames = map[string]string{"true": "True", "false": "False"}

func flagText(n uint64, names map[uint64]string) string {
	if n == 0 {
		return "None"
	}
	var list []string
	for bit := uint64(1); bit != 0; bit <<= 1 {
		if n&bit != 0 {
			list = append(list, names[bit])
		}
	}
	return strings.Join(list, ", ")
}

// shortened escapes newlines and cuts a value as the oracle does.
func shortened(text string) string {
	text = strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(text)
	if runes := []rune(text); len(runes) > 20 {
		return string(runes[:20]) + "..."
	}
	return text
}
