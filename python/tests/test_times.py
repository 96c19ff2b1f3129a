"""Times in nanoseconds."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import etl2parquet

NS = pa.timestamp("ns", "UTC")
COMPANIONS = {
    "events": {"timestamp": "time_ns"},
    "Thread/CSwitch": {"timestamp": "time_ns"},
    "processes": {"start_time": "start_ns", "end_time": "end_ns"},
    "images": {"load_time": "load_ns", "unload_time": "unload_ns"},
    "traces": {"start_time": "start_ns", "end_time": "end_ns"},
    "stack_events": {"timestamp": "time_ns"},
    "EventTrace/Header": {
        "timestamp": "time_ns",
        "start_time": "start_time_ns",
        "end_time": "end_time_ns",
        "boot_time": "boot_time_ns",
    },
    "providers": {},
}


@pytest.mark.parametrize("table", COMPANIONS)
def test_every_table(sample: Path, table: str) -> None:
    """Columns with a companion take its values; the others are as they are without the option."""
    usual = etl2parquet.scan(sample, table).to_arrow()
    scan = etl2parquet.scan(sample, table, timestamps="ns")
    exact = scan.to_arrow()
    assert exact.schema == scan.schema
    assert exact.column_names == usual.column_names
    companions = COMPANIONS[table]
    for name in usual.column_names:
        if name in companions:
            assert exact[name].type == NS
            assert exact[name].cast(pa.int64()) == usual[companions[name]], name
            assert exact.schema.field(name).nullable == usual.schema.field(name).nullable
        else:
            assert exact[name] == usual[name], name


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("events", ["timestamp"]),
        ("events", ["processor", "timestamp", "time_ns"]),
        ("processes", ["end_time"]),
        ("EventTrace/Header", ["start_time", "timestamp"]),
        ("providers", ["first_event"]),
    ],
)
def test_columns(sample: Path, table: str, columns: list[str]) -> None:
    """Companions are read, too, and not returned."""
    scan = etl2parquet.scan(sample, table, columns=columns, timestamps="ns")
    assert scan.to_arrow() == etl2parquet.scan(sample, table, timestamps="ns").to_arrow().select(columns)
    assert scan.schema.names == columns


def test_engines(sample: Path) -> None:
    scan = etl2parquet.scan(sample, timestamps="ns")
    rows = scan.to_polars()
    assert rows["timestamp"].dtype == pl.Datetime("ns", "UTC")
    assert rows["timestamp"].to_physical().equals(rows["time_ns"])
    at = rows["timestamp"][200]
    for bound in (at, dt.datetime(2024, 5, 1, 12, 0, 1, tzinfo=dt.timezone.utc)):
        for predicate in (pl.col("timestamp") >= bound, pl.col("timestamp") == bound, pl.col("timestamp") < bound):
            assert scan.lazy().filter(predicate).collect().equals(rows.filter(predicate))
    assert str(scan.to_pandas().dtypes["timestamp"]) == "timestamp[ns, tz=UTC][pyarrow]"
    assert duckdb.sql("SELECT count(*) FROM scan").fetchall() == [(449,)]


def test_unknown_unit(sample: Path) -> None:
    with pytest.raises(etl2parquet.UsageError, match='timestamps=\'ms\': it must be "us" or "ns"'):
        etl2parquet.scan(sample, timestamps="ms")
