"""Queries the views of datasets in DuckDB.

Question: [{sql, query}]: the path of a views.sql and a statement.
Answer: the rows of each.
"""
import json
import sys

import duckdb


def answer(sql, query):
    con = duckdb.connect()
    con.execute(open(sql, encoding="utf-8").read())
    return [list(row) for row in con.execute(query).fetchall()]


print(json.dumps([answer(**q) for q in json.load(sys.stdin)]))
