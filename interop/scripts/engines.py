"""Counts the rows of a dataset's tables with engines that know only the paths of its files.

Question: [{root, tables}].
Answer: per dataset {engine: {table: {trace: rows}}}.
"""
import json
import sys

import chdb
import one_core
import pandas
import polars

spark = one_core.spark()


def by_polars(folder):
    return dict(polars.scan_parquet(f"{folder}/*.parquet").group_by("trace").len().collect().iter_rows())


def by_pandas(folder):
    return {k: int(v) for k, v in pandas.read_parquet(folder, columns=["trace"])["trace"].value_counts().items()}


def by_spark(folder):
    return {r[0]: r[1] for r in spark.read.parquet(folder).groupBy("trace").count().collect()}


def by_clickhouse(folder):
    text = folder.replace("\\", "\\\\").replace("'", "\\'")
    answer = chdb.query(f"SELECT trace, toUInt32(count()) AS n FROM file('{text}/*.parquet', Parquet) GROUP BY trace", "JSON")
    return {row["trace"]: row["n"] for row in json.loads(str(answer))["data"]}


ENGINES = {"polars": by_polars, "pandas": by_pandas, "spark": by_spark, "clickhouse": by_clickhouse}


def count(root, tables):
    return {name: {t: read(f"{root}/{t}") for t in tables} for name, read in ENGINES.items()}


print(json.dumps([count(**q) for q in json.load(sys.stdin)]))
