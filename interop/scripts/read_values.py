"""Reads small files with DuckDB and pyarrow, and with pandas and Polars if they are installed, with default options.

Question: [{path, columns: [{name, type, list, fields}]}].
Answer: per file {engine: {types: [type], rows: [[value]]}}, values as values.plain makes them.
"""
import importlib.util
import json
import sys

import duckdb
import pyarrow.parquet
from values import plain


def micros_of(column):
    return column["type"] == "TIMESTAMP" and not column["list"]


def by_duckdb(path, columns):
    con = duckdb.connect()
    types = [r[1] for r in con.execute(f"DESCRIBE FROM '{path}'").fetchall()]
    # Members of structs are cast: the package needs another package, which is not installed, to make a TIMESTAMPTZ.
    select = ", ".join(f"epoch_us({c['name']})" if micros_of(c) else f"{c['name']}::{t.replace('TIMESTAMP WITH TIME ZONE', 'TIMESTAMP')}"
                       for c, t in zip(columns, types))
    return types, con.execute(f"SELECT {select} FROM '{path}'").fetchall()


def by_pyarrow(path, columns):
    table = pyarrow.parquet.read_table(path)
    data = [(table[c["name"]].cast("int64") if micros_of(c) else table[c["name"]]).to_pylist() for c in columns]
    return [str(t) for t in table.schema.types], zip(*data)


def by_polars(path, columns):
    frame = polars.read_parquet(path)
    types = [str(t) for t in frame.dtypes]
    for c in columns:
        if micros_of(c):
            frame = frame.with_columns(polars.col(c["name"]).dt.timestamp("us"))
    return types, frame.rows()


def by_pandas(path, columns, **options):
    frame = pandas.read_parquet(path, **options)
    types = [str(t) for t in frame.dtypes]
    data = []
    for c in columns:
        series = frame[c["name"]]
        values = [None if v is pandas.NA or c["type"] not in ("FLOAT", "DOUBLE") and pandas.api.types.is_scalar(v) and pandas.isna(v) else v
                  for v in series.tolist()]
        if micros_of(c):
            values = [None if v is None else v.value if v.unit == "ns" else v.asm8.astype("int64") for v in values]
        data.append(values)
    return types, zip(*data)


ENGINES = {"duckdb": by_duckdb, "pyarrow": by_pyarrow}
if importlib.util.find_spec("polars"):
    import pandas
    import polars

    ENGINES |= {"polars": by_polars, "pandas": by_pandas, "pandas with dtype_backend": lambda *q: by_pandas(*q, dtype_backend="pyarrow")}


def answer(path, columns):
    answers = {}
    for engine, read in ENGINES.items():
        types, rows = read(path, columns)
        answers[engine] = {"types": types, "rows": [[plain(c, v) for c, v in zip(columns, row)] for row in rows]}
    return answers


print(json.dumps([answer(**q) for q in json.load(sys.stdin)]))
