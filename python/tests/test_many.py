"""Scans of several traces at once."""

from __future__ import annotations

import gzip
import warnings
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import etl2parquet

SAMPLES = {"a.etl": 449, "x/b.etl": 449, "x/y/c.etl": 449}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Path:
    """Nested folders with three traces."""
    root = tmp_path_factory.mktemp("many")
    for name in SAMPLES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sample.read_bytes())
    return root


@pytest.fixture
def broken(folder: Path, tmp_path: Path) -> Path:
    """A folder with two good traces, an empty one and one that is no trace."""
    for name in ("a.etl", "b.etl"):
        (tmp_path / name).write_bytes((folder / "a.etl").read_bytes())
    (tmp_path / "empty.etl").touch()
    (tmp_path / "text.etl").write_text("no trace\n")
    return tmp_path


def traces(scan: etl2parquet.Scan) -> dict[str, int]:
    """The rows of each trace."""
    return dict(scan.to_polars().group_by("trace").len().sort("trace").rows())


@pytest.mark.parametrize(
    ("inputs", "wanted"),
    [
        (["a.etl", "x/b.etl"], {"a": 449, "b": 449}),
        (["x", "a.etl"], {"a": 449, "b": 449, "c": 449}),
        (".", {"a": 449, "b": 449, "c": 449}),
        ("**/*.etl", {"a": 449, "b": 449, "c": 449}),
        ("x/*.etl", {"b": 449}),
        ("x/y", {"c": 449}),
        (("a.etl", "a.etl", "x/b.etl"), {"a": 449, "b": 449}),
        ("{a,x/b}.etl", {"a": 449, "b": 449}),
    ],
    ids=str,
)
def test_inputs(folder: Path, inputs: Any, wanted: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The column trace is the first unless the input is one file, and each file is read once."""
    monkeypatch.chdir(folder)
    scan = etl2parquet.scan(inputs)
    assert scan.schema.names[:2] == ["trace", "header_table"]
    assert traces(scan) == wanted
    assert len(scan) == sum(wanted.values())


def test_one_file(folder: Path, tmp_path: Path) -> None:
    """A file by itself has no column trace, in a list or compressed too."""
    (tmp_path / "a.etl.gz").write_bytes(gzip.compress((folder / "a.etl").read_bytes()))
    for inputs in (folder / "a.etl", [folder / "a.etl"], tmp_path / "a.etl.gz"):
        assert etl2parquet.scan(inputs).to_arrow().equals(etl2parquet.scan(folder / "a.etl").to_arrow())
        assert etl2parquet.scan(inputs).schema.names[0] == "header_table"


def test_archive(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        for name in SAMPLES:
            archive.write(folder / name, name)
    assert traces(etl2parquet.scan(tmp_path / "z.zip")) == {"a": 449, "b": 449, "c": 449}


@pytest.mark.parametrize("table", ["events", "Thread/CSwitch", "stack_events", "event_header", "processes", "stacks"])
def test_rows(folder: Path, table: str) -> None:
    """The rows of each trace are those of a scan of it alone; rows of events are in the order of time."""
    found = etl2parquet.scan(folder, table).to_arrow()
    alone = etl2parquet.scan(folder / "a.etl", table).to_arrow()
    for name in ("a", "b", "c"):
        own = found.filter(pa.compute.field("trace") == name).drop_columns(["trace"])
        assert own == alone.cast(own.schema), name
    if "time_ns" in found.column_names:
        assert pl.DataFrame(found)["time_ns"].is_sorted()


def test_forms(folder: Path) -> None:
    scan = etl2parquet.scan([folder / "a.etl", folder / "x"], columns=["time_ns", "process_name"])
    rows = scan.to_arrow()
    assert rows.column_names == ["trace", "time_ns", "process_name"]
    assert scan.lazy().collect().equals(scan.to_polars())
    assert scan.to_pandas().shape == pd.DataFrame.from_arrow(scan).shape == rows.shape
    assert duckdb.sql("SELECT count(DISTINCT trace) FROM scan").fetchall() == [(3,)]
    assert scan.head(2) == rows.slice(0, 2)
    assert repr(scan).splitlines()[0].startswith("etl2parquet.scan(['")


@pytest.mark.parametrize("table", ["events", "Thread/CSwitch", "processes", "stacks"])
def test_only_trace(folder: Path, table: str) -> None:
    """The column trace alone, which counts the rows."""
    scan = etl2parquet.scan(folder, table, columns="trace")
    whole = etl2parquet.scan(folder, table)
    assert scan.to_arrow() == whole.to_arrow().select(["trace"])
    assert len(scan) == len(whole) == whole.lazy().select(pl.len()).collect().item()
    assert whole.lazy().select("trace").collect().height == len(scan)


def test_selection(folder: Path) -> None:
    """Options and Polars' filters apply to all traces."""
    assert traces(etl2parquet.scan(folder, provider="Thread")) == {"a": 198, "b": 198, "c": 198}
    assert etl2parquet.scan(folder, limit=5).to_arrow().num_rows == 5
    exact = etl2parquet.scan(folder, columns=["timestamp"], timestamps="ns")
    assert exact.schema.types == [pa.string(), pa.timestamp("ns", "UTC")]
    assert exact.to_polars()["timestamp"].is_sorted()
    lazy = etl2parquet.scan(folder).lazy()
    rows = lazy.collect()
    for predicate in (
        pl.col("trace") == "b",
        pl.col("provider_name") == "Thread",
        pl.col("time_ns") > rows["time_ns"][700],
    ):
        assert lazy.filter(predicate).collect().equals(rows.filter(predicate))
        assert lazy.filter(predicate).select("trace").collect().equals(rows.filter(predicate).select("trace"))
    assert lazy.select(pl.len()).collect().item() == len(rows)


def test_tables_with_other_columns(folder: Path, shared: Path) -> None:
    """A table has the columns of all its forms, and NULL where a trace has another form."""
    both = etl2parquet.scan([folder / "a.etl", shared / "Process.etl"], "Process/Start")
    assert both.schema.names[0] == "trace"
    one = etl2parquet.scan(folder / "a.etl", "Process/Start").to_arrow()
    own = both.to_arrow().filter(pa.compute.field("trace") == "a")
    assert own.select(one.column_names).to_pylist() == one.to_pylist()


def test_errors(broken: Path) -> None:
    """An exception names each bad file, after the rows of the others."""
    scan = etl2parquet.scan(broken)
    stream = scan.stream()
    rows = 0
    with pytest.raises(etl2parquet.PartlyFailed, match=r"empty\.etl: .*empty") as e:
        for batch in stream:
            rows += batch.num_rows
    assert rows == 898
    assert "text.etl: not an ETL trace" in e.value.message
    assert e.value.message.endswith("ignore_errors=True reads the others, and warns")
    for read in (scan.to_arrow, scan.to_polars, lambda: scan.lazy().collect(), lambda: len(scan)):
        with pytest.raises(Exception, match="ignore_errors=True"):
            read()


def test_ignore_errors(broken: Path) -> None:
    """Bad files are warnings, and the others are read."""
    scan = etl2parquet.scan(broken, ignore_errors=True)
    with pytest.warns(etl2parquet.EtlWarning) as found:
        assert traces(scan) == {"a": 449, "b": 449}
    texts = [str(w.message) for w in found]
    assert len(texts) == 2
    assert any("empty.etl: " in text for text in texts)
    assert any("text.etl: " in text for text in texts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(scan) == scan.lazy().collect().height == 898


def test_problems(broken: Path) -> None:
    """Files that cannot be read are rows of the table problems."""
    with pytest.warns(etl2parquet.EtlWarning):
        scan = etl2parquet.scan(broken, "problems", ignore_errors=True)
        rows = scan.to_polars().sort("trace")
        assert len(scan) == 2
        assert scan.lazy().filter(pl.col("trace") == "text").collect().equals(rows[1:])
    assert rows.select("trace", "severity", "code", "count", "buffer").rows() == [
        ("empty", "error", "input_unreadable", 1, None),
        ("text", "error", "input_unreadable", 1, None),
    ]
    assert rows["message"][0].endswith("empty.etl: not an ETL trace: the file is empty")


def test_nothing_readable(broken: Path) -> None:
    """If no trace can be read, that is an error, also with ignore_errors."""
    for inputs in ([broken / "empty.etl", broken / "text.etl"], broken / "empty.etl", broken / "none.etl"):
        for ignore in (True, False):
            with pytest.raises(etl2parquet.EtlError):
                etl2parquet.scan(inputs, ignore_errors=ignore).to_arrow()


def test_dataset(folder: Path, tmp_path: Path) -> None:
    """The message for a dataset says what opens it."""
    etl2parquet.convert(folder / "a.etl", tmp_path / "out", table="processes")
    with pytest.raises(
        etl2parquet.EtlError, match=r"a dataset, and no trace: .*; etl2parquet\.dataset\('.*out', 'processes'\)"
    ):
        etl2parquet.scan(tmp_path / "out", "processes").to_arrow()


def test_missing_file(broken: Path) -> None:
    scan = etl2parquet.scan([broken / "a.etl", broken / "none.etl"], ignore_errors=True)
    with pytest.warns(etl2parquet.EtlWarning, match=r"none\.etl: no such file"):
        assert traces(scan) == {"a": 449}


@pytest.mark.parametrize("inputs", [[], (), [b"a.etl"], [1], [None]], ids=str)
def test_no_inputs(inputs: Any) -> None:
    with pytest.raises(etl2parquet.UsageError, match=r"is not an input|there is no input"):
        etl2parquet.scan(inputs)
