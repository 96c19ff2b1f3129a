"""The tables and views of a dataset as temporary views of Spark."""

from __future__ import annotations

import functools
import importlib.resources
import pathlib
import re
import warnings
from collections.abc import Iterable
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import broadcast

from ._errors import EtlWarning, NotFound
from ._program import run_json_lines

_TYPES = {"INT32": "INT", "INT64": "BIGINT", "UINT64": "DECIMAL(20,0)"}  # the others have one name in both


def views(spark: SparkSession, folder: str, names: Iterable[str] | None = None, own: str | None = None) -> list[str]:
    """Makes the tables of a converted dataset, and the views over them, temporary views of the session.

    ``names`` are the tables and views to make, with what they read; None makes all, which takes Spark long.
    A table of an event that the dataset lacks is empty. ``own`` is a folder of views of yours, or of sources of
    them, in DuckDB's SQL: they are translated if sqlglot is installed, and else left out with a warning. Returns
    the names of what was made, each after what it reads.

    ``folder`` is a path or a URL of Spark's. A local one without a dataset is NotFound.
    """
    if "://" not in folder:  # Spark has its own working directory
        if not (pathlib.Path(folder) / "_traces").is_dir():
            raise NotFound(None, f"{folder} is no dataset: it has no folder _traces")
        folder = pathlib.Path(folder).resolve().as_uri()
    tables = _tables(own)
    statements = _statements() | (_own(own) if own else {})
    if names is not None:
        unknown = sorted(set(names := list(names)) - tables.keys() - statements.keys())
        if unknown:
            raise ValueError(f"the tables and views have no {', '.join(unknown)}")
    order: list[str] = []
    for name in (*tables, *statements) if names is None else names:
        _add(name, tables, statements, order)
    starts = broadcast(_files(spark, f"{folder}/traces", "trace STRING, start_ns BIGINT"))
    for name in order:
        frame = spark.sql(statements[name]) if name in statements else _table(spark, folder, tables[name], starts)
        frame.createOrReplaceTempView(name)
    return order


def _add(name: str, tables: dict[str, Any], statements: dict[str, str], order: list[str]) -> None:
    """Adds a table or view to a list, after what it reads."""
    if name in order:
        return
    for read in dict.fromkeys(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", statements.get(name, ""), re.IGNORECASE)):
        if read != name and (read in tables or read in statements):
            _add(read, tables, statements, order)
    order.append(name)


def _table(spark: SparkSession, folder: str, table: dict[str, Any], starts: DataFrame) -> DataFrame:
    columns = ", ".join(["trace STRING"] + [f"`{c['name']}` {_type(c)}" for c in table["columns"]])
    frame = _files(spark, f"{folder}/{table['name']}", columns)
    if "seconds" in frame.columns:  # files lack it, and clock_ns
        computed = {"seconds": "(time_ns - start_ns) / 1e9 AS seconds", "clock_ns": "time_ns AS clock_ns"}
        names = [computed.get(name, f"`{name}`") for name in frame.columns]
        frame = frame.join(starts, "trace", "left").selectExpr(*names)
    return frame


def _files(spark: SparkSession, path: str, columns: str) -> DataFrame:
    try:
        return spark.read.schema(columns).parquet(path)
    except AnalysisException as e:
        if e.getCondition() != "PATH_NOT_FOUND":
            raise
        return spark.createDataFrame([], columns)


def _type(column: dict[str, Any]) -> str:
    kind = str(column["type"])
    if kind.startswith("LIST<"):
        return f"ARRAY<{_type({**column, 'type': kind[5:-1]})}>"
    if "fields" in column:
        members = ", ".join(f"`{m['name']}`: {_type(m)}" for m in column["fields"])
        return f"STRUCT<{members}>"
    return _TYPES.get(kind, kind)


@functools.cache
def _described(own: str | None) -> list[dict[str, Any]]:
    return list(run_json_lines(["describe", "--json", *(["--views", own] if own else [])]))


def _tables(own: str | None) -> dict[str, Any]:
    """Returns the tables that any dataset can have, by their names in SQL, without views."""
    described = _described(own)
    return {re.sub(r"\W", "_", t["name"].removeprefix("events/")).lower(): t for t in described if "sql" not in t}


@functools.cache
def _statements() -> dict[str, str]:
    """Returns the SQL of the views by name."""
    text = importlib.resources.files("etl2parquet").joinpath("_spark_views.sql").read_text("utf-8")
    return {m[1]: m[2] for m in re.finditer(r"-- view (\w+)\n(.*?);\n", text, re.DOTALL)}


def _own(folder: str) -> dict[str, str]:
    try:
        from ._spark_sql import to_spark
    except ImportError as e:
        warnings.warn(f"the views of {folder} are left out: {e}; pip install sqlglot", EtlWarning, stacklevel=3)
        return {}
    known = {t["name"]: t.get("sql") for t in _described(None)}
    views = {t["name"]: t["sql"] for t in _described(folder) if "sql" in t and "parameters" not in t}
    return {name: to_spark(sql) for name, sql in views.items() if sql != known.get(name)}
