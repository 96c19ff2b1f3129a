"""Traces that arrive in a folder: each is read once, whatever happens between batches."""

from __future__ import annotations

import json
import os
import shutil
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
import spark_testing


@pytest.fixture(scope="module")
def spark() -> Any:
    return spark_testing.session()[0]


class Stream:
    """A streaming query that is started for what is there, and then ends, again and again."""

    def __init__(self, spark: Any, folder: Path) -> None:
        self._spark = spark
        self.arrivals, self._checkpoint, self._result = folder / "arrivals", folder / "checkpoint", folder / "result"
        self.arrivals.mkdir()

    def arrive(self, name: str, source: Path, age: float = 3600) -> None:
        path = self.arrivals / name
        path.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, path)
        os.utime(path, (time.time() - age,) * 2)

    def run(self, **options: str) -> None:
        rows = self._spark.readStream.format("etl").option("table", "processes").options(**options)
        writer = rows.load(str(self.arrivals)).writeStream.option("checkpointLocation", str(self._checkpoint))
        query = writer.trigger(availableNow=True).format("parquet").start(str(self._result))
        query.awaitTermination()

    def counts(self) -> dict[str, int]:
        rows = self._spark.read.parquet(str(self._result)).groupBy("trace").count().collect()
        return {r["trace"]: r["count"] for r in rows}

    def offsets(self) -> list[dict[str, Any]]:
        """Returns the offsets of the checkpoint, the latest last."""
        files = sorted((self._checkpoint / "offsets").glob("[0-9]*"), key=lambda p: int(p.name))
        return [json.loads(f.read_text().splitlines()[-1]) for f in files]


@pytest.fixture
def stream(spark: Any, tmp_path: Path) -> Stream:
    return Stream(spark, tmp_path)


def test_arrivals(stream: Stream, sample: Path) -> None:
    rows = 5  # of processes in the sample
    stream.arrive("one.etl", sample)
    stream.arrive("two.etl.part", sample)
    stream.arrive("three.etl", sample, age=0)
    stream.run(quiet="600s")
    assert stream.counts() == {"one": rows}  # two has no finished name, three was just written

    (stream.arrivals / "two.etl.part").rename(stream.arrivals / "two.etl")
    stream.arrive("host/one.etl", sample)
    stream.run(quiet="600s")
    assert stream.counts() == {"one": rows, "two": rows, "host/one": rows}
    assert len(stream.offsets()) == 2

    stream.run(quiet="0s")
    assert stream.counts() == {"one": rows, "two": rows, "three": rows, "host/one": rows}
    stream.run(quiet="0s")
    assert len(stream.offsets()) == 3  # nothing new, no batch

    stream.arrive("one.etl", sample, age=1800)  # a name counts once
    (stream.arrivals / "two.etl").unlink()
    stream.arrive("four.etl", sample)
    stream.run()
    assert stream.counts() == {"one": rows, "two": rows, "three": rows, "host/one": rows, "four": rows}
    stream.arrive("two.etl", sample)  # it was forgotten with its file
    stream.run()
    assert stream.counts()["two"] == 2 * rows
    assert len(stream.offsets()[-1]["read"]) <= 12 * 5


def test_many_batches(stream: Stream, sample: Path) -> None:
    for i in range(5):
        stream.arrive(f"t{i}.etl", sample, age=100 - i)
    stream.run(maxFilesPerTrigger="2")
    batches = [[Path(p).name for p in o["batch"]] for o in stream.offsets()]
    assert batches == [["t0.etl", "t1.etl"], ["t2.etl", "t3.etl"], ["t4.etl"]]
    assert stream.counts() == dict.fromkeys(["t0", "t1", "t2", "t3", "t4"], 5)


def test_interrupted_batch(stream: Stream, sample: Path) -> None:
    """A batch that failed is read by the next run: the traces that it had, and no others."""
    stream.arrive("good.etl", sample)
    stream.run()
    stream.arrive("late.etl", sample)
    (stream.arrivals / "bad.etl").write_bytes(b"no trace")
    os.utime(stream.arrivals / "bad.etl", (0, 0))
    with pytest.raises(Exception) as e:
        stream.run()
    assert "bad.etl: " in str(e.value)
    (stream.arrivals / "bad.etl").unlink()
    stream.arrive("later.etl", sample)
    with pytest.raises(Exception) as e:
        stream.run()
    assert "bad.etl: the batch that reads this trace did not end" in str(e.value)
    stream.run(ignoreMissingFiles="true")
    assert stream.counts() == {"good": 5, "late": 5, "later": 5}
    assert [Path(p).name for p in stream.offsets()[-1]["batch"]] == ["later.etl"]


def test_bad_files_and_archives(stream: Stream, spark: Any, sample: Path, tmp_path: Path) -> None:
    empty, archive = tmp_path / "empty", tmp_path / "archive"
    empty.touch()
    with zipfile.ZipFile(archive, "w") as z:
        z.write(sample, "x/one.etl")
        z.write(sample, "two.etl")
    stream.arrive("empty.etl", empty)
    stream.arrive("host/pack.zip", archive)
    for _ in range(2):
        with pytest.raises(Exception) as e:
            stream.run()
        assert "empty.etl: not an ETL trace: the file is empty; to leave out such files" in str(e.value)
    spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
    try:
        stream.run()
    finally:
        spark.conf.unset("spark.sql.files.ignoreCorruptFiles")
    stream.arrive("later.etl", sample)
    stream.run()
    assert stream.counts() == {"host/pack.zip/x/one": 5, "host/pack.zip/two": 5, "later": 5}


def test_empty_folder(stream: Stream, sample: Path) -> None:
    stream.run()
    stream.arrive("one.etl", sample)
    stream.run()
    assert stream.counts() == {"one": 5}
