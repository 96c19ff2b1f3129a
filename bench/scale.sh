#!/bin/sh
# Measures how a conversion scales with workers, using only the built programs, without Go.
#
#   bench/scale.sh TRACE...                  original traces
#   SIZE=2GB bench/scale.sh TRACE...         amplified to this size
#
# Settings, by environment:
#   BIN, AMPLIFY   the programs (./etl2parquet, ./amplify); both are static:
#                  CGO_ENABLED=0 go build -trimpath ./cmd/etl2parquet
#                  CGO_ENABLED=0 go build -trimpath ./tools/amplify
#   WORKERS        numbers of workers ("1 2 4 8 16", as far as there are processors)
#   ROUNDS         rounds of each (3)
#   SIZE           size to amplify to; without it the original traces are measured
#   MANIFESTS      folder of manifests, if the traces need one
#   TEMP           folder for amplified traces and datasets (the system's)
#
# It prints the output of "etl2parquet bench", and then, for each trace, runs one process with one
# worker per processor, all concurrently: the best the machine can do without shared locks.
set -eu
BIN=${BIN:-./etl2parquet} AMPLIFY=${AMPLIFY:-./amplify} ROUNDS=${ROUNDS:-3} SIZE=${SIZE:-} MANIFESTS=${MANIFESTS:-}
[ $# -gt 0 ] || { echo "usage: [SIZE=2GB] $0 TRACE..." >&2; exit 2; }

processors=$(getconf _NPROCESSORS_ONLN)
if [ -z "${WORKERS:-}" ]; then
	WORKERS=1
	for n in 2 4 8 16; do
		[ "$n" -gt "$processors" ] || WORKERS="$WORKERS $n"
	done
fi
folder=$(mktemp -d "${TEMP:-${TMPDIR:-/tmp}}/etl2parquet-scale.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# beside runs a conversion with one worker per processor, all concurrently, and prints the seconds of
# the slowest.
beside() {
	begun=$(date +%s.%N)
	pids=
	for i in $(seq "$1"); do
		"$BIN" convert "$2" -o "$folder/out$i" --workers 1 -q ${MANIFESTS:+--manifest "$MANIFESTS"} &
		pids="$pids $!"
	done
	for pid in $pids; do
		wait "$pid"
	done
	date +%s.%N | awk -v begun="$begun" '{ printf "%.2f", $1 - begun }'
	rm -rf "$folder"/out*
}

for trace; do
	file=$trace
	if [ -n "$SIZE" ]; then
		file=$folder/$(basename "$trace")
		"$AMPLIFY" -size "$SIZE" "$trace" "$file"
	fi
	for n in $WORKERS; do
		"$BIN" bench "$file" --workers "$n" --part 0 --rounds "$ROUNDS" --temp-dir "$folder" ${MANIFESTS:+--manifest "$MANIFESTS"}
	done
	one=$(beside 1 "$file")
	all=$(beside "$processors" "$file")
	echo
	echo "  processes side by side, one worker each: 1 takes $one s, $processors take $all s"
	if [ -n "$SIZE" ]; then
		rm "$file"
	fi
done
