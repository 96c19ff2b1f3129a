"""Shows a scan in a terminal and in a notebook."""

from __future__ import annotations

import dataclasses
import html
from typing import Any

import pyarrow as pa

_WIDTH = 96
_CELL = 60


@dataclasses.dataclass(frozen=True)
class Preview:
    """What is known of the rows of a scan without reading all of them."""

    schema: pa.Schema
    first: pa.Table | None = None  # the first rows; None if they were not read
    rows: int = 0  # number of all rows, if the first ones were read


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


def text(title: str, preview: Preview | None) -> str:
    """Returns a line for what is read; then a line per column, with the first values."""
    if preview is None:
        return title
    size = _counted(len(preview.schema), "column")
    values: list[list[str]] = [[] for _ in preview.schema]
    if preview.first is not None:
        size = _size(preview.rows, len(preview.schema))
        values = [_cells(column) for column in preview.first.columns]
    return "\n".join([title, size, *_lines(preview.schema, values)])


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


def as_html(title: str, preview: Preview | None) -> str:
    """Returns what ``text`` shows as a table with the first rows."""
    size, cells = "head(n) reads the first n rows", ""
    if preview is not None and preview.first is not None:
        size = _size(preview.rows, len(preview.schema))
        cells = "".join(
            "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
            for row in zip(*map(_cells, preview.first.columns))
        )
    table = "" if preview is None else f"<table>{_head(preview.schema)}{cells}</table>"
    return f"<pre>{html.escape(title)}</pre>{table}<p>{size}</p>"


def _head(schema: pa.Schema) -> str:
    return (
        "<tr>"
        + "".join(f"<th>{html.escape(f.name)}<br><small>{html.escape(str(f.type))}</small></th>" for f in schema)
        + "</tr>"
    )
