#!/bin/bash
# Asks the questions of bench/questions and prints how long each answer took: the wall time and the
# processor time (user and system) in ms, the first time (cold) and the median of ROUNDS further times
# (warm), and the size of the traces.
#
# It needs bash and coreutils, DuckDB's program, and the traces. Pages of the traces are in memory.
#
#   CGO_ENABLED=0 go build -trimpath ./cmd/etl2parquet
#   TRACES=../shared/traces bench/questions.sh [NAME...]
#
# Settings, by environment:
#   BIN      the program (./etl2parquet)
#   TRACES   the folder of the traces (../shared/traces)
#   ROUNDS   further times (5)
#   COLD     the command that is run before the first time, to forget what was kept ("BIN cache clear", if
#            the program has it)
set -eu
here=$(dirname "$0")/questions
: "${BIN:=./etl2parquet}" "${TRACES:=../shared/traces}" "${ROUNDS:=5}"
if [ -z "${COLD:-}" ]; then
	COLD=true
	"$BIN" cache path >/dev/null 2>&1 && COLD="$BIN cache clear"
fi
work=$(mktemp -d "${TMPDIR:-/dev/shm}/questions.XXXXXX")
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'

# ask asks a question and prints wall and processor time in ms.
ask() { # file trace...
	local file=$1 times
	shift
	times=$( { time "$BIN" query "$@" --file "$file" --format csv >/dev/null 2>"$work/errors"; } 2>&1 ) || { cat "$work/errors" >&2; return 1; }
	awk '{printf "%d %d\n", $1 * 1000, ($2 + $3) * 1000}' <<<"$times"
}

# median prints the middle of the numbers in a column of a file.
median() { sort -n -k "$2,$2" "$1" | awk -v column="$2" '{v[NR] = $column} END {print v[int((NR + 1) / 2)]}'; }

printf '%-24s %8s %10s %10s %10s %10s\n' question MB 'cold wall' cpu 'warm wall' cpu
for question in "$here"/*/question.sql; do
	name=$(basename "$(dirname "$question")")
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	pattern=$(sed -n 's/^-- asked by .*, of //p' "$question")
	traces=("$TRACES"/$pattern) # the pattern is to match the traces
	size=$(cat "${traces[@]}" | wc -c) # also brings their pages into memory
	$COLD >/dev/null 2>&1
	read -r wall cpu < <(ask "$question" "${traces[@]}")
	rm -f "$work/times"
	for _ in $(seq "$ROUNDS"); do ask "$question" "${traces[@]}" >>"$work/times"; done
	awk -v size="$size" -v name="$name" -v wall="$wall" -v cpu="$cpu" -v warm="$(median "$work/times" 1)" -v again="$(median "$work/times" 2)" \
		'BEGIN {printf "%-24s %8.1f %7d ms %7d ms %7d ms %7d ms\n", name, size / 1e6, wall, cpu, warm, again}'
done
