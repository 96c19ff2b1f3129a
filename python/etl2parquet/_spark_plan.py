"""Divides traces among the partitions of a query.

1. Each trace gets its share of the partitions, by its size.
2. A trace with one share is read whole; the driver does not read it. Small traces share a partition.
3. The program divides a trace with more shares (``splits``), which reads the trace once. The tasks
   get the index of that pass, so that they need not repeat it: through a shared folder (option index),
   or compressed in each partition, up to a limit for the whole query.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
from pyspark.sql.datasource import InputPartition

from ._errors import NotFound
from ._program import run_json_lines
from ._spark_inputs import Trace, check_unchanged
from ._spark_options import Options
from ._spark_schema import NO_TABLE, side_by_side

_PARTITION_BYTES = 128 << 20  # as spark.sql.files.maxPartitionBytes
_LENGTH_BYTES = 8
_OPEN_BYTES = 4 << 20  # the cost of opening a trace, as spark.sql.files.openCostInBytes
_INDEX_BYTES = 64 << 20  # of all partitions; they are in the driver's memory


@dataclass(frozen=True)
class Piece:
    """A trace, or a split of it."""

    trace: Trace
    split: str | None = None
    index: bytes | str | None = None  # compressed, or a file; None: the task makes it again


@dataclass(frozen=True)
class Part(InputPartition):
    """The pieces that one task reads, in this order."""

    pieces: tuple[Piece, ...]


def partitions(options: Options, traces: Sequence[Trace]) -> list[Part]:
    """Divides traces among partitions, at least one."""
    cuts = side_by_side(lambda t: _cut(options, t[0], t[1]), zip(traces, _shares(options, traces), strict=True))
    costs = [t.size + _OPEN_BYTES for t in traces]
    limit = _PARTITION_BYTES if options.splits is None else -(-sum(costs) // options.splits)
    parts: list[Part] = []
    packed: list[Piece] = []
    left, room = _INDEX_BYTES, limit
    for cut, cost in zip(cuts, costs, strict=True):
        if len(cut) != 1:
            sent = sum(len(piece.index) for piece in cut if isinstance(piece.index, bytes))
            parts.extend(Part((piece if sent <= left else replace(piece, index=None),)) for piece in cut)
            left -= sent if sent <= left else 0
            continue
        if packed and cost > room:
            parts.append(Part(tuple(packed)))
            packed, room = [], limit
        packed.append(cut[0])
        room -= cost
    return [*parts, Part(tuple(packed))] if packed or not parts else parts


def _shares(options: Options, traces: Sequence[Trace]) -> list[int]:
    """Returns the number of partitions for each trace, at least one."""
    if options.splits is None:
        return [max(1, -(-t.size // _PARTITION_BYTES)) for t in traces]
    counts = [1] * len(traces)
    largest = [(-t.size, i) for i, t in enumerate(traces)]  # by the size of a share
    heapq.heapify(largest)
    for _ in range(options.splits - len(traces)):
        if not largest:
            break
        _, i = largest[0]
        counts[i] += 1
        heapq.heapreplace(largest, (-traces[i].size // counts[i], i))
    return counts


def _cut(options: Options, trace: Trace, count: int) -> list[Piece]:
    if count == 1:
        return [Piece(trace)]
    with tempfile.TemporaryDirectory(prefix="etl2parquet-", dir=options.index) as folder:
        file = os.path.join(folder, "index")
        try:
            splits = run_json_lines([
                "splits", "--json", f"--max={count}", f"--index={file}", f"--table={options.table}",
                *options.source_flags(), *options.split_flags(), "--", trace.path,
            ])  # fmt: skip
        except NotFound as e:
            if NO_TABLE in e.message:
                return []
            raise
        check_unchanged(trace)
        index = _compressed(file) if options.index is None else _kept(options, options.index, trace, file)
    return [Piece(trace, split["token"], index) for split in splits]


def _compressed(file: str) -> bytes:
    with pa.OSFile(file, "rb") as source:
        index = source.read()
    return len(index).to_bytes(_LENGTH_BYTES, "little") + bytes(pa.compress(index, codec="zstd", asbytes=True))


def decompressed(index: bytes) -> bytes:
    """Returns the contents of an index file from their form in a partition."""
    length = int.from_bytes(index[:_LENGTH_BYTES], "little")
    return bytes(pa.decompress(index[_LENGTH_BYTES:], length, codec="zstd", asbytes=True))


def _kept(options: Options, folder: str, trace: Trace, file: str) -> str:
    """Moves an index to its name in the folder of indexes. Every plan of an unchanged trace writes
    the same index, so tasks of an older query can continue to read it."""
    key = json.dumps([trace.path, trace.size, trace.modified, options.description_flags()])
    kept = os.path.join(folder, hashlib.blake2b(key.encode(), digest_size=16).hexdigest() + ".index")
    os.chmod(file, 0o644)
    os.replace(file, kept)
    return kept
