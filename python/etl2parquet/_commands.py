"""The commands of the program other than scans."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable
from typing import Any

from . import _arguments
from ._arguments import Path, Time, Value
from ._errors import PartlyFailed
from ._program import Child, Stream, run_json_lines, warn
from ._rows import Rows


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    type: str  # as in Parquet, such as INT64 or LIST<STRING>
    nullable: bool
    doc: str


@dataclasses.dataclass(frozen=True)
class Table:
    """A table in which a trace has rows, or may have."""

    name: str  # such as events/Thread/CSwitch
    kind: str  # header: holds events; payload: of one kind of event; fixed: no events; view: over tables
    rows: int | None  # None if unknown before the rows are read
    doc: str
    columns: tuple[Column, ...]


def tables(path: Path, **options: Value) -> list[Table]:
    """Lists the tables of a trace, the table of all events first.

    The options are ``manifest``, ``catalog`` and ``tmf``, as in ``scan``.
    """
    traces = run_json_lines(["info", "--tables", "--json", *_arguments.flags(options), *_arguments.inputs(path)])
    if len(traces) != 1:
        raise _arguments.usage(f"{os.fspath(path)} has {len(traces)} traces: tables reads one")
    return [
        Table(
            t["name"],
            t["kind"],
            t["rows"],
            t["doc"],
            tuple(Column(c["name"], c["type"], c["nullable"], c["doc"]) for c in t["columns"]),
        )
        for t in traces[0]["tables"]
    ]


def info(path: Path, **options: Value) -> dict[str, Any]:
    """Returns the output of ``etl2parquet info --json`` for one trace: its session, system, times,
    providers, kinds of event, losses and problems.

    The options are ``manifest``, ``catalog`` and ``tmf``, as in ``scan``.
    """
    found = run_json_lines(["info", "--json", *_arguments.flags(options), *_arguments.inputs(path)])
    if len(found) != 1:
        raise _arguments.usage(f"{os.fspath(path)} has {len(found)} traces: info reads one")
    return found[0]


def convert(
    inputs: Path | Iterable[Path], out: Path, *, from_: Time | None = None, to: Time | None = None, **options: Value
) -> dict[str, Any]:
    """Converts traces into the dataset ``out`` and returns the report: the result of each input.

    An option has the name of a flag of ``etl2parquet convert``, with underscores: ``table``,
    ``provider``, ``force=True``, ``compression="snappy"``. If some inputs fail, the others are
    converted, and the exception ``PartlyFailed`` has the report.
    """
    named: dict[str, Value] = {
        "output": out,
        "from": None if from_ is None else _arguments.time(from_),
        "to": None if to is None else _arguments.time(to),
        "quiet": True,
        "progress": "none",
    }
    report = options.pop("report", None)
    args = [f"--report={report or '-'}", *_arguments.flags({**named, **options}), *_arguments.inputs(inputs)]
    child = Child(["convert", *args])
    try:
        # Without a file of the caller, the report comes through the pipe: a conversion that is killed
        # leaves no file of this process.
        printed = child.stdout.read().decode()
        warn(child.wait())
    except PartlyFailed as e:
        e.report = _report(report, printed)
        raise
    finally:
        child.close()
    return _report(report, printed)


def _report(path: Value, printed: str) -> dict[str, Any]:
    if path:
        assert isinstance(path, (str, os.PathLike))
        with open(path, encoding="utf-8") as file:
            printed = file.read()
    found = json.loads(printed)
    assert isinstance(found, dict)
    return found


@dataclasses.dataclass(frozen=True)
class Query(Rows):
    """The result of a query, as ``query`` returns it. Each use runs the query again."""

    inputs: tuple[str, ...]
    sql: str
    options: tuple[str, ...]

    def stream(self) -> Stream:
        return Stream(["query", "--format=arrow", *self.options, *_arguments.inputs(self.inputs), self.sql])


def query(inputs: Path | Iterable[Path], sql: str, **options: Value) -> Query:
    """Returns the rows of a DuckDB query over traces or a dataset. DuckDB must be installed; if it
    is not, the exception says how to get it. The query runs when its rows are needed."""
    return Query(tuple(_arguments.inputs(inputs)[1:]), sql, tuple(_arguments.flags(options)))
