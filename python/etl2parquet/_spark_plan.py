"""Divides files among the partitions of a query.

1. Each file gets its share of the partitions, by its size.
2. A file with one share is read whole; the driver does not read it. Small files share a partition.
3. The program divides a file with more shares (``splits``), which reads it once. The tasks
   get the index of that pass, so that they need not repeat it: through a shared folder (option index),
   or compressed in each partition, up to a limit for the whole query.
4. Spark plans a DataFrame once, and runs the plan each time. So the task of the last partition lists
   the files again, and reads those that came after planning.
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

from ._errors import EtlError
from ._spark_entries import Entry, entries
from ._spark_inputs import File, now
from ._spark_options import Options
from ._spark_schema import side_by_side

_PARTITION_BYTES = 128 << 20  # as spark.sql.files.maxPartitionBytes
_LENGTH_BYTES = 8
_OPEN_BYTES = 4 << 20  # the cost of opening a file, as spark.sql.files.openCostInBytes
_INDEX_BYTES = 64 << 20  # of all partitions; they are in the driver's memory
HASH_BYTES = 8  # two of a million paths collide with a probability of 3e-8


@dataclass(frozen=True)
class Piece:
    """A file, or a split of one of its traces."""

    file: File
    split: Entry | None = None
    index: bytes | str | None = None  # compressed, or a file; None: the task makes it again


@dataclass(frozen=True)
class Part(InputPartition):
    """The pieces that one task reads, in this order, and then the files whose paths are not known."""

    pieces: tuple[Piece, ...]
    known: frozenset[bytes] | None = None  # hashes of the planned paths; None: no other files are read


def partitions(options: Options, files: Sequence[File]) -> list[Part]:
    """Divides files among partitions, at least one."""
    cuts = side_by_side(lambda t: _cut(options, t[0], t[1]), zip(files, _shares(options, files), strict=True))
    costs = [f.size + _OPEN_BYTES for f in files]
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


def with_later_files(options: Options, parts: list[Part], files: Sequence[File]) -> list[Part]:
    """Makes the last partition read the files that come later, if an input can have more files."""
    paths = {f.path for f in files}
    if all(given in paths for given in options.inputs):
        return parts
    return [*parts[:-1], replace(parts[-1], known=frozenset(map(path_hash, paths)))]


def path_hash(path: str) -> bytes:
    return hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=HASH_BYTES).digest()


def _shares(options: Options, files: Sequence[File]) -> list[int]:
    """Returns the number of partitions for each file, at least one."""
    if options.splits is None:
        return [max(1, -(-f.size // _PARTITION_BYTES)) for f in files]
    counts = [1] * len(files)
    largest = [(-f.size, i) for i, f in enumerate(files)]  # by the size of a share
    heapq.heapify(largest)
    for _ in range(options.splits - len(files)):
        if not largest:
            break
        _, i = largest[0]
        counts[i] += 1
        heapq.heapreplace(largest, (-files[i].size // counts[i], i))
    return counts


def _cut(options: Options, file: File, count: int) -> list[Piece]:
    """Divides a file. If it cannot be read, the task that reads it whole says why."""
    if count == 1 or file.error:
        return [Piece(file)]
    with tempfile.TemporaryDirectory(prefix="etl2parquet-", dir=options.index) as folder:
        index = os.path.join(folder, "index")
        each = -(-count // len(file.traces))
        try:
            found = entries(options, file, f"--max={each}", f"--index={index}")
        except EtlError:
            return [Piece(file)]
        if found.failed or now(file.path) != _planned(file):
            return [Piece(file)]
        sent: bytes | str = _compressed(index) if options.index is None else _kept(options, options.index, file, index)
    return [Piece(file, entry, sent) for entry in found.read]


def _planned(file: File) -> tuple[int, int] | None:
    return None if file.modified is None else (file.size, file.modified)


def _compressed(file: str) -> bytes:
    with pa.OSFile(file, "rb") as source:
        index = source.read()
    return len(index).to_bytes(_LENGTH_BYTES, "little") + bytes(pa.compress(index, codec="zstd", asbytes=True))


def decompressed(index: bytes) -> bytes:
    """Returns the contents of an index file from their form in a partition."""
    length = int.from_bytes(index[:_LENGTH_BYTES], "little")
    return bytes(pa.decompress(index[_LENGTH_BYTES:], length, codec="zstd", asbytes=True))


def _kept(options: Options, folder: str, file: File, index: str) -> str:
    """Moves an index to its name in the folder of indexes. Every plan of an unchanged file writes
    the same index, so tasks of an older query can continue to read it."""
    key = json.dumps([file.path, file.size, file.modified, options.description_flags()])
    kept = os.path.join(folder, hashlib.blake2b(key.encode(), digest_size=16).hexdigest() + ".index")
    os.chmod(index, 0o644)
    os.replace(index, kept)
    return kept
