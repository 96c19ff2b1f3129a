#!/bin/bash
# Prints the cost of a conversion per event, and the most memory it takes, for traces of increasing
# size: a trace amplified to each of SIZES, with the default options except WORKERS. Processor time is
# user and system time of the process, the median of ROUNDS; memory is the largest resident set of all
# rounds.
#
# It needs bash, coreutils, GNU time, and the two programs:
#
#   CGO_ENABLED=0 go build -o /tmp/etl2parquet ./cmd/etl2parquet
#   CGO_ENABLED=0 go build -o /tmp/amplify ./tools/amplify
#   BIN=/tmp/etl2parquet AMPLIFY=/tmp/amplify TEMP=/dev/shm bench/flat.sh TRACE...
set -eu
: "${BIN:=./etl2parquet}" "${AMPLIFY:=./amplify}" "${SIZES:=10MB 100MB 1GB 4GB}" "${ROUNDS:=3}" "${WORKERS:=$(nproc)}" "${MANIFESTS:=}"
[ $# -gt 0 ] || { echo "usage: [SIZES='10MB 1GB'] $0 TRACE..." >&2; exit 2; }
work=$(mktemp -d "${TEMP:-${TMPDIR:-/tmp}}/flat.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

"$BIN" version
echo "$(nproc) processors: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2); $ROUNDS rounds, --workers $WORKERS"
for trace; do
	for size in $SIZES; do
		file=$work/$size.etl
		events=$("$AMPLIFY" -size "$size" "$trace" "$file" | grep -o '[0-9]* events' | cut -d' ' -f1)
		rm -f "$work/times"
		for _ in $(seq "$ROUNDS"); do
			env time -a -o "$work/times" -f '%U %S %M' "$BIN" convert "$file" -o "$work/out" --workers "$WORKERS" -q ${MANIFESTS:+--manifest "$MANIFESTS"}
			rm -rf "$work/out"
		done
		awk '{print $1 + $2, $3}' "$work/times" | sort -n | awk -v trace="$(basename "$trace")" -v size="$size" -v events="$events" '
			{cpu[NR] = $1; if ($2 > most) most = $2}
			END {printf "%-32s %6s  %10d events  %6.0f ns an event  %5.0f MiB\n", trace, size, events, cpu[int((NR + 1) / 2)] * 1e9 / events, most / 1024}'
		rm "$file"
	done
done
