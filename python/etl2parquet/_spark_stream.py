"""Reads traces as they arrive in a folder, each once, by its path.

An offset is JSON: {"read": hashes of the paths that were read before and still exist, "batch": [paths
that the batch ending here reads]}. A removed path is forgotten, so the size of an offset depends only
on the traces that are in the folder now, 11 bytes for each.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxFiles, SupportsTriggerAvailableNow

from ._errors import EtlError, EtlWarning
from ._spark_inputs import Trace, find_any, is_remote
from ._spark_options import Options
from ._spark_plan import Part, partitions
from ._spark_read import read

_SKEW = 3600.0  # seconds that the clock of a file server may be ahead
_HASH_BYTES = 8  # two of a million paths collide with a probability of 3e-8


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
        self._last = frozenset(t.path for t in find_any(self._options) if self._is_whole(t))

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """Returns an offset after traces that were not read before, the oldest first."""
        known = _hashes(start["read"]) | {_hash(path) for path in start["batch"]}
        traces = find_any(self._options)
        new = [t for t in traces if _hash(t.path) not in known and self._may_read(t)]
        if not new:
            return start
        new.sort(key=lambda t: (t.modified or 0, t.path))
        if isinstance(limit, ReadMaxFiles):
            new = new[: limit.max_files]
        present = known & {_hash(t.path) for t in traces}
        return {"read": _text(present), "batch": [t.path for t in new]}

    def partitions(self, start: Offset, end: Offset) -> Sequence[InputPartition]:
        """Plans a batch. After a restart Spark asks for the batch that was interrupted, by the
        offsets that it had."""
        if start == end:
            return []
        if not _hashes(end["read"]) <= _hashes(start["read"]) | {_hash(path) for path in start["batch"]}:
            raise EtlError(None, "the offsets of the checkpoint do not follow each other: a batch is missing")
        return partitions(self._options, self._batch(end["batch"]))

    def _batch(self, paths: Iterable[str]) -> list[Trace]:
        """Returns the traces of a batch, as they are now."""
        present = {t.path: t for t in find_any(self._options)}
        gone = [path for path in paths if path not in present]
        if gone and not self._options.ignore_missing:
            raise EtlError(
                None,
                f"{gone[0]}: the batch that reads this trace did not end, and the trace has gone: "
                "bring it back, or set the option ignoreMissingFiles",
            )
        for path in gone:
            warnings.warn(EtlWarning(f"{path}: the trace has gone before it was read"), stacklevel=2)
        return [self._named(present[path]) for path in paths if path in present]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Part)
        for piece in partition.pieces:
            yield from read(self._options, piece, self._target)

    def _may_read(self, trace: Trace) -> bool:
        return self._is_whole(trace) if self._last is None else trace.path in self._last

    def _is_whole(self, trace: Trace) -> bool:
        """Reports whether a trace was not written to for a while. Objects on servers appear when they
        are complete. A time far in the future is ignored."""
        if is_remote(trace.path):
            return True
        if trace.modified is None:
            return False  # it was just removed
        age = (time.time_ns() - trace.modified) / 1e9
        return age >= self._options.quiet or age < -_SKEW

    def _named(self, trace: Trace) -> Trace:
        """Names a trace by its path below the folder, so that the name does not depend on later
        traces."""
        for given in self._options.inputs:
            name = _below(trace.path, _folder(given))
            if name:
                return replace(trace, name=name.removesuffix(".etl"))
        return replace(trace, name=os.path.basename(trace.path).removesuffix(".etl"))


def _below(path: str, folder: str) -> str:
    """Returns a path below a folder, with slashes, or "" if it is not below."""
    if is_remote(path):
        return path.removeprefix(folder).lstrip("/") if path.startswith(folder) else ""
    relative = os.path.relpath(path, folder or ".")
    return "" if relative.startswith("..") else relative.replace(os.sep, "/")


def _folder(given: str) -> str:
    """Returns the folder that an input names, or the folder before its pattern."""
    pattern = min((given.find(c) for c in "*?[" if c in given), default=-1)
    if pattern >= 0:
        return given[: given[:pattern].replace(os.sep, "/").rfind("/") + 1]
    return given if is_remote(given) or os.path.isdir(given) else os.path.dirname(given)


def _hash(path: str) -> bytes:
    return hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=_HASH_BYTES).digest()


def _hashes(text: str) -> set[bytes]:
    data = base64.b64decode(text)
    return {data[i : i + _HASH_BYTES] for i in range(0, len(data), _HASH_BYTES)}


def _text(hashes: Iterable[bytes]) -> str:
    return base64.b64encode(b"".join(sorted(hashes))).decode()
