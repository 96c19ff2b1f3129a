"""Lists the traces of Spark's paths, with their names in a dataset."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass

from ._errors import EtlError
from ._program import run
from ._spark_options import Options

NO_TRACES = ("no .etl file and no archive in this folder", "no file matches")  # the program's message


@dataclass(frozen=True)
class Trace:
    """A file with one trace."""

    path: str
    name: str  # the column trace
    size: int
    modified: int | None  # ns since 1970; None for an object on a server


def find(options: Options) -> list[Trace]:
    """Returns the traces of files, folders, patterns and URLs, in the program's order."""
    with tempfile.TemporaryDirectory(prefix="etl2parquet-") as folder:
        plan = os.path.join(folder, "plan.json")
        run(["plan", "--shards=1", f"--output={plan}", *options.source_flags(), "--", *options.inputs])
        with open(plan, encoding="utf-8") as file:
            inputs = json.load(file)["inputs"]
    return [_trace(i) for i in inputs]


def find_any(options: Options) -> list[Trace]:
    """Returns the traces that exist now, which may be none."""
    try:
        return find(options)
    except EtlError as e:
        if any(text in e.message for text in NO_TRACES) and all(map(_is_reached, options.inputs)):
            return []
        raise


def _is_reached(given: str) -> bool:
    """Reports whether an input can have traces later: a folder or a pattern."""
    return is_remote(given) or os.path.isdir(given) or any(c in given for c in "*?[")


def _trace(planned: dict[str, object]) -> Trace:
    path, size, traces = planned["input"], planned["size"], planned["traces"]
    assert isinstance(path, str) and isinstance(size, int) and isinstance(traces, list)
    if len(traces) != 1:
        raise EtlError(
            1,
            f"{path}: it has {len(traces)} traces, and Spark reads files with one: unpack it, or convert it",
        )
    return Trace(path, traces[0]["trace"], size, modified(path))


def modified(path: str) -> int | None:
    """Returns when a file was last written, None for an object on a server or a missing file."""
    if is_remote(path):
        return None
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def is_remote(path: str) -> bool:
    return "://" in path


def check_unchanged(trace: Trace) -> None:
    """Raises EtlError if a file has changed since it was planned. The program itself checks objects on
    servers while it reads them."""
    if is_remote(trace.path):
        return
    try:
        now = os.stat(trace.path)
    except OSError as e:
        raise EtlError(
            1, f"{trace.path}: {(e.strerror or str(e)).lower()}: it was there when the query was planned"
        ) from e
    if (now.st_size, now.st_mtime_ns) != (trace.size, trace.modified):
        raise EtlError(1, f"{trace.path}: the file has changed since the query was planned: run the query again")
