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


def companion(column: str) -> str | None:
    """Returns the name that the companion of a column has, if there is one: time_ns is that of
    timestamp, start_ns that of start_time."""
    if column == "timestamp":
        return "time_ns"
    return column.removesuffix("_time") + "_ns" if column.endswith("_time") else None


def with_companions(columns: Sequence[str], all_columns: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """Adds the companions that the table has. ``all_columns`` returns the table's columns."""
    absent = [name for name in map(companion, columns) if name is not None and name not in columns]
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
            other = companion(name)
            if pa.types.is_timestamp(field.type) and other in names:
                array, field = batch.column(other).view(_NANOSECONDS), field.with_type(_NANOSECONDS)
            arrays.append(array)
            fields.append(field)
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields, batch.schema.metadata))

    return change
