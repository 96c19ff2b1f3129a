"""Reads Arrow streams with pyarrow and compares them with Parquet files, column by column.

Question: [{stream, file, without, computed}]: without is a column of the file that the stream lacks, computed are columns of the stream that the file lacks. A stream without a file is only read.
Answer: per pair {invalid, batches, rows: [of the stream, of the file], schemas: [of the stream, of the file], same_schema, columns: {name: equal}}.
"""
import json
import sys

import pyarrow
import pyarrow.parquet

BITS = {pyarrow.float32(): pyarrow.int32(), pyarrow.float64(): pyarrow.int64()}


def comparable(column):
    """A column as one array, doubles by their bits: NaN does not equal itself."""
    column = column.combine_chunks()
    return column.view(BITS[column.type]) if column.type in BITS else column


def validate(batches):
    for i, batch in enumerate(batches):
        try:
            batch.validate(full=True)
        except pyarrow.ArrowInvalid as e:
            return f"batch {i}: {e}"
    return ""


def compare(stream, file, without="", computed=()):
    with pyarrow.OSFile(stream) as source, pyarrow.ipc.open_stream(source) as reader:
        batches = list(reader)
        streamed = pyarrow.Table.from_batches(batches, reader.schema)
    if not file:
        return {"invalid": validate(batches), "batches": len(batches), "rows": [streamed.num_rows, 0]}
    streamed = streamed.drop_columns(computed or [])
    filed = pyarrow.parquet.read_table(file)
    if without:
        filed = filed.drop_columns([without])
    names = [t.column_names for t in (streamed, filed)]
    return {
        "invalid": validate(batches), "batches": len(batches), "rows": [streamed.num_rows, filed.num_rows],
        "schemas": [str(streamed.schema), str(filed.schema)], "same_schema": streamed.schema.equals(filed.schema),
        "columns": {name: comparable(streamed[name]).equals(comparable(filed[name])) for name in names[0] if name in names[1]}}


print(json.dumps([compare(**question) for question in json.load(sys.stdin)]))
