"""A Spark session for tests, and the program behind a script that can fail."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from conftest import missing

import etl2parquet._program

# The program, with three differences: it records its arguments, and on request one run of cat writes some
# of its rows and is then killed, or each changes its trace.
_SCRIPT = """\
#!/bin/sh
printf '%s\\n' "$*" >> {folder}/calls
if [ "$1" = cat ] && mv {folder}/fail-once {folder}/failed 2>/dev/null; then
    {program} "$@" | head -c 100000
    kill -9 $$
fi
if [ "$1" = cat ] && [ -e {folder}/change ]; then
    {program} "$@" || exit
    for last; do :; done
    printf x >> "$last"
    exit
fi
exec {program} "$@"
"""


class Program:
    """The script."""

    def __init__(self, folder: Path) -> None:
        self._calls, self._fail, self._failed = folder / "calls", folder / "fail-once", folder / "failed"
        self.change = folder / "change"  # while it exists, each run of cat changes its trace
        self.path = folder / "etl2parquet"
        self.path.write_text(_SCRIPT.format(folder=folder, program=etl2parquet._program.program()))
        self.path.chmod(0o755)

    def calls(self, command: str) -> list[str]:
        """Returns the arguments of a command's runs since the last call."""
        lines = self._calls.read_text().splitlines() if self._calls.exists() else []
        self._calls.unlink(missing_ok=True)
        return [line for line in lines if line.startswith(command + " ")]

    def fail_once(self) -> None:
        self._failed.unlink(missing_ok=True)
        self._fail.touch()

    def has_failed(self) -> bool:
        return self._failed.exists()


def environment() -> dict[str, str]:
    """Returns the environment for Spark. Skips the test if Spark cannot run."""
    if sys.platform == "win32":
        missing("Spark on Windows", "run the tests on Linux or macOS")
    try:
        import pyspark  # noqa: F401
    except ImportError:
        missing("pyspark", "install python/requirements-test.txt")
    if shutil.which("java") is None:
        missing("Java for Spark", "install a Java runtime, 17 or later")
    return {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_AUTH_SOCKET_TIMEOUT": "120",  # seconds; the default is too short for a busy machine
        "SPARK_LOCAL_IP": "127.0.0.1",
        "TZ": "UTC",
    }


@cache
def session() -> tuple[Any, Program]:
    """Returns a session of two processors in which each task may fail twice, and the program that
    it runs."""
    os.environ.update(environment())
    from pyspark.sql import SparkSession

    from etl2parquet.spark import EtlDataSource

    folder = Path(tempfile.mkdtemp(prefix="spark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = Program(folder)
    os.environ["ETL2PARQUET"] = str(program.path)
    builder = SparkSession.builder.master("local[2,3]")  # type: ignore[attr-defined]
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC",  # less to compile
        "spark.sql.codegen.wholeStage": "false",
        "spark.python.authenticate.socketTimeout": "120s",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder),
    }.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    atexit.register(spark.stop)
    warnings.filterwarnings("ignore", category=ResourceWarning)  # of py4j
    spark.sparkContext.setLogLevel("OFF")
    spark.dataSource.register(EtlDataSource)
    return spark, program
