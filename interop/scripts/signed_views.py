"""Compares the views of a dataset with signed columns, by the bits of numbers, with those of a dataset of the same
traces with unsigned columns.

Question: {default, signed}: the datasets.
Answer: {views, rows, different: [views with the reason]}.
"""
import json
import sys

import duckdb

BITS = (1 << 64) - 1


def views(root):
    con = duckdb.connect()
    con.execute("SET TimeZone = 'UTC'; SET preserve_insertion_order = true; SET threads = 2")
    con.execute(f"SET VARIABLE dataset = '{root}'")
    con.execute(open(root + "/views.sql", encoding="utf-8").read())
    return con, [name for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1").fetchall()]


def bits(value):
    """A value with the bits of its numbers. JSON and other texts stay as they are."""
    if isinstance(value, bool) or not isinstance(value, (int, list, dict)):
        return value
    if isinstance(value, int):
        return value & BITS
    return [bits(v) for v in value] if isinstance(value, list) else {k: bits(v) for k, v in value.items()}


def columns(con, view):
    """The columns, with times as numbers."""
    return [f'epoch_us("{name}")' if kind == "TIMESTAMP WITH TIME ZONE" else f'"{name}"' for name, kind in
            ((row[0], row[1]) for row in con.execute(f'DESCRIBE "{view}"').fetchall())]


def rows(con, view):
    found = con.execute(f'SELECT {", ".join(columns(con, view))} FROM "{view}"').fetchall()
    return sorted(repr([bits(v) for v in row]) for row in found)


question = json.load(sys.stdin)
unsigned, names = views(question["default"])
signed, other = views(question["signed"])
answer = {"views": len(names), "rows": 0, "different": []}
if names != other:
    answer["different"].append(f"views {sorted(set(names) ^ set(other))}")
for view in names:
    want, got = rows(unsigned, view), rows(signed, view)
    answer["rows"] += len(want)
    if want != got:
        first = next(((w, g) for w, g in zip(want, got) if w != g), (len(want), len(got)))
        answer["different"].append(f"{view}: {str(first)[:600]}")
print(json.dumps(answer))
