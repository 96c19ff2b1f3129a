package testenv

import (
	"os"
	"testing"
)

// TierVariable is the environment variable that adds tests to those of a change: "all" or "long".
// docs/dev/testing.md describes the tiers.
const TierVariable = "ETL2PARQUET_TESTS"

// Tier is a set of tests. Each tier includes the ones before it.
type Tier int

const (
	TierQuick  Tier = iota // make test: go test -short
	TierChange             // .ci/run: go test
	TierAll                // .ci/run all: ETL2PARQUET_TESTS=all
	TierLong               // .ci/run long: ETL2PARQUET_TESTS=long
)

// Running returns the tier of this run.
func Running(t testing.TB) Tier {
	t.Helper()
	switch name := os.Getenv(TierVariable); {
	case testing.Short():
		return TierQuick
	case name == "":
		return TierChange
	case name == "all":
		return TierAll
	case name == "long":
		return TierLong
	default:
		t.Fatalf("%s=%s: all and long are the tiers", TierVariable, name)
		return 0
	}
}

// Slow skips a test of the tier of changes in the quick tests. The reason says what takes the time.
func Slow(t testing.TB, reason string) { t.Helper(); need(t, TierChange, ".ci/run", reason) }

// All skips a test that is not for each change. The reason says what takes the time, or which other
// program the test runs.
func All(t testing.TB, reason string) { t.Helper(); need(t, TierAll, ".ci/run all", reason) }

// Long skips a test that only a night has time for.
func Long(t testing.TB, reason string) { t.Helper(); need(t, TierLong, ".ci/run long", reason) }

func need(t testing.TB, tier Tier, command, reason string) {
	t.Helper()
	if Running(t) < tier {
		t.Skip("in " + command + ": " + reason)
	}
}

// Times returns how often a test repeats something: a number for each tier.
func Times(t testing.TB, quick, change, all, long int) int {
	t.Helper()
	return [...]int{quick, change, all, long}[Running(t)]
}
