"""Runs views.sql files in DuckDB and tells what views they make.

Question: [{folder, sql}]: a folder to be in, and the path of the file.
Answer: per file {columns: {view: [[name, type]]}, rows: {view: n}, events: {trace: [rows, distinct events]}}.
"""
import json
import os
import sys

import duckdb


def answer(folder, sql):
    os.chdir(folder)
    con = duckdb.connect()
    con.execute(open(sql, encoding="utf-8").read())
    views = [r[0] for r in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()]
    return {
        "columns": {v: [r[:2] for r in con.execute(f"DESCRIBE {v}").fetchall()] for v in views},
        "rows": {v: con.execute(f"SELECT count(*) FROM {v}").fetchone()[0] for v in views},
        "events": {r[0]: r[1:] for r in con.execute(
            "SELECT trace, count(*), count(DISTINCT event_ref) FROM events GROUP BY trace").fetchall()},
    }


print(json.dumps([answer(**q) for q in json.load(sys.stdin)]))
