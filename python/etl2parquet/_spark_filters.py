"""Turns Spark's filters into flags of the program.

Spark applies every filter again, so flags may let more rows pass, but never fewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from pyspark.sql import datasource

from ._spark_options import Options
from ._spark_types import TRACE

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_LAST = 1 << 63
_PLAIN = re.compile(r"\w[\w .:@+/-]*")  # names without characters that are special in patterns
_FLAG = {"provider_name": "provider", "provider_id": "provider", "event_name": "event"}


@dataclass(frozen=True)
class Pushed:
    """The events that pass the filters: times [first, end) in ns since 1970, values of provider and
    event (None means all), names of traces."""

    first: int = 0
    end: int = _LAST
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    traces: frozenset[str] | None = None

    def applied(self, options: Options) -> Options:
        """Adds flags to the flags of the options. An option that the user has given takes precedence."""
        flags = dict(options.flags)
        if self.first > 0:
            flags.setdefault("from", (_rfc3339(self.first),))
        if self.end < _LAST:
            flags.setdefault("to", (_rfc3339(max(self.end, 0)),))
        for name, values in self.values:
            flags.setdefault(name, values)
        return replace(options, flags=flags)


def push(filters: Iterable[Any], has_events: bool) -> Pushed:
    """Returns the part of a table that passes the filters. Filters of time, provider and event apply
    only to tables of events: flags do not choose rows of other tables."""
    pushed = Pushed()
    for f in filters:
        if len(getattr(f, "attribute", ())) != 1:
            continue
        (column,) = f.attribute
        if column == TRACE:
            pushed = _push_traces(pushed, f)
        elif has_events and column in _FLAG:
            pushed = _push_names(pushed, _FLAG[column], f)
        elif has_events and column in ("timestamp", "time_ns"):
            pushed = _push_time(pushed, f, _instant(column, getattr(f, "value", None)))
    return pushed


def _values(f: Any) -> tuple[Any, ...]:
    """Returns the values of a filter, one of which a column must have, or none for other kinds of
    filter."""
    if isinstance(f, datasource.In):
        return tuple(v for v in f.value if v is not None)
    if isinstance(f, (datasource.EqualTo, datasource.EqualNullSafe)) and f.value is not None:
        return (f.value,)
    return ()


def _push_traces(pushed: Pushed, f: Any) -> Pushed:
    values = frozenset(_values(f))
    if not values:
        return pushed
    return replace(pushed, traces=values if pushed.traces is None else pushed.traces & values)


def _push_names(pushed: Pushed, flag: str, f: Any) -> Pushed:
    """Uses the first filter of a flag: values of a repeated flag are alternatives, but filters must all
    hold."""
    values = _values(f)
    if not values or flag in dict(pushed.values) or not all(isinstance(v, str) and _PLAIN.fullmatch(v) for v in values):
        return pushed
    return replace(pushed, values=(*pushed.values, (flag, values)))


def _instant(column: str, value: Any) -> tuple[int, int] | None:
    """Returns the instants, [first, end) in ns, that a column shows as one value: a timestamp is
    rounded down to microseconds."""
    if column == "time_ns" and isinstance(value, int):
        return value, value + 1
    if column == "timestamp" and isinstance(value, datetime) and value.tzinfo is not None:
        first = (value - _EPOCH) // timedelta(microseconds=1) * 1000
        return first, first + 1000
    return None


def _push_time(pushed: Pushed, f: Any, instant: tuple[int, int] | None) -> Pushed:
    if instant is None:
        return pushed
    first, end = pushed.first, pushed.end
    if isinstance(f, (datasource.EqualTo, datasource.EqualNullSafe)):
        first, end = max(first, instant[0]), min(end, instant[1])
    elif isinstance(f, datasource.GreaterThanOrEqual):
        first = max(first, instant[0])
    elif isinstance(f, datasource.GreaterThan):
        first = max(first, instant[1])
    elif isinstance(f, datasource.LessThanOrEqual):
        end = min(end, instant[1])
    elif isinstance(f, datasource.LessThan):
        end = min(end, instant[0])
    if first >= end:
        return replace(pushed, traces=frozenset())  # no instant is left
    return replace(pushed, first=first, end=end)


def _rfc3339(ns: int) -> str:
    """Writes a time with nine digits after the second. No trace has years beyond 2262."""
    seconds, rest = divmod(min(ns, _LAST - 1), 1_000_000_000)
    return f"{_EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"
