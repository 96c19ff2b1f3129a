"""One table of a dataset as one table, whatever columns and types its parts have."""

from __future__ import annotations

import datetime as dt
import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet
import pytest

import etl2parquet
from etl2parquet import _types

TABLE = "Etl2parquet.Sample/FileSaved"  # TraceLogging: each event has the types of its fields
COLUMNS = ["trace", "time_ns", "bytes", "chunks", "result", "where"]

# The metadata of fields in the sample, with others of the same size.
BYTES, CHUNKS, LINE, RESULT = b"Bytes\0\x0a", b"Chunks\0\x48", b"Line\0\x06", b"Result\0\x94\x0f"
VARIANTS = {
    "a": {},
    "b": {BYTES: b"Bytes\0\x11", LINE: b"Lime\0\x06"},  # UINT64 as FILETIME, another member
    "c": {BYTES: b"Bytes\0\x0c", CHUNKS: b"Chunks\0\x4b", LINE: b"Line\0\x05"},  # as DOUBLE; UINT32 as FLOAT
    "d": {RESULT: b"Result\0\x87\x01"},  # UINT32 as INT32
}


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Path:
    folder = tmp_path_factory.mktemp("variants")
    for name, changes in VARIANTS.items():
        data = sample.read_bytes()
        for old, new in changes.items():
            assert old in data
            data = data.replace(old, new)
        (folder / f"{name}.etl").write_bytes(data)
    return folder


@pytest.fixture(scope="module", params=["never", "auto"])
def out(tmp_path_factory: pytest.TempPathFactory, traces: Path, request: pytest.FixtureRequest) -> Path:
    """A dataset with a part for each trace, and one whose traces share a part."""
    folder = tmp_path_factory.mktemp("dataset")
    etl2parquet.convert(traces, folder / "out", bundle=request.param)
    return folder / "out"


def rows(table: pa.Table) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: (row["trace"], row["time_ns"]))


def test_types(out: Path) -> None:
    """The types hold the values of all traces, and each trace has the values of a scan of it alone."""
    table = etl2parquet.dataset(out, TABLE)
    wanted = {
        "bytes": pa.string(),
        "result": pa.int64(),
        "where": pa.struct([("file", pa.string()), ("lime", pa.int32()), ("line", pa.int32())]),
    }
    assert {name: table.schema.field(name).type for name in wanted} == wanted
    chunks = table.schema.field("chunks").type
    assert pa.types.is_list(chunks)
    assert chunks.value_type == pa.string()
    found = rows(table.to_table())
    assert len(found) == len(table) == table.count_rows() == 96
    assert [found[i * 24]["bytes"] for i in range(4)] == [
        "40960",
        "1601-01-01T00:00:00.004096Z",
        "2.0237e-319",
        "40960",
    ]
    assert [found[i * 24]["chunks"][0] for i in range(4)] == ["10", "10", "1.4e-44", "10"]
    assert [found[i * 24]["where"]["lime"] for i in range(4)] == [None, 130, None, None]


def test_views(out: Path) -> None:
    """DuckDB's view of the table has the same columns and rows."""
    columns = ", ".join(f'"{c}"' for c in COLUMNS)
    sql = f"SELECT {columns} FROM etl2parquet_sample_filesaved"
    assert rows(etl2parquet.query(out, sql).to_arrow()) == rows(
        etl2parquet.dataset(out, TABLE).to_table(columns=COLUMNS)
    )


def test_readers(out: Path) -> None:
    """Every reader has all rows and columns, and applies filters."""
    table = etl2parquet.dataset(out, TABLE)
    whole = table.to_table()
    assert isinstance(table, ds.Dataset)
    assert pa.table(table) == whole
    assert pl.DataFrame(table).shape == pd.DataFrame.from_arrow(table).shape == table.to_pandas().shape == whole.shape
    assert table.to_polars().equals(table.lazy().collect())
    text = pl.col("bytes").str.starts_with("1601")
    assert table.lazy().filter(text & (pl.col("trace") == "b")).select("where").collect().height == 24
    assert duckdb.from_arrow(table).query(
        "t", 'SELECT trace, max(bytes) FROM t WHERE "where".line > 150 GROUP BY 1 ORDER BY 1'
    ).fetchall() == [
        ("a", "135168"),
        ("c", "6.6782e-319"),
        ("d", "135168"),
    ]
    for condition in (ds.field("trace") == "c", ds.field("bytes") >= "4", ds.field("result") < 0):
        assert table.to_table(filter=condition).equals(whole.filter(condition))
        assert table.count_rows(filter=condition) == whole.filter(condition).num_rows
        assert table.to_table(columns=["time_ns"], filter=condition) == whole.filter(condition).select(["time_ns"])
    doubled = table.to_table(columns={"x": ds.field("time_ns"), "y": ds.field("bytes")})
    assert doubled.columns == whole.select(["time_ns", "bytes"]).columns
    assert table.head(3).num_rows == 3
    assert sum(batch.num_rows for batch in table.to_batches(columns=[])) == 96
    assert pickle.loads(pickle.dumps(table)).to_table() == whole


