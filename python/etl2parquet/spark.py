"""Traces as tables in Spark 4.

>>> from etl2parquet.spark import EtlDataSource
>>> spark.dataSource.register(EtlDataSource)  # doctest: +SKIP
>>> spark.read.format("etl").option("table", "Thread/CSwitch").load("traces/*.etl")  # doctest: +SKIP

docs/spark.md explains the options, streaming, and how executors get the program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, Filter, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ._spark_filters import Pushed, push
from ._spark_inputs import find
from ._spark_options import Options, parse
from ._spark_plan import Part, partitions, with_later_files
from ._spark_read import Rows, read
from ._spark_schema import Columns, columns_of, infer, known, no_column
from ._spark_types import FILENAME, TRACE, check
from ._spark_views import views

__all__ = ["EtlDataSource", "EtlReader", "views"]

# Spark refuses a reader with pushFilters while spark.sql.python.filterPushdown.enabled is off, and the
# reader cannot ask whether it is on. Spark runs this module if it is.
_PUSHDOWN = "pyspark.sql.worker.data_source_pushdown_filters"

# The program's warning for filters that leave nothing of a trace: useless in a query of many traces.
_OF_FILTERS = (" matches none of its ", " selects nothing: ", " events matches ")


class EtlDataSource(DataSource):
    """The format ``etl``: each trace is a set of tables, and ``option("table", ...)`` names the
    one to read."""

    @classmethod
    def name(cls) -> str:
        return "etl"

    def schema(self) -> StructType:
        options = parse(self.options)
        self._columns = columns_of(options)  # Spark keeps this object with the query
        return infer(options, self._columns.schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        kind = _FilteringReader if _asks_for_filters() else EtlReader
        return kind(parse(self.options), schema, self._merged())

    def _merged(self) -> pa.Schema | None:
        """Returns the columns that the traces are read as, None if each has its own: the user has given a
        schema, or the table has the same columns in every trace."""
        columns: Columns | None = getattr(self, "_columns", None)
        return columns.schema if columns and columns.is_merged else None

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        from ._spark_stream import EtlStreamReader  # needs Spark 4.2

        options = parse(self.options)
        return EtlStreamReader(options, arrow_schema(options, schema), self._merged())


def _asks_for_filters() -> bool:
    main = getattr(sys.modules["__main__"], "__spec__", None)
    return _PUSHDOWN in sys.modules or (main is not None and main.name == _PUSHDOWN)


class EtlReader(DataSourceReader):
    """Reads the rows of a table of traces."""

    def __init__(self, options: Options, schema: StructType, merged: pa.Schema | None) -> None:
        self._options = options
        self._target = arrow_schema(options, schema)
        self._merged = merged
        self._pushed = Pushed()

    def partitions(self) -> Sequence[InputPartition]:
        names, options = self._pushed.traces, self._pushed.applied(self._options)
        if names is not None and not names:
            return partitions(options, ())  # the filters leave nothing
        files = find(self._options)
        wanted = [f for f in files if names is None or names & set(f.names)]
        return with_later_files(self._options, partitions(options, wanted), files)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Part)
        options, silent = self._pushed.applied(self._options), () if self._pushed == Pushed() else _OF_FILTERS
        yield from read(Rows(options, self._target, self._pushed.traces, silent, self._merged), partition)


class _FilteringReader(EtlReader):
    """A reader that takes filters. Spark applies all of them again."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        table = known(self._options.table)
        self._pushed = push(filters, table is None or table.has_events)
        return filters


def arrow_schema(options: Options, schema: StructType) -> pa.Schema:
    """Returns the Arrow schema that Spark expects from a reader, once it fits the table."""
    target: Any = to_arrow_schema(schema, timezone="UTC")
    table = known(options.table)
    if table is not None:
        own = (TRACE, FILENAME) if options.filename else (TRACE,)
        for name in target.names:
            if name not in own and name not in table.columns.names:
                raise no_column(options.table, name, table.columns.names)
        check(table.columns, target, f"table {options.table}")
    return target
