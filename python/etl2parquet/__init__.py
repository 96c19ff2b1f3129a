"""Windows ETW traces (.etl) as Arrow, Polars, pandas and DuckDB tables, on any system.

    >>> import etl2parquet
    >>> scan = etl2parquet.scan("boot.etl", "Thread/CSwitch", columns=["timestamp", "process_name"])
    >>> scan.to_polars()  # or .to_arrow(), .to_pandas(), .lazy(), or duckdb.sql("FROM scan")
    >>> [table.name for table in etl2parquet.tables("boot.etl")]
    >>> etl2parquet.convert("traces/", "out")
    >>> etl2parquet.dataset("out", "Thread/CSwitch").to_table()

This package runs the program etl2parquet, which its wheels contain. An error of the program is raised
as an exception of this package; damage and lost events are reported as ``EtlWarning``.
"""

from ._commands import Column, Query, Table, convert, info, query, tables
from ._dataset import Dataset, dataset
from ._errors import EtlError, EtlWarning, NotFound, PartlyFailed, ProgramError, UsageError
from ._program import VERSION as __version__
from ._program import Stream, program
from ._rows import Rows
from ._scan import Scan, scan
from ._splits import Split, splits

__all__ = [
    "Column",
    "Dataset",
    "EtlError",
    "EtlWarning",
    "NotFound",
    "PartlyFailed",
    "ProgramError",
    "Query",
    "Rows",
    "Scan",
    "Split",
    "Stream",
    "Table",
    "UsageError",
    "__version__",
    "convert",
    "dataset",
    "info",
    "program",
    "query",
    "scan",
    "splits",
    "tables",
]
