"""Divides traces among the partitions of a query.

1. Each trace gets its share of the partitions, by its size.
2. A trace with one share is read whole, without the driver reading any of it. Small traces share
   a partition.
3. A trace with more shares is cut by the program (``splits``), which reads it once for that. The
   index of that pass goes to the tasks, so that they need not repeat it.
"""

from __future__ import annotations

import heapq
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql.datasource import InputPartition

from ._errors import NotFound
from ._program import run
from ._spark_inputs import Trace, check_unchanged
from ._spark_options import Options
from ._spark_schema import NO_TABLE, side_by_side

_PARTITION_BYTES = 128 << 20  # as spark.sql.files.maxPartitionBytes
_OPEN_BYTES = 4 << 20  # what opening a trace costs, as spark.sql.files.openCostInBytes
_INDEX_BYTES = 1 << 20  # an index beyond this is not sent with each partition


@dataclass(frozen=True)
class Piece:
    """A trace, or a split of it."""

    trace: Trace
    split: str | None = None
    index: bytes | str | None = None  # itself, or a file with it


@dataclass(frozen=True)
class Part(InputPartition):
    """What one task reads, in this order."""

    pieces: tuple[Piece, ...]


def partitions(options: Options, traces: Sequence[Trace]) -> list[Part]:
    """Divides traces. A trace that is read whole by one task stands with others of its kind."""
    counts = _shares(options, traces)
    pieces = side_by_side(lambda t: _cut(options, t[0], t[1]), zip(traces, counts))
    costs = [t.size + _OPEN_BYTES for t in traces]
    limit = _PARTITION_BYTES if options.splits is None else -(-sum(costs) // options.splits)
    parts: list[Part] = []
    packed: list[Piece] = []
    room = limit
    for cut, cost in zip(pieces, costs):
        if len(cut) != 1:
            parts.extend(Part((piece,)) for piece in cut)
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
    with tempfile.TemporaryDirectory(prefix="etl2parquet-") as folder:
        file = os.path.join(folder, "index")
        try:
            lines = run([
                "splits", "--json", f"--max={count}", f"--table={options.table}",
                *options.source_flags(), *options.split_flags(), "--", trace.path,
            ])  # fmt: skip
        except NotFound as e:
            if NO_TABLE in e.message:
                return []
            raise
        check_unchanged(trace)
        index = None
    tokens = [json.loads(line)["token"] for line in lines.splitlines()]
    return [Piece(trace, token, index) for token in tokens]


def _handed_over(options: Options, file: str) -> bytes | str | None:
    """Returns an index as tasks get it: a small one itself; a large one in the folder that all
    share; None if there is no such folder, so that each task repeats the pass."""
    with open(file, "rb") as f:
        index = f.read()
    if len(index) <= _INDEX_BYTES:
        return index
    return None
