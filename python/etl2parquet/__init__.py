"""Windows ETW traces (.etl) as Arrow, Polars, pandas and DuckDB tables, on any system.

>>> import etl2parquet
>>> etl2parquet.scan("boot.etl", table="Thread/CSwitch").to_polars()  # doctest: +SKIP
"""

from ._errors import EtlError, EtlWarning, NotFound, PartlyFailed, ProgramError, UsageError
from ._program import VERSION as __version__

__all__ = ["EtlError", "EtlWarning", "NotFound", "PartlyFailed", "ProgramError", "UsageError", "__version__"]
