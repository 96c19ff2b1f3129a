"""Spark's SQL for the views, which are written for DuckDB. It needs sqlglot.

``go test ./interop -run TestSparkViews -update`` makes the file that the package has.
"""

from __future__ import annotations

import hashlib

import sqlglot
from sqlglot import exp

# Spark has unsigned 64-bit numbers as DECIMAL(20,0), and hex takes signed ones.
_SIGNED = "CAST({0} - CASE WHEN {0} >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT)"


def to_spark(sql: str) -> str:
    """Returns a SELECT of DuckDB's SQL as one of Spark's. What sqlglot cannot translate is its UnsupportedError."""
    tree = sqlglot.parse_one(sql, read="duckdb")
    for node in list(tree.find_all(exp.Lambda)):
        _count_from_one(node)
    for node in reversed(list(tree.dfs())):  # each after what it consists of
        node.comments = []
        text = _spark(node)
        if text is not None:
            node.replace(sqlglot.parse_one(text, read="spark"))
    return str(tree.sql("spark", unsupported_level=sqlglot.ErrorLevel.RAISE, pretty=True, max_text_width=160))


def _count_from_one(node: exp.Lambda) -> None:
    """Makes the index of a lambda begin at 1, as in DuckDB. Spark's begins at 0."""
    if len(node.expressions) < 2:
        return
    index = node.expressions[1].name
    for use in list(node.this.find_all(exp.Column, exp.Identifier)):
        if use.name == index and not isinstance(use.parent, (exp.Dot, exp.Column)):
            use.replace(exp.Add(this=exp.column(index), expression=exp.Literal.number(1)))


def _spark(node: exp.Expression) -> str | None:
    """Returns what sqlglot leaves as it is, and Spark does not have or reads in another way; else None."""
    text = None
    match node:
        case exp.Bracket(expressions=[index]):
            # NULL, rather than an error, if there is no such element. sqlglot counts literals from 0 already.
            text = f"get({_text(node.this)}, {index.sql() if isinstance(index, exp.Literal) else _from_zero(index)})"
        case exp.Format(this=exp.Literal(this="{:,}"), expressions=[number]):
            text = f"format_number({_text(number)}, 0)"
        case exp.Hex(this=exp.ArraySlice(this=value, args={"start": start, "end": end})):
            text = f"hex(substring({_text(value)}, {_text(start)}, {_text(end)}))"
        case exp.Hex(this=exp.Cast(to=exp.DataType(this=exp.DataType.Type.VARBINARY)) as value):
            text = f"hex({_text(value)})"
        case exp.Hex(this=number) | exp.LowerHex(this=number):
            digits = f"hex({_SIGNED.format(_text(number))})"
            text = f"lower({digits})" if isinstance(node, exp.LowerHex) else digits
        case exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.UBIGINT)):
            text = f"CAST({_text(value)} AS DECIMAL(20, 0))"
        case exp.Cast(this=exp.DPipe(this=exp.Literal(this="0x"), expression=digits)):
            text = f"CAST(conv({_text(digits)}, 16, 10) AS BIGINT)"
        case exp.Anonymous(this=name, expressions=[value]) if name.upper() == "LIST_REVERSE":
            text = f"reverse({_text(value)})"
        case exp.Anonymous(this=name, expressions=[micros]) if name.upper() == "MAKE_TIMESTAMPTZ":
            text = f"timestamp_micros(CAST({_text(micros)} AS BIGINT))"
    return text


def _from_zero(index: exp.Expression) -> str:
    match index:
        case exp.Add(this=place, expression=exp.Literal(this="1")):
            return f"CAST({_text(place)} AS INT)"
    return f"CAST({_text(index)} - 1 AS INT)"


def _text(node: exp.Expression) -> str:
    return str(node.sql("spark"))


def made(views: dict[str, str]) -> str:
    """Returns the statements of views, which are given by name, each after a line with its name, and first a line
    with the SHA-256 of what they are made from."""
    sums = hashlib.sha256("".join(f"{name}\n{views[name]}\n" for name in sorted(views)).encode()).hexdigest()
    sections = [f"-- made by _spark_sql.py from the folder views, {sums}\n"]
    for name in sorted(views):
        sections.append(f"-- view {name}\n{to_spark(views[name])};\n")
    return "\n".join(sections)
