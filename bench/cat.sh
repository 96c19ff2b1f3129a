#!/bin/bash
# Prints the processor time (user and system) of cat --format arrow for a table and of converting only
# that table: the medians of ROUNDS pairs, each pair run one after the other, and the median, least and
# largest ratio of the pairs. Then it prints the time of info.
#
# It needs bash and coreutils, the two programs, and the traces diaghub.kernel.1, net.4.5.2.x86,
# diaghub.user_paged.1 and ebpforwindows. Each is measured in its original size and amplified to SIZE.
#
#   CGO_ENABLED=0 go build -o /tmp/etl2parquet ./cmd/etl2parquet
#   CGO_ENABLED=0 go build -o /tmp/amplify ./tools/amplify
#   BIN=/tmp/etl2parquet AMPLIFY=/tmp/amplify TRACES=../shared/traces bench/cat.sh
set -eu
: "${BIN:=./etl2parquet}" "${AMPLIFY:=./amplify}" "${TRACES:=./traces}" "${SIZE:=150MB}" "${ROUNDS:=10}" "${WORKERS:=2}"
work=$(mktemp -d "${TMPDIR:-/dev/shm}/cat.XXXXXX")
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# cpu runs a command and prints its processor time in ms.
cpu() {
	local times
	times=$( { time "$@" >/dev/null 2>"$work/errors"; } 2>&1 ) || { cat "$work/errors" >&2; return 1; }
	awk '{printf "%d\n", ($1 + $2) * 1000}' <<<"$times"
}

# nth prints a line of the sorted numbers of a file: the first, the middle or the last.
nth() { sort -n "$1" | awk -v which="$2" '{v[NR] = $1} END {print v[which == "least" ? 1 : which == "most" ? NR : int((NR + 1) / 2)]}'; }

# pair measures one table of a trace.
pair() { # label trace table
	local c v
	rm -f "$work"/{cat,convert,ratio}
	for _ in $(seq "$ROUNDS"); do
		c=$(cpu "$BIN" cat "$2" --table "$3" --format arrow --workers "$WORKERS")
		v=$(cpu "$BIN" convert "$2" -o "$work/out" --table "$3" --workers "$WORKERS")
		rm -rf "$work/out"
		echo "$c" >>"$work/cat"; echo "$v" >>"$work/convert"
		awk -v c="$c" -v v="$v" 'BEGIN {printf "%.3f\n", c / v}' >>"$work/ratio"
	done
	printf '%-20s %-54s cat %5d ms  convert %5d ms  ratio %s (%s to %s)\n' "$1" "$3" "$(nth "$work/cat" middle)" \
		"$(nth "$work/convert" middle)" "$(nth "$work/ratio" middle)" "$(nth "$work/ratio" least)" "$(nth "$work/ratio" most)"
}

# info measures info of a trace on one processor.
info() { # label trace
	local size
	rm -f "$work/info"
	for _ in $(seq "$ROUNDS"); do
		cpu env GOMAXPROCS=1 "$BIN" info "$2" >>"$work/info"
	done
	size=$(stat -c %s "$2")
	printf '%-20s info %5d ms  %s GB/s\n' "$1" "$(nth "$work/info" middle)" "$(awk -v s="$size" -v t="$(nth "$work/info" middle)" 'BEGIN {printf "%.2f", s / t / 1e6}')"
}

"$BIN" version
echo "$(nproc) processors: $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2); $ROUNDS rounds, --workers $WORKERS"
while read -r kind trace tables; do
	"$AMPLIFY" -size "$SIZE" "$TRACES/$trace.etl" "$work/large.etl" >/dev/null
	for file in "$TRACES/$trace.etl" "$work/large.etl"; do
		label=$kind
		if [ "$file" = "$work/large.etl" ]; then label="$kind, $SIZE"; fi
		for table in $tables; do
			pair "$label" "$file" "$table"
		done
		info "$label" "$file"
	done
done <<-TRACES
	kernel diaghub.kernel.1 Image/DCEnd perfinfo_trace_header
	clr net.4.5.2.x86 PerfInfo/SampleProf event_header
	manifest diaghub.user_paged.1 Microsoft-Windows-DotNETRuntime/Method_JittingStarted event_header
	tracelogging ebpforwindows EbpfForWindowsProvider/EbpfGenericMessage event_header
TRACES
