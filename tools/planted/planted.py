#!/usr/bin/env python3
"""Plants each bug of bugs.txt and says which tests catch it.

    tools/planted/planted.py [NAME...] [--repo FOLDER] [--full] [--list FILE]

A bug is a line of the product changed by go test -overlay: no file is written. The tests of the changed
package run first, then those of the packages that import it: the quick ones, and with --full those of a
change if the quick ones find nothing. Make sure that they pass without a bug.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent


def bugs(path):
    """Yields (name, file, old text, new text) of each bug of a list."""
    name, file, old, new = None, None, [], []
    for line in [*path.read_text().splitlines(), "== "]:
        if line.startswith("== "):
            if name:
                yield name, file, "\n".join(old), "\n".join(new)
            name, _, file = line[3:].partition(" ")
            old, new = [], []
        elif line.startswith("-"):
            old.append(line[1:])
        elif line.startswith("+"):
            new.append(line[1:])


def go(repo, *args):
    return subprocess.run(["go", *args], cwd=repo, capture_output=True, text=True, env={**os.environ, "CI": "false"})


def failed(repo, package, overlay, flags):
    """Returns the tests of a package that fail, or a word for a package that does not build."""
    run = go(repo, "test", "-json", "-vet=off", "-failfast", "-timeout", "20m", *flags, *overlay, package)
    names = []
    for line in run.stdout.splitlines():
        event = json.loads(line) if line.startswith("{") else {}
        if event.get("Action") == "build-fail":
            return [f"NO BUILD of {event['ImportPath']}"]
        if event.get("Action") == "fail":
            names.append(event.get("Test") or "the package")
    return names


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("name", nargs="*")
    options.add_argument("--repo", type=pathlib.Path, default=HERE.parent.parent)
    options.add_argument("--list", type=pathlib.Path, default=HERE / "bugs.txt")
    options.add_argument("--full", action="store_true")
    options.add_argument("--alone", action="store_true", help="without the packages that import the changed one")
    o = options.parse_args()
    repo = o.repo.resolve()
    imports = {}
    listing = go(repo, "list", "-f", '{{.ImportPath}} {{.Dir}} {{join .Imports ","}},{{join .TestImports ","}},{{join .XTestImports ","}}', "./...")
    for line in listing.stdout.splitlines():
        package, folder, names = line.split(" ")
        imports[package] = (folder, set(names.split(",")))
    caught = missed = 0
    for name, file, old, new in bugs(o.list):
        if o.name and name not in o.name:
            continue
        source = (repo / file).read_text()
        if source.count(old) != 1:
            print(f"{name}: {file} has the line {source.count(old)} times", flush=True)
            missed += 1
            continue
        with tempfile.TemporaryDirectory() as temp:
            changed = pathlib.Path(temp) / "changed.go"
            changed.write_text(source.replace(old, new))
            overlay = pathlib.Path(temp) / "overlay.json"
            overlay.write_text(json.dumps({"Replace": {str(repo / file): str(changed)}}))
            changed_in = next(p for p, (folder, _) in imports.items() if folder == str((repo / file).parent))
            importers = [] if o.alone else sorted(p for p, (_, names) in imports.items() if changed_in in names)
            start, by = time.monotonic(), None
            for flags in ([["-short"], []] if o.full else [["-short"]]):
                for package in [changed_in, *importers]:
                    if names := failed(repo, package, ["-overlay", str(overlay)], flags):
                        by = f"{package.removeprefix('github.com/etl2parquet/etl2parquet/')} {names[0]}"
                        break
                if by:
                    by = ("quick: " if flags else "change: ") + by
                    break
            caught, missed = caught + bool(by), missed + (not by)
            print(f"{name}: {by or 'MISSED'} ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"{caught} caught, {missed} missed")
    sys.exit(missed > 0)


main()
