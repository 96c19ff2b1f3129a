"""Messages of the program, in the words of Python."""

from __future__ import annotations

import pytest

from etl2parquet._errors import in_python


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ('--from: "noon" is neither a time nor a date', 'from_: "noon" is neither a time nor a date'),
        ("--to 1 is before --from 2", "to=1 is before from_=2"),
        ("--workers 0: there must be 1 to 64", "workers=0: there must be 1 to 64"),
        ("--split cannot be combined with --table: a split", "split cannot be combined with table: a split"),
        ("--symbol-server needs --symbol-cache: x", "symbol_server needs symbol_cache: x"),
        ("--payload x: it is one of all, none; see etl2parquet cat --help", "payload=x: it is one of all, none"),
        ('--index: written by "etl2parquet splits --index"', 'index: written by "etl2parquet splits --index"'),
        ('there is no such table: "--table"', 'there is no such table: "--table"'),
        ("a/--from/b.etl: no such file", "a/--from/b.etl: no such file"),
        ("x--from.etl: no such file", "x--from.etl: no such file"),
        ("2 -- 3", "2 -- 3"),
    ],
)
def test_flags(message: str, wanted: str) -> None:
    assert in_python(message) == wanted
