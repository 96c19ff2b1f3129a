"""How scans look in a terminal and in a notebook."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import etl2parquet
from etl2parquet import _display


def test_text(sample: Path) -> None:
    """What is read, its size, and each column with its first values."""
    scan = etl2parquet.scan(sample, "Thread/CSwitch", columns=["processor", "process_name"])
    assert repr(scan).splitlines() == [
        f"etl2parquet.scan('{sample}', 'Thread/CSwitch', columns=('processor', 'process_name'))",
        "120 rows, 2 columns",
        f"  processor     int32   {', '.join(map(str, scan.head()['processor'].to_pylist()))}",
        f"  process_name  string  {', '.join(scan.head()['process_name'].to_pylist())}",
    ]
    assert all(len(line) <= _display._WIDTH for line in repr(etl2parquet.scan(sample)).splitlines()[1:])


def test_html(sample: Path) -> None:
    text = etl2parquet.scan(sample, "Thread/CSwitch", columns=["processor", "process_name"])._repr_html_()
    assert "<th>processor<br><small>int32</small></th>" in text
    assert text.count("<tr>") == 6
    assert "120 rows, 2 columns" in text


def test_nanoseconds(sample: Path) -> None:
    """Times with ns are shown without pandas."""
    scan = etl2parquet.scan(sample, columns=["timestamp"], timestamps="ns", limit=1)
    assert repr(scan).splitlines()[-1] == "  timestamp  timestamp[ns, tz=UTC]  2024-05-01 12:00:00.250000000Z"
    assert "<td>2024-05-01 12:00:00.250000000Z</td>" in scan._repr_html_()


def test_escaped(tmp_path: Path) -> None:
    text = etl2parquet.scan(tmp_path / "<b>.etl")._repr_html_()
    assert "&lt;b&gt;" in text
    assert "<b>" not in text


@pytest.mark.parametrize(
    "arguments", [{"inputs": "none.etl"}, {"inputs": "a\0b"}, {"table": "nonsense"}, {"columns": []}], ids=str
)
def test_errors_are_not_raised(sample: Path, arguments: dict[str, Any]) -> None:
    scan = etl2parquet.scan(**{"inputs": sample, **arguments})
    assert repr(scan) == scan._title()
    assert "head(n) reads" in scan._repr_html_()


def test_large_traces_are_not_read(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema is shown if something else has read it."""
    monkeypatch.setattr("etl2parquet._scan._SMALL", 1)
    monkeypatch.setattr("etl2parquet._program.Child.__init__", lambda *_: pytest.fail("the program was run"))
    scan = etl2parquet.scan(sample, columns="processor")
    assert repr(scan) == scan._title()
    assert "head(n) reads" in scan._repr_html_()
    monkeypatch.undo()
    assert scan.schema.names == ["processor"]
    monkeypatch.setattr("etl2parquet._scan._SMALL", 1)
    assert repr(scan).splitlines()[1:] == ["1 column", "  processor  int32"]
    assert "<th>processor" in scan._repr_html_()


def test_no_warnings(sample: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "0 rows" in repr(etl2parquet.scan(sample, "problems"))
