"""Reads files with Spark on one core, with default options.

Question: {values: [{path, columns}], columns: [{path, columns, probes}], dataset: {root, tables}}, each of which may be missing.
Answer: {values: [{types, rows}], columns: [{sums, probes}], tables: {table: {columns: [[name, type]], rows: {trace: n}}}}.
"""
import json
import struct
import sys

import one_core
from values import PRIME, plain

spark = one_core.spark()

HASH = "CAST(conv(substr(md5({}), 1, 15), 16, 10) AS DECIMAL(38,0))"
NUMBERS = {"BOOLEAN": "CASE {} WHEN true THEN 2 WHEN false THEN 1 END", "TIMESTAMP": "unix_micros({})", "FLOAT": "({} * 1024)", "DOUBLE": "({} * 1024)", "STRING": HASH, "BINARY": HASH}


def number(kind, value):
    text = NUMBERS.get(kind, "{}").format(value)
    return f"pmod(CAST({text} AS DECIMAL(38,0)), CAST({PRIME} AS DECIMAL(38,0)))"


def values(path, columns):
    frame = spark.read.parquet(path)
    select = [f"unix_micros({c['name']}) AS {c['name']}" if c["type"] == "TIMESTAMP" and not c["list"] else c["name"] for c in columns]
    rows = frame.selectExpr(*select).collect()
    return {"types": [f.dataType.simpleString() for f in frame.schema.fields],
            "rows": [[plain(c, v) for c, v in zip(columns, row)] for row in rows]}


# Products and sums of DECIMAL(38) come back as DECIMAL(38,0), or null if they do not fit.
ADD = "coalesce(sum(CAST({} AS DECIMAL(38,0))), 0)"


def columns(path, columns, probes):
    spark.read.parquet(path).selectExpr("*", "_metadata.row_index + 1 AS i").createOrReplaceTempView("f")
    answer, flat, lists = {}, [], []
    for c in columns:
        name = c["name"]
        flat += [f"count_if({name} IS NULL)", f"coalesce(sum(IF({name} IS NULL, i, 0)), 0)"]
        if c["list"]:
            flat += ["0", f"coalesce(sum(IF({name} IS NULL, 0, size({name}))), 0)",
                     f"coalesce(sum(IF({name} IS NULL, 0, i * (size({name}) + 1))), 0)"]
            lists.append(c)
        else:
            flat += [ADD.format(f"i * {number(c['type'], name)}"), "0", "0"]
    row = spark.sql("SELECT " + ", ".join(flat) + " FROM f").first()
    for n, c in enumerate(columns):
        names = ("nulls", "null_rows", "values", "elements", "lengths")
        answer[c["name"]] = {k: int(v) % PRIME for k, v in zip(names, row[5 * n:5 * n + 5])}
    for c in lists:
        total = spark.sql(f"SELECT {ADD.format('i * (j + 1) * ' + number(c['type'], 'v'))} FROM "
                          f"(SELECT i, posexplode({c['name']}) AS (j, v) FROM f)").first()[0]
        answer[c["name"]]["values"] = int(total) % PRIME
    hits = [spark.sql(f"SELECT count(*) FROM f WHERE {p['column']} = {literal(p)}").first()[0] for p in probes]
    return {"sums": answer, "probes": hits}


def literal(probe):
    value = probe["value"]
    if probe["type"] == "TIMESTAMP":
        return f"timestamp_micros({value})"
    if probe["type"] == "BINARY":
        return f"X'{value}'"
    if probe["type"] == "STRING":
        return f"decode(X'{value.encode().hex()}', 'UTF-8')"
    if probe["type"] == "BOOLEAN":
        return str(value).lower()
    if probe["type"] in ("FLOAT", "DOUBLE"):
        number = struct.unpack(">f" if probe["type"] == "FLOAT" else ">d", bytes.fromhex(value))[0]
        return f"CAST('{number!r}' AS {probe['type']})"
    return f"CAST('{value}' AS {'DECIMAL(20,0)' if probe['type'] == 'UINT64' else 'BIGINT'})"


def tables(root, tables):
    answer = {}
    for table in tables:
        frame = spark.read.parquet(f"{root}/{table}")
        answer[table] = {"columns": [[f.name, f.dataType.simpleString()] for f in frame.schema.fields],
                         "rows": {r[0]: r[1] for r in frame.groupBy("trace").count().collect()}}
    return answer


question = json.load(sys.stdin)
print(json.dumps({"values": [values(**q) for q in question.get("values", [])], "columns": [columns(**q) for q in question.get("columns", [])],
                  "tables": tables(**question["dataset"]) if "dataset" in question else {}}))
