"""Types of columns as the program describes them, and values in a wider type.

The rule for columns whose type differs between the parts of a dataset is the program's: see
docs/dataset.md. ``describe`` says the wider type; ``conform`` gives values in it.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_DESCRIBED = {
    "BOOLEAN": pa.bool_(),
    "INT32": pa.int32(),
    "INT64": pa.int64(),
    "UINT64": pa.uint64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "STRING": pa.string(),
    "BINARY": pa.binary(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
}


def described(text: str) -> pa.DataType:
    """Parses a type of ``describe --json``, such as LIST<STRUCT<a INT32, b STRING>>."""
    arrow, rest = _parsed(text)
    if rest:
        raise ValueError(f"{rest!r} follows the type in {text!r}")
    return arrow


def _parsed(text: str) -> tuple[pa.DataType, str]:
    if text.startswith("LIST<"):
        item, rest = _parsed(text.removeprefix("LIST<"))
        return pa.list_(pa.field("element", item)), rest.removeprefix(">")
    if text.startswith("STRUCT<"):
        fields, rest = [], "," + text.removeprefix("STRUCT<")
        while rest.startswith(","):
            name, _, rest = rest[1:].lstrip().partition(" ")
            kind, rest = _parsed(rest)
            fields.append(pa.field(name, kind))
        return pa.struct(fields), rest.removeprefix(">")
    word = re.match(r"\w*", text)
    assert word is not None
    return _DESCRIBED[word.group()], text[word.end() :]


def is_native(source: pa.DataType, target: pa.DataType) -> bool:
    """Reports whether pyarrow reads and filters a column as a wider type by itself, as the rule says. It
    compares the bounds of a column's chunks, which have the type of the file."""
    return source == target or bool(_is_number(source) and _is_number(target))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def conform(array: pa.Array, target: pa.DataType) -> pa.Array:
    """Returns values in a wider type."""
    source = array.type
    if source == target:
        return array
    if pa.types.is_list(target):
        return _as_list(array, target)
    if pa.types.is_struct(target):
        members = [_member(array, field) for field in target]
        return pa.StructArray.from_arrays(members, fields=list(target), mask=array.is_null())
    if pa.types.is_string(target):
        return as_text(array)
    return array.cast(target)


def _as_list(array: pa.Array, target: pa.DataType) -> pa.Array:
    """Converts the items of lists. A single value becomes a list of one."""
    is_list = pa.types.is_list(array.type)
    sizes = pc.list_value_length(array) if is_list else array.is_valid().cast(pa.int32())
    ends = pc.cumulative_sum(pc.fill_null(sizes, 0).cast(pa.int32()))
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    values = array.flatten() if is_list else array.drop_null()
    items = conform(values, target.value_type)
    return pa.ListArray.from_arrays(offsets, items, type=target, mask=array.is_null())


def _member(array: pa.Array, field: pa.Field) -> pa.Array:
    if array.type.get_field_index(field.name) < 0:
        return pa.nulls(len(array), field.type)
    return conform(pc.struct_field(array, field.name), field.type)


def as_text(array: pa.Array) -> pa.Array:
    """Returns values as texts, as in CSV: structures and lists as JSON."""
    if pa.types.is_timestamp(array.type):
        local = array.cast(pa.timestamp("us")).cast(pa.string())
        return pc.binary_join_element_wise(pc.replace_substring(local, " ", "T"), "Z", "")
    if pa.types.is_binary(array.type):
        return pa.array([None if v is None else v.hex() for v in array.to_pylist()], pa.string())
    if pa.types.is_nested(array.type):
        return pa.array(
            [None if v is None else json.dumps(_plain(v, array.type), **_JSON) for v in array.to_pylist()], pa.string()
        )
    return array.cast(pa.string())


_JSON: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}


def _plain(value: Any, kind: pa.DataType) -> Any:
    """Returns a value for JSON. Members without a value are left out."""
    if isinstance(value, dict):
        return {name: _plain(v, kind.field(name).type) for name, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_plain(v, kind.value_type) for v in value]
    if isinstance(value, bytes):
        return value.hex()
    if hasattr(value, "isoformat"):
        return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return _real(value, kind) if isinstance(value, float) else value


def _real(value: float, kind: pa.DataType) -> float | str:
    """Returns a number for JSON, which has no infinities and no NaN."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else f"{'+' if value > 0 else '-'}Inf"
    if kind == pa.float32():  # 0.1, and not the nearest number of 64 bits
        return float(pa.scalar(value, kind).cast(pa.string()).as_py())
    return value
