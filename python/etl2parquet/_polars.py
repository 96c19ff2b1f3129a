"""Finds bounds of time in predicates of Polars.

The program reads a superset of the wanted rows, and Polars applies the whole predicate again. So
unknown parts of a predicate are ignored, and bounds may be wider than necessary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

# Columns with the time of an event, with the ns of their unit. timestamp is rounded down.
UNITS = {"timestamp": 1_000, "time_ns": 1}

_LITERAL_UNITS = {"Nanoseconds": 1, "Microseconds": 1_000, "Milliseconds": 1_000_000}
_MIRRORED = {"Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq", "Eq": "Eq"}


def bounds(predicate: polars.Expr) -> tuple[int | None, int | None]:
    """Returns the first ns, and the end, of the times that a predicate can be true for."""
    first: int | None = None
    end: int | None = None
    for column, operator, value in _comparisons(_tree(predicate)):
        unit = UNITS[column]
        floor = value - value % unit
        if operator in ("Gt", "GtEq", "Eq"):
            first = floor if first is None else max(first, floor)
        if operator in ("Lt", "LtEq", "Eq"):
            end = floor + unit if end is None else min(end, floor + unit)
    return first, end


def _tree(predicate: polars.Expr) -> Any:
    try:
        return json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # the form is Polars' own, and may change: then nothing is pushed down
        return None


def _comparisons(tree: Any) -> Iterator[tuple[str, str, int]]:
    """Yields the comparisons of times with literals that must all be true, the literals in ns."""
    match tree:
        case {"BinaryExpr": {"left": left, "op": "And" | "LogicalAnd", "right": right}}:
            yield from _comparisons(left)
            yield from _comparisons(right)
        case {"BinaryExpr": {"left": {"Column": column}, "op": operator, "right": literal}}:
            yield from _comparison(column, operator, literal)
        case {"BinaryExpr": {"left": literal, "op": operator, "right": {"Column": column}}}:
            yield from _comparison(column, _MIRRORED.get(operator), literal)
        case {"Function": {"input": [{"Column": column}, low, high], "function": {"Boolean": {"IsBetween": _}}}}:
            yield from _comparison(column, "GtEq", low)
            yield from _comparison(column, "LtEq", high)


def _comparison(column: str, operator: str | None, literal: Any) -> Iterator[tuple[str, str, int]]:
    if column not in UNITS or operator not in _MIRRORED:
        return
    match literal:
        case {"Literal": {"Scalar": {"Datetime": [int(value), unit, {"inner": str()}]}}} if (
            column == "timestamp" and unit in _LITERAL_UNITS
        ):
            yield column, operator, value * _LITERAL_UNITS[unit]
        case {"Literal": {"Scalar": {"Int64": int(value)}}} if column == "time_ns":
            yield column, operator, value
