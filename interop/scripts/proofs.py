"""Runs the proofs of views: their query in DuckDB and in Spark, and an independent one in DuckDB.

Question: {datasets: [{folder, names, proofs: [{view, other}]}]}: folders with a dataset out, the tables and views that the proofs read, and the program.
Answer: per dataset and proof {columns, duckdb: rows, other: rows, spark: rows}, times as us since 1970; an error as a text in place of rows.
"""
import decimal
import json
import os
import sys

import duckdb
import one_core
from etl2parquet.spark import views
from pyspark.errors import PySparkException

question = json.load(sys.stdin)
os.environ["ETL2PARQUET"] = question["program"]
spark = one_core.spark(spark_sql_shuffle_partitions="2")


def plain(value):
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, decimal.Decimal):
        value = int(value) if value == int(value) else float(value)
    if isinstance(value, int) and abs(value) > 1 << 53:  # more digits than a number of JSON has
        return str(value)
    return value


def by_duckdb(con, sql):
    relation = con.sql(sql.strip().removesuffix(";"))
    select = ", ".join(f'epoch_us("{c}") AS "{c}"' if str(t).startswith("TIMESTAMP") else f'"{c}"' for c, t in zip(relation.columns, relation.types))
    return relation.columns, [[plain(v) for v in row] for row in relation.project(select).fetchall()]


def by_spark(sql):
    frame = spark.sql(sql.strip().removesuffix(";"))
    select = [f"unix_micros(`{f.name}`) AS `{f.name}`" if f.dataType.typeName() == "timestamp" else f"`{f.name}`" for f in frame.schema.fields]
    return [[plain(v) for v in row] for row in frame.selectExpr(*select).collect()]


def prove(con, proof):
    answer = {}
    try:
        answer["columns"], answer["duckdb"] = by_duckdb(con, proof["view"])
        answer["other"] = by_duckdb(con, proof["other"])[1]
        answer["spark"] = by_spark(proof["view"])
    except (duckdb.Error, PySparkException) as e:
        answer["error"] = str(e)
    return answer


def dataset(folder, names, proofs):
    os.chdir(folder)
    con = duckdb.connect()
    con.execute(open("out/views.sql", encoding="utf-8").read())
    views(spark, "out", names)
    return [prove(con, p) for p in proofs]


print(json.dumps([dataset(**d) for d in question["datasets"]]))