@pytest.mark.parametrize("name", [TABLE, "etl2parquet_sample_filesaved", f"events/{TABLE}"])
def test_names(out: Path, name: str) -> None:
    assert etl2parquet.dataset(out, name).table == f"events/{TABLE}"


def test_text(out: Path) -> None:
    text = repr(etl2parquet.dataset(out, "processes")).splitlines()
    assert text[0] == f"etl2parquet.dataset({str(out)!r}, 'processes')"
    assert text[1].startswith("20 rows in ")
    assert text[2] == "  trace: string"


def test_errors(out: Path, tmp_path: Path) -> None:
    for folder, name, kind, message in (
        (out, "nonsense", etl2parquet.NotFound, "has no table"),
        (tmp_path / "none", "events", etl2parquet.NotFound, "there is no dataset"),
        (out, "Thread", etl2parquet.UsageError, "tables of .*: name one"),
        (out, "a\0", etl2parquet.UsageError, "NUL"),
    ):
        with pytest.raises(kind, match=message):
            etl2parquet.dataset(folder, name)


def test_known_table_without_rows(out: Path) -> None:
    """A table that the program knows is empty, with its columns."""
    table = etl2parquet.dataset(out, "DiskIo/Read")
    assert (len(table), table.to_table().num_rows) == (0, 0)
    assert table.schema.names[:3] == ["trace", "event_ref", "timestamp"]
    assert pl.DataFrame(table).height == 0


def test_only_committed_parts(traces: Path, tmp_path: Path) -> None:
    """A file without a commit record, as a running conversion has it, is not read; one that is recorded
    and missing is an error."""
    out = tmp_path / "out"
    etl2parquet.convert(traces, out, bundle="never")
    (out / "_traces" / "a.json").rename(tmp_path / "a.json")
    assert set(etl2parquet.dataset(out, TABLE).to_table()["trace"].to_pylist()) == {"b", "c", "d"}
    (out / "events" / TABLE / "b.parquet").unlink()
    with pytest.raises(etl2parquet.NotFound, match=r"b\.parquet"):
        etl2parquet.dataset(out, TABLE)


@pytest.mark.parametrize("working", [True, False])
def test_paths(out: Path, monkeypatch: pytest.MonkeyPatch, working: bool) -> None:
    """A relative folder, also one that is called like a table."""
    monkeypatch.chdir(out.parent)
    if not (out.parent / "traces").exists():
        (out.parent / "traces").symlink_to(out)
    assert len(etl2parquet.dataset("out" if working else "traces", "processes")) == 20


DAY = dt.datetime(2024, 5, 1, 12, tzinfo=dt.timezone.utc)
NESTED = {"b": b"\1\xab", "i": None, "l": [1, 2]}


