"""Types of columns that differ between traces."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pytest


@pytest.fixture(scope="module")
def types() -> Any:
    import spark_testing

    spark_testing.environment()
    from etl2parquet import _spark_types

    return _spark_types


_A = pa.struct([("a", pa.int32())])
_AB = pa.struct([("a", pa.int64()), ("b", pa.string())])


@pytest.mark.parametrize(
    ("one", "two", "want"),
    [
        (pa.int32(), pa.int64(), pa.int64()),
        (pa.int64(), pa.uint64(), pa.decimal128(20, 0)),
        (pa.float32(), pa.float64(), pa.float64()),
        (pa.int32(), pa.string(), pa.string()),
        (pa.timestamp("us", "UTC"), pa.string(), pa.string()),
        (_A, _AB, _AB),
        (_AB, _A, _AB),
        (_A, pa.struct([("c", pa.int32())]), pa.struct([("a", pa.int32()), ("c", pa.int32())])),
        (pa.list_(_A), pa.list_(_AB), pa.list_(_AB)),
        (pa.list_(pa.int32()), pa.list_(pa.string()), pa.list_(pa.string())),
        (_A, pa.string(), pa.string()),
    ],
)
def test_merged(types: Any, one: pa.DataType, two: pa.DataType, want: pa.DataType) -> None:
    assert types.merged(one, two) == want
    for source in (one, two):
        assert types.castable(source, want)
        assert types.cast(pa.nulls(3, source), want) == pa.nulls(3, want)


@pytest.mark.parametrize(
    ("array", "target", "want"),
    [
        (pa.array([{"a": 1}, None, {"a": None}]), _AB, [{"a": 1, "b": None}, None, {"a": None, "b": None}]),
        (pa.array([[{"a": 1}, None], None, [], [{"a": 2}]]), pa.list_(_AB), [[{"a": 1, "b": None}, None], None, [], [{"a": 2, "b": None}]]),
        (pa.array([[1, 2], None, [3]])[1:], pa.list_(pa.string()), [None, ["3"]]),
        (pa.array([1, None]), pa.string(), ["1", None]),
        (pa.array([2**64 - 1], pa.uint64()), pa.decimal128(20, 0), [2**64 - 1]),
        (pa.array([dt.datetime(2020, 1, 2, 3, 4, 5, 6)], pa.timestamp("us", "UTC")), pa.string(), ["2020-01-02T03:04:05.000006Z"]),
        (pa.array([True, False]), pa.string(), ["true", "false"]),
        (pa.array([b"\x00\xff"]), pa.string(), ["00ff"]),
        (pa.array([{"a": 1, "ü": b"\x01"}]), pa.string(), ['{"a": 1, "ü": "01"}']),
    ],
)  # fmt: skip
def test_cast(types: Any, array: pa.Array, target: pa.DataType, want: list[Any]) -> None:
    got = types.cast(array, target)
    assert got.type == target
    assert got.to_pylist() == want
