"""Lists the files of Spark's paths, with the names of their traces in a dataset."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from ._errors import EtlError, NotFound, error
from ._program import Child
from ._spark_options import Options

# The program's messages.
NO_TRACES = (
    "no trace and no archive in this folder",
    "no .etl file and no archive in this folder",
    "a dataset, and no trace",
    "no file matches",
)
ABSENT = (*NO_TRACES, "no such file or directory")
_NOTHING = "no trace in any of the inputs"

WILDCARDS = "*?[{"  # of patterns

_FAILED, _PARTLY = 1, 3  # exit statuses


@dataclass(frozen=True)
class Trace:
    """A trace of a file."""

    name: str  # the column trace
    entry: str = ""  # its path in an archive


@dataclass(frozen=True)
class File:
    """A file with a trace, or an archive of traces."""

    path: str
    size: int
    modified: int | None  # ns since 1970; None for an object on a server, or if the file is missing
    traces: tuple[Trace, ...]  # none if the program cannot read the file
    error: str = ""  # why it cannot; a task tries again
    gone: bool = False  # it cannot, because the file was removed
    name: str = ""  # of the trace, if it can be read later; "": the name of the file

    @property
    def names(self) -> list[str]:
        """Returns the names of the traces, or the one that a file would have that cannot be read."""
        return [t.name for t in self.traces] or [self.name or base_name(self.path)]


def base_name(path: str) -> str:
    return path.replace(os.sep, "/").rpartition("/")[2].removesuffix(".etl")


def find(options: Options, absent: Sequence[str] = ()) -> list[File]:
    """Returns the files of inputs: files, folders, patterns and URLs, in the program's order. Files that
    the program cannot read come last, with its message. Inputs without a trace are an error, unless the
    message has a text of ``absent``."""
    files, lines = _planned(options)
    for line in lines:
        path, _, reason = line.partition(": ")
        problem = error(_FAILED, line)
        if not isinstance(problem, NotFound) and not any(text in reason for text in NO_TRACES):
            files.append(File(path, _size(path), modified(path), (), reason))
        elif not any(text in reason for text in absent):
            raise problem
    return files


def find_any(options: Options) -> list[File]:
    """Returns the files that exist now, which may be none."""
    return find(options, ABSENT if all(map(_can_grow, options.inputs)) else NO_TRACES)


def _can_grow(given: str) -> bool:
    """Reports whether an input can have files later: a folder or a pattern."""
    return is_remote(given) or os.path.isdir(given) or any(c in given for c in WILDCARDS)


def _planned(options: Options) -> tuple[list[File], list[str]]:
    """Returns the files with traces, and the program's messages about others."""
    with tempfile.TemporaryDirectory(prefix="etl2parquet-") as folder:
        plan = os.path.join(folder, "plan.json")
        arguments = ["plan", "--shards=1", f"--output={plan}", *options.source_flags(), "--", *options.inputs]
        _, problem = run_partly(arguments)
        lines = problem.message.splitlines() if problem else []
        if problem and problem.returncode == _FAILED:
            if not lines[-1].startswith(_NOTHING):
                raise problem
            return [], lines[:-1]
        with open(plan, encoding="utf-8") as file:
            return [_file(i) for i in json.load(file)["inputs"]], lines


def run_partly(args: Sequence[str]) -> tuple[str, EtlError | None]:
    """Runs the program to its end and returns its standard output, and its error if inputs failed.
    Warnings are dropped: none of plan and splits is about damage."""
    child = Child(args)
    try:
        output = child.stdout.read().decode()
        try:
            child.wait()
        except EtlError as e:
            if e.returncode not in (_FAILED, _PARTLY):
                raise
            return output, e
        return output, None
    finally:
        child.close()


def _file(planned: dict[str, object]) -> File:
    path, size, traces = planned["input"], planned["size"], planned["traces"]
    assert isinstance(path, str) and isinstance(size, int) and isinstance(traces, list)
    return File(path, size, modified(path), tuple(Trace(t["trace"], t.get("entry", "")) for t in traces))


def modified(path: str) -> int | None:
    """Returns when a file was last written, None for an object on a server or a missing file."""
    state = now(path)
    return state[1] if state else None


def _size(path: str) -> int:
    state = now(path)
    return state[0] if state else 0


def now(path: str) -> tuple[int, int] | None:
    """Returns the size of a file and when it was last written, None for an object on a server or a
    missing file."""
    if is_remote(path):
        return None
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def is_remote(path: str) -> bool:
    return "://" in path
