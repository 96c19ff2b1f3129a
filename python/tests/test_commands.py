"""tables, info, convert, query and splits."""

from __future__ import annotations

import datetime as dt
import json
import random
import sys
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
from conftest import missing

import etl2parquet
from etl2parquet import _program


def test_tables(sample: Path) -> None:
    """Every table that is listed can be read, and has the rows and columns that the list says."""
    tables = etl2parquet.tables(sample)
    assert tables[0].name == "events"
    assert {"events/Thread/CSwitch", "processes", "stacks"} <= {t.name for t in tables}
    for t in tables:
        found = etl2parquet.scan(sample, t.name).to_arrow()
        assert found.column_names == [c.name for c in t.columns], t.name
        assert [f.nullable for f in found.schema] == [c.nullable for c in t.columns], t.name
        assert t.rows in (None, found.num_rows), t.name
        assert t.doc


def test_info(sample: Path) -> None:
    info = etl2parquet.info(sample)
    assert (info["events"], info["session_name"], len(info["providers"])) == (449, "NT Kernel Logger", 11)
    with pytest.raises(etl2parquet.NotFound, match="no such file"):
        etl2parquet.info("none.etl")


def test_info_of_folders(sample: Path, tmp_path: Path) -> None:
    """A folder with one trace is that trace."""
    (tmp_path / "a.etl").write_bytes(sample.read_bytes())
    assert etl2parquet.info(tmp_path)["events"] == 449
    (tmp_path / "b.etl").write_bytes(sample.read_bytes())
    with pytest.raises(etl2parquet.UsageError, match="has 2 traces: info reads one"):
        etl2parquet.info(tmp_path)
    with pytest.raises(etl2parquet.UsageError, match="has 2 traces: tables reads one"):
        etl2parquet.tables(tmp_path)


def filed(scanned: pa.Table) -> pa.Table:
    """The columns that Parquet files have: seconds is made when rows are read from a trace."""
    return scanned.drop_columns(["clock_ns", "seconds"])


def test_convert(sample: Path, tmp_path: Path) -> None:
    """A dataset has the rows of the scan, and the report says what was done."""
    out = tmp_path / "out"
    report = etl2parquet.convert(sample, out, table=["Thread/*", "processes"], compression="snappy")
    assert [i["result"] for i in report["inputs"]] == ["converted"]
    switches = pyarrow.dataset.dataset(out / "events" / "Thread" / "CSwitch").to_table()
    assert switches.drop_columns(["trace"]) == filed(etl2parquet.scan(sample, "Thread/CSwitch").to_arrow())
    assert not (out / "images").exists()
    again = etl2parquet.convert([sample], out, table=["Thread/*", "processes"], compression="snappy")
    assert [i["result"] for i in again["inputs"]] == ["skipped"]
    own = etl2parquet.convert(sample, tmp_path / "other", table="processes", report=tmp_path / "report.json")
    assert own == json.loads((tmp_path / "report.json").read_text())


def test_convert_times(sample: Path, tmp_path: Path) -> None:
    begin = dt.datetime(2024, 5, 1, 12, 0, 1, tzinfo=dt.timezone.utc)
    etl2parquet.convert(sample, tmp_path / "out", from_=begin, to=1.5, table="Thread/CSwitch")
    found = pyarrow.dataset.dataset(tmp_path / "out" / "events").to_table()
    scanned = etl2parquet.scan(sample, "Thread/CSwitch", from_=begin, to=1.5).to_arrow()
    assert found.drop_columns(["trace"]) == filed(scanned)


def test_convert_partly(sample: Path, tmp_path: Path) -> None:
    with pytest.raises(etl2parquet.PartlyFailed, match=r"none\.etl: no such file or directory") as e:
        etl2parquet.convert([sample, "none.etl"], tmp_path / "out")
    assert e.value.returncode == 3
    assert e.value.report is not None
    assert [i["result"] for i in e.value.report["inputs"]] == ["converted", "failed"]
    assert (tmp_path / "out" / "_traces" / "sample.json").exists()


def has_command(name: str) -> bool:
    return f"\n  {name} " in _program.run(["help"])


def test_query(sample: Path) -> None:
    if not has_command("query"):
        missing("the command query", "build the program with it")
    query = etl2parquet.query(
        sample, "SELECT provider_name, count(*) AS n FROM events GROUP BY ALL ORDER BY n DESC, 1 LIMIT 2"
    )
    for _ in range(2):
        assert query.to_polars().rows() == [("Thread", 198), ("PerfInfo", 141)]
    assert query.schema.names == ["provider_name", "n"]
    with pytest.raises(etl2parquet.EtlError, match="nonsense"):
        etl2parquet.query(sample, "SELECT nonsense").to_arrow()


