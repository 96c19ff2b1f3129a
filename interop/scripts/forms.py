"""Reads the tables of events whose forms differ, in the views of a dataset and, file by file, with readers' defaults.

Question: [{folder, column, default, with_spark}]: a dataset with a file views.sql, the column to read, whether all files of a table have the same columns, so that readers take a table by its folder, and whether Spark is one of them.
Answer: per dataset {view: [type, [values]]} by DuckDB, {readers: {reader: {table: [values]}}}; an error is a text in place of values.
"""
import glob
import json
import os
import sys

import chdb
import duckdb
import one_core
import pandas
import polars
import pyarrow.dataset

SPARK_READS = 9  # of this many tables one: a job takes long

spark = one_core.spark()


def plain(value):
    if hasattr(value, "asDict"):
        value = value.asDict()
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0):
        return [plain(v) for v in value]
    if isinstance(value, bytes):
        return value.hex()
    if value is None or value != value or value is pandas.NaT:
        return None
    return str(value.isoformat() if hasattr(value, "isoformat") else value).removesuffix(".0")


def texts(values):
    return sorted(json.dumps(plain(v), sort_keys=True) for v in values)


def attempt(read):
    try:
        return texts(read())
    except BaseException as e:  # Polars' panics, too
        return f"{type(e).__name__}: {e}"


def readers(folder, column):
    return {
        "duckdb": lambda: duckdb.sql(f"SELECT {column} FROM '{folder}/*.parquet'").to_arrow_table()[column].to_pylist(),
        "pyarrow": lambda: pyarrow.dataset.dataset(folder, format="parquet").to_table(columns=[column])[column].to_pylist(),
        "pandas": lambda: pandas.read_parquet(folder, columns=[column], dtype_backend="pyarrow")[column].array._pa_array.to_pylist(),
        "clickhouse": lambda: chdb.query(f"SELECT {column} FROM file('{folder}/*.parquet', Parquet)", "ArrowTable")[column].to_pylist(),
        "spark": lambda: [r[0] for r in spark.read.parquet(folder).select(column).collect()],
        "polars": lambda: polars.scan_parquet(f"{folder}/*.parquet").select(column).collect()[column].to_list(),
    }


def type_text(kind):
    """A type of Arrow, with the members of structures by name: engines order them differently."""
    if pyarrow.types.is_struct(kind):
        return "{" + ", ".join(sorted(f"{f.name} {type_text(f.type)}" for f in kind)) + "}"
    if pyarrow.types.is_list(kind):
        return f"[{type_text(kind.value_type)}]"
    return str(kind)


def answer(folder, column, default, with_spark):
    con = duckdb.connect()
    con.execute("SET TimeZone = 'UTC'")
    con.execute("SET VARIABLE dataset = ?", [folder])
    con.execute(open(os.path.join(folder, "views.sql"), encoding="utf-8", newline="").read())
    result = {"views": {}, "readers": {}}
    for (view,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal AND view_name LIKE '00000000%'").fetchall():
        values = con.execute(f'SELECT {column} FROM "{view}"').to_arrow_table()[column]
        result["views"][view] = [type_text(values.type), texts(values.to_pylist())]
    for n, table in enumerate(sorted(glob.glob(os.path.join(folder, "events", "00000000*", "*"))) if default else []):
        for name, read in readers(table, column).items():
            if name == "spark" and not (with_spark and n % SPARK_READS == 0):
                continue
            result["readers"].setdefault(name, {})[os.path.basename(table)] = attempt(read)
    return result


print(json.dumps([answer(**q) for q in json.load(sys.stdin)]))
