"""Adds the files of a dataset with signed columns to tables of Iceberg, Delta and DuckLake, where they are, and
compares their rows, by the bits of values, with a dataset of the same traces that has unsigned columns.

Question: {default, signed, scratch}: the two datasets, and a folder.
Answer: {tables, unsigned, rows, iceberg|delta|ducklake: {equal: number, different: [tables with the reason]}}.
"""
import collections
import glob
import json
import os
import sys

import duckdb
import duckdb_extension_ducklake
import pyarrow
import pyarrow.compute
import pyarrow.parquet
from deltalake import DeltaTable, convert_to_deltalake
from pyiceberg.catalog.sql import SqlCatalog


def tables(root):
    found = collections.defaultdict(list)
    for path in sorted(glob.glob(root + "/**/*.parquet", recursive=True)):
        found[os.path.relpath(os.path.dirname(path), root)].append(path)
    return dict(sorted(found.items()))


def signed_type(t):
    if pyarrow.types.is_uint64(t):
        return pyarrow.int64()
    if pyarrow.types.is_list(t):
        return pyarrow.list_(signed_field(t.value_field))
    if pyarrow.types.is_struct(t):
        return pyarrow.struct([signed_field(f) for f in t])
    return t


def signed_field(f):
    return pyarrow.field(f.name, signed_type(f.type), True)


def signed_schema(paths):
    """The columns of all files, each nullable, as a table of Iceberg needs them if some files lack columns."""
    return pyarrow.unify_schemas([pyarrow.schema([signed_field(f) for f in pyarrow.parquet.read_schema(p)]) for p in paths],
                                 promote_options="permissive")


def signed_rows(paths, schema):
    """The rows of files, with the bits of unsigned numbers as signed ones."""
    parts = []
    for path in paths:
        part = pyarrow.parquet.read_table(path, partitioning=None)
        columns = [pyarrow.chunked_array([chunk.view(signed_type(c.type)) for chunk in c.chunks], signed_type(c.type)) for c in part.columns]
        parts.append(pyarrow.table(columns, names=part.column_names))
    return by_trace(pyarrow.concat_tables(parts, promote_options="permissive"), schema)


def by_trace(rows, schema):
    """The rows in the order of their traces; of one trace, they keep their order."""
    rows = rows.select(schema.names).cast(schema)
    return rows.take(pyarrow.compute.sort_indices(rows, sort_keys=[("trace", "ascending")])).combine_chunks()


def without_null_lists(rows):
    """pyiceberg 0.12 reads a NULL list of structures as an empty list (ArrowProjectionVisitor.list drops which are NULL)."""
    for i, field in enumerate(rows.schema):
        if pyarrow.types.is_list(field.type) and pyarrow.types.is_struct(field.type.value_type):
            rows = rows.set_column(i, field, pyarrow.compute.if_else(rows[i].is_null(), pyarrow.scalar([], field.type), rows[i]))
    return rows.combine_chunks()


def iceberg(catalog, name, paths, schema, want):
    table = catalog.create_table("lake." + name, schema=schema)
    table.add_files(paths)
    return without_null_lists(by_trace(table.scan().to_arrow(), schema)).equals(without_null_lists(want))


def delta(folder, paths, schema, want):
    os.makedirs(folder)  # a log is written beside the files
    for path in paths:
        os.link(path, os.path.join(folder, os.path.basename(path)))
    convert_to_deltalake(folder)
    return by_trace(DeltaTable(folder).to_pyarrow_table(), schema).equals(want)


def ducklake(con, name, paths):
    files = os.path.dirname(paths[0]).replace("'", "''") + "/*.parquet"
    read = f"read_parquet('{files}', union_by_name = true, hive_partitioning = false)"
    con.execute(f"CREATE TABLE lake.{name} AS FROM {read} LIMIT 0")
    con.execute(f"CALL ducklake_add_data_files('lake', '{name}', '{files}', allow_missing => true, hive_partitioning => false)")
    differences = f"(FROM lake.{name} EXCEPT ALL FROM {read}) UNION ALL (FROM {read} EXCEPT ALL FROM lake.{name})"
    return con.execute(f"SELECT count(*) FROM ({differences})").fetchone()[0] == 0


def compare(default, signed, scratch):
    unsigned, files = tables(default), tables(signed)
    if unsigned.keys() != files.keys():
        raise SystemExit("the datasets have different tables")
    answer = {"tables": len(files), "unsigned": 0, "rows": 0}
    answer.update({lake: {"equal": 0, "different": []} for lake in ("iceberg", "delta", "ducklake")})
    catalog = SqlCatalog("catalog", uri=f"sqlite:///{scratch}/catalog.db", warehouse=f"file://{scratch}/iceberg")
    catalog.create_namespace("lake")
    con = duckdb.connect()
    con.execute("LOAD '%s'" % glob.glob(os.path.dirname(duckdb_extension_ducklake.__file__) + "/extensions/*/ducklake.duckdb_extension")[0])
    con.execute(f"ATTACH 'ducklake:{scratch}/catalog.ducklake' AS lake (DATA_PATH '{scratch}/ducklake')")
    for i, (table, paths) in enumerate(files.items()):
        schema, name = signed_schema(paths), f"t{i}"
        want = signed_rows(unsigned[table], schema)
        answer["rows"] += want.num_rows
        if any(not signed_field(f).equals(f.with_nullable(True)) for f in pyarrow.parquet.read_schema(unsigned[table][0])):
            answer["unsigned"] += 1
        for lake, add in (("iceberg", lambda: iceberg(catalog, name, paths, schema, want)), ("delta", lambda: delta(f"{scratch}/{name}", paths, schema, want)),
                          ("ducklake", lambda: ducklake(con, name, paths))):
            try:
                reason = None if add() else "other rows"
            except Exception as e:
                reason = str(e)[:500]
            if reason is None:
                answer[lake]["equal"] += 1
            else:
                answer[lake]["different"].append(f"{table}: {reason}")
    return answer


print(json.dumps(compare(**json.load(sys.stdin))))
