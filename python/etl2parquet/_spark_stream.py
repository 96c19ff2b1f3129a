"""Reads traces as they arrive in a folder, each once, by its path.

An offset is JSON: {"read": hashes of the paths that were read before and still exist, "batch": [paths
that the batch ending here reads]}. A removed path is forgotten, so the size of an offset depends only
on the traces that are in the folder now, 11 bytes for each.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxFiles, SupportsTriggerAvailableNow

from ._errors import EtlError
from ._spark_inputs import WILDCARDS, File, find_any, is_remote
from ._spark_options import Options
from ._spark_plan import HASH_BYTES, Part, partitions, path_hash
from ._spark_read import Rows, read

_SKEW = 3600.0  # seconds that the clock of a file server may be ahead
_GONE = "the batch that reads this trace did not end, and the trace has gone: bring it back"

Offset = dict[str, Any]


class EtlStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Finds the traces of each batch on the driver, and reads them in tasks."""

    def __init__(self, options: Options, target: pa.Schema) -> None:
        self._options = options
        self._target = target
        self._last: frozenset[str] | None = None  # paths that a query with availableNow may read

    def initialOffset(self) -> Offset:
        return {"read": "", "batch": []}

    def getDefaultReadLimit(self) -> ReadLimit:
        return ReadMaxFiles(self._options.files_per_trigger)

    def prepareForTriggerAvailableNow(self) -> None:
        self._last = frozenset(f.path for f in find_any(self._options) if self._is_whole(f))

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """Returns an offset after traces that were not read before, the oldest first."""
        known = _hashes(start["read"]) | {path_hash(path) for path in start["batch"]}
        files = find_any(self._options)
        new = [f for f in files if path_hash(f.path) not in known and self._may_read(f)]
        if not new:
            return start
        new.sort(key=lambda f: (f.modified or 0, f.path))
        if isinstance(limit, ReadMaxFiles):
            new = new[: limit.max_files]
        present = known & {path_hash(f.path) for f in files}
        return {"read": _text(present), "batch": [f.path for f in new]}

    def partitions(self, start: Offset, end: Offset) -> Sequence[InputPartition]:
        """Plans a batch. After a restart Spark asks for the batch that was interrupted, by the
        offsets that it had."""
        if start == end:
            return []
        if not _hashes(end["read"]) <= _hashes(start["read"]) | {path_hash(path) for path in start["batch"]}:
            raise EtlError(None, "the offsets of the checkpoint do not follow each other: a batch is missing")
        return partitions(self._options, self._batch(end["batch"]))

    def _batch(self, paths: Iterable[str]) -> list[File]:
        """Returns the files of a batch, as they are now."""
        present = {f.path: self._named(f) for f in find_any(self._options)}
        return [present.get(path) or File(path, 0, None, (), _GONE, gone=True) for path in paths]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Part)
        yield from read(Rows(self._options, self._target), partition)

    def _may_read(self, file: File) -> bool:
        return self._is_whole(file) if self._last is None else file.path in self._last

    def _is_whole(self, file: File) -> bool:
        """Reports whether a file was not written to for a while. Objects on servers appear when they
        are complete. A time far in the future is ignored."""
        if is_remote(file.path):
            return True
        if file.modified is None:
            return False  # it was just removed
        age = (time.time_ns() - file.modified) / 1e9
        return age >= self._options.quiet or age < -_SKEW

    def _named(self, file: File) -> File:
        """Names traces by their paths below the folder, so that the names do not depend on later
        files."""
        below = (_below(file.path, _folder(given)) for given in self._options.inputs)
        name = next(filter(None, below), os.path.basename(file.path))
        if len(file.traces) > 1:
            named = tuple(replace(t, name=f"{name}/{t.entry.removesuffix('.etl')}") for t in file.traces)
        else:
            named = tuple(replace(t, name=name.removesuffix(".etl")) for t in file.traces)
        return replace(file, traces=named, name=name.removesuffix(".etl"))


def _below(path: str, folder: str) -> str:
    """Returns a path below a folder, with slashes, or "" if it is not below."""
    if is_remote(path):
        return path.removeprefix(folder).lstrip("/") if path.startswith(folder) else ""
    relative = os.path.relpath(path, folder or ".")
    return "" if relative.startswith("..") else relative.replace(os.sep, "/")


def _folder(given: str) -> str:
    """Returns the folder that an input names, or the folder before its pattern."""
    pattern = min((given.find(c) for c in WILDCARDS if c in given), default=-1)
    if pattern >= 0 and not os.path.isdir(given):
        return given[: given[:pattern].replace(os.sep, "/").rfind("/") + 1]
    return given if is_remote(given) or os.path.isdir(given) else os.path.dirname(given)


def _hashes(text: str) -> set[bytes]:
    data = base64.b64decode(text)
    return {data[i : i + HASH_BYTES] for i in range(0, len(data), HASH_BYTES)}


def _text(hashes: Iterable[bytes]) -> str:
    return base64.b64encode(b"".join(sorted(hashes))).decode()
