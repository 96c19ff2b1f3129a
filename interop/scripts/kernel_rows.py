"""Finds rows of event tables by what other decoders print of them, and lists and counts rows of event tables.

Question: {root, traces: [{trace, keys: [{table, us, processor, size}]}], lists: [{table, columns}], filters: {table: condition}}.
Answer: {traces: [{rows: per key, [row]; counts: {table: rows}; filtered: {table: rows}; lists: [[row]]}]}, values as text:
binaries in hexadecimal, timestamps in us, null as null.
"""
import glob
import json
import os
import sys

import duckdb

question = json.load(sys.stdin)
con = duckdb.connect()


def files(trace, table):
    found = glob.glob(os.path.join(glob.escape(question["root"]), "events", table, f"trace={glob.escape(trace)}", "*.parquet"))
    return f"read_parquet({[f.replace(os.sep, '/') for f in found]})" if found else None


def records(source, columns=None, condition="true"):
    """Rows in the order of time, as text."""
    if source is None:
        return []
    select = []
    for name, kind, *_ in con.execute(f"DESCRIBE FROM {source}").fetchall():
        if columns is None or name in columns:
            value = {"TIMESTAMP WITH TIME ZONE": f"epoch_us({name})", "BLOB": f"lower(hex({name}))"}.get(kind, name)
            select.append(f"{value}::VARCHAR AS {name}")
    cursor = con.execute(f"SELECT {', '.join(select)} FROM {source} WHERE {condition} ORDER BY time_ns, event_ref")
    names = [c[0] for c in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def count(source, condition="true"):
    return con.execute(f"SELECT count(*) FROM {source} WHERE {condition}").fetchone()[0] if source else 0


def answer(trace, keys):
    # The trace header event is hook 0; microseconds since it are rounded half up.
    start = con.execute(f"SELECT min(time_ns) FROM read_parquet('{question['root']}/system_trace_header/*/*.parquet') "
                        "WHERE trace = ? AND hook_id = 0", [trace]).fetchone()[0]
    tables = sorted(os.path.relpath(f, os.path.join(question["root"], "events")).replace(os.sep, "/")
                    for f in glob.glob(os.path.join(glob.escape(question["root"]), "events", "*", "*")))
    counts = {t: count(files(trace, t)) for t in tables}
    return {
        "rows": [records(files(trace, k["table"]), None, f"(time_ns - {start} + 500) // 1000 = {k['us']} "
                         f"AND processor = {k['processor']} AND payload_size = {k['size']}") for k in keys],
        "counts": {t: n for t, n in counts.items() if n},
        "filtered": {t: count(files(trace, t), c) for t, c in question["filters"].items()},
        "lists": [records(files(trace, l["table"]), l["columns"]) for l in question["lists"]],
    }


print(json.dumps({"traces": [answer(**t) for t in question["traces"]]}))
