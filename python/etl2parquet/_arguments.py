"""Turns Python arguments into arguments of the program."""

from __future__ import annotations

import datetime as dt
import math
import numbers
import os
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias, Union

from ._errors import UsageError

Path: TypeAlias = Union[str, "os.PathLike[str]"]
Time: TypeAlias = str | int | float | dt.date | dt.datetime | dt.timedelta
Value: TypeAlias = bool | int | Path | Sequence[Path] | None

_USAGE = 2


def usage(message: str) -> UsageError:
    return UsageError(_USAGE, message)


def time(value: Time) -> str:
    """Returns a time as an argument of the program. Numbers and timedeltas are seconds since the start
    of the session. A datetime without a time zone is UTC, like the times of a trace."""
    if isinstance(value, str):
        return value
    if isinstance(value, dt.datetime):  # pandas.Timestamp too, whose nanoseconds isoformat keeps
        aware = value if value.tzinfo else value.replace(tzinfo=dt.timezone.utc)
        try:
            return aware.astimezone(dt.timezone.utc).isoformat().replace("+00:00", "Z")
        except (OverflowError, ValueError) as e:  # the year 0, or NaT of pandas
            raise usage(f"{value!r} is not a time: {e}") from e
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        value = value / dt.timedelta(microseconds=1)
        return format(Decimal(value) / 1_000_000, "f")
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):  # NumPy's too
        return str(int(value))
    if isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value):
        return format(Decimal(repr(float(value))), "f")
    raise usage(
        f"{value!r} is not a time: it must be a datetime, a date, a string, seconds or a timedelta since the start"
    )


def nanoseconds(instant: int) -> str:
    """Returns an instant in ns since 1970 as an argument of the program."""
    seconds, rest = divmod(instant, 1_000_000_000)
    at = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)
    return f"{at.isoformat()}.{rest:09d}Z"


def inputs(given: Path | Iterable[Path]) -> list[str]:
    """Returns the arguments that name inputs. They come after all flags."""
    paths = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    list_ = [os.fspath(p) for p in paths]
    if "-" in list_:
        raise usage("standard input (-) cannot be read from Python: name a file")
    return ["--", *list_]


def flags(values: Mapping[str, Value]) -> list[str]:
    """Returns the flags for keyword arguments: None gives no flag, a sequence repeats the flag."""
    list_: list[str] = []
    for name, value in values.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            list_.append(flag)
        elif isinstance(value, (str, int, os.PathLike)):
            list_.append(f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
        else:
            list_ += [f"{flag}={os.fspath(v)}" for v in value]
    return list_


def columns(names: Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    if isinstance(names, str):
        names = [names]
    if not names:
        raise usage("columns is empty: name at least one column")
    return ["--columns=" + ",".join(names)]
