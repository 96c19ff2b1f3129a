"""Columns that are read as the types of a given schema."""

from __future__ import annotations

import base64
import datetime as dt
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import spark_testing

# Three traces, each with one event E of a TraceLogging provider, as zlib and base85:
# E(A:u32,S:struct(X:u8),N:u32) with 1, 2, 7; E(S:struct(Y:str8,X:u64),A:str8,L:struct(Z:u8)[],N:u64) with y,
# 5, a, one 7, 2^64-1; E(L:struct(Z:u8,W:str8)[]) with one 8, w.
_FORMS = {
    "a": (
        "c-rmQy$-"
        "=p7{>AER7J4}gAv!kVz3x27BMvv7hyBHf~Mh4NHB^^5cfjskhDIci$U`LHK$4QzC9;zx2LK|3uD(eIoZCJ+?SdoXWvQgaa^`j4be"
        "Fznf$ab-P-"
        "(heYZN9@x)2&VQb#~*)Qt<1&#AInsXk6_o3|E&!77O00000zz@Z_{2;rMx!ruo|8ZaIO>L&yKK0IX{<k(+V{=pG=w6L3_0*L&RA@"
        "$W2alfv@mWrR{0sm9002N1S83j{5d"
    ),
    "b": (
        "c-"
        "rmPzYf7r6bA6`UTsi|#9)y~H}Ak=u!vYJbgCvE!e+GDnua$ap|dAw#Jh0oHnc@p43h8H+?zD#+&`zC4ywRX=<!JbI?smj6qAr)C%"
        "wmU-OePab1VpR)(38B?zVo|oP^`a)E+ukO5WWv{-"
        "57G?^T@(KS+wwb>~0#g@}lVh=_>jhvL3Gf*$F<UA*c4<2?ICY=v5wS(ESowcWREa|;zUH`Ie3MhN5tatx~rIY1;F7(-Zb-"
        "W+DKVyf<3yqCp4OGHFOL_|dNa0M(9tT_"
    ),
    "c": (
        "c-"
        "rmPu@1pd6vpwd7fCUY7}%uG!D<n^q*Eg?nyp4p&<HOgBy{!!BHo3|HB=D{2Fd@|+$POA_qM0or>Zpd+<GS`*B2=NP%|<~JAKA(-"
        "nwhB?<vVE47<{`En3yLi-Q*qOzI3*^KZ{lQU5P)9yfN*Nj$p^<>t=*?h^n20000#bjjsQxs}fC-"
        "i!Qy=?k9JMye%ud$Rf8S$`Uv8!Fp-#a`;Dr@aZ4@5|Wl^2g+5000000KRhuba}xe"
    ),
}


@pytest.fixture(scope="module")
def types() -> Any:
    spark_testing.environment()
    from etl2parquet import _spark_types

    return _spark_types


_AB = pa.struct([("a", pa.int64()), ("b", pa.string())])


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
        (pa.array([{"a": 1, "ü": b"\x01"}]), pa.string(), ['{"a":1,"ü":"01"}']),
        (pa.array([{"f": 0.1}], pa.struct([("f", pa.float32())])), pa.string(), ['{"f":0.1}']),
        (pa.array([{"a": None, "b": [1.5, float("nan")]}]), pa.string(), ['{"b":[1.5,"NaN"]}']),
        (pa.array([[dt.datetime(2020, 1, 2, 3, 4, 5)]], pa.list_(pa.timestamp("us", "UTC"))), pa.string(), ['["2020-01-02T03:04:05.000000Z"]']),
    ],
)  # fmt: skip
def test_cast(types: Any, array: pa.Array, target: pa.DataType, want: list[Any]) -> None:
    got = types.cast(array, target)
    assert got.type == target
    assert got.to_pylist() == want


def test_forms_of_an_event(types: Any, tmp_path: Path) -> None:
    spark, _ = spark_testing.session()
    for name, text in _FORMS.items():
        (tmp_path / f"{name}.etl").write_bytes(zlib.decompress(base64.b85decode(text)))

    def load(path: Path, **options: str) -> Any:
        table = "00000000_0000_0000_0000_0000000000bb_e"
        return (
            spark.read.format("etl").option("table", table).options(**{"columns": "s,a,l,n", **options}).load(str(path))
        )

    rows = load(tmp_path)
    assert [f.dataType.simpleString() for f in rows.schema] == [
        "string", "struct<x:decimal(20,0),y:string>", "string", "array<struct<w:string,z:int>>", "decimal(20,0)"
    ]  # fmt: skip
    want = [
        {"trace": "a", "s": {"x": 2, "y": None}, "a": "1", "l": None, "n": 7},
        {"trace": "b", "s": {"x": 5, "y": "y"}, "a": "a", "l": [{"w": None, "z": 7}], "n": 2**64 - 1},
        {"trace": "c", "s": None, "a": None, "l": [{"w": "w", "z": 8}], "n": None},
    ]
    for df in (rows, load(tmp_path, splits="6")):
        assert [r.asDict(recursive=True) for r in df.orderBy("trace").collect()] == want
    assert [r["s"]["y"] for r in rows.where("s.x = 5").collect()] == ["y"]
    given = spark.read.format("etl").option("table", "00000000_0000_0000_0000_0000000000bb_e")
    given = given.schema("trace string, s struct<x bigint>, n bigint").load(str(tmp_path / "a.etl"))
    assert [r.asDict(recursive=True) for r in given.collect()] == [{"trace": "a", "s": {"x": 2}, "n": 7}]

    (tmp_path / "new").mkdir()
    (tmp_path / "a.etl").rename(tmp_path / "new" / "a.etl")
    rows = load(tmp_path / "new", columns="s,a,n")
    (tmp_path / "b.etl").rename(tmp_path / "new" / "b.etl")
    with pytest.raises(Exception) as e:
        rows.collect()
    assert "b.etl: column s of the table" in str(e.value)
    assert "the trace came or changed after load(): call load() again" in str(e.value)
