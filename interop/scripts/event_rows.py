"""Finds rows of tables by the output of other decoders, and lists and counts rows of event tables.

Question: {root, lists: [{table, columns}], traces: [{trace, keys: [{table, where, view, us, processor, size}], filters: {name: {table, where}}}]}.
Answer: {traces: [{rows: per key, [row]; counts: {table: rows}; filtered: {name: rows}; types: {table: {column: type}}; columns: {table: [column]}; lists: [[row]]}]},
values as text: binaries in hexadecimal, timestamps in us, lists as JSON, null as null. A table without a slash is one of headers or one without events; columns may be null, for all. A view, of views.sql, adds to a row the columns that it has
of the event, as "view.column".
"""
import glob
import json
import os
import sys

import duckdb

question = json.load(sys.stdin)
con = duckdb.connect()
if any(key["view"] for trace in question["traces"] for key in trace["keys"]):
    os.chdir(question["root"])
    con.execute(open("views.sql", encoding="utf-8").read())


def files(trace, table):
    folder = os.path.join(glob.escape(question["root"]), "events" if "/" in table else "", table)
    found = os.path.join(folder, glob.escape(trace) + ".parquet")
    return f"(SELECT * EXCLUDE (trace) FROM read_parquet('{found.replace(os.sep, '/')}', hive_partitioning = false))" if glob.glob(found) else None


def types(source):
    return {c[0]: c[1] for c in con.execute(f"DESCRIBE FROM {source}").fetchall()} if source else {}


def records(source, columns=None, condition="true"):
    """Rows in the order of time, as text."""
    if source is None:
        return []
    select = []
    for name, kind in types(source).items():
        if columns is None or name in columns:
            value = {"TIMESTAMP WITH TIME ZONE": f'epoch_us("{name}")', "BLOB": f'lower(hex("{name}"))'}.get(kind, f'"{name}"')
            if kind.endswith("[]"):
                value = f'to_json("{name}")'
            select.append(f'{value}::VARCHAR AS "{name}"')
    order = [c for c in ("time_ns", "processor", "event_ref") if c in types(source)]
    return rows(f"SELECT {', '.join(select)} FROM {source} WHERE {condition} ORDER BY {', '.join(order or ['1'])}")


def rows(query, *args):
    cursor = con.execute(query, args)
    names = [c[0] for c in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def with_view(row, trace, view):
    """The row, and the row of the same event in a view."""
    for r in rows(f'SELECT COLUMNS(*)::VARCHAR FROM "{view}" WHERE trace = ? AND event_ref = ?', trace, int(row["event_ref"])) if view else []:
        row |= {f"{view}.{name}": value for name, value in r.items()}
    return row


def count(source, condition="true"):
    return con.execute(f"SELECT count(*) FROM {source} WHERE {condition}").fetchone()[0] if source else 0


def answer(trace, keys, filters):
    # The trace header event is hook 0; microseconds since it are rounded half up.
    start = con.execute(f"SELECT min(time_ns) FROM read_parquet('{question['root']}/system_trace_header/*.parquet') "
                        "WHERE trace = ? AND hook_id = 0", [trace]).fetchone()[0]
    tables = sorted(os.path.relpath(f, os.path.join(question["root"], "events")).replace(os.sep, "/")
                    for f in glob.glob(os.path.join(glob.escape(question["root"]), "events", "*", "*")))
    sources = {t: files(trace, t) for t in tables}
    return {
        "rows": [[with_view(r, trace, k["view"]) for r in records(
            files(trace, k["table"]), None, f"(time_ns - {start} + 500) // 1000 = {k['us']} "
            f"AND processor = {k['processor']} AND payload_size = {k['size']} AND {k['where'] or 'true'}")] for k in keys],
        "counts": {t: count(s) for t, s in sources.items() if s},
        "filtered": {name: count(files(trace, f["table"]), f["where"]) for name, f in filters.items()},
        "types": {t: types(s) for t, s in sources.items() if s},
        "columns": {t: list(types(s)) for t, s in sources.items() if s},
        "lists": [records(files(trace, l["table"]), l["columns"]) for l in question["lists"]],
    }


print(json.dumps({"traces": [answer(**t) for t in question["traces"]]}))
