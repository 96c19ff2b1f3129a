#!/usr/bin/env python3
"""Compares two builds of the program on traces of four kinds and of six sizes.

    go build -o /tmp/amplify ./tools/amplify
    bench/ladder.py --traces ../shared/traces --amplify /tmp/amplify OLD NEW > runs.txt
    go run golang.org/x/perf/cmd/benchstat@latest -col /build runs.txt

The builds convert each trace in turn, so that a change of the machine's load is shared by both. A line
has the form of Go's benchmarks: processor time, elapsed time, peak memory, Parquet files and their bytes
of one conversion. Outputs and traces lie in memory (--folder), so that a file system's own costs do not
count: they differ by more than the builds do.
"""
import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time

KINDS = {
    "kernel": "diaghub.etl",
    "CLR": "net.4.5.2.x86.etl",
    "manifest": "diaghub.user_paged.1.etl",
    "TraceLogging": "ebpforwindows.etl",
}
REAL = ["smallEtlFile.etl", "HTTP_Server.etl", "net.4.5.2.x86.etl"]
MIB = 1 << 20
FIRST = {"0.1MB": MIB // 10, "1MB": MIB, "10MB": 10 * MIB}  # the first buffers of the amplified trace
AMPLIFIED = ["100MB", "1GB"]


def first_buffers(source: pathlib.Path, size: int, to: pathlib.Path) -> None:
    """Writes whole buffers, at least size bytes of them: each begins with its size, and all are equal."""
    with source.open("rb") as f:
        (buffer,) = struct.unpack("<I", f.read(4))
        f.seek(0)
        to.write_bytes(f.read(-(-size // buffer) * buffer))


def make_traces(args) -> list[tuple[str, pathlib.Path]]:
    folder = args.folder / "traces"
    folder.mkdir(parents=True, exist_ok=True)
    traces = [(f"{pathlib.Path(name).stem}/real", args.traces / name) for name in REAL]
    for kind, name in KINDS.items():
        amplified = {}
        for size in AMPLIFIED:
            amplified[size] = folder / f"{kind}.{size}.etl"
            if not amplified[size].exists():
                subprocess.run([args.amplify, "-size", size, args.traces / name, amplified[size]], check=True, stdout=sys.stderr)
        for size, least in FIRST.items():
            path = folder / f"{kind}.{size}.etl"
            first_buffers(amplified["100MB"], least, path)
            traces.append((f"{kind}/{size}", path))
        traces += [(f"{kind}/{size}", path) for size, path in amplified.items()]
    return [t for t in traces if not args.only or any(part in t[0] for part in args.only)]


def convert(build: pathlib.Path, trace: pathlib.Path, out: pathlib.Path, workers: int) -> dict[str, float]:
    command = [build, "convert", trace, "-o", out] + (["--workers", str(workers)] if workers else [])
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status:
        sys.exit(f"{build} {trace}: status {os.waitstatus_to_exitcode(status)}")
    files = list(out.rglob("*.parquet"))
    return {
        "ns/op": wall * 1e9,
        "cpu-ns/op": (used.ru_utime + used.ru_stime) * 1e9,
        "peak-B": used.ru_maxrss << 10,
        "files": len(files),
        "parquet-B": sum(f.stat().st_size for f in files),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--traces", type=pathlib.Path, required=True, help="folder with the real traces")
    parser.add_argument("--amplify", required=True, help="the built tools/amplify")
    parser.add_argument("--folder", type=pathlib.Path, default="/dev/shm/ladder", help="for traces and outputs")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--workers", type=int, default=0, help="0: the program's default")
    parser.add_argument("--only", nargs="*", help="traces whose name has one of these parts, such as CLR/1GB")
    args = parser.parse_args()
    out = args.folder / "out"
    for name, trace in make_traces(args):
        for _ in range(args.rounds):
            for build in (args.old, args.new):
                shutil.rmtree(out, ignore_errors=True)
                values = convert(build, trace, out, args.workers)
                print(f"BenchmarkConvert/{name}/build={build.name} 1 " + " ".join(f"{v:.0f} {unit}" for unit, v in values.items()), flush=True)
    shutil.rmtree(out, ignore_errors=True)


if __name__ == "__main__":
    main()
