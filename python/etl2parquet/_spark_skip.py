"""Files that cannot be read: errors, or left out if the user or Spark's settings say so."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import pyarrow as pa
from pyspark import TaskContext

from ._errors import EtlError
from ._spark_options import Options

log = logging.getLogger("etl2parquet")

_CODES = {"Corrupt": "file_unreadable", "Missing": "file_missing"}  # of the table problems


@dataclass(frozen=True)
class Skips:
    """The kinds of files that are left out."""

    corrupt: bool
    missing: bool

    @classmethod
    def of(cls, options: Options) -> Skips:
        """Reads the options and, for those that are not given, Spark's settings. Only the tasks of a query
        have the settings."""
        return cls(
            _setting("Corrupt") if options.ignore_corrupt is None else options.ignore_corrupt,
            _setting("Missing") if options.ignore_missing is None else options.ignore_missing,
        )

    def leave_out(self, message: str, is_missing: bool = False) -> str:
        """Logs that a file is left out, and returns the code of its problem. Raises EtlError if it must not
        be left out."""
        kind = "Missing" if is_missing else "Corrupt"
        if not (self.missing if is_missing else self.corrupt):
            option = f"ignore{kind}Files"
            hint = f"to leave out such files, set the option {option} or spark.sql.files.{option} to true"
            raise EtlError(1, f"{message}; {hint}")
        log.warning("etl2parquet: left out: %s", message)
        return _CODES[kind]


def _setting(kind: str) -> bool:
    context = TaskContext.get()
    value = context.getLocalProperty(f"spark.sql.files.ignore{kind}Files") if context else None
    return (value or "").lower() == "true"


def problem(code: str, message: str) -> pa.RecordBatch:
    """Returns a row of the table problems."""
    return pa.RecordBatch.from_pydict({
        "severity": ["error"], "code": [code], "count": pa.array([1], pa.int64()), "message": [message],
    })  # fmt: skip
