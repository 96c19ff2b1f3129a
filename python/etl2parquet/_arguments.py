"""Turns Python arguments into arguments of the program."""

from __future__ import annotations

import datetime as dt
import math
import numbers
import os
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from ._errors import UsageError

if TYPE_CHECKING:
    import numpy as np

Path: TypeAlias = Union[str, "os.PathLike[str]"]
Time: TypeAlias = Union[str, int, float, dt.date, dt.datetime, dt.timedelta, "np.datetime64", "np.timedelta64"]
Value: TypeAlias = bool | int | Path | Sequence[Path] | None

_USAGE = 2


def usage(message: str) -> UsageError:
    return UsageError(_USAGE, message)


def time(value: Time) -> str:
    """Returns a time as an argument of the program. Numbers and timedeltas are seconds since the start
    of the session. A datetime without a time zone is UTC, like the times of a trace."""
    kind = str(getattr(value, "dtype", ""))
    if isinstance(value, str):
        text = value
    elif isinstance(value, dt.datetime):  # pandas.Timestamp too, whose nanoseconds isoformat keeps
        text = _utc(value)
    elif isinstance(value, dt.date):
        text = value.isoformat()
    elif isinstance(value, dt.timedelta):
        text = format(Decimal(value / dt.timedelta(microseconds=1)) / 1_000_000, "f")
    elif kind.startswith("datetime64"):
        text = nanoseconds(_count(value, "datetime64[ns]"))
    elif kind.startswith("timedelta64"):
        text = format(Decimal(_count(value, "timedelta64[ns]")) / 1_000_000_000, "f")
    elif isinstance(value, numbers.Integral) and not isinstance(value, bool):  # NumPy's too
        text = str(int(value))
    elif isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value):
        text = format(Decimal(repr(float(value))), "f")
    else:
        raise usage(
            f"{value!r} is not a time: it must be a datetime, a date, a string, seconds or a timedelta since the start"
        )
    return text


def _utc(value: dt.datetime) -> str:
    aware = value if value.tzinfo else value.replace(tzinfo=dt.timezone.utc)
    try:
        return aware.astimezone(dt.timezone.utc).isoformat().replace("+00:00", "Z")
    except (OverflowError, ValueError) as e:  # the year 0, or NaT of pandas
        raise usage(f"{value!r} is not a time: {e}") from e


def _count(value: Any, unit: str) -> int:
    """Returns the ns of a time or duration of NumPy, which has no check of overflow of its own."""
    exact = value.astype(unit)
    if value.shape != () or not exact.astype(value.dtype) == value:  # NaT equals nothing
        raise usage(f"{value!r} is not a time: it must be one, between the years 1678 and 2262")
    return int(exact.astype("int64"))


def nanoseconds(instant: int) -> str:
    """Returns an instant in ns since 1970 as an argument of the program."""
    seconds, rest = divmod(instant, 1_000_000_000)
    at = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)
    return f"{at.isoformat()}.{rest:09d}Z"


def limit(value: int | None) -> int | None:
    """Returns a number of rows, or None for all."""
    if value is None:
        return None
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 0:
        raise usage(f"limit={value!r}: it must be 0 or more rows, or None for all")
    return int(value)


def paths(given: Path | Iterable[Path]) -> tuple[str, ...]:
    """Returns the inputs that a caller names."""
    found = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    for path in found:
        if not isinstance(path, (str, os.PathLike)):
            raise usage(f"{path!r} is not an input: it must be a path or a URL, as text or os.PathLike")
    return tuple(os.fspath(path) for path in found)


def inputs(given: Path | Iterable[Path]) -> list[str]:
    """Returns the arguments that name inputs. They come after all flags."""
    found = paths(given)
    if "-" in found:
        raise usage("standard input (-) cannot be read from Python: name a file")
    return ["--", *found]


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
            list_ += [f"{flag}={os.fspath(v) if isinstance(v, os.PathLike) else v}" for v in value]
    return list_


def columns(names: Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    if isinstance(names, str):
        names = [names]
    if not names:
        raise usage("columns is empty: name at least one column")
    return ["--columns=" + ",".join(names)]
