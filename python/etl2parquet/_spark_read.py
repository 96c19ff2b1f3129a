"""Reads the partition of one task of a query."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from ._errors import EtlError, NotFound
from ._program import Stream
from ._spark_entries import NO_TABLE, Entry, entries
from ._spark_inputs import ABSENT, File, base_name, find, is_remote, now
from ._spark_options import Options
from ._spark_plan import Part, Piece, decompressed, path_hash
from ._spark_schema import NO_COLUMN, trace_schema
from ._spark_skip import Skips, log, problem
from ._spark_types import FILENAME, TRACE, check, conform

# The program's warnings for a trace in which the table has no rows: normal in a query of many traces.
_OF_TABLES = (" has no rows", " matches none of its tables", "table, columns together")

# The program's messages.
_DAMAGED = ": the trace is damaged: "
_NOT_SELECTED = ": nothing is selected: "
_CHANGED = (
    "changed while it was read",
    "changed on the server",
    "not the one that the splits were made of",
    "has changed since the index was made",
)


@dataclass(frozen=True)
class Rows:
    """What a task reads of each file: the columns that Spark expects of traces with the names (None means
    all). Warnings with a text of ``silent`` are dropped."""

    options: Options
    target: pa.Schema
    names: frozenset[str] | None = None
    silent: Sequence[str] = ()
    has_all: bool = False  # the columns are those that the files had when the query was planned

    def has(self, name: str) -> bool:
        return self.names is None or name in self.names

    def own(self, name: str, path: str) -> dict[str, str]:
        """Returns the columns that say where rows are from, which the program does not print."""
        return {TRACE: name, FILENAME: path} if self.options.filename else {TRACE: name}

    def conform(self, batch: pa.RecordBatch, name: str, path: str) -> pa.RecordBatch:
        return conform(batch, self.target, self.own(name, path))


def read(rows: Rows, part: Part) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a partition."""
    skips = Skips.of(rows.options)
    for piece in part.pieces:
        yield from _Reading(rows, skips, piece.file).piece(piece)
    if part.known is not None:
        for file in find(rows.options, ABSENT):
            if path_hash(file.path) not in part.known and any(map(rows.has, file.names)):
                yield from _Reading(rows, skips, file, is_new=True).piece(Piece(file))


@dataclass(frozen=True)
class _Trace:
    """A trace of a file, or a split of it."""

    name: str  # the column trace
    path: str  # the column filename
    token: str | None = None  # None: the file has this trace only
    index: bytes | str | None = None
    is_first: bool = True  # of the splits

    @classmethod
    def of(cls, entry: Entry, index: bytes | str | None = None) -> _Trace:
        return cls(entry.name, entry.path, entry.token, index, entry.is_first)


