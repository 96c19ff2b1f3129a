"""Types of the program's tables in Spark, and record batches for Spark."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyarrow as pa
from pyspark.sql import types as spark

from ._errors import EtlError, UsageError

TRACE = "trace"  # the first column of every table: the name of the trace

_UNSIGNED = spark.DecimalType(20, 0)  # as Spark reads UINT_64 in Parquet

_SPARK: Mapping[pa.DataType, spark.DataType] = {
    pa.bool_(): spark.BooleanType(),
    pa.int32(): spark.IntegerType(),
    pa.int64(): spark.LongType(),
    pa.uint64(): _UNSIGNED,
    pa.float32(): spark.FloatType(),
    pa.float64(): spark.DoubleType(),
    pa.string(): spark.StringType(),
    pa.binary(): spark.BinaryType(),
    pa.timestamp("us", "UTC"): spark.TimestampType(),
}

_DESCRIBED = {
    "BOOLEAN": pa.bool_(), "INT32": pa.int32(), "INT64": pa.int64(), "UINT64": pa.uint64(),
    "FLOAT": pa.float32(), "DOUBLE": pa.float64(), "STRING": pa.string(), "BINARY": pa.binary(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
}  # fmt: skip


def spark_type(arrow: pa.DataType) -> spark.DataType:
    """Returns the type that Spark gives a column of our Parquet files. Everything is nullable."""
    if pa.types.is_list(arrow):
        return spark.ArrayType(spark_type(arrow.value_type))
    if pa.types.is_struct(arrow):
        return spark.StructType([spark.StructField(f.name, spark_type(f.type)) for f in arrow])
    return _SPARK[arrow]


def described_type(text: str) -> pa.DataType:
    """Parses a type of ``describe --json``, such as LIST<STRUCT<a INT32, b STRING>>."""
    arrow, rest = _described(text)
    if rest:
        raise ValueError(f"{rest!r} follows the type in {text!r}")
    return arrow


def _described(text: str) -> tuple[pa.DataType, str]:
    if text.startswith("LIST<"):
        item, rest = _described(text.removeprefix("LIST<"))
        return pa.list_(item), rest.removeprefix(">")
    if text.startswith("STRUCT<"):
        fields, rest = [], "," + text.removeprefix("STRUCT<")
        while rest.startswith(","):
            name, _, rest = rest[1:].lstrip().partition(" ")
            kind, rest = _described(rest)
            fields.append(pa.field(name, kind))
        return pa.struct(fields), rest.removeprefix(">")
    word = re.match(r"\w*", text)
    assert word is not None
    return _DESCRIBED[word.group()], text[word.end() :]


_DECIMAL = pa.decimal128(20, 0)
_INTEGERS = (pa.int32(), pa.int64(), pa.uint64(), _DECIMAL)
_REALS = (pa.float32(), pa.float64())


def merged(a: pa.DataType, b: pa.DataType) -> pa.DataType | None:
    """Returns the common type of a column with different types in two traces, or None: the wider of two
    numbers, and text for numbers and texts, as in the views of a dataset."""
    if a == b:
        return a
    if pa.types.is_list(a) and pa.types.is_list(b):
        item = merged(a.value_type, b.value_type)
        return pa.list_(item) if item else None
    if a in _INTEGERS and b in _INTEGERS:
        return _DECIMAL if {a, b} & {pa.uint64(), _DECIMAL} else pa.int64()
    if a in _REALS and b in _REALS:
        return pa.float64()
    if pa.string() in (a, b) and (a in _INTEGERS + _REALS or b in _INTEGERS + _REALS):
        return pa.string()
    return None


def castable(source: pa.DataType, target: pa.DataType) -> bool:
    """Reports whether a column can be read as another type: a number as a type that has its value, or as
    text. Each value is checked when it is read."""
    if pa.types.is_list(source) and pa.types.is_list(target):
        return castable(source.value_type, target.value_type)
    if pa.types.is_struct(source) and pa.types.is_struct(target):
        return [f.name for f in source] == [f.name for f in target] and all(
            castable(s.type, t.type) for s, t in zip(source, target, strict=True)
        )
    if source == target:
        return True
    if source in _INTEGERS:
        return bool(pa.types.is_integer(target) or pa.types.is_decimal(target) or target == pa.string())
    return source in _REALS and target in (pa.float64(), pa.string())


def check(source: pa.Schema, target: pa.Schema, where: str) -> None:
    """Raises UsageError if a given schema has a type that a column cannot be read as."""
    for name in target.names:
        at = source.get_field_index(name)
        if at < 0:
            continue
        if not castable(source.field(at).type, target.field(name).type):
            raise UsageError(
                2,
                f"{where}: column {name} is {source.field(at).type}, and the schema wants {target.field(name).type}: "
                f"give it {spark_type(source.field(at).type).simpleString()}",
            )


def conform(batch: pa.RecordBatch, target: pa.Schema, trace: str) -> pa.RecordBatch:
    """Returns a batch with the columns and types that Spark expects. Columns that this trace
    lacks are null."""
    arrays = []
    for field in target:
        if field.name == TRACE:
            array = pa.repeat(pa.scalar(trace), batch.num_rows)
        elif (at := batch.schema.get_field_index(field.name)) >= 0:
            array = batch.column(at)
        else:
            array = pa.nulls(batch.num_rows, field.type)
        arrays.append(_cast(array, field, trace))
    return pa.RecordBatch.from_arrays(arrays, schema=target)


def _cast(array: pa.Array, field: pa.Field, trace: str) -> pa.Array:
    if array.null_count and not field.nullable:
        raise EtlError(1, f"trace {trace}: column {field.name} has nulls, and the schema says that it has none")
    if array.type == field.type:
        return array
    try:
        return array.cast(field.type)
    except pa.ArrowInvalid as e:
        raise EtlError(1, f"trace {trace}: column {field.name} cannot be read as {field.type}: {e}") from e
