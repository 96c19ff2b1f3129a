"""Reads the partition of one task of a query."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence

import pyarrow as pa

from ._errors import NotFound
from ._program import Stream
from ._spark_inputs import check_unchanged
from ._spark_options import Options
from ._spark_plan import Piece, decompressed
from ._spark_schema import NO_COLUMN, NO_TABLE, trace_schema
from ._spark_types import TRACE, check, conform

# The program's warning for a trace in which the table has no rows: normal in a query of many traces.
_OF_TABLES = (": table ", "table, columns together")


def read(options: Options, piece: Piece, target: pa.Schema, silent: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a piece with the columns that Spark expects. A trace without the table has no
    rows; columns that a trace lacks are null. Warnings with a text of ``silent`` are dropped."""
    check_unchanged(piece.trace)
    silent = (*silent, *_OF_TABLES)
    with _index_flags(piece) as index:
        try:
            stream = _open(options, piece, [n for n in target.names if n != TRACE], index, silent)
        except NotFound as e:
            if NO_TABLE in e.message:
                return
            raise
        with stream:
            check(stream.schema, target, f"trace {piece.trace.name}, table {options.table}")
            for batch in stream:
                yield conform(batch, target, piece.trace.name)
    check_unchanged(piece.trace)


def _open(options: Options, piece: Piece, columns: list[str], index: list[str], silent: Sequence[str]) -> Stream:
    """Starts to read the columns that the trace has."""
    try:
        return Stream(_arguments(options, piece, columns, index), silent)
    except NotFound as e:
        if NO_COLUMN not in e.message:
            raise
    names = trace_schema(options, piece.trace, *index).names
    return Stream(_arguments(options, piece, [c for c in columns if c in names], index), silent)


def _arguments(options: Options, piece: Piece, columns: list[str], index: list[str]) -> list[str]:
    """Returns the arguments of cat. With no columns to read, it reads all, to count rows."""
    arguments = ["cat", "--format=arrow", *index, *options.source_flags(), *options.resource_flags()]
    if columns:
        arguments.append(f"--columns={','.join(columns)}")
    if piece.split is None:
        arguments += [f"--table={options.table}", *options.selection_flags()]
    else:
        arguments += [f"--split={piece.split}", *options.description_flags()]
    return [*arguments, "--", piece.trace.path]


@contextlib.contextmanager
def _index_flags(piece: Piece) -> Iterator[list[str]]:
    """Yields the flag for the index of a piece, in a file while it is needed."""
    if isinstance(piece.index, bytes):
        with tempfile.TemporaryDirectory(prefix="etl2parquet-") as folder:
            file = os.path.join(folder, "index")
            with open(file, "wb") as f:
                f.write(decompressed(piece.index))
            yield [f"--index={file}"]
    else:
        yield [f"--index={piece.index}"] if piece.index else []
