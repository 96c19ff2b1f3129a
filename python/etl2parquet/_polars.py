"""Turns predicates of Polars into options of the program.

The program reads a superset of the wanted rows, and Polars applies the whole predicate again. So
unknown parts of a predicate are ignored, and options may select more than necessary.
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

# Columns with the time of an event, with the ns of their unit. timestamp is rounded down.
UNITS = {"timestamp": 1_000, "time_ns": 1}

# Columns of the tables of events, with the options that select by their values.
OPTIONS = {
    "provider_name": "provider",
    "provider_id": "provider",
    "event_name": "event",
    "process_name": "process",
    "process_id": "process",
}
EVENT_COLUMNS = ("event_ref", "timestamp")  # every table of events has them, and no other table

_PLAIN = re.compile(r"\w[\w .:@+/-]*")  # values without characters that are special in patterns
_LITERAL_UNITS = {"ns": 1, "us": 1_000, "ms": 1_000_000}
_MIRRORED = {"Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq", "Eq": "Eq"}


@dataclasses.dataclass(frozen=True)
class Pushed:
    """What the rows must have for which a predicate is true."""

    first: int | None  # times [first, end) in ns
    end: int | None
    values: dict[str, tuple[str, ...]]  # alternatives, by option


Term = tuple[str, str, "polars.Series"]  # column, operator, constants: one, or all of which one is wanted


def push(predicate: polars.Expr) -> Pushed:
    """Returns what a predicate requires."""
    first: int | None = None
    end: int | None = None
    values: dict[str, tuple[str, ...]] = {}
    for column, operator, constants in _terms(_tree(predicate)):
        option = OPTIONS.get(column)
        if option is not None and option not in values and operator in ("Eq", "In"):
            texts = _texts(column, constants)
            if texts:  # the first term of an option: its values are alternatives, and terms must all hold
                values[option] = texts
        instant = _instant(column, constants) if column in UNITS else None
        if instant is None:
            continue
        unit = UNITS[column]
        floor = instant - instant % unit
        if operator in ("Gt", "GtEq", "Eq"):
            first = floor if first is None else max(first, floor)
        if operator in ("Lt", "LtEq", "Eq"):
            end = floor + unit if end is None else min(end, floor + unit)
    return Pushed(first, end, values)


def _texts(column: str, constants: polars.Series) -> tuple[str, ...]:
    """Returns the values of an option, or none if a value cannot be written as a pattern."""
    found = [str(v) for v in constants.to_list() if v is not None]
    if column == "process_name" and any(text.isdecimal() for text in found):
        return ()  # a number is an id
    return tuple(found) if all(map(_PLAIN.fullmatch, found)) else ()


def _instant(column: str, constants: polars.Series) -> int | None:
    """Returns a constant as ns since 1970."""
    value = constants.to_physical().item() if len(constants) == 1 else None
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    if column == "time_ns":
        return value if constants.dtype.is_integer() else None
    unit = _LITERAL_UNITS.get(getattr(constants.dtype, "time_unit", ""))
    return None if unit is None else value * unit


def _tree(predicate: polars.Expr) -> Any:
    try:
        return json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # the form is Polars' own, and may change: then nothing is pushed down
        return None


def _terms(tree: Any) -> Iterator[Term]:
    """Yields the comparisons of columns with constants that must all be true."""
    match tree:
        case {"BinaryExpr": {"left": left, "op": "And" | "LogicalAnd", "right": right}}:
            yield from _terms(left)
            yield from _terms(right)
        case {"BinaryExpr": {"left": left, "op": "Or" | "LogicalOr", "right": right}}:
            yield from _alternatives(left, right)
        case {"BinaryExpr": {"left": {"Column": str(column)}, "op": operator, "right": constant}}:
            yield from _term(column, operator, constant)
        case {"BinaryExpr": {"left": constant, "op": operator, "right": {"Column": str(column)}}}:
            yield from _term(column, _MIRRORED.get(operator), constant)
        case {"Function": {"input": [{"Column": str(column)}, low, high], "function": {"Boolean": {"IsBetween": _}}}}:
            yield from _term(column, "GtEq", low)
            yield from _term(column, "LtEq", high)
        case {"Function": {"input": [{"Column": str(column)}, constants], "function": {"Boolean": {"IsIn": _}}}}:
            yield from _term(column, "In", constants)


def _alternatives(left: Any, right: Any) -> Iterator[Term]:
    """Yields one term for two that compare the same column with values, one of which it must have."""
    both = [list(_terms(tree)) for tree in (left, right)]
    if all(len(terms) == 1 and terms[0][1] in ("Eq", "In") for terms in both):
        (a, _, some), (b, _, more) = both[0][0], both[1][0]
        if a == b and some.dtype == more.dtype:
            yield a, "In", some.append(more)


def _term(column: str, operator: str | None, constant: Any) -> Iterator[Term]:
    if operator not in (*_MIRRORED, "In") or not (column in UNITS or column in OPTIONS):
        return
    constants = _constants(constant)
    if constants is not None:
        assert operator is not None
        yield column, operator, constants


def _constants(tree: Any) -> polars.Series | None:
    """Evaluates an expression without columns: one value, or a list of values."""
    import polars

    text = json.dumps(tree)
    if '"Column"' in text:
        return None
    try:
        expression = polars.Expr.deserialize(io.StringIO(text), format="json")
        found = polars.select(expression.alias("")).to_series()
        return found.explode() if isinstance(found.dtype, polars.List) else found
    except Exception:  # see _tree
        return None