class _Reading:
    """Reads a file. A trace without the table has no rows; columns that a trace lacks are null."""

    def __init__(self, rows: Rows, skips: Skips, file: File, is_new: bool = False) -> None:
        self._rows, self._options, self._skips, self._file = rows, rows.options, skips, file
        self._state = now(file.path)
        planned = None if file.modified is None else (file.size, file.modified)
        self._is_changed = self._state != planned
        self._is_new = is_new or self._is_changed

    def piece(self, piece: Piece) -> Iterator[pa.RecordBatch]:
        path = self._file.path
        if self._state is None and not is_remote(path) and (self._file.gone or self._is_changed):
            reason = self._file.error or "no such file or directory: it was there when the query was planned"
            yield from self._leave_out(self._file.names[0], f"{path}: {reason}", is_missing=True)
            return
        if piece.split and self._is_changed:
            raise EtlError(
                1, f"{path}: the file has changed since load(), which divided it among several tasks: call load() again"
            )
        try:
            traces, failed = self._traces(piece)
        except EtlError as e:
            yield from self._not_read(self._file.names[0], e)
            return
        for message in failed:
            entry = message.partition(": ")[0]
            yield from self._leave_out(base_name(entry), message, path=entry)
        for trace in traces:
            try:
                yield from self._trace(trace)
            except EtlError as e:
                yield from self._not_read(trace.name, e)
        self._check_unchanged()

    def _traces(self, piece: Piece) -> tuple[list[_Trace], Sequence[str]]:
        """Returns the traces to read, and the program's messages about others."""
        if piece.split:
            return [_Trace.of(piece.split, piece.index)], ()
        file = self._file
        if file.error:
            file = self._again()  # it may be repaired
        if len(file.traces) == 1 and not (self._is_changed and file.traces[0].entry):
            (only,) = file.traces
            return [_Trace(only.name, f"{file.path}/{only.entry}" if only.entry else file.path)], ()
        found = entries(self._options, file, "--max=1")
        return [_Trace.of(entry) for entry in found.read if self._rows.has(entry.name)], found.failed

    def _again(self) -> File:
        path = self._file.path
        if self._state is not None or is_remote(path):
            for file in find(replace(self._options, inputs=(path,))):
                if len(file.traces) == 1:
                    return replace(file, traces=(replace(file.traces[0], name=self._file.names[0]),))
                if file.traces:
                    return file
        raise EtlError(1, f"{path}: {self._file.error}")

    def _trace(self, trace: _Trace) -> Iterator[pa.RecordBatch]:
        rows = self._rows
        with _index_flags(trace.index) as index:
            try:
                stream = self._open(trace, index)
            except EtlError as e:
                if (isinstance(e, NotFound) and NO_TABLE in e.message) or _NOT_SELECTED in e.message:
                    return
                raise
            with stream:
                check(stream.schema, rows.target, f"trace {trace.name}, table {self._options.table}")
                for batch in stream:
                    yield rows.conform(batch, trace.name, trace.path)

    def _open(self, trace: _Trace, index: list[str]) -> Stream:
        """Starts to read the columns that the trace has."""
        columns = [n for n in self._rows.target.names if n not in self._rows.own("", "")]
        names: Sequence[str] | None = None
        if self._is_new and self._rows.has_all:
            names = trace_schema(self._options, self._file.path, trace.token, index).names
            if later := [n for n in names if n not in columns]:
                text = ", ".join(later)
                log.warning("etl2parquet: %s: load() has not seen its columns %s: call load() again", trace.path, text)
        try:
            return self._stream(trace, columns, index)
        except NotFound as e:
            if NO_COLUMN not in e.message:
                raise
        names = names or trace_schema(self._options, self._file.path, trace.token, index).names
        return self._stream(trace, [c for c in columns if c in names], index)

    def _stream(self, trace: _Trace, columns: Sequence[str], index: list[str]) -> Stream:
        """Runs cat. With no columns to read, it reads all, to count rows."""
        options = self._options
        arguments = ["cat", "--format=arrow", *index, *options.damage_flags()]
        arguments += [*options.source_flags(), *options.resource_flags()]
        if columns:
            arguments.append(f"--columns={','.join(columns)}")
        if trace.token is None:
            arguments += [f"--table={options.table}", *options.selection_flags()]
        else:
            arguments += [f"--split={trace.token}", *options.description_flags()]
        report = _log_lines if trace.is_first else _drop
        return Stream([*arguments, "--", self._file.path], (*self._rows.silent, *_OF_TABLES), report=report)

    def _not_read(self, name: str, e: EtlError) -> Iterator[pa.RecordBatch]:
        """Leaves out the rest of a trace, or raises the error if it is not about the file."""
        self._check_unchanged()
        message = e.message
        if e.returncode != 1 or not message.startswith(self._file.path) or any(text in message for text in _CHANGED):
            raise e
        if _DAMAGED in message:
            raise EtlError(1, f"{message}; without the option strict, the table problems lists all damage") from e
        yield from self._leave_out(name, message, isinstance(e, NotFound))

    def _leave_out(
        self, name: str, message: str, is_missing: bool = False, path: str | None = None
    ) -> Iterator[pa.RecordBatch]:
        if self._rows.has(name):
            code = self._skips.leave_out(message, is_missing)
            if self._options.table == "problems":
                yield self._rows.conform(problem(code, message), name, path or self._file.path)

    def _check_unchanged(self) -> None:
        """Raises EtlError if the file has changed since its reading began. The program itself checks objects
        on servers."""
        if now(self._file.path) != self._state:
            raise EtlError(1, f"{self._file.path}: the file changed while it was read: run the query again")


def _log_lines(text: str) -> None:
    for line in text.splitlines():
        log.warning("etl2parquet: %s", line)


def _drop(_: str) -> None:
    pass


@contextlib.contextmanager
def _index_flags(index: bytes | str | None) -> Iterator[list[str]]:
    """Yields the flag for an index, in a file while it is needed."""
    if isinstance(index, bytes):
        with tempfile.TemporaryDirectory(prefix="etl2parquet-") as folder:
            file = os.path.join(folder, "index")
            with open(file, "wb") as f:
                f.write(decompressed(index))
            yield [f"--index={file}"]
    else:
        yield [f"--index={index}"] if index else []
