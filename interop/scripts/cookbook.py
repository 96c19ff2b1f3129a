"""Runs the statements of docs/cookbook.md in DuckDB and in Spark, as the page says.

Question: {setup, statements: [sql] or {folder's name: [sql]}, folders: {name: folder}, names: {folder's name: [name]}}: the page's lines for Spark, folders with a dataset out, the views that are made in place of all, and the program.
Answer: {folder's name: {engine: [{columns, rows}]}}, times as us since 1970.
"""
import decimal
import json
import os
import sys

import duckdb
import one_core
from etl2parquet.spark import views

question = json.load(sys.stdin)
os.environ["ETL2PARQUET"] = question["program"]
# The page uses this session.
spark = one_core.spark(spark_sql_shuffle_partitions="2")


def plain(value):
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, decimal.Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def answer(columns, rows):
    return {"columns": columns, "rows": [[plain(v) for v in row] for row in rows]}


def by_duckdb(statements):
    con = duckdb.connect()
    con.execute(open("out/views.sql", encoding="utf-8").read())
    for sql in statements:
        relation = con.sql(sql.strip().removesuffix(";"))
        select = ", ".join(f"epoch_us({c}) AS {c}" if str(t).startswith("TIMESTAMP") else c for c, t in zip(relation.columns, relation.types))
        yield answer(relation.columns, relation.project(select).fetchall())


def by_spark(statements, names):
    if names:
        views(spark, "out", names)
    else:
        exec(question["setup"], {})
    for sql in statements:
        frame = spark.sql(sql.strip().removesuffix(";"))
        select = [f"unix_micros({f.name}) AS {f.name}" if f.dataType.typeName() == "timestamp" else f.name for f in frame.schema.fields]
        yield answer(frame.columns, frame.selectExpr(*select).collect())


answers = {}
for name, folder in question["folders"].items():
    os.chdir(folder)
    statements = question["statements"]
    if isinstance(statements, dict):
        statements = statements[name]
    answers[name] = {"duckdb": list(by_duckdb(statements)), "spark": list(by_spark(statements, question.get("names", {}).get(name)))}
print(json.dumps(answers))
