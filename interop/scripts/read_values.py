"""Reads a small file with DuckDB, pyarrow, pandas and Polars, with default options.

Question: {path, columns: [{name, type, list}]}.
Answer: {engine: {types: [type], rows: [[value]]}}, values as values.plain makes them.
"""
import json
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet
from values import plain


def by_duckdb(path, columns):
    con = duckdb.connect()
    types = [r[1] for r in con.execute(f"DESCRIBE FROM '{path}'").fetchall()]
    select = ", ".join(f"epoch_us({c['name']})" if c["type"] == "TIMESTAMP" else c["name"] for c in columns)
    return types, con.execute(f"SELECT {select} FROM '{path}'").fetchall()


def by_pyarrow(path, columns):
    table = pyarrow.parquet.read_table(path)
    data = [(table[c["name"]].cast("int64") if c["type"] == "TIMESTAMP" else table[c["name"]]).to_pylist() for c in columns]
    return [str(t) for t in table.schema.types], zip(*data)


def by_polars(path, columns):
    frame = polars.read_parquet(path)
    types = [str(t) for t in frame.dtypes]
    for c in columns:
        if c["type"] == "TIMESTAMP":
            frame = frame.with_columns(polars.col(c["name"]).dt.timestamp("us"))
    return types, frame.rows()


def by_pandas(path, columns, **options):
    frame = pandas.read_parquet(path, **options)
    types = [str(t) for t in frame.dtypes]
    data = []
    for c in columns:
        series = frame[c["name"]]
        values = [None if v is pandas.NA or c["type"] != "DOUBLE" and pandas.api.types.is_scalar(v) and pandas.isna(v) else v
                  for v in series.tolist()]
        if c["type"] == "TIMESTAMP":
            values = [None if v is None else v.value if v.unit == "ns" else v.asm8.astype("int64") for v in values]
        data.append(values)
    return types, zip(*data)


question = json.load(sys.stdin)
answer = {}
for engine, read in {
        "duckdb": by_duckdb, "pyarrow": by_pyarrow, "polars": by_polars, "pandas": by_pandas,
        "pandas with dtype_backend": lambda *q: by_pandas(*q, dtype_backend="pyarrow")}.items():
    types, rows = read(question["path"], question["columns"])
    answer[engine] = {"types": types, "rows": [[plain(c, v) for c, v in zip(question["columns"], row)] for row in rows]}
print(json.dumps(answer))
