#!/bin/sh
# Counts the tests that are for later tiers, and lists the parts that tests lacked, skipped or not, and
# for each part the tests. gotestsum runs this after the tests.
set -eu
for tier in ".ci/run" ".ci/run all" ".ci/run long"; do
	later=$(grep -c "\.go:[0-9]*: in $tier: " "$GOTESTSUM_JSONFILE" || true)
	test "$later" -eq 0 || echo "$later tests skipped: $tier runs them"
done
awk -F'"' '
/\.go:[0-9]+: MISSING / && $14 == "Test" {
	part = $0
	sub(/.*\.go:[0-9]+: MISSING /, "MISSING ", part)
	sub(/( \(.*)?(\\n)?"}$/, "", part) # the error in parentheses differs between tests
	sub(/^github.com\/etl2parquet\/etl2parquet\//, "", $12)
	sub(/\/.*/, "", $16)
	print part "\t" $12 " " $16
}' "$GOTESTSUM_JSONFILE" | sort -u | awk -F'\t' '
NR == 1 { print "\nSkipped, or tested with less:" }
$1 != part { print part = $1 }
{ print "\t" $2 }'
rm -f "$GOTESTSUM_JSONFILE"
