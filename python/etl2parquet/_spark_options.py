"""The options of the Spark data source, and the program's flags for them."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from ._errors import UsageError

_DEFAULT_TABLE = "events"
_DEFAULT_MEMORY = "256MiB"  # of a task; the program's own default is for a whole machine
_FILES_PER_TRIGGER = 1000
_QUIET = 5.0  # seconds

# Options that are passed to the program unchanged, with the flag for each.
_SELECTION = {
    "from": "--from",
    "to": "--to",
    "provider": "--provider",
    "event": "--event",
    "process": "--process",
    "level": "--level",
    "keyword": "--keyword",
}
_DESCRIPTIONS = {"manifest": "--manifest", "catalog": "--catalog", "tmf": "--tmf"}
_SYMBOLS = {"symbols": "--symbols", "symbolServer": "--symbol-server", "symbolCache": "--symbol-cache"}
_CONTENT = {"payload": "--payload", "messages": "--messages"}
_SOURCES = {"s3Endpoint": "--s3-endpoint", "s3Region": "--s3-region", "tempDir": "--temp-dir"}
_OWN = (
    "path",
    "paths",
    "table",
    "columns",
    "splits",
    "index",
    "mergeSchema",
    "memory",
    "workers",
    "maxFilesPerTrigger",
    "quiet",
    "filename",
    "strict",
    "ignoreCorruptFiles",
    "ignoreMissingFiles",
)
_FLAGS = {**_SELECTION, **_DESCRIPTIONS, **_SYMBOLS, **_CONTENT, **_SOURCES}
_NAMES = {name.lower(): name for name in (*_OWN, *_FLAGS)}


_NO_TABLES = (
    "a query of a table would not have its options, because Spark hands none to a Python data source: "
    "use CREATE TEMPORARY VIEW ... USING etl OPTIONS (...)"
)
_FILE_URL = re.compile(r"file:(?://(?:localhost)?)?(/.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Options:
    """The user's options and paths, from ``option()`` and ``load()``."""

    inputs: tuple[str, ...]
    table: str = _DEFAULT_TABLE
    columns: tuple[str, ...] | None = None
    splits: int | None = None  # partitions of a query; None: by size
    index: str | None = None  # folder that driver and executors share
    merge_schema: bool = True
    memory: str = _DEFAULT_MEMORY
    workers: int = 1
    files_per_trigger: int = _FILES_PER_TRIGGER
    quiet: float = _QUIET
    filename: bool = False
    strict: bool = False
    ignore_corrupt: bool | None = None  # None: as Spark's own setting says, which only tasks can read
    ignore_missing: bool | None = None
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of _FLAGS, by option

    def source_flags(self) -> list[str]:
        """Returns the flags for the access to inputs."""
        return self._of(_SOURCES)

    def damage_flags(self) -> list[str]:
        """Returns the flag that makes damage an error."""
        return ["--strict"] if self.strict else []

    def selection_flags(self) -> list[str]:
        """Returns the flags that choose rows and control decoding."""
        return self._of({**_SELECTION, **_DESCRIPTIONS, **_SYMBOLS, **_CONTENT})

    def split_flags(self) -> list[str]:
        """Returns the flags that choose the rows of splits, and the files that describe them."""
        return self._of({**_SELECTION, **_DESCRIPTIONS, **_CONTENT})

    def description_flags(self) -> list[str]:
        """Returns the flags for files beside a trace, which are not part of a split."""
        return self._of({**_DESCRIPTIONS, **_SYMBOLS})

    def resource_flags(self) -> list[str]:
        return [f"--memory={self.memory}", f"--workers={self.workers}"]

    def _of(self, flags: Mapping[str, str]) -> list[str]:
        return [f"{flag}={value}" for name, flag in flags.items() for value in self.flags.get(name, ())]


def parse(options: Mapping[str, str]) -> Options:
    """Reads Spark's options. Case does not matter in their names."""
    if {"location", "provider"} <= {key.lower() for key in options}:  # properties of CREATE TABLE
        raise UsageError(2, _NO_TABLES)
    given: dict[str, str] = {}
    for key, value in options.items():
        name = _NAMES.get(key.lower())
        if name is None:
            near = difflib.get_close_matches(key.lower(), _NAMES, 1)
            hint = f"; did you mean {_NAMES[near[0]]}?" if near else ""
            raise UsageError(2, f'the data source "etl" has no option "{key}"{hint}')
        if "\0" in value:
            raise UsageError(2, f"option {name}: {value!r} has a NUL character")
        given[name] = value
    columns = tuple(c.strip() for c in given["columns"].split(",")) if "columns" in given else None
    return Options(
        inputs=_inputs(given),
        table=given.get("table", _DEFAULT_TABLE),
        columns=columns,
        splits=_number(given, "splits", 1) if "splits" in given else None,
        index=local_path(given["index"]) if given.get("index") else None,
        merge_schema=_boolean(given, "mergeSchema", True),
        memory=given.get("memory", _DEFAULT_MEMORY),
        workers=_number(given, "workers", 1),
        files_per_trigger=_number(given, "maxFilesPerTrigger", _FILES_PER_TRIGGER),
        quiet=_seconds(given, "quiet", _QUIET),
        filename=_boolean(given, "filename", False),
        strict=_boolean(given, "strict", False),
        ignore_corrupt=_boolean(given, "ignoreCorruptFiles", False) if "ignoreCorruptFiles" in given else None,
        ignore_missing=_boolean(given, "ignoreMissingFiles", False) if "ignoreMissingFiles" in given else None,
        flags={name: _list(name, given[name]) for name in _FLAGS if name in given},
    )


def _inputs(given: Mapping[str, str]) -> tuple[str, ...]:
    paths = _list("paths", given.get("paths", "[]"))
    if "path" in given:
        paths = (*paths, given["path"])
    if not paths:
        raise UsageError(2, 'nothing to read: name traces, folders or patterns in load("traces/*.etl")')
    return tuple(map(local_path, paths))


def local_path(path: str) -> str:
    """Returns a path for the program: users of Spark also write file: and s3a:. The home folder is that
    of the driver's user, also in tasks."""
    if found := _FILE_URL.fullmatch(path):
        return found[1] if os.path.exists(found[1]) else unquote(found[1])
    for prefix in ("s3a://", "s3n://"):
        if path.startswith(prefix):
            return "s3://" + path.removeprefix(prefix)
    return os.path.expanduser(path)


def _list(name: str, value: str) -> tuple[str, ...]:
    """Reads one value, or a JSON array of values."""
    if not value.startswith("["):
        return (value,)
    try:
        values = json.loads(value)
    except ValueError:
        return (value,)  # a pattern such as [ab]*
    if not all(isinstance(v, str) and "\0" not in v for v in values):
        raise UsageError(2, f"option {name}: {value} is not an array of texts without NUL characters")
    return tuple(values)


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name, str(default))
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(2, f"option {name}: {text!r} is not a number from 1 on")
    return int(text)


def _seconds(given: Mapping[str, str], name: str, default: float) -> float:
    text = given.get(name, str(default)).strip()
    try:
        seconds = float(text.removesuffix("s"))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise UsageError(2, f"option {name}: {text!r} is not a number of seconds, such as 5s")
    return seconds


def _boolean(given: Mapping[str, str], name: str, default: bool) -> bool:
    text = given.get(name, str(default)).strip().lower()
    if text not in ("true", "false"):
        raise UsageError(2, f"option {name}: {text!r} is neither true nor false")
    return text == "true"
