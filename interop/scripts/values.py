"""Values in a form that JSON keeps, and sums over columns that any engine can compute."""
import hashlib
import math
import struct

PRIME = (1 << 61) - 1


def plain(column, value):
    """A value as the tests expect it: whole numbers as text, doubles by their bits, binaries in hexadecimal."""
    if value is None:
        return None
    if column["list"]:
        return [plain({**column, "list": False}, v) for v in value]
    kind = column["type"]
    if kind in ("INT32", "INT64", "UINT64", "TIMESTAMP"):
        return str(int(value))
    if kind == "DOUBLE":
        return "nan" if math.isnan(value) else struct.pack(">d", value).hex()
    if kind == "BINARY":
        return bytes(value).hex()
    return value


def number(kind, value):
    """A number below PRIME that stands for a value."""
    if kind in ("STRING", "BINARY"):
        return int(hashlib.md5(value.encode() if kind == "STRING" else value).hexdigest()[:15], 16)
    if kind == "BOOLEAN":
        return 2 if value else 1
    if kind == "DOUBLE":
        value = value * 1024
    return int(value) % PRIME


def sums(column, values):
    """Sums over a column that depend on the place of every value: see columnSums in the Go test."""
    kind = column["type"]
    s = {"nulls": 0, "null_rows": 0, "values": 0, "elements": 0, "lengths": 0}
    for i, value in enumerate(values, 1):
        if value is None:
            s["nulls"] += 1
            s["null_rows"] += i
        elif column["list"]:
            s["elements"] += len(value)
            s["lengths"] += i * (len(value) + 1)
            s["values"] += i * sum(j * number(kind, v) for j, v in enumerate(value, 1))
        else:
            s["values"] += i * number(kind, value)
    return {name: total % PRIME for name, total in s.items()}
