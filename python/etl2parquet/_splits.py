"""Splits: parts of a table that can be read independently."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from . import _arguments
from ._arguments import Path, Time, Value
from ._program import run_json_lines


@dataclasses.dataclass(frozen=True)
class Split:
    """A part of a table. The splits of a table together have each row once."""

    token: str  # for scan(..., split=token)
    input: str  # the trace, as named by the caller
    table: str
    rows: int | None  # None if unknown before the rows are read
    first: str | None  # time of the first possible row, RFC 3339; None if the table has no times
    last: str | None


def splits(
    inputs: Path | Iterable[Path],
    table: str | None = None,
    max: int | None = None,
    *,
    from_: Time | None = None,
    to: Time | None = None,
    index: Path | None = None,
    **options: Value,
) -> list[Split]:
    """Divides a table into at most ``max`` splits per trace, for parallel readers.

    ``index`` is a file to write: with it, reading a split does not read the whole trace first. The
    other options are the options of ``scan`` that select events or describe them.
    """
    named: dict[str, Value] = {
        "table": "events" if table is None else table,
        "max": max,
        "index": index,
        "from": None if from_ is None else _arguments.time(from_),
        "to": None if to is None else _arguments.time(to),
    }
    found = run_json_lines(["splits", "--json", *_arguments.flags({**named, **options}), *_arguments.inputs(inputs)])
    return [Split(s["token"], s["input"], s["table"], s["rows"], s["from"], s["to"]) for s in found]
