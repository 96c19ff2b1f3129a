"""Scans of the sample trace in every form."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import etl2parquet

UTC = dt.timezone.utc
EAST = dt.timezone(dt.timedelta(hours=2))
MIDDLE = dt.datetime(2024, 5, 1, 12, 0, 1, tzinfo=UTC)


def test_forms(sample: Path) -> None:
    """Each form has the same rows, and each can be had again from one scan."""
    scan = etl2parquet.scan(sample)
    table = scan.to_arrow()
    assert table.num_rows == 449
    assert table.schema == scan.schema
    for _ in range(2):
        assert pa.table(scan) == table
        assert pa.Table.from_batches(scan) == table
        assert scan.reader().read_all() == table
        assert scan.to_polars().equals(pl.DataFrame(scan))
        assert scan.lazy().collect().equals(scan.to_polars())
        assert scan.to_polars().to_arrow().num_rows == 449
        assert pa.Table.from_pandas(scan.to_pandas(), preserve_index=False).cast(table.schema) == table
        assert pd.DataFrame.from_arrow(scan).shape == (449, 34)
        assert duckdb.sql("SELECT count(*), count(DISTINCT provider_name) FROM scan").fetchall() == [(449, 11)]


def test_pandas_types(sample: Path) -> None:
    """Integers with NULLs keep their values, unless NumPy's types are requested."""
    scan = etl2parquet.scan(sample, columns=["thread_id", "timestamp"])
    exact = scan.to_pandas()
    assert str(exact.dtypes["thread_id"]) == "int64[pyarrow]"
    assert exact["thread_id"].isna().any()
    assert str(scan.to_pandas(arrow_types=False).dtypes["thread_id"]) == "float64"


def test_requested_schema(sample: Path) -> None:
    """A consumer of the capsule may ask for other types."""
    scan = etl2parquet.scan(sample, columns=["processor"])
    wanted = pa.schema([("processor", pa.int64())])
    assert pa.RecordBatchReader.from_stream(scan, schema=wanted).read_all().schema.types == [pa.int64()]


def test_columns(sample: Path) -> None:
    scan = etl2parquet.scan(sample, "thread_cswitch", columns=["new_thread_id", "timestamp"])
    assert scan.schema.names == ["new_thread_id", "timestamp"]
    assert scan.to_arrow().column_names == ["new_thread_id", "timestamp"]
    assert etl2parquet.scan(sample, columns="time_ns").schema.names == ["time_ns"]


@pytest.mark.parametrize(
    "bound",
    [
        MIDDLE,
        MIDDLE.replace(tzinfo=None),
        MIDDLE.astimezone(EAST),
        pd.Timestamp(MIDDLE),
        "2024-05-01T12:00:01Z",
        0.75,
        np.float64(0.75),
        dt.timedelta(milliseconds=750),
        np.datetime64("2024-05-01T12:00:01"),
        np.datetime64("2024-05-01T12:00:01.000000000"),
        "2024-05-01 12:00:01.000000+00",
        "2024-05-01 14:00:01+02:00",
        "2024-05-01 12:00:01.0000000 UTC",
        "12:00:01",
        "0.75 s",
        1_714_564_801_000_000_000,
        np.timedelta64(750, "ms"),
        pd.Timedelta(milliseconds=750),
    ],
    ids=str,
)
def test_times(sample: Path, bound: Any) -> None:
    """Every way to write a time means the same. The session began at 12:00:00.25."""
    times = etl2parquet.scan(sample, columns=["timestamp"]).to_polars()["timestamp"]
    late = etl2parquet.scan(sample, columns=["timestamp"], from_=bound).to_polars()["timestamp"]
    early = etl2parquet.scan(sample, columns=["timestamp"], to=bound).to_polars()["timestamp"]
    assert late.equals(times.filter(times >= MIDDLE))
    assert early.equals(times.filter(times < MIDDLE))
    assert 0 < len(late) < len(times)


