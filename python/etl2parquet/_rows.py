"""Rows that the program writes as an Arrow stream, in the forms of several libraries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import _arguments
from ._program import Stream

if TYPE_CHECKING:
    import pandas
    import polars


class Rows:
    """Rows of a table or of a query.

    Nothing is read before it is needed, and each use runs the program again. You can pass this object
    to DuckDB, Polars, pandas, pyarrow and any other library with the Arrow PyCapsule interface.
    """

    @property
    def schema(self) -> pa.Schema:
        """The columns and their Arrow types."""
        with self.stream() as stream:
            return stream.schema

    def stream(self) -> Stream:
        """Starts the program and returns the record batches as they come.

        The result is an iterator and a context manager. Leaving it early stops the program. If the
        iteration ends without an exception, the program has succeeded.
        """
        raise NotImplementedError

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Iterates over the record batches; see ``stream``."""
        return self.stream()

    def reader(self) -> pa.RecordBatchReader:
        """Returns a ``pyarrow.RecordBatchReader``. Dropping it early stops the program."""
        stream = self.stream()
        return pa.RecordBatchReader.from_batches(stream.schema, stream)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The Arrow PyCapsule interface: a new stream of the rows."""
        return self.reader().__arrow_c_stream__(requested_schema)

    def head(self, n: int = 5) -> pa.Table:
        """Reads the first ``n`` rows."""
        left = _arguments.limit(n)
        batches = []
        with self.stream() as stream:
            for batch in stream if left else ():
                batches.append(batch.slice(0, left))
                left = left - batches[-1].num_rows if left is not None else None
                if left == 0:
                    break
            return pa.Table.from_batches(batches, stream.schema)

    def to_arrow(self) -> pa.Table:
        """Reads all rows into a ``pyarrow.Table``."""
        with self.stream() as stream:
            return pa.Table.from_batches(stream, stream.schema)

    def to_polars(self) -> polars.DataFrame:
        """Reads all rows into a ``polars.DataFrame``."""
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def lazy(self) -> polars.LazyFrame:
        """Returns a ``polars.LazyFrame`` that reads the rows when it is collected."""
        import polars
        from polars.io.plugins import register_io_source

        def source(
            columns: list[str] | None, predicate: polars.Expr | None, rows: int | None, _: int | None
        ) -> Iterator[polars.DataFrame]:
            return self._frames(columns, predicate, rows)

        return register_io_source(source, schema=lambda: polars.Schema(self._empty_frame().schema))

    def to_pandas(self, arrow_types: bool = True) -> pandas.DataFrame:
        """Reads all rows into a ``pandas.DataFrame``.

        Its columns have Arrow types, which keep every value. With ``arrow_types=False`` they have
        NumPy's types: integers with NULLs become floating-point numbers, which are not exact beyond
        2**53.
        """
        import pandas

        mapper = pandas.ArrowDtype if arrow_types else None
        frame = self.to_arrow().to_pandas(types_mapper=mapper)
        assert isinstance(frame, pandas.DataFrame)
        return frame

    def _empty_frame(self) -> polars.DataFrame:
        import polars

        frame = polars.from_arrow(self.schema.empty_table())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def _narrowed(self, columns: list[str] | None, predicate: polars.Expr | None, rows: int | None) -> Rows | None:
        """Returns rows that include all wanted ones, or None if there are none. The caller filters the
        other rows."""
        return self

    def _frames(
        self, columns: list[str] | None, predicate: polars.Expr | None, rows: int | None
    ) -> Iterator[polars.DataFrame]:
        """Yields the rows that Polars requests. All filters are applied here, even if the program has
        applied them already."""
        import polars

        narrowed = self._narrowed(columns, predicate, rows)
        if narrowed is None:
            empty = self._empty_frame()
            yield empty if columns is None else empty.select(columns)
            return
        with narrowed.stream() as stream:
            for batch in stream:
                frame = polars.from_arrow(batch)
                assert isinstance(frame, polars.DataFrame)
                if predicate is not None:
                    frame = frame.filter(predicate)
                if columns is not None:
                    frame = frame.select(columns)
                if rows is not None:
                    frame = frame.head(rows)
                    rows -= len(frame)
                yield frame
                if rows == 0:
                    return