@pytest.mark.parametrize(
    ("values", "source", "target", "wanted"),
    [
        ([1, None], "INT32", "INT64", [1, None]),
        ([1, None], "INT64", "UINT64", [1, None]),
        ([True, None], "BOOLEAN", "INT32", [1, None]),
        ([True, None], "BOOLEAN", "DOUBLE", [1.0, None]),
        ([1.5, None], "FLOAT", "DOUBLE", [1.5, None]),
        ([True, None], "BOOLEAN", "STRING", ["true", None]),
        ([-1, None], "INT64", "STRING", ["-1", None]),
        ([2**64 - 1], "UINT64", "STRING", ["18446744073709551615"]),
        ([1.0, 1e20, 0.1], "DOUBLE", "STRING", ["1", "1e+20", "0.1"]),
        ([DAY, None], "TIMESTAMP", "STRING", ["2024-05-01T12:00:00.000000Z", None]),
        ([b"\1\xab", b"", None], "BINARY", "STRING", ["01ab", "", None]),
        ([1, None], "INT32", "LIST<INT64>", [[1], None]),
        ([[1, None], None, []], "LIST<INT32>", "LIST<STRING>", [["1", None], None, []]),
        ([{"a": 1}, None], "STRUCT<a INT32>", "STRUCT<a INT64, b STRING>", [{"a": 1, "b": None}, None]),
        ([{"a": 1}, None], "STRUCT<a INT32>", "LIST<STRUCT<a INT64, b STRING>>", [[{"a": 1, "b": None}], None]),
        ([[{"b": 1}], None], "LIST<STRUCT<b INT32>>", "LIST<STRUCT<a BINARY, b INT32>>", [[{"a": None, "b": 1}], None]),
        ([NESTED, None], "STRUCT<b BINARY, i INT32, l LIST<INT32>>", "STRING", ['{"b":"01ab","l":[1,2]}', None]),
        ([{"f": 0.1, "d": 0.1}], "STRUCT<f FLOAT, d DOUBLE>", "STRING", ['{"f":0.1,"d":0.1}']),
        (
            [{"a": {"b": [1]}}],
            "STRUCT<a STRUCT<b LIST<INT32>>>",
            "STRUCT<a STRUCT<b LIST<STRING>>>",
            [{"a": {"b": ["1"]}}],
        ),
    ],
    ids=str,
)
def test_values(values: list[Any], source: str, target: str, wanted: list[Any]) -> None:
    """Values of one type in a wider one, in a whole array and in a slice of one."""
    array = pa.array(values, _types.described(source))
    found = _types.conform(array, _types.described(target))
    found.validate(full=True)
    assert found.type == _types.described(target)
    assert found.to_pylist() == wanted
    sliced = _types.conform(pa.concat_arrays([array, array]).slice(1, len(array)), _types.described(target))
    sliced.validate(full=True)
    assert sliced.to_pylist() == (wanted + wanted)[1 : len(array) + 1]


def test_every_table_of_real_traces(shared: Path, tmp_path: Path) -> None:
    """All traces converted together: each table is read by each reader, with all columns and rows."""
    out = tmp_path / "out"
    with pytest.warns(etl2parquet.EtlWarning):
        etl2parquet.convert(shared, out)
    listed = subprocess.run([etl2parquet.program(), "describe", out, "--json"], capture_output=True, check=True).stdout
    tables = json.loads(listed)["tables"]
    assert len(tables) > 200
    others = 0
    for i, t in enumerate(tables):
        table = etl2parquet.dataset(out, t["name"])
        whole = table.to_table()
        assert whole.num_rows == t["rows"], t["name"]
        union = {name for f in table.files for name in pyarrow.parquet.read_schema(f).names}
        assert set(whole.column_names) == union, t["name"]
        if i % 10 == 0 or len({f.physical_schema for f in table.get_fragments()}) > 1:
            assert table.lazy().collect().shape == table.to_pandas().shape == whole.shape, t["name"]
            assert duckdb.from_arrow(table).count("*").fetchall() == [(t["rows"],)], t["name"]
            others += 1
    print(f"{len(tables)} tables are read whole by pyarrow, {others} by Polars, pandas and DuckDB")


def test_events(sample: Path, tmp_path: Path) -> None:
    """The view of all events with their fields has, column by column, the rows of a scan of the trace."""
    etl2parquet.convert(sample, tmp_path / "out")
    database = duckdb.connect()
    database.execute("SET TimeZone = 'UTC'")
    database.execute("SET VARIABLE dataset = ?", [str(tmp_path / "out")])
    database.execute((tmp_path / "out" / "views.sql").read_text())
    view = pa.table(database.sql("SELECT * EXCLUDE (trace) FROM event_fields ORDER BY time_ns, event_ref"))
    table = etl2parquet.scan(sample).to_arrow().sort_by([("time_ns", "ascending"), ("event_ref", "ascending")])
    assert view.column_names == table.column_names
    for got, want in zip(view.to_pylist(), table.to_pylist(), strict=True):
        for row in (got, want):
            row["fields"] = json.loads(row["fields"]) if row["fields"] else None
        assert got == want
