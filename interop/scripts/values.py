"""Values in a form that JSON keeps, and sums over columns that any engine can compute."""
import datetime
import hashlib
import math
import numbers as numeric
import operator
import struct

PRIME = (1 << 61) - 1
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def plain(column, value):
    """A value as the tests expect it: whole numbers as text, doubles by their bits, binaries in hexadecimal, structs as
    the list of their members' values."""
    if value is None:
        return None
    if column["list"]:
        return [plain({**column, "list": False}, v) for v in value]
    kind = column["type"]
    if kind == "STRUCT":
        return [plain(f, value[f["name"]]) for f in column["fields"]]
    if kind == "TIMESTAMP" and not isinstance(value, numeric.Integral):
        return str(micros(value))
    if kind in ("INT32", "INT64", "UINT64", "TIMESTAMP"):
        return str(int(value))
    if kind == "BOOLEAN":
        return bool(value)
    if kind == "FLOAT":
        return "nan" if math.isnan(value) else struct.pack(">f", value).hex()
    if kind == "DOUBLE":
        return "nan" if math.isnan(value) else struct.pack(">d", value).hex()
    if kind == "BINARY":
        return bytes(value).hex()
    return value


def micros(value):
    """A timestamp inside a struct, which the engines' own functions do not reach. Without a time zone it is UTC."""
    if not isinstance(value, datetime.datetime):  # numpy.datetime64
        return int(value.astype("datetime64[us]").astype("int64"))
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    return (value - EPOCH) // datetime.timedelta(microseconds=1)


def hash_of(value):
    return int(hashlib.md5(value.encode() if isinstance(value, str) else value).hexdigest()[:15], 16)


def numbers(kind, values):
    """Numbers that represent values, modulo PRIME."""
    if kind in ("STRING", "BINARY"):
        known = {v: hash_of(v) for v in set(values)}
        return [known[v] for v in values]
    if kind == "BOOLEAN":
        return [v + 1 for v in values]
    if kind in ("FLOAT", "DOUBLE"):
        return [int(v * 1024) for v in values]
    return values


def sums(column, values):
    """Sums over a column that depend on the position of every value: see columnSums in the Go test."""
    kind = column["type"]
    nulls = [i for i, v in enumerate(values, 1) if v is None]
    rows = [i for i, v in enumerate(values, 1) if v is not None]
    values = [v for v in values if v is not None]
    elements = lengths = 0
    if column["list"]:
        elements = sum(map(len, values))
        lengths = sum(i * (len(v) + 1) for i, v in zip(rows, values))
        rows = [i * j for i, v in zip(rows, values) for j in range(1, len(v) + 1)]
        values = [element for v in values for element in v]
    total = sum(map(operator.mul, rows, numbers(kind, values)))
    return {name: n % PRIME for name, n in
            {"nulls": len(nulls), "null_rows": sum(nulls), "values": total, "elements": elements, "lengths": lengths}.items()}
