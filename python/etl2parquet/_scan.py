"""Rows of one table of a trace."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from . import _arguments, _polars
from ._arguments import Path, Time
from ._program import Stream
from ._rows import Rows

if TYPE_CHECKING:
    import polars


@dataclasses.dataclass(frozen=True, repr=False)
class Scan(Rows):
    """Rows of one table of a trace, as ``scan`` returns them.

    Nothing is read before it is needed, and each use runs the program anew.
    """

    path: str
    table: str | None  # None: that of the split
    columns: tuple[str, ...] | None
    from_: str | None
    to: str | None
    limit: int | None
    split: str | None
    options: tuple[str, ...]  # further arguments of the program
    pushed: bool = False  # the bounds of time are those of a predicate

    def _arguments(self) -> list[str]:
        named = {"table": self.table, "from": self.from_, "to": self.to, "limit": self.limit, "split": self.split}
        return [
            "cat",
            "--format=arrow",
            *_arguments.flags(named),
            *_arguments.columns(self.columns),
            *self.options,
            *_arguments.inputs(self.path),
        ]

    def stream(self) -> Stream:
        # A predicate that is true for no row is nothing to warn of.
        bounds = (f"from {self.from_}", f"to {self.to}") if self.pushed else ()
        return Stream(self._arguments(), silent=bounds)

    @functools.cached_property
    def schema(self) -> pa.Schema:
        """The columns and their Arrow types. The trace is read once for it, without its rows."""
        with Stream(dataclasses.replace(self, limit=0)._arguments()) as stream:
            return stream.schema

    def __repr__(self) -> str:
        selected = {"columns": self.columns, "from_": self.from_, "to": self.to, "limit": self.limit}
        more = "".join(f", {name}={value!r}" for name, value in selected.items() if value is not None)
        what = self.table if self.split is None else self.split
        return f"etl2parquet.scan({self.path!r}, {what!r}{more})"

    def _narrowed(self, columns: list[str] | None, predicate: polars.Expr | None, rows: int | None) -> Rows | None:
        narrowed = self
        if columns is not None:
            needed = list(dict.fromkeys(columns + (predicate.meta.root_names() if predicate is not None else [])))
            narrowed = dataclasses.replace(narrowed, columns=tuple(needed or self.schema.names[:1]))
        if rows is not None and predicate is None:
            narrowed = dataclasses.replace(narrowed, limit=rows if self.limit is None else min(rows, self.limit))
        # A limit comes before the predicate, and given bounds, or those of a split, are not compared with others.
        fixed = any(value is not None for value in (self.limit, self.from_, self.to, self.split))
        if predicate is None or fixed:
            return narrowed
        first, end = _polars.bounds(predicate)
        if first is not None and end is not None and first >= end:
            return None
        try:
            return dataclasses.replace(
                narrowed,
                pushed=True,
                from_=None if first is None else _arguments.nanoseconds(first),
                to=None if end is None else _arguments.nanoseconds(end),
            )
        except (OverflowError, ValueError):  # no time of a trace, such as the year 0
            return narrowed


def scan(
    path: Path,
    table: str | None = None,
    columns: Sequence[str] | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    *,
    provider: str | Sequence[str] | None = None,
    event: str | Sequence[str] | None = None,
    process: str | int | Sequence[str] | None = None,
    limit: int | None = None,
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
    """Returns the rows of one table of a trace. Nothing is read before they are needed.

    :param path: a file, an archive with one trace in it, ``s3://bucket/key`` or ``https://...``.
    :param table: a table by any of its names, such as ``Thread/CSwitch`` or ``thread_cswitch``;
        ``tables`` lists those of a trace. The default is ``events``: every event.
    :param columns: the columns, in this order; only these are decoded. The default is all.
    :param from_: events from this time on: a datetime (UTC if it has no time zone), a date, a string
        as the program takes it, or seconds or a timedelta since the start of the session.
    :param to: events before this time.
    :param provider: patterns of provider names or GUIDs.
    :param event: patterns of event names, alone or as ``provider/event``.
    :param process: process ids or patterns of process names.
    :param limit: at most so many rows.
    :param manifest: manifests or MOF files, or folders of them, that describe further events.
    :param catalog: catalogues made by ``etl2parquet catalog build``; ``none``: without the built-in one.
    :param tmf: TMF files or PDBs, or folders of them, that describe WPP messages.
    :param symbols: paths of PDBs that name functions.
    :param symbol_server: servers to fetch them from.
    :param payload: raw payloads to keep: ``undecoded`` (the default), ``all`` or ``none``.
    :param messages: messages to write as text: ``undecoded`` (the default), ``all`` or ``none``.
    :param strict: damage in a trace, or a selection that matches nothing, is an exception.
    :param split: the token of a split: only its rows; see ``splits``. The split has its table and selection.
    :param index: a file of ``splits(..., index=...)``, so that the trace is not read once more.
    :param workers: processors to use. The default is all.
    :param memory: memory limit to aim at, such as ``"1GiB"``.
    :param temp_dir: folder for temporary files.
    """
    options = _arguments.flags(
        {
            "provider": provider,
            "event": event,
            "process": process,
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
    return Scan(
        path=os.fspath(path),
        table=table if table is not None or split is not None else "events",
        columns=None if columns is None else tuple([columns] if isinstance(columns, str) else columns),
        from_=None if from_ is None else _arguments.time(from_),
        to=None if to is None else _arguments.time(to),
        limit=limit,
        split=split,
        options=tuple(options),
    )
