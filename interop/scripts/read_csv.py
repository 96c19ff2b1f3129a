"""Reads CSV files with Python's csv, pandas, DuckDB and Polars, as docs/reading.md says, and compares texts with an Arrow stream.

Question: {arrow, csv: [files]}, with the columns n (a number), a and b (texts).
Answer: {rows, different: {"file reader": [descriptions of values that differ]}}.
"""
import csv
import json
import os
import sys

import duckdb
import pandas
import polars
import pyarrow

question = json.load(sys.stdin)
with pyarrow.OSFile(question["arrow"]) as source, pyarrow.ipc.open_stream(source) as reader:
    table = reader.read_all()
want = list(zip(*(table[c].to_pylist() for c in ("n", "a", "b"))))
csv.field_size_limit(1 << 24)


def by_python(path):
    with open(path, encoding="utf-8", newline="") as file:
        # Before Python 3.12, package csv does not tell an empty text from NULL.
        return [(int(n), a, b) for n, a, b in list(csv.reader(file))[1:]]


def by_pandas(path):
    # pandas does not tell an empty text from NULL.
    frame = pandas.read_csv(path, keep_default_na=False, dtype={"a": str, "b": str}, encoding="utf-8", lineterminator="\n")
    return list(frame.itertuples(index=False, name=None))


def by_duckdb(path):
    return duckdb.sql(f"""FROM read_csv('{path}', header = true, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
        types = {{'a': 'VARCHAR', 'b': 'VARCHAR'}})""").fetchall()


def by_polars(path):
    return polars.read_csv(path, schema_overrides={"a": polars.String, "b": polars.String}).rows()


def without_null(rows):
    return [tuple("" if v is None else v for v in row) for row in rows]


different = {}
for path in question["csv"]:
    for reader, read, same in (("csv", by_python, without_null), ("pandas", by_pandas, without_null), ("duckdb", by_duckdb, list), ("polars", by_polars, list)):
        try:
            got, expected = read(path), same(want)
            found = [f"{ascii(g)[:200]}, want {ascii(w)[:200]}" for g, w in zip(got, expected) if tuple(g) != w]
            if len(got) != len(expected):
                found.append(f"{len(got)} rows, want {len(expected)}")
        except Exception as e:
            found = [f"{type(e).__name__}: {e}"]
        different[f"{os.path.basename(path)} {reader}"] = found
print(json.dumps({"rows": len(want), "different": different}))
