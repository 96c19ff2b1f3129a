"""Types of the program's tables in Spark, and record batches for Spark."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
from pyarrow import compute
from pyspark.sql import types as spark

from . import _types
from ._errors import EtlError, UsageError

TRACE = "trace"  # the first column of every table: the name of the trace
FILENAME = "filename"  # of the option filename: the path of the trace

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


def spark_type(arrow: pa.DataType) -> spark.DataType:
    """Returns the type that Spark gives a column of our Parquet files. Everything is nullable."""
    if pa.types.is_list(arrow):
        return spark.ArrayType(spark_type(arrow.value_type))
    if pa.types.is_struct(arrow):
        return spark.StructType([spark.StructField(f.name, spark_type(f.type)) for f in arrow])
    return _SPARK[arrow]


_DECIMAL = pa.decimal128(20, 0)
_INTEGERS = (pa.int32(), pa.int64(), pa.uint64(), _DECIMAL)
_REALS = (pa.float32(), pa.float64())


def castable(source: pa.DataType, target: pa.DataType) -> bool:
    """Reports whether a column can be read as another type: a number as a type that has its value, a
    structure as one with some of its members or further ones, and everything as text. Each value is checked
    when it is read."""
    if source == target or target == pa.string():
        return True
    if pa.types.is_list(source) and pa.types.is_list(target):
        return castable(source.value_type, target.value_type)
    if pa.types.is_struct(source) and pa.types.is_struct(target):
        of = {f.name: f.type for f in source}
        return any(f.name in of for f in target) and all(castable(of.get(f.name, f.type), f.type) for f in target)
    if source in _INTEGERS:
        return bool(pa.types.is_integer(target) or pa.types.is_decimal(target))
    return source in _REALS and target == pa.float64()


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


def conform(batch: pa.RecordBatch, target: pa.Schema, own: Mapping[str, str]) -> pa.RecordBatch:
    """Returns a batch with the columns and types that Spark expects. ``own`` are columns with one value.
    Columns that this trace lacks are null."""
    arrays = []
    for field in target:
        if field.name in own:
            array = pa.repeat(pa.scalar(own[field.name]), batch.num_rows)
        elif (at := batch.schema.get_field_index(field.name)) >= 0:
            array = batch.column(at)
        else:
            array = pa.nulls(batch.num_rows, field.type)
        arrays.append(_conformed(array, field, own[TRACE]))
    return pa.RecordBatch.from_arrays(arrays, schema=target)


def _conformed(array: pa.Array, field: pa.Field, trace: str) -> pa.Array:
    if array.null_count and not field.nullable:
        raise EtlError(1, f"trace {trace}: column {field.name} has nulls, and the schema says that it has none")
    try:
        return cast(array, field.type)
    except pa.ArrowInvalid as e:
        raise EtlError(1, f"trace {trace}: column {field.name} cannot be read as {field.type}: {e}") from e


def cast(array: pa.Array, target: pa.DataType) -> pa.Array:
    """Returns the values as another type. Members that a structure lacks are null."""
    if array.type == target:
        return array
    is_null = array.is_null()
    if pa.types.is_list(target) and pa.types.is_list(array.type):
        lengths = compute.fill_null(compute.list_value_length(array), 0)
        ends = compute.cumulative_sum(lengths)
        offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends.cast(pa.int32())])
        return pa.ListArray.from_arrays(offsets, cast(array.flatten(), target.value_type), target, mask=is_null)
    if pa.types.is_struct(target) and pa.types.is_struct(array.type):
        of = dict(zip((f.name for f in array.type), array.flatten()))
        members = [cast(of[f.name], f.type) if f.name in of else pa.nulls(len(array), f.type) for f in target]
        return pa.StructArray.from_arrays(members, fields=list(target), mask=is_null)
    if target == pa.string():
        return _types.as_text(array)
    return array.cast(target)
