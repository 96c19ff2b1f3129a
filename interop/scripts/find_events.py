"""Finds events by the output of other decoders, and lists the events of HTTP_Server.

Question: {root, headers: [table], lookups: [{trace, keys: [[us, processor, payload_size]]}], list}.
Answer: {found: per lookup, per key, [event]; list: the events of that trace, in file order}.
"""
import json
import os
import sys

import duckdb

question = json.load(sys.stdin)
con = duckdb.connect()
parts = []
for table in question["headers"]:
    if os.path.isdir(f"{question['root']}/{table}"):
        parts.append(f"SELECT trace, event_ref, time_ns, processor, payload_size, header_type, process_id, thread_id, process_name, id_source "
                     f"FROM read_parquet('{question['root']}/{table}/*.parquet')")
con.execute("CREATE TABLE events AS " + " UNION ALL ".join(parts))


def records(sql, *parameters):
    cursor = con.execute(sql, parameters)
    names = [c[0] for c in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def lookup(trace, keys):
    # The trace header event is hook 0; microseconds since it are rounded half up.
    start = con.execute(f"SELECT min(time_ns) FROM read_parquet('{question['root']}/system_trace_header/*.parquet') "
                        "WHERE trace = ? AND hook_id = 0", [trace]).fetchone()[0]
    con.execute("CREATE OR REPLACE TABLE keys AS SELECT unnest(?::STRUCT(line INT, us BIGINT, processor INT, size INT)[], recursive := true)",
                [[{"line": i, "us": k[0], "processor": k[1], "size": k[2]} for i, k in enumerate(keys)]])
    found = [[] for _ in keys]
    for row in records("""
            SELECT line, event_ref, header_type, process_id, thread_id, process_name, id_source FROM keys JOIN events
            ON us = (time_ns - ? + 500) // 1000 AND events.processor = keys.processor AND payload_size = size
            WHERE trace = ? ORDER BY line, event_ref""", start, trace):
        found[row.pop("line")].append(row)
    return found


print(json.dumps({
    "found": [lookup(**l) for l in question["lookups"]],
    "list": records(f"""
        SELECT process_id, thread_id, provider_id, event_id, event_version, level, opcode, task, keyword, activity_id,
            related_activity_id, processor, kernel_time, user_time, time_ns
        FROM read_parquet('{question['root']}/event_header/*.parquet', file_row_number = true)
        WHERE trace = ? ORDER BY file_row_number""", question["list"]),
}))
