"""Times in nanoseconds.

A column of times has microseconds, and most have a companion: a column of integers with the same
instant in ns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa

TRACE = "trace"
MICROSECONDS, NANOSECONDS = "us", "ns"
_NANOSECONDS = pa.timestamp("ns", "UTC")


def companions(column: str) -> tuple[str, ...]:
    """Returns the names that the companion of a column can have: time_ns is that of timestamp, start_ns
    that of start_time, and create_time_ns that of create_time in a payload."""
    if column in ("timestamp", "time"):
        return ("time_ns",) if column == "timestamp" else ("time_ns_ns",)
    short = (column.removesuffix("_time") + "_ns",) if column.endswith("_time") else ()
    return (column + "_ns", *short)


def with_companions(columns: Sequence[str], all_columns: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """Adds the companions that the table has. ``all_columns`` returns the table's columns."""
    absent = [name for column in columns for name in companions(column) if name not in columns]
    if not absent or absent == ["time_ns"]:  # a table with timestamp has it
        return (*columns, *absent)
    existing = all_columns()
    return (*columns, *(name for name in absent if name in existing))


def in_nanoseconds(columns: Sequence[str] | None) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    """Returns a function that takes times from their companions, and returns these columns of a batch,
    or all. The column trace, which the rows of several traces begin with, stays."""

    def change(batch: pa.RecordBatch) -> pa.RecordBatch:
        names = batch.schema.names
        arrays, fields = [], []
        wanted = names if columns is None else [*(name for name in names[:1] if name == TRACE), *columns]
        for name in dict.fromkeys(wanted):
            field, array = batch.schema.field(name), batch.column(name)
            others = [n for n in companions(name) if n in names and pa.types.is_int64(batch.schema.field(n).type)]
            if pa.types.is_timestamp(field.type) and others:
                array, field = batch.column(others[0]).view(_NANOSECONDS), field.with_type(_NANOSECONDS)
            arrays.append(array)
            fields.append(field)
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, batch.schema.metadata))

    return change
