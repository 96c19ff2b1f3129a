"""Finds the columns of a table: from the program, or from the traces themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa
from pyspark.sql.types import StringType, StructField, StructType

from ._errors import EtlError, NotFound, UsageError
from ._program import Stream, run_json_lines
from ._spark_inputs import find
from ._spark_options import Options
from ._spark_types import FILENAME, TRACE, spark_type
from ._types import described as type_of

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
        self.columns = pa.schema([(c["name"], type_of(c["type"])) for c in columns])
        self.has_events = described["kind"] in _EVENT_KINDS or described["name"] in _EVENT_TABLES


def known(table: str) -> Known | None:
    """Returns the table if it has the same columns in every trace, or None."""
    try:
        described = run_json_lines(["describe", "--json", "--", table])
    except UsageError as e:
        if NOT_KNOWN in e.message:
            return None
        raise
    if len(described) != 1 or described[0].get("kind") == "view":
        return None
    return Known(described[0])


@dataclass(frozen=True)
class Columns:
    """The columns of a table in all traces, without those that Spark adds."""

    schema: pa.Schema
    is_merged: bool  # the program gives them to the rows of each trace


def columns_of(options: Options) -> Columns:
    if table := known(options.table):
        return Columns(table.columns, False)
    if options.merge_schema and options.table != _EVENTS:
        # For several traces the program prints the column trace, too.
        columns = _schema(options, ["--limit=0", f"--table={options.table}"], options.inputs)
        return Columns(pa.schema([f for f in columns if f.name != TRACE]), True)
    return Columns(_of_first(options), False)


def infer(options: Options, columns: pa.Schema) -> StructType:
    """Returns the columns of a table as Spark reads them in a dataset: ``trace`` first, and ``filename``
    last, if it is wanted."""
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


def _of_first(options: Options) -> pa.Schema:
    """Returns the columns of the first trace that has the table."""
    failed: EtlError | None = None
    for file in find(options):
        try:
            return trace_schema(options, file.path)
        except EtlError as e:
            if e.returncode != 1 or not e.message.startswith(file.path):
                raise
            failed = failed or e
    raise failed or EtlError(1, f"table {options.table}: there is no trace")


def trace_schema(options: Options, path: str, token: str | None = None, index: Sequence[str] = ()) -> pa.Schema:
    """Returns the columns of a table in a trace: the only one of a file, or the one of a token."""
    table = f"--table={options.table}" if token is None else f"--split={token}"
    return _schema(options, ["--limit=0", table, *index, *options.resource_flags()], [path])


def _schema(options: Options, flags: Sequence[str], inputs: Sequence[str]) -> pa.Schema:
    arguments = ["cat", "--format=arrow", *flags, *options.source_flags(), *options.description_flags()]
    with Stream([*arguments, "--", *inputs]) as stream:
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
