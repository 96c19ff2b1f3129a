"""Sums up the columns of files with DuckDB and pyarrow, and with Polars if it is installed, looks single values up, and reports the files' metadata.

Question: [{path, columns: [{name, type, list, fields}], probes: [{column, type, value}]}].
Answer: per file {engines: {name: {sums: {column: sums}, probes: [rows]}}, metadata}.
"""
import importlib.util
import json
import struct
import sys

import duckdb
import pyarrow
import pyarrow.parquet
from values import PRIME, sums

NUMBERS = {
    "BOOLEAN": "CASE {} WHEN true THEN 2 WHEN false THEN 1 END", "TIMESTAMP": "epoch_us({})", "FLOAT": "({} * 1024)::BIGINT",
    "DOUBLE": "({} * 1024)::BIGINT",
    "STRING": "('0x' || substr(md5({}), 1, 15))::UBIGINT", "BINARY": "('0x' || substr(md5({}), 1, 15))::UBIGINT"}


def duckdb_number(kind, value):
    number = NUMBERS.get(kind, "{}").format(value)
    return f"((({number})::HUGEINT % {PRIME} + {PRIME}) % {PRIME})"


def duckdb_value(kind, value):
    if kind == "BINARY":
        return bytes.fromhex(value)
    if kind in ("FLOAT", "DOUBLE"):
        return struct.unpack(">f" if kind == "FLOAT" else ">d", bytes.fromhex(value))[0]
    if kind in ("INT32", "INT64", "UINT64"):
        return int(value)
    return value


def by_duckdb(path, columns, probes):
    con = duckdb.connect()
    con.execute(f"CREATE VIEW f AS SELECT *, file_row_number + 1 AS i FROM read_parquet('{path}', file_row_number = true)")
    answer = {}
    for c in columns:
        name = c["name"]
        nulls = f"count(*) FILTER ({name} IS NULL), coalesce(sum(i) FILTER ({name} IS NULL), 0)"
        if c["list"]:
            sql = (f"SELECT {nulls}, (SELECT coalesce(sum(i::HUGEINT * j * {duckdb_number(c['type'], 'v')}), 0) FROM "
                   f"(SELECT i, unnest({name}) v, generate_subscripts({name}, 1) j FROM f)), "
                   f"coalesce(sum(len({name})), 0), coalesce(sum(i * (len({name}) + 1)), 0) FROM f")
        else:
            sql = f"SELECT {nulls}, coalesce(sum(i::HUGEINT * {duckdb_number(c['type'], name)}), 0), 0, 0 FROM f"
        row = con.execute(sql).fetchone()
        answer[name] = dict(zip(("nulls", "null_rows", "values", "elements", "lengths"), (int(v) % PRIME for v in row)))
    hits = [con.execute(f"SELECT count(*) FROM f WHERE {p['column']} = ?", [duckdb_value(p["type"], p["value"])]).fetchone()[0]
            if p["type"] != "TIMESTAMP" else
            con.execute(f"SELECT count(*) FROM f WHERE {p['column']} = make_timestamp({p['value']}) AT TIME ZONE 'UTC'").fetchone()[0]
            for p in probes]
    return {"sums": answer, "probes": hits}


def by_pyarrow(path, columns, probes):
    table = pyarrow.parquet.read_table(path)
    answer = {}
    for c in columns:
        column = table[c["name"]]
        answer[c["name"]] = sums(c, (column.cast("int64") if c["type"] == "TIMESTAMP" else column).to_pylist())
    hits = []
    for p in probes:
        value = pyarrow.scalar(duckdb_value(p["type"], p["value"]) if p["type"] != "TIMESTAMP" else int(p["value"]),
                               table.schema.field(p["column"]).type)
        hits.append(pyarrow.parquet.read_table(path, columns=[p["column"]], filters=pyarrow.compute.field(p["column"]) == value).num_rows)
    return {"sums": answer, "probes": hits}


def by_polars(path, columns, probes):
    frame = polars.read_parquet(path)
    answer = {}
    for c in columns:
        column = frame[c["name"]]
        answer[c["name"]] = sums(c, (column.dt.timestamp("us") if c["type"] == "TIMESTAMP" else column).to_list())
    hits = []
    for p in probes:
        value = polars.lit(duckdb_value(p["type"], p["value"]) if p["type"] != "TIMESTAMP" else int(p["value"]))
        value = value.cast(frame.schema[p["column"]])
        hits.append(polars.scan_parquet(path).filter(polars.col(p["column"]) == value).select(polars.len()).collect().item())
    return {"sums": answer, "probes": hits}


def bound(value):
    return value.encode().hex() if isinstance(value, str) else value.hex() if isinstance(value, bytes) else str(value)


def metadata(path):
    meta = pyarrow.parquet.ParquetFile(path).metadata
    groups = []
    for g in range(meta.num_row_groups):
        group = meta.row_group(g)
        chunks = {}
        for i in range(group.num_columns):
            chunk = group.column(i)
            s = chunk.statistics
            chunks[chunk.path_in_schema.split(".")[0]] = {
                "physical": chunk.physical_type, "logical": str(meta.schema.column(i).logical_type),
                "compression": chunk.compression, "column_index": chunk.has_column_index, "offset_index": chunk.has_offset_index,
                "nulls": s.null_count if s is not None and s.has_null_count else None,
                "bounds": [bound(s.min_raw if not chunk.physical_type.startswith("INT") else int(s.min_raw)),
                           bound(s.max_raw if not chunk.physical_type.startswith("INT") else int(s.max_raw))]
                if s is not None and s.has_min_max else None}
        groups.append({"rows": group.num_rows, "chunks": chunks, "sorting": [
            [meta.schema.column(s.column_index).path, s.descending, s.nulls_first] for s in group.sorting_columns]})
    return groups


engines = {"duckdb": by_duckdb, "pyarrow": by_pyarrow}
if importlib.util.find_spec("polars"):
    import polars

    engines["polars"] = by_polars
answer = []
for question in json.load(sys.stdin):
    answer.append({"engines": {name: ask(**question) for name, ask in engines.items()}, "metadata": metadata(question["path"])})
print(json.dumps(answer))
