"""Two executors, each a process of its own: they find the package and the program by the
environment that the query was started with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import spark_testing

_SCRIPT = """
import json, sys
from pyspark.sql import SparkSession
from etl2parquet.spark import EtlDataSource

spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.ui.enabled", "false")
    .config("spark.executor.memory", "512m")
    .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC")
    .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC")
    .config("spark.python.authenticate.socketTimeout", "120s")
    .config("spark.executorEnv.PYTHONPATH", {path!r})
    .config("spark.executorEnv.ETL2PARQUET", {program!r})
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.locality.wait", "0")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
spark.dataSource.register(EtlDataSource)
rows = spark.read.format("etl").option("table", "event_header").option("splits", "8").load({trace!r})


def executor(batches):
    import os, pyarrow
    names = [os.environ["SPARK_EXECUTOR_DIRS"]]
    for batch in batches:
        yield pyarrow.record_batch([names, [batch.num_rows]], names=["executor", "rows"])


counts = rows.select("time_ns").mapInArrow(executor, "executor string, rows long").collect()
print(json.dumps([[r["executor"], r["rows"]] for r in counts]))
spark.stop()
"""


def test_two_executors(shared: Path, tmp_path: Path) -> None:
    import pyspark

    import etl2parquet
    from etl2parquet._program import program

    trace = shared / "KernelNetwork.etl"
    package = str(Path(etl2parquet.__file__).parents[1])
    script = _SCRIPT.format(path=package, program=program(), trace=str(trace))
    home = str(Path(pyspark.__file__).parent)
    env = {**os.environ, **spark_testing.environment(), "SPARK_HOME": home, "PYTHONPATH": package}
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, env=env, timeout=600, check=False
    )
    if run.returncode != 0:
        pytest.fail(run.stderr[-4000:])
    counts = json.loads(run.stdout.splitlines()[-1])
    assert len({executor for executor, _ in counts}) == 2
    want = etl2parquet.scan(trace, table="event_header", columns=["time_ns"]).to_arrow().num_rows
    assert sum(rows for _, rows in counts) == want
