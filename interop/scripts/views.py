"""Runs views.sql files in DuckDB and reports their views.

Question: [{folder, sql, values_of, dataset}]: a folder to be in, the path of the file, how the views begin that are read as a whole (a text or a list), and a value for the variable dataset.
Answer: per file {columns: {view: [[name, type]]}, rows: {view: n}, errors: {view: text}, events: {trace: [rows, distinct events]}}.
"""
import json
import os
import sys

import duckdb


def values(con, view):
    """Reads all values of a view, and reports the error if that fails."""
    try:
        con.execute(f'CREATE OR REPLACE TEMP TABLE copy_of_view AS SELECT * FROM "{view}"')
    except duckdb.Error as e:
        return str(e)


def answer(folder, sql, values_of="", dataset=""):
    os.chdir(folder)
    if isinstance(values_of, list):
        values_of = tuple(values_of)
    con = duckdb.connect()
    if dataset:
        con.execute("SET VARIABLE dataset = ?", [dataset])
    con.execute(open(sql, encoding="utf-8", newline="").read())
    views = [r[0] for r in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()]
    rows = {v: con.execute(f'SELECT count(*) FROM "{v}"').fetchone()[0] for v in views}
    columns = {v: [] for v in views}  # as the queries before found them: DESCRIBE of each view would bind it once more
    for view, name, kind in con.execute("SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index").fetchall():
        columns[view].append([name, kind])
    return {
        "columns": columns,
        "rows": rows,
        "errors": {v: e for v in views if values_of and v.startswith(values_of) and (e := values(con, v))},
        "events": {r[0]: r[1:] for r in con.execute(
            "SELECT trace, count(*), count(DISTINCT event_ref) FROM events GROUP BY trace").fetchall()},
    }


print(json.dumps([answer(**q) for q in json.load(sys.stdin)]))
