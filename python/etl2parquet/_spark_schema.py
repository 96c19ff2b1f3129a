"""Finds the columns of a table: from the program, or from the traces themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa
from pyspark.sql.types import StringType, StructField, StructType

from ._errors import EtlError, NotFound, UsageError
from ._program import Stream, run
from ._spark_entries import NO_TABLE, entries
from ._spark_inputs import File, find
from ._spark_options import Options
from ._spark_types import FILENAME, TRACE, described_type, merged, spark_type

# The program's messages.
NO_COLUMN = "there is no such column"
NOT_KNOWN = "no table is called"

_EVENT_KINDS = ("payload", "header")
_EVENTS = "events"  # has the same columns in every trace
_EVENT_TABLES = (_EVENTS, "stack_events")  # rows are events, though their kind is another

A = TypeVar("A")
B = TypeVar("B")


class Known:
    """A table that the program knows without any trace: columns and kind."""

    def __init__(self, described: dict[str, object]) -> None:
        columns = described["columns"]
        assert isinstance(columns, list)
        self.columns = pa.schema([(c["name"], described_type(c["type"])) for c in columns])
        self.has_events = described["kind"] in _EVENT_KINDS or described["name"] in _EVENT_TABLES


def known(table: str) -> Known | None:
    """Returns the table if it has the same columns in every trace, or None."""
    try:
        described = json.loads(run(["describe", "--json", "--", table]))
    except UsageError as e:
        if NOT_KNOWN in e.message:
            return None
        raise
    if not isinstance(described, dict) or described.get("kind") == "view":
        return None
    return Known(described)


def infer(options: Options) -> StructType:
    """Returns the columns of a table as Spark reads them in a dataset: ``trace`` first, and ``filename``
    last, if it is wanted."""
    table = known(options.table)
    columns = table.columns if table else _of_traces(options)
    fields = {f.name: StructField(f.name, spark_type(f.type)) for f in columns}
    wanted = options.columns or tuple(fields)
    fields[TRACE] = StructField(TRACE, StringType())
    if options.filename:
        if FILENAME in columns.names:
            raise UsageError(
                2, f"table {options.table} has a column {FILENAME} of its own: leave out the option filename"
            )
        fields[FILENAME] = StructField(FILENAME, StringType())
        wanted = (*(name for name in wanted if name != FILENAME), FILENAME)
    for name in wanted:
        if name not in fields:
            raise no_column(options.table, name, columns.names)
    return StructType([fields[name] for name in (wanted if TRACE in wanted else (TRACE, *wanted))])


def no_column(table: str, name: str, names: Sequence[str]) -> NotFound:
    return NotFound(1, f'{NO_COLUMN}: table {table} has none called "{name}"; it has {", ".join(names)}')


def _of_traces(options: Options) -> pa.Schema:
    """Merges the columns of a table in all traces, or returns those of the first trace that has it."""
    columns: dict[str, pa.DataType] = {}
    unread: list[str] = []
    missing: NotFound | None = None
    for found in side_by_side(lambda f: _schemas(options, f), find(options)):
        for schema in found.schemas:
            for field in schema:
                columns[field.name] = merged(columns.get(field.name, field.type), field.type)
            if not options.merge_schema or options.table == _EVENTS:
                return pa.schema(list(columns.items()))
        unread += found.unread
        missing = missing or found.missing
    if not columns and missing:
        raise missing
    if not columns:
        others = f", and {len(unread) - 1} more files cannot be read" if len(unread) > 1 else ""
        raise EtlError(1, f"table {options.table}: no trace has it; {unread[0]}{others}" if unread else "no trace")
    return pa.schema(list(columns.items()))


@dataclass(frozen=True)
class _Found:
    """The columns of a table in the traces of a file that have it."""

    schemas: Sequence[pa.Schema] = ()
    missing: NotFound | None = None  # the program's error, if it has no trace with the table
    unread: Sequence[str] = ()  # messages; the task that reads the file decides about them


def _schemas(options: Options, file: File) -> _Found:
    try:
        if file.error:
            raise EtlError(1, f"{file.path}: {file.error}")
        if len(file.traces) == 1:
            return _Found([trace_schema(options, file.path)])
        found = entries(options, file, "--max=1")
        return _Found([trace_schema(options, file.path, e.token) for e in found.read], None, found.failed)
    except EtlError as e:
        if isinstance(e, NotFound) and NO_TABLE in e.message:
            return _Found(missing=e)
        if e.returncode != 1 or not e.message.startswith(file.path):
            raise
        return _Found(unread=[e.message])


def trace_schema(options: Options, path: str, token: str | None = None, index: Sequence[str] = ()) -> pa.Schema:
    """Returns the columns of a table in a trace: the only one of a file, or the one of a token."""
    table = f"--table={options.table}" if token is None else f"--split={token}"
    with Stream([
        "cat", "--format=arrow", "--limit=0", table, *index,
        *options.source_flags(), *options.description_flags(), *options.resource_flags(), "--", path,
    ]) as stream:  # fmt: skip
        return stream.schema


def side_by_side(do: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
    """Yields the results in the order of the items. One program per processor runs at a time, and later
    programs are not started if the caller stops early."""
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        ahead = []
        for item in items:
            ahead.append(pool.submit(do, item))
            if len(ahead) >= workers:
                yield ahead.pop(0).result()
        for result in ahead:
            yield result.result()
