"""Counts the contents of a dataset, once with DuckDB and once with pyarrow.

Question: {root, headers: [table]}.
Answer: {engine: {trace: counts}}, see datasetCounts in traces_test.go.
"""
import json
import os
import sys

import duckdb
import numpy
import pyarrow.compute as pc
import pyarrow.dataset


def new_counts():
    return {"headers": {}, "tables": {}, "distinct_refs": 0, "disorder": 0, "bad_timestamps": 0,
            "traces": {}, "buffers": {}, "event_types": {}, "providers": 0}


def by_duckdb(root, headers):
    con = duckdb.connect()
    answer = {}

    def view(table):
        con.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet("
                    f"'{root}/{table}/*.parquet', file_row_number = true)")

    def rows(sql):
        names = [c[0] for c in con.execute(sql).description]
        for row in con.fetchall():
            yield answer.setdefault(row[0], new_counts()), dict(zip(names[1:], row[1:]))

    headers = [t for t in headers if os.path.isdir(f"{root}/{t}")]
    for table in headers + ["traces", "buffers", "event_types", "providers"]:
        view(table)
    for table in headers:
        for counts, row in rows(f"SELECT trace, header_type, count(*) n FROM {table} GROUP BY ALL"):
            counts["headers"][row["header_type"]] = row["n"]
            counts["tables"][table] = counts["tables"].get(table, 0) + row["n"]
        for counts, row in rows(f"""
                SELECT trace, count(*) FILTER (time_ns < earlier) disorder,
                    count(*) FILTER (epoch_us(timestamp) != time_ns // 1000) bad
                FROM (SELECT *, lag(time_ns) OVER (PARTITION BY trace ORDER BY file_row_number) AS earlier FROM {table})
                GROUP BY trace"""):
            counts["disorder"] += row["disorder"]
            counts["bad_timestamps"] += row["bad"]
    union = " UNION ALL ".join(f"SELECT trace, event_ref FROM {t}" for t in headers)
    for counts, row in rows(f"SELECT trace, count(DISTINCT event_ref) n FROM ({union}) GROUP BY trace"):
        counts["distinct_refs"] = row["n"]
    for counts, row in rows("""SELECT trace, buffers, compressed_buffers compressed, uncompressed_bytes bytes, events FROM traces"""):
        counts["traces"] = row
    for counts, row in rows("""
            SELECT trace, count(*) buffers, count(*) FILTER (buffer_flag & 64 != 0) compressed,
                sum(uncompressed_size)::BIGINT bytes, sum(events)::BIGINT events FROM buffers GROUP BY trace"""):
        counts["buffers"] = row
    for counts, row in rows("SELECT trace, header_table, sum(events)::BIGINT n FROM event_types GROUP BY ALL"):
        counts["event_types"][row["header_table"]] = row["n"]
    for counts, row in rows("SELECT trace, sum(events)::BIGINT n FROM providers GROUP BY trace"):
        counts["providers"] = row["n"]
    return answer


def by_pyarrow(root, headers):
    answer = {}
    refs = {}

    def fragments(table):
        if os.path.isdir(f"{root}/{table}"):
            for fragment in pyarrow.dataset.dataset(f"{root}/{table}").get_fragments():
                data = fragment.to_table()
                trace = data["trace"][0].as_py()
                yield trace, answer.setdefault(trace, new_counts()), data

    for table in headers:
        for trace, counts, data in fragments(table):
            times = data["time_ns"].to_numpy()
            counts["disorder"] += int((times[1:] < times[:-1]).sum())
            counts["bad_timestamps"] += int((data["timestamp"].cast("int64").to_numpy() != times // 1000).sum())
            for entry in data["header_type"].value_counts().to_pylist():
                counts["headers"][entry["values"]] = entry["counts"]
            counts["tables"][table] = data.num_rows
            refs.setdefault(trace, []).append(data["event_ref"].to_numpy())
    for trace, parts in refs.items():
        answer[trace]["distinct_refs"] = len(numpy.unique(numpy.concatenate(parts)))
    for _, counts, data in fragments("traces"):
        row = data.to_pylist()[0]
        counts["traces"] = {"buffers": row["buffers"], "compressed": row["compressed_buffers"],
                            "bytes": row["uncompressed_bytes"], "events": row["events"]}
    for _, counts, data in fragments("buffers"):
        counts["buffers"] = {
            "buffers": data.num_rows,
            "compressed": sum(flag & 64 != 0 for flag in data["buffer_flag"].to_pylist()),
            "bytes": pc.sum(data["uncompressed_size"]).as_py(), "events": pc.sum(data["events"]).as_py()}
    for _, counts, data in fragments("event_types"):
        for row in data.group_by("header_table").aggregate([("events", "sum")]).to_pylist():
            counts["event_types"][row["header_table"]] = row["events_sum"]
    for _, counts, data in fragments("providers"):
        counts["providers"] = pc.sum(data["events"]).as_py()
    return answer


question = json.load(sys.stdin)
print(json.dumps({"duckdb": by_duckdb(**question), "pyarrow": by_pyarrow(**question)}))
