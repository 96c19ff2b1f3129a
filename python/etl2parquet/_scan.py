"""Rows of one table of a trace, or of several."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from . import _arguments, _display, _polars, _times
from ._arguments import Path, Time
from ._errors import EtlError
from ._program import Stream
from ._rows import Rows

if TYPE_CHECKING:
    import polars

_EVENTS = "events"
_SMALL = 16 << 20  # bytes; larger traces are not read to show them
_SHOWN = 5  # rows


@dataclasses.dataclass(frozen=True, repr=False)
class Scan(Rows):
    """Rows of one table of a trace, or of several, as ``scan`` returns them.

    Nothing is read before it is needed, and each use runs the program again.
    """

    inputs: tuple[str, ...]
    table: str | None  # None: that of the split
    columns: tuple[str, ...] | None
    from_: str | None
    to: str | None
    limit: int | None
    split: str | None
    options: tuple[str, ...]  # further arguments of the program
    timestamps: str = _times.MICROSECONDS
    ignore_errors: bool = False
    silent: tuple[str, ...] = ()  # texts of warnings that are not wanted

    def _arguments(self, columns: Sequence[str] | None) -> list[str]:
        named = {"table": self.table, "from": self.from_, "to": self.to, "limit": self.limit, "split": self.split}
        return [
            "cat",
            "--format=arrow",
            *_arguments.flags(named),
            *_arguments.columns(columns),
            *self.options,
            *_arguments.inputs(self.inputs),
        ]

    def stream(self) -> Stream:
        columns, change = self.columns, None
        if self.timestamps == _times.NANOSECONDS:
            if columns:
                columns = _times.with_companions(columns, self._names)
            change = _times.in_nanoseconds(self.columns)
        unread = _unread if self.ignore_errors and self.table == "problems" and self.limit is None else None
        args = self._arguments(columns)
        try:
            return Stream(args, self.silent, partly=self.ignore_errors, change=change, unread=unread)
        except EtlError as e:
            if not any(text in e.message for text in _NO_TRACES) or not os.path.isdir(
                os.path.join(self.inputs[0], "_traces")
            ):
                raise
            hint = f"etl2parquet.dataset({self.inputs[0]!r}, {self.table!r}) opens a table of it"
            raise type(e)(e.returncode, f"{e.message}; {hint}") from None

    def _names(self) -> list[str]:
        """The columns of the table that can be companions. Of all events it is one, in every trace."""
        return ["time_ns"] if self.table == _EVENTS else self._whole().schema.names

    def _whole(self) -> Scan:
        return dataclasses.replace(self, columns=None, timestamps=_times.MICROSECONDS)

    @functools.cached_property
    def schema(self) -> pa.Schema:
        """The columns and their Arrow types. The traces are read once for it, without their rows."""
        with dataclasses.replace(self, limit=0).stream() as stream:
            return stream.schema

    def known_schema(self) -> pa.Schema | None:
        """The schema if it has been read."""
        return self.__dict__.get("schema")

    def head(self, n: int = 5) -> pa.Table:
        """Reads the first ``n`` rows, and no others. The metadata of the whole trace are read for it."""
        wanted = _arguments.limit(n)
        if wanted is not None and self.limit is not None:
            wanted = min(wanted, self.limit)
        return dataclasses.replace(self, limit=wanted).to_arrow()

    def __len__(self) -> int:
        """The exact number of rows. The traces are read for it, and one column of the table is decoded,
        each time. ``list(scan)`` asks for it, too; ``list(scan.stream())`` does not."""
        counted = dataclasses.replace(self, columns=self.schema.names[:1], timestamps=_times.MICROSECONDS)
        with counted.stream() as stream:
            return sum(batch.num_rows for batch in stream)

    def __bool__(self) -> bool:
        """True, also without rows: a test of a scan reads nothing."""
        return True

    def quiet(self) -> Scan:
        """Returns the scan without its warnings."""
        return dataclasses.replace(self, silent=("",))

    def _preview(self) -> _display.Preview | None:
        """Reads what a notebook shows, of small traces. Of others it is the schema if it has been read."""
        if _are_small(self.inputs):
            # Showing an object never fails; reading it reports the error.
            with contextlib.suppress(Exception):
                quiet = self.quiet()
                first = quiet.head(_SHOWN)
                return _display.Preview(first.schema, first, len(quiet))
        schema = self.known_schema()
        return None if schema is None else _display.Preview(schema)

    def _title(self) -> str:
        what = self.table if self.split is None else self.split
        exact = self.timestamps if self.timestamps != _times.MICROSECONDS else None
        selected = {
            "columns": self.columns,
            "from_": self.from_,
            "to": self.to,
            "limit": self.limit,
            "timestamps": exact,
        }
        more = "".join(f", {name}={value!r}" for name, value in selected.items() if value is not None)
        given = self.inputs[0] if len(self.inputs) == 1 else list(self.inputs)
        return f"etl2parquet.scan({given!r}, {what!r}{more})"

    def __repr__(self) -> str:
        return _display.text(self._title(), self._preview())

    def _repr_html_(self) -> str:
        return _display.as_html(self._title(), self._preview())

    def _narrowed(self, columns: list[str] | None, predicate: polars.Expr | None, rows: int | None) -> Rows | None:
        narrowed = self
        if columns is not None:
            needed = list(dict.fromkeys(columns + (predicate.meta.root_names() if predicate is not None else [])))
            narrowed = dataclasses.replace(narrowed, columns=tuple(needed or self.schema.names[:1]))
        if rows is not None and predicate is None:
            narrowed = dataclasses.replace(narrowed, limit=rows if self.limit is None else min(rows, self.limit))
        # A limit comes before the predicate, a split has its selection, and with strict an empty one is an error.
        if predicate is None or self.limit is not None or self.split is not None or "--strict" in self.options:
            return narrowed
        pushed = _polars.push(predicate)
        if pushed.first is not None and pushed.end is not None and pushed.first >= pushed.end:
            return None
        if not {"timestamp", "time_ns"}.isdisjoint(self.schema.names):
            narrowed = narrowed._with_values(pushed)
        # Given bounds are not compared with others.
        return narrowed._with_times(pushed) if self.from_ is None and self.to is None else narrowed

    def _with_values(self, pushed: _polars.Pushed) -> Scan:
        """Adds the options for names. Values of an option are alternatives, so a given one stays alone."""
        given = {option.partition("=")[0] for option in self.options}
        values = {name: list(texts) for name, texts in pushed.values.items() if "--" + name not in given}
        silent = [f"{name} {text}" for name, texts in values.items() for text in texts]
        if values:
            silent.append("events matches ")  # ... of them together
        return dataclasses.replace(
            self, options=(*self.options, *_arguments.flags(values)), silent=(*self.silent, *silent)
        )

    def _with_times(self, pushed: _polars.Pushed) -> Scan:
        try:
            first = None if pushed.first is None else _arguments.nanoseconds(pushed.first)
            end = None if pushed.end is None else _arguments.nanoseconds(pushed.end)
        except (OverflowError, ValueError):  # no time of a trace, such as the year 0
            return self
        bounds = (f"from {first}", f"to {end}")  # a predicate that is true for no row needs no warning
        return dataclasses.replace(self, from_=first, to=end, silent=(*self.silent, *bounds))


# The program's messages, of a dataset to which nothing, or something, was added.
_NO_TRACES = (
    "a dataset, and no trace",
    "no trace and no archive in this folder",
    "no .etl file and no archive in this folder",  # of a bucket
)


def _are_small(inputs: Sequence[str]) -> bool:
    """Reports whether inputs are local files that take a moment to read."""
    try:
        return all(map(os.path.isfile, inputs)) and sum(map(os.path.getsize, inputs)) <= _SMALL
    except (OSError, ValueError):  # a NUL in the name
        return False


def _unread(messages: Sequence[str], schema: pa.Schema) -> pa.RecordBatch:
    """Returns rows of the table problems for inputs that cannot be read."""
    rows = []
    for message in messages:
        name = re.split(r"[/\\]", message.partition(": ")[0])[-1]
        trace = name[:-4] if name.lower().endswith(".etl") else name
        row = {"trace": trace, "severity": "error", "code": "input_unreadable", "count": 1, "message": message}
        rows.append({field.name: row.get(field.name) for field in schema})
    return pa.RecordBatch.from_pylist(rows, schema)


def scan(
    inputs: Path | Iterable[Path],
    table: str | None = None,
    columns: Sequence[str] | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    *,
    provider: str | Sequence[str] | None = None,
    event: str | Sequence[str] | None = None,
    process: str | int | Sequence[str] | None = None,
    level: str | int | None = None,
    keyword: str | int | Sequence[str] | None = None,
    limit: int | None = None,
    timestamps: str = _times.MICROSECONDS,
    ignore_errors: bool = False,
    manifest: Path | Sequence[Path] | None = None,
    catalog: Path | Sequence[Path] | None = None,
    tmf: Path | Sequence[Path] | None = None,
    symbols: Path | Sequence[Path] | None = None,
    symbol_server: str | Sequence[str] | None = None,
    payload: str | None = None,
    messages: str | None = None,
    strict: bool = False,
    split: str | None = None,
    index: Path | None = None,
    workers: int | None = None,
    memory: str | int | None = None,
    temp_dir: Path | None = None,
    s3_endpoint: str | None = None,
    s3_region: str | None = None,
) -> Scan:
    """Returns the rows of one table of a trace, or of several. Nothing is read before they are needed.

    :param inputs: a file, an archive, a folder with all below it, a pattern such as ``traces/**/*.etl``,
        ``s3://bucket/key`` or ``https://...``, or several of them.
    :param table: a table by any of its names or of its event's, such as ``GC/Start``,
        ``Microsoft-Windows-PowerShell/4104``, ``Thread/CSwitch`` or ``thread_cswitch``;
        ``tables`` lists those of a trace. The default is ``events``: every event.
    :param columns: the columns, in this order; only these are decoded. The default is all.
    :param from_: events from this time on: a datetime (UTC if it has no time zone), a date, a string
        as for the program, or seconds or a timedelta since the start of the session.
    :param to: events before this time.
    :param provider: patterns of provider names or GUIDs.
    :param event: events by name (``GC/Start``), id (``4104``) or name in SQL, alone or as
        ``provider/event``; or patterns of them.
    :param process: process ids or patterns of process names.
    :param level: the highest level: ``critical``, ``error``, ``warning``, ``informational``,
        ``verbose`` or a number. Events of level 0 are always among the rows.
    :param keyword: keywords by name, or a mask of which any bit counts.
    :param limit: the maximum number of rows.
    :param timestamps: ``us``: times have microseconds, as in Parquet files; ``ns``: those with a
        companion in ns, such as ``time_ns``, have nanoseconds.
    :param ignore_errors: traces that cannot be read are warnings; the others are read. Otherwise an
        exception follows the rows of the others.
    :param manifest: manifests or MOF files, or folders of them, that describe further events.
    :param catalog: catalogues built by ``etl2parquet catalog build``; ``none`` leaves out the built-in one.
    :param tmf: TMF files or PDBs, or folders of them, that describe WPP messages.
    :param symbols: paths of PDBs that name functions.
    :param symbol_server: servers to fetch them from.
    :param payload: raw payloads to keep: ``undecoded`` (the default), ``all`` or ``none``.
    :param messages: messages to write as text: ``undecoded`` (the default), ``all`` or ``none``.
    :param strict: damage in a trace, or a selection that matches nothing, raises an exception.
    :param split: the token of a split: only its rows are read; see ``splits``. A split includes its
        table and selection.
    :param index: a file written by ``splits(..., index=...)``, so that the whole trace is not read again.
    :param workers: processors to use. The default is all.
    :param memory: memory limit to aim at, such as ``"1GiB"``.
    :param temp_dir: folder for temporary files.
    """
    options = _arguments.flags(
        {
            "provider": provider,
            "event": event,
            "process": process,
            "level": level,
            "keyword": keyword,
            "manifest": manifest,
            "catalog": catalog,
            "tmf": tmf,
            "symbols": symbols,
            "symbol_server": symbol_server,
            "payload": payload,
            "messages": messages,
            "strict": strict,
            "index": index,
            "workers": workers,
            "memory": memory,
            "temp_dir": temp_dir,
            "s3_endpoint": s3_endpoint,
            "s3_region": s3_region,
        }
    )
    if timestamps not in (_times.MICROSECONDS, _times.NANOSECONDS):
        raise _arguments.usage(f'timestamps={timestamps!r}: it must be "us" or "ns"')
    paths = _arguments.paths(inputs)
    if not paths:
        raise _arguments.usage("there is no input: name at least one")
    return Scan(
        inputs=paths,
        table=table if table is not None or split is not None else _EVENTS,
        columns=None if columns is None else tuple([columns] if isinstance(columns, str) else columns),
        from_=None if from_ is None else _arguments.time(from_),
        to=None if to is None else _arguments.time(to),
        limit=_arguments.limit(limit),
        timestamps=timestamps,
        ignore_errors=ignore_errors,
        split=split,
        options=tuple(options),
    )
