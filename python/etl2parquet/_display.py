"""Shows a scan in a terminal and in a notebook."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from ._scan import Scan

_SMALL = 16 << 20  # bytes; larger traces are not read to show them
_ROWS = 5
_WIDTH = 96
_CELL = 60


def is_small(inputs: Sequence[str]) -> bool:
    """Reports whether inputs are local files that take a moment to read."""
    try:
        return all(map(os.path.isfile, inputs)) and sum(map(os.path.getsize, inputs)) <= _SMALL
    except (OSError, ValueError):  # a NUL in the name
        return False


def _preview(scan: Scan) -> tuple[pa.Table, int] | None:
    """Returns the first rows of a small trace and the number of all, or None."""
    if not is_small(scan.inputs):
        return None
    try:
        quiet = scan.quiet()
        return quiet.head(_ROWS), len(quiet)
    except Exception:  # showing an object never fails; reading it reports the error
        return None


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + "s" * (number != 1)


def _size(rows: int, columns: int) -> str:
    return f"{_counted(rows, 'row')}, {_counted(columns, 'column')}"


def _cells(column: pa.ChunkedArray) -> list[str]:
    """Returns the values of a column as short texts."""
    if pa.types.is_timestamp(column.type):  # Python's own times have no ns
        column = column.cast(pa.string())
    return [_cell(value) for value in column.to_pylist()]


def _cell(value: Any) -> str:
    text = "NULL" if value is None else value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"


def text(scan: Scan, title: str) -> str:
    """Returns a line for what is read; then a line per column, with the first values."""
    found = _preview(scan)
    if found is None:
        schema = scan.known_schema()
        if schema is None:
            return title
        return "\n".join([title, _counted(len(schema), "column"), *_lines(schema, [[] for _ in schema])])
    table, rows = found
    values = [_cells(column) for column in table.columns]
    return "\n".join([title, _size(rows, table.num_columns), *_lines(table.schema, values)])


def _lines(schema: pa.Schema, values: list[list[str]]) -> list[str]:
    names = max(len(name) for name in schema.names)
    types = max(min(len(str(field.type)), 24) for field in schema)
    lines = []
    for field, column in zip(schema, values):
        kind = str(field.type)
        kind = kind if len(kind) <= types else kind[: types - 1] + "…"
        line = " ".join(f"  {field.name:{names}}  {kind:{types}}  {', '.join(column)}".rstrip().splitlines())
        lines.append(line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…")
    return lines


def as_html(scan: Scan, title: str) -> str:
    """Returns what ``text`` shows as a table with the first rows."""
    found = _preview(scan)
    if found is None:
        schema = scan.known_schema()
        hint = "head(n) reads the first n rows"
        if schema is None:
            return f"<pre>{html.escape(title)}</pre><p>{hint}</p>"
        return f"<pre>{html.escape(title)}</pre><table>{_head(schema)}</table><p>{hint}</p>"
    table, rows = found
    cells = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
        for row in zip(*map(_cells, table.columns))
    )
    counted = _size(rows, table.num_columns)
    return f"<pre>{html.escape(title)}</pre><table>{_head(table.schema)}{cells}</table><p>{counted}</p>"


def _head(schema: pa.Schema) -> str:
    return (
        "<tr>"
        + "".join(f"<th>{html.escape(f.name)}<br><small>{html.escape(str(f.type))}</small></th>" for f in schema)
        + "</tr>"
    )
