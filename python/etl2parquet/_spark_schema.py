"""Finds the columns of a table: from the program, or from the traces themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pyarrow as pa
from pyspark.sql.types import StringType, StructField, StructType

from ._errors import EtlError, NotFound, UsageError
from ._program import Stream, run
from ._spark_inputs import Trace, find
from ._spark_options import Options
from ._spark_types import TRACE, described_type, merged, spark_type

# The program's message.
NO_TABLE = "there is no such table"
NO_COLUMN = "there is no such column"
NOT_KNOWN = "no table is called"

_EVENT_KINDS = ("payload", "header")
_EVENT_TABLES = ("events", "stack_events")  # rows are events, though their kind is another

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
    """Returns the columns of a table as Spark reads them in a dataset, ``trace`` first."""
    table = known(options.table)
    columns = table.columns if table else _of_traces(options)
    fields = {f.name: StructField(f.name, spark_type(f.type)) for f in columns}
    fields = {TRACE: StructField(TRACE, StringType()), **fields}
    if options.columns is None:
        return StructType(list(fields.values()))
    for name in options.columns:
        if name not in fields:
            raise no_column(options.table, name, columns.names)
    wanted = options.columns if TRACE in options.columns else (TRACE, *options.columns)
    return StructType([fields[name] for name in wanted])


def no_column(table: str, name: str, names: Sequence[str]) -> NotFound:
    return NotFound(1, f'{NO_COLUMN}: table {table} has none called "{name}"; it has {", ".join(names)}')


def _of_traces(options: Options) -> pa.Schema:
    """Merges the columns of a table in all traces, or returns those of the first trace that has it."""
    schemas = _schemas(options, find(options))
    first = next(schemas, None)
    if first is None:
        raise EtlError(1, f"table {options.table}: no trace has it")
    columns = {f.name: f.type for f in first[1]}
    if options.merge_schema and options.table != "events":
        for trace, schema in schemas:
            for field in schema:
                columns[field.name] = _merge(columns, field, trace)
    return pa.schema(list(columns.items()))


def _merge(columns: dict[str, pa.DataType], field: pa.Field, trace: Trace) -> pa.DataType:
    before = columns.get(field.name, field.type)
    kind = merged(before, field.type)
    if kind is None:
        raise EtlError(
            1,
            f"{trace.path}: column {field.name} is {field.type}, and {before} in traces before it: "
            "load them one by one, or leave out the column by the option columns",
        )
    return kind


def _schemas(options: Options, traces: Sequence[Trace]) -> Iterator[tuple[Trace, pa.Schema]]:
    """Yields the columns of a table in the traces that have it. Raises the program's error if none has
    it."""
    missing: NotFound | None = None
    found = False
    for trace, schema in zip(traces, side_by_side(lambda t: _schema_or_error(options, t), traces), strict=True):
        if isinstance(schema, NotFound):
            missing = missing or schema
            continue
        found = True
        yield trace, schema
    if missing and not found:
        raise missing


def _schema_or_error(options: Options, trace: Trace) -> pa.Schema | NotFound:
    try:
        return trace_schema(options, trace)
    except NotFound as e:
        if NO_TABLE in e.message:
            return e
        raise


def trace_schema(options: Options, trace: Trace, *flags: str) -> pa.Schema:
    """Returns the columns of a table in one trace."""
    with Stream([
        "cat", "--format=arrow", "--limit=0", f"--table={options.table}", *flags,
        *options.source_flags(), *options.description_flags(), *options.resource_flags(), "--", trace.path,
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
