"""Many files, good and bad, that come, change and go: what Spark reads, and what it says."""

from __future__ import annotations

import gzip
import shutil
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spark_testing

_ROWS = 5  # processes in the sample
_BLOCK = 32768  # bytes of a block of a cab


@pytest.fixture(scope="module")
def spark() -> Any:
    return spark_testing.session()[0]


@pytest.fixture
def program() -> Iterator[spark_testing.Program]:
    program = spark_testing.session()[1]
    yield program
    program.change.unlink(missing_ok=True)


def load(spark: Any, path: object, table: str = "processes", **options: str) -> Any:
    inputs = list(map(str, path)) if isinstance(path, list) else str(path)
    return spark.read.format("etl").option("table", table).options(**options).load(inputs)


def traces(rows: Any) -> list[str]:
    """Returns the names of the traces, once for each five rows."""
    counts = {r["trace"]: r["count"] for r in rows.groupBy("trace").count().collect()}
    return sorted(name for name, count in counts.items() for _ in range(count // _ROWS))


def said(rows: Any) -> str:
    """Returns the message of the error."""
    with pytest.raises(Exception) as e:
        rows.collect()
    return next(line for line in str(e.value).splitlines() if "etl2parquet._errors." in line)


def cab(path: Path, files: dict[str, bytes]) -> None:
    """Writes a cab without compression and checksums."""
    data = b"".join(files.values())
    blocks = [data[i : i + _BLOCK] for i in range(0, len(data), _BLOCK)]
    entries, at = b"", 0
    for name, content in files.items():
        entries += struct.pack("<IIHHHH", len(content), at, 0, 0, 0, 0x20) + name.encode() + b"\0"
        at += len(content)
    start = 36 + 8 + len(entries)
    size = start + sum(8 + len(b) for b in blocks)
    header = b"MSCF" + struct.pack("<IIIIIBBHHHHH", 0, size, 0, 44, 0, 3, 1, 1, len(files), 0, 0, 0)
    folder = struct.pack("<IHH", start, len(blocks), 0)
    path.write_bytes(header + folder + entries + b"".join(struct.pack("<IHH", 0, len(b), len(b)) + b for b in blocks))


def test_inputs(spark: Any, sample: Path, tmp_path: Path) -> None:
    folder, data = tmp_path / "in", sample.read_bytes()
    for name in ("one", "a/two", "a/b/three", "c/four"):
        path = folder / f"{name}.etl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    packed = tmp_path / "packed"
    packed.mkdir()
    (packed / "gz.etl.gz").write_bytes(gzip.compress(data))
    with zipfile.ZipFile(packed / "zip.zip", "w") as archive:
        archive.writestr("x/z1.etl", data)
        archive.writestr("z2.etl", data)
    cab(packed / "cab.cab", {f"cab{i}.etl": data for i in range(7)})
    four = ["four", "one", "three", "two"]
    cabs = [f"cab{i}" for i in range(7)]
    for given, want in (
        (folder / "**" / "*.etl", four),
        (folder, four),
        (f"file://{folder}/a", ["three", "two"]),
        (f"file:{folder}/a/*.etl", ["two"]),
        ([folder / "one.etl", folder / "c"], ["four", "one"]),
        (packed, sorted(["gz", "z1", "z2", *cabs])),
        ([packed / "cab.cab", folder], sorted([*cabs, *four])),
    ):
        assert traces(load(spark, given)) == want, given
    rows = load(spark, packed, filename="true", splits="20")
    assert rows.columns[-1] == "filename"
    paths = {r["trace"]: r["filename"] for r in rows.select("trace", "filename").distinct().collect()}
    assert paths["z1"] == f"{packed}/zip.zip/x/z1.etl"
    assert paths["gz"] == f"{packed}/gz.etl.gz/gz.etl"
    assert traces(rows) == sorted(["gz", "z1", "z2", *cabs])
    saved = load(spark, packed, "Etl2parquet.Sample/FileSaved").groupBy("trace").count().collect()
    assert len(saved) == 10 and len({r["count"] for r in saved}) == 1


def test_paths(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from etl2parquet._spark_options import parse

    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "100%41").touch()
    for given, want in (
        ("~/traces/*.etl", f"{tmp_path}/traces/*.etl"),
        ("file:/in/a.etl", "/in/a.etl"),
        ("file:///in/a%20b.etl", "/in/a b.etl"),
        (f"file://localhost{tmp_path}/100%41", f"{tmp_path}/100%41"),
        ("s3a://bucket/in", "s3://bucket/in"),
    ):
        assert parse({"path": given}).inputs == (want,)


def test_bad_files(spark: Any, sample: Path, tmp_path: Path) -> None:
    shutil.copy(sample, tmp_path / "good.etl")
    (tmp_path / "empty.etl").touch()
    with zipfile.ZipFile(tmp_path / "half.zip", "w") as archive:
        archive.write(sample, "half.etl")
        archive.writestr("bad.etl", b"\x00\x01\x02trace")
    rows = load(spark, tmp_path)
    message = said(load(spark, tmp_path / "*.etl"))
    assert (
        f"{tmp_path}/empty.etl: not an ETL trace: the file is empty; to leave out such files, set the option" in message
    )
    assert "ignoreCorruptFiles or spark.sql.files.ignoreCorruptFiles to true" in message
    assert traces(load(spark, tmp_path, ignoreCorruptFiles="true")) == ["good", "half"]
    saved = load(
        spark, tmp_path, "Etl2parquet.Sample/FileSaved", ignoreCorruptFiles="true"
    )  # columns are of the traces
    assert {r["trace"] for r in saved.select("trace").distinct().collect()} == {"good", "half"}
    try:
        spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
        assert traces(rows) == ["good", "half"]
        found = load(spark, tmp_path, "problems", filename="true").where("code = 'input_unreadable'").collect()
        assert "empty.etl: not an ETL trace" in said(load(spark, tmp_path / "empty.etl", ignoreCorruptFiles="false"))
    finally:
        spark.conf.unset("spark.sql.files.ignoreCorruptFiles")
    assert {(r["trace"], r["severity"], r["message"], r["filename"]) for r in found} == {
        (name, "error", f"{path}: not an ETL trace: {reason}", path)
        for name, path, reason in (
            ("empty", f"{tmp_path}/empty.etl", "the file is empty"),
            ("bad", f"{tmp_path}/half.zip/bad.etl", "it has only 8 bytes"),
        )
    }
    shutil.copy(sample, tmp_path / "empty.etl")
    (tmp_path / "half.zip").unlink()
    assert traces(load(spark, tmp_path)) == ["empty", "good"]


def test_damage(spark: Any, shared: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from pyspark.sql.types import StringType, StructField, StructType

    from etl2parquet._spark_options import parse
    from etl2parquet.spark import EtlReader

    cut = tmp_path / "cut.etl"
    cut.write_bytes((shared / "AMSITrace.etl").read_bytes()[:200000])
    reader = EtlReader(parse({"path": str(cut), "splits": "2"}), StructType([StructField("trace", StringType())]), None)
    parts = reader.partitions()
    assert len(parts) == 2
    assert sum(b.num_rows for p in parts for b in reader.read(p)) > 0
    error = f"etl2parquet: {cut}: error: WMI_BUFFER_HEADER.BufferSize: truncated"
    assert [line.startswith(error) for line in caplog.messages].count(True) == 1
    assert load(spark, cut, "problems").where("severity = 'error'").count() == 1
    message = said(load(spark, cut, "event_header", strict="true", ignoreCorruptFiles="true"))
    assert "cut.etl: the trace is damaged: error: WMI_BUFFER_HEADER.BufferSize" in message
    assert "the table problems lists all damage" in message
    good = load(spark, shared / "HTTP_Server.etl", "event_header", strict="true", provider="no-such-provider")
    assert good.count() == 0


def test_dataframe_after_changes(spark: Any, sample: Path, tmp_path: Path) -> None:
    one, two, data = tmp_path / "one.etl", tmp_path / "two.etl", sample.read_bytes()
    shutil.copy(sample, one)
    shutil.copy(sample, two)
    rows = load(spark, tmp_path)
    rows.createOrReplaceTempView("changing")
    divided = load(spark, one, "event_header", splits="8")
    assert traces(rows) == ["one", "two"]
    assert divided.count() > 0
    one.write_bytes(data + data[: len(data) // 2])
    (tmp_path / "sub").mkdir()
    shutil.copy(sample, tmp_path / "sub" / "three.etl")
    assert traces(spark.sql("SELECT * FROM changing")) == ["one", "three", "two"]
    assert traces(rows) == ["one", "three", "two"]
    assert "the file has changed since load(), which divided it among several tasks: call load() again" in said(divided)
    two.unlink()
    message = said(rows)
    assert "two.etl: no such file or directory: it was there when the query was planned; to leave out" in message
    spark.conf.set("spark.sql.files.ignoreMissingFiles", "true")
    try:
        assert traces(rows) == ["one", "three"]
    finally:
        spark.conf.unset("spark.sql.files.ignoreMissingFiles")
    assert traces(load(spark, tmp_path)) == ["one", "three"]


def test_change_during_a_scan(spark: Any, sample: Path, tmp_path: Path, program: spark_testing.Program) -> None:
    shutil.copy(sample, tmp_path / "one.etl")
    rows = load(spark, tmp_path, ignoreCorruptFiles="true")
    program.change.touch()
    assert "one.etl: the file changed while it was read: run the query again" in said(rows)
    program.change.unlink()
    assert traces(rows) == ["one"]