def test_nanoseconds(sample: Path) -> None:
    """The times of pandas are exact to the nanosecond."""
    times = etl2parquet.scan(sample, columns=["time_ns"]).to_polars()["time_ns"]
    at = times[100]

    def first(bound: Any) -> int:
        return etl2parquet.scan(sample, columns="time_ns", from_=bound, limit=1).to_polars().item()

    for form in (lambda ns: pd.Timestamp(ns, tz="UTC"), lambda ns: np.datetime64(ns, "ns")):
        assert (first(form(at)), first(form(at + 1))) == (at, times.filter(times > at)[0])


@pytest.mark.parametrize(
    "bound",
    [
        True,
        object(),
        [1],
        float("nan"),
        float("inf"),
        pd.NaT,
        dt.datetime.min.replace(tzinfo=EAST),
        np.datetime64("NaT"),
        np.datetime64("9999-01-01"),
        np.timedelta64("NaT"),
        np.array(["2024-05-01"], "datetime64[s]"),
    ],
    ids=str,
)
def test_no_time(sample: Path, bound: Any) -> None:
    with pytest.raises(etl2parquet.UsageError, match="is not a time"):
        etl2parquet.scan(sample, from_=bound)


def test_selection(sample: Path) -> None:
    everything = etl2parquet.scan(sample).to_polars()
    for arguments, wanted in (
        ({"provider": "Thread"}, pl.col("provider_name") == "Thread"),
        ({"provider": ["Thread", "perfinfo"]}, pl.col("provider_name").is_in(["Thread", "PerfInfo"])),
        ({"event": "Thread/CSwitch"}, (pl.col("provider_name") == "Thread") & (pl.col("event_name") == "CSwitch")),
        ({"process": 5204}, pl.col("process_id") == 5204),
        ({"process": "explorer"}, pl.col("process_id") == 5204),
    ):
        found = etl2parquet.scan(sample, **arguments).to_polars()
        assert found.equals(everything.filter(wanted)), arguments
        assert len(found) > 0, arguments


def test_limit(sample: Path) -> None:
    assert etl2parquet.scan(sample, limit=7).to_arrow().num_rows == 7
    assert etl2parquet.scan(sample, limit=0).to_arrow().num_rows == 0
    assert etl2parquet.scan(sample, limit=np.int64(3)).to_arrow().num_rows == 3
    for wrong in (-1, True, 1.5, "7"):
        with pytest.raises(etl2parquet.UsageError, match="it must be 0 or more rows, or None for all"):
            etl2parquet.scan(sample, limit=wrong)


def test_head(sample: Path) -> None:
    scan = etl2parquet.scan(sample, "Thread/CSwitch")
    assert scan.head(3) == scan.to_arrow().slice(0, 3)
    assert (scan.head().num_rows, scan.head(0).num_rows) == (5, 0)
    assert etl2parquet.scan(sample, limit=2).head(3).num_rows == 2
    with pytest.raises(etl2parquet.UsageError, match="limit=-1"):
        scan.head(-1)


def test_length(sample: Path) -> None:
    """The length is the number of rows. A scan without rows is still true, and its truth reads nothing."""
    for arguments, rows in (({}, 449), ({"process": "explorer"}, 178), ({"limit": 7}, 7), ({"timestamps": "ns"}, 449)):
        scan = etl2parquet.scan(sample, **arguments)
        assert len(scan) == scan.to_arrow().num_rows == rows
    assert etl2parquet.scan("none.etl")
    with pytest.raises(etl2parquet.NotFound):
        len(etl2parquet.scan("none.etl"))


def test_table_without_rows(sample: Path) -> None:
    scan = etl2parquet.scan(sample, "problems")
    assert (scan.to_arrow().num_rows, scan.to_polars().height, scan.lazy().collect().height) == (0, 0, 0)
    assert scan.to_polars().columns == scan.schema.names == scan.lazy().collect_schema().names()


