"""The traces of a file, each with a token that reads it or a part of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ._errors import NotFound
from ._spark_inputs import File, base_name, run_partly
from ._spark_options import Options

NO_TABLE = "there is no such table"  # the program's message


@dataclass(frozen=True)
class Entry:
    """A trace of a file, or a split of it."""

    name: str  # the column trace
    path: str  # of the file, with the path in the archive
    token: str
    is_first: bool  # of the splits of the trace


@dataclass(frozen=True)
class Entries:
    """The traces of a file that have a table."""

    read: Sequence[Entry]
    failed: Sequence[str]  # the program's messages about the others


def entries(options: Options, file: File, *flags: str) -> Entries:
    """Lists the traces of a file that have the table of the options, and their splits. The program reads
    all of the file. Raises EtlError if no trace can be read."""
    output, problem = run_partly([
        "splits", "--json", *flags, f"--table={options.table}",
        *options.source_flags(), *options.split_flags(), "--", file.path,
    ])  # fmt: skip
    lines = [line for line in problem.message.splitlines() if NO_TABLE not in line] if problem else []
    if problem and not output and (lines or not isinstance(problem, NotFound)):
        raise problem
    names = {f"{file.path}/{t.entry}" if t.entry else file.path: t.name for t in file.traces}
    found: list[Entry] = []
    for split in map(json.loads, filter(None, output.split("\n"))):
        path = split["input"]
        is_first = not found or found[-1].path != path
        found.append(Entry(names.get(path) or base_name(path), path, split["token"], is_first))
    return Entries(found, lines)
