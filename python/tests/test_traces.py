"""Every table of real traces: the package gives the values and types of the Parquet files."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from conftest import AMBIGUOUS, SPELLINGS

import etl2parquet

# A kernel trace with stacks, one with manifests, one with TraceLogging.
TRACES = ["net.4.5.2.x86.etl", "HTTP_Server.etl", "ebpforwindows.etl"]

BITS = {pa.float32(): pa.int32(), pa.float64(): pa.int64()}


def comparable(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array, floating-point numbers by their bits: NaN does not equal itself."""
    whole = column.combine_chunks()
    return whole.view(BITS[whole.type]) if whole.type in BITS else whole


def polars_type(t: pa.DataType) -> pl.DataType:
    """The documented mapping of Arrow's types to those of Polars."""
    if pa.types.is_list(t):
        return pl.List(polars_type(t.value_type))
    if pa.types.is_struct(t):
        return pl.Struct({f.name: polars_type(f.type) for f in t})
    return {
        pa.bool_(): pl.Boolean(),
        pa.int32(): pl.Int32(),
        pa.int64(): pl.Int64(),
        pa.uint64(): pl.UInt64(),
        pa.float32(): pl.Float32(),
        pa.float64(): pl.Float64(),
        pa.string(): pl.String(),
        pa.binary(): pl.Binary(),
        pa.timestamp("us", "UTC"): pl.Datetime("us", "UTC"),
    }[t]


@pytest.mark.parametrize("name", TRACES)
def test_tables(shared: Path, tmp_path: Path, name: str) -> None:
    trace, out = shared / name, tmp_path / "out"
    etl2parquet.convert(trace, out)
    tables = etl2parquet.tables(trace)
    files = {path.parent.relative_to(out).as_posix(): path for path in out.rglob("*.parquet")}
    assert set(files) <= {t.name for t in tables}
    assert ({"stack_events", "stacks", "events/PerfInfo/SampleProf"} <= set(files)) == (name == TRACES[0])
    start = min(etl2parquet.scan(trace, columns=["time_ns"]).to_arrow()["time_ns"].to_pylist())
    rows = columns = 0
    for t in tables:
        scanned = etl2parquet.scan(trace, t.name).to_arrow()
        scanned.validate(full=True)
        if t.name == "events":  # a view of the header tables
            assert scanned.num_rows == t.rows == etl2parquet.info(trace)["events"]
            continue
        if t.name not in files:
            assert scanned.num_rows == 0, t.name
            continue
        filed = pa.parquet.read_table(files[t.name]).drop_columns(["trace"])
        if "seconds" in scanned.column_names:  # files lack it
            since = [(ns - start) / 1e9 for ns in scanned["time_ns"].to_pylist()]
            assert scanned["seconds"].to_pylist() == since, t.name
            assert scanned["clock_ns"] == scanned["time_ns"], t.name
            scanned = scanned.drop_columns(["clock_ns", "seconds"])
        assert scanned.schema == filed.schema, t.name
        for column in filed.column_names:
            assert comparable(scanned[column]).equals(comparable(filed[column])), (t.name, column)
        frame = pl.DataFrame(scanned)
        assert frame.schema == {f.name: polars_type(f.type) for f in filed.schema}, t.name
        rows += scanned.num_rows
        columns += scanned.num_columns
    print(f"{name}: {len(files)} tables, {columns} columns, {rows} rows are equal")


def test_spellings(shared: Path) -> None:
    """Every name of an event is that of its table."""
    trace = shared / "net.4.5.2.x86.etl"
    found = {name: etl2parquet.scan(trace, name).to_arrow() for name in SPELLINGS}
    first = found[SPELLINGS[0]]
    assert first.num_rows == 160
    assert {name: rows.equals(first, check_metadata=True) for name, rows in found.items()} == dict.fromkeys(found, True)
    with pytest.raises(etl2parquet.EtlError, match=r'"1" means several: .*GC_Start.*name one of them'):
        etl2parquet.scan(trace, AMBIGUOUS).to_arrow()


@pytest.mark.parametrize("name", TRACES)
def test_engines(shared: Path, name: str) -> None:
    """DuckDB, Polars and pandas read the rows of the three largest tables as pyarrow does."""
    trace = shared / name
    largest = sorted(etl2parquet.tables(trace), key=lambda t: t.rows or 0)[-3:]
    for t in largest:  # DuckDB finds scan and whole by their names
        scan = etl2parquet.scan(trace, t.name)
        whole = scan.to_arrow()
        for one, other in (("scan", "whole"), ("whole", "scan")):
            assert duckdb.sql(f"SELECT count(*) FROM (FROM {one} EXCEPT ALL FROM {other})").fetchall() == [(0,)], t.name
        assert scan.lazy().collect().equals(scan.to_polars()), t.name
        frame = scan.to_pandas()
        assert frame.shape == (whole.num_rows, whole.num_columns), t.name
        assert list(frame.dtypes) == [pd.ArrowDtype(f.type) for f in whole.schema], t.name