def test_values(sample: Path) -> None:
    """A scan is a value: it can be compared, copied and sent to other processes."""
    scan = etl2parquet.scan(sample, "processes", columns=["process_id"])
    assert pickle.loads(pickle.dumps(scan)) == copy.copy(scan) == scan
    assert repr(scan).startswith(f"etl2parquet.scan('{sample}', 'processes', columns=('process_id',))\n")


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"inputs": "none.etl"}, etl2parquet.NotFound, "^none.etl: no such file or directory$"),
        ({"table": "nonsense"}, etl2parquet.NotFound, 'there is no such table: "nonsense"'),
        ({"columns": ["time"]}, etl2parquet.NotFound, "there is no such column: table events has none called"),
        ({"columns": []}, etl2parquet.UsageError, "columns is empty"),
        ({"from_": "noon"}, etl2parquet.UsageError, '^from_: "noon" is no time'),
        ({"from_": 2, "to": 1}, etl2parquet.UsageError, "^to=1 is before from_=2$"),
        ({"workers": 0}, etl2parquet.UsageError, "^workers=0: it must be"),
        ({"payload": "x"}, etl2parquet.UsageError, "payload"),
        ({"inputs": "a\0b"}, etl2parquet.UsageError, r"^'a\\x00b' has a NUL character$"),
        ({"from_": "1\0x"}, etl2parquet.UsageError, r"^'from_=1\\x00x' has a NUL character$"),
        ({"provider": ["a", "\0"]}, etl2parquet.UsageError, r"^'provider=\\x00' has a NUL character$"),
        ({"inputs": "-"}, etl2parquet.UsageError, "standard input"),
        ({"provider": "none", "strict": True}, etl2parquet.EtlError, "nothing is selected"),
        ({"inputs": __file__}, etl2parquet.EtlError, "test_scan.py: "),
    ],
    ids=str,
)
def test_errors(sample: Path, arguments: dict[str, Any], kind: type[etl2parquet.EtlError], text: str) -> None:
    """Errors are exceptions with the program's message, in each form."""
    scan = etl2parquet.scan(**{"inputs": sample, **arguments})
    for read in (
        scan.to_arrow,
        scan.to_polars,
        scan.to_pandas,
        lambda: list(scan),
        lambda: scan.schema,
        lambda: pa.table(scan),
    ):
        with pytest.raises(kind, match=text) as e:
            read()
        assert type(e.value) is kind
        assert e.value.message == str(e.value)
        assert pickle.loads(pickle.dumps(e.value)).message == e.value.message


def test_errors_of_engines(sample: Path) -> None:
    """Exceptions of other libraries have the program's message."""
    bad = etl2parquet.scan(sample, "nonsense")
    with pytest.raises(Exception, match="there is no such table"):
        duckdb.sql("FROM bad").fetchall()
    with pytest.raises(Exception, match="there is no such table"):
        bad.lazy().collect()


def test_names_that_look_like_flags(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("--table").write_bytes(sample.read_bytes())
    Path("ö $x 'y'.etl").write_bytes(sample.read_bytes())
    for name in ("--table", "ö $x 'y'.etl"):
        assert etl2parquet.scan(name).to_arrow().num_rows == 449
    with pytest.raises(etl2parquet.EtlError, match="--table"):
        etl2parquet.scan(sample, "--table").to_arrow()


def test_warnings(sample: Path, tmp_path: Path) -> None:
    """Damage and lost events are warnings, at the line that caused them."""
    with pytest.warns(etl2parquet.EtlWarning, match="process absent matches none of its processes") as found:
        assert etl2parquet.scan(sample, process="absent").to_arrow().num_rows == 0
    assert found[0].filename == __file__
    damaged = tmp_path / "damaged.etl"
    data = bytearray(sample.read_bytes())
    data[-4096:] = bytes(4096)
    damaged.write_bytes(data[:-100])
    with pytest.warns(etl2parquet.EtlWarning, match="damaged.etl: "):
        etl2parquet.scan(damaged).to_arrow()
    with pytest.raises(etl2parquet.EtlError, match="the trace is damaged"):
        etl2parquet.scan(damaged, strict=True).to_arrow()
