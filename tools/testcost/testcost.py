#!/usr/bin/env python3
"""Measures what tests cost, and compares two measurements.

    tools/testcost/testcost.py run FILE -- -short ./...    runs go test with these arguments
    tools/testcost/testcost.py table BEFORE AFTER          a Markdown table, the dearest packages first

A measurement is JSON: for each package its tests, their wall seconds, and the processor seconds of its
test program with the programs that it ran; for the whole run the processor seconds of compiling and
linking beside them. Numbers of a busy machine are too high: the wall seconds above all.
"""

import collections
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def run(out, args):
    start, packages, failed = time.monotonic(), collections.defaultdict(lambda: {"tests": 0, "wall": 0.0, "cpu": 0.0}), []
    with tempfile.NamedTemporaryFile("r") as costs:
        command = ["go", "test", "-json", "-count=1", "-vet=off", "-exec", str(HERE / "exec"), *args]
        test = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TESTCOST": costs.name})
        for line in test.stdout:
            event = json.loads(line)
            if event["Action"] in ("pass", "fail") and event.get("Test"):
                packages[event["Package"]]["tests"] += 1
            if event["Action"] in ("fail", "build-fail"):
                failed.append(f"{event.get('Package', event.get('ImportPath'))} {event.get('Test', '')}")
        test.wait()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        folders = dict(line.split("\t") for line in subprocess.check_output(
            ["go", "list", "-f", "{{.Dir}}\t{{.ImportPath}}", "./..."], text=True).splitlines())
        for line in costs:
            folder, wall, user, system = line.rsplit(" ", 3)
            package = packages[folders.get(folder, folder)]
            package["wall"] += float(wall)
            package["cpu"] += float(user) + float(system)
    tests = sum(p["cpu"] for p in packages.values())
    total = {"wall": time.monotonic() - start, "tests_cpu": tests, "build_cpu": spent.ru_utime + spent.ru_stime - tests,
             "tests": sum(p["tests"] for p in packages.values()), "programs": len(packages), "failed": failed}
    pathlib.Path(out).write_text(json.dumps({"total": total, "packages": packages}, indent=1))
    print(json.dumps(total))
    sys.exit(bool(failed))


def table(*names):
    before, after = (json.loads(pathlib.Path(name).read_text()) for name in names)
    print("| package | tests | wall s | processor s |\n|---|---|---|---|")
    rows = [(p, before["packages"].get(p, {}), after["packages"].get(p, {})) for p in before["packages"] | after["packages"]]
    for name, old, new in sorted(rows, key=lambda r: -r[1].get("cpu", 0) - r[2].get("cpu", 0)):
        cells = (f"{old.get(key, 0):.{digits}f} → {new.get(key, 0):.{digits}f}" for key, digits in (("tests", 0), ("wall", 1), ("cpu", 1)))
        print(f"| {name.removeprefix('github.com/etl2parquet/')} | {' | '.join(cells)} |")
    for name, key in (("all tests", "tests_cpu"), ("compiling and linking", "build_cpu"), ("wall", "wall"), ("tests", "tests"), ("test programs", "programs")):
        print(f"{name}: {before['total'][key]:.0f} → {after['total'][key]:.0f}")


if sys.argv[1:2] == ["run"] and "--" in sys.argv:
    run(sys.argv[2], sys.argv[sys.argv.index("--") + 1:])
elif sys.argv[1:2] == ["table"] and len(sys.argv) == 4:
    table(*sys.argv[2:])
else:
    sys.exit(__doc__)
