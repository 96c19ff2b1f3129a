"""Queries the views of datasets in DuckDB.

Question: [{sql, query}]: the path of a views.sql and a statement.
Answer: the rows of each.
"""
import functools
import json
import sys

import duckdb


@functools.lru_cache(maxsize=1)  # questions about a dataset follow each other; its views take long to define
def views(sql):
    con = duckdb.connect()
    con.execute(open(sql, encoding="utf-8").read())
    return con


def answer(sql, query):
    return [list(row) for row in views(sql).execute(query).fetchall()]


print(json.dumps([answer(**q) for q in json.load(sys.stdin)]))
