"""Reads an Arrow stream with pyarrow, Polars, pandas and DuckDB.

Question: the path of the stream.
Answer: {reader: {rows, columns}}, where all values were read.
"""
import json
import sys

import duckdb
import polars
import pyarrow

path = json.load(sys.stdin)
with pyarrow.OSFile(path) as source, pyarrow.ipc.open_stream(source) as reader:
    streamed = reader.read_all()
frame = polars.read_ipc_stream(path)
pandas_frame = streamed.to_pandas()
duckdb.sql("CREATE OR REPLACE TABLE copy AS SELECT * FROM streamed")
print(json.dumps({
    "pyarrow": {"rows": streamed.num_rows, "columns": streamed.column_names},
    "polars": {"rows": frame.height, "columns": frame.columns},
    "pandas": {"rows": len(pandas_frame), "columns": list(pandas_frame.columns)},
    "duckdb": {"rows": duckdb.sql("SELECT count(*) FROM copy").fetchall()[0][0], "columns": duckdb.table("copy").columns},
}))