def test_query_with_the_extra(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package duckdb-cli is found without any path, and a named DuckDB comes before it."""
    monkeypatch.delenv("ETL2PARQUET_DUCKDB", raising=False)
    monkeypatch.setenv("PATH", "")
    found = _program._environment()["ETL2PARQUET_DUCKDB"]
    assert Path(found).parent.name == "duckdb_cli"
    assert etl2parquet.query(sample, "SELECT count(*) AS n FROM events").to_polars().item() == 449
    monkeypatch.setenv("ETL2PARQUET_DUCKDB", "/nowhere/duckdb")
    with pytest.raises(etl2parquet.EtlError, match="ETL2PARQUET_DUCKDB names /nowhere/duckdb"):
        etl2parquet.query(sample, "SELECT 1").to_arrow()


def test_query_without_duckdb(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_program, "_installed_duckdb", lambda: "")
    monkeypatch.setattr("sysconfig.get_path", lambda _: "/nowhere")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(etl2parquet.EtlError, match=r"pip install duckdb-cli"):
        etl2parquet.query(sample, "SELECT 1").to_arrow()


def test_nul(sample: Path, tmp_path: Path) -> None:
    """An option or SQL with a NUL is an error: it never ends there."""
    for run in (
        lambda: etl2parquet.query(sample, "SELECT 1\0").to_arrow(),
        lambda: etl2parquet.convert(sample, tmp_path / "out", table="Thread/CSwitch\0x"),
        lambda: etl2parquet.splits(sample, "events", index="x\0y"),
        lambda: etl2parquet.info(sample, manifest="\0"),
    ):
        with pytest.raises(etl2parquet.UsageError, match="has a NUL character"):
            run()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("table", ["events", "Thread/CSwitch", "processes", "stacks", "problems"])
@pytest.mark.parametrize("most", [1, 3, 64])
def test_splits(sample: Path, tmp_path: Path, table: str, most: int) -> None:
    """The splits of a table, in any order, have every row once."""
    if not has_command("splits"):
        missing("the command splits", "build the program with it")
    index = tmp_path / "index"
    splits = etl2parquet.splits(sample, table, most, index=index)
    assert 1 <= len(splits) <= most
    whole = etl2parquet.scan(sample, table).to_arrow()
    parts = {}
    for i in random.Random(most).sample(range(len(splits)), len(splits)):
        assert splits[i].input == str(sample)
        parts[i] = etl2parquet.scan(sample, split=splits[i].token, index=index).to_arrow()
        assert splits[i].rows in (None, parts[i].num_rows)
    assert pa.concat_tables([parts[i] for i in sorted(parts)]) == whole
    part = etl2parquet.scan(sample, columns=whole.column_names[:2], split=splits[0].token)
    assert part.to_arrow() == parts[0].select(part.schema.names)
    if "timestamp" in whole.column_names:
        late = pl.col("timestamp") > dt.datetime(2024, 5, 1, 12, 0, 1, tzinfo=dt.timezone.utc)
        lazy = etl2parquet.scan(sample, split=splits[-1].token).lazy()
        assert lazy.filter(late).collect().equals(pl.DataFrame(parts[len(parts) - 1]).filter(late))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_splits_of_strange_names(sample: Path, tmp_path: Path) -> None:
    """A name may contain Unicode line separators."""
    trace = tmp_path / "a\x85b\u2028c\nd.etl"
    trace.write_bytes(sample.read_bytes())
    splits = etl2parquet.splits(trace, "processes", 1)
    assert [s.input for s in splits] == [str(trace)]
    assert etl2parquet.scan(trace, split=splits[0].token).to_arrow().num_rows == 5


def test_split_of_a_changed_file(sample: Path, tmp_path: Path) -> None:
    if not has_command("splits"):
        missing("the command splits", "build the program with it")
    trace = tmp_path / "x.etl"
    data = sample.read_bytes()
    trace.write_bytes(data)
    split = etl2parquet.splits(trace, "events", 2)[0]
    trace.write_bytes(data + data[8192:])
    with pytest.raises(etl2parquet.EtlError, match="chang"):
        etl2parquet.scan(trace, split=split.token).to_arrow()
    with pytest.raises(etl2parquet.UsageError, match=r"^split cannot be combined with table: "):
        etl2parquet.scan(trace, "events", split=split.token).to_arrow()
