"""Compares two datasets, view by view, in DuckDB.

Question: {apart, together}: the paths of their views.sql.
Answer: {views, rows, different: [[view, what]]}.
"""
import json
import sys

import duckdb


TRACE = ("trace", "VARCHAR")


def connect(path):
    con = duckdb.connect()
    con.execute("SET timezone = 'UTC'")
    con.execute(open(path, encoding="utf-8").read())
    return con


def views(con):
    return {row[0] for row in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()}


def columns(con, view):
    return [tuple(row[:2]) for row in con.execute(f'DESCRIBE "{view}"').fetchall()]


def contents(con, view, names):
    row = ", ".join(f'"{name}"' for name in names)
    return con.execute(f'SELECT count(*), sum(CAST(hash(row({row})) AS HUGEINT)) FROM "{view}"').fetchone()


question = json.load(sys.stdin)
apart, together = connect(question["apart"]), connect(question["together"])
different = [[v, "only in one"] for v in sorted(views(apart) ^ views(together))]
shared, rows = sorted(views(apart) & views(together)), 0
for view in shared:
    one, other = columns(apart, view), columns(together, view)
    # Where traces disagree on the columns of a table, their order is that of files.
    if sorted(one) != sorted(other) or one[0] != TRACE or other[0] != TRACE:
        different.append([view, f"columns {one} and {other}"])
        continue
    names = [name for name, _ in one]
    one, other = contents(apart, view, names), contents(together, view, names)
    rows += one[0]
    if one != other:
        different.append([view, f"{one[0]} and {other[0]} rows"])
print(json.dumps({"views": len(shared), "rows": rows, "different": different}))
