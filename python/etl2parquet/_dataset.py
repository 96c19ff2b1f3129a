"""One table of a converted dataset, as one table whatever columns its parts have."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs

from . import _arguments, _types
from ._arguments import Path, Value
from ._errors import NotFound
from ._program import run_json_lines

if TYPE_CHECKING:
    import pandas
    import polars

_MISSING = 1  # exit status
_READERS = 16  # files whose columns are read at once


class Dataset(ds.FileSystemDataset):  # type: ignore[misc]
    """One table of a converted dataset, as ``dataset`` returns it.

    It is a ``pyarrow.dataset.Dataset``: pyarrow, DuckDB and Polars read only the columns and row groups
    that a query needs. Parts with other types are converted while they are read.
    """

    def __init__(self, out: str, described: dict[str, Any], filesystem: pa.fs.FileSystem, files: list[str]) -> None:
        form = ds.ParquetFileFormat()
        fragments = [form.make_fragment(path, filesystem) for path in files]
        with ThreadPoolExecutor(_READERS) as pool:
            found = list(pool.map(lambda f: f.physical_schema, fragments))
        schema = _unified(described, found)
        super().__init__(fragments, schema, form, filesystem)
        self.out = out
        self.table = str(described["name"])
        self.rows = int(described["rows"])
        self._fragments = list(zip(fragments, found))
        self._is_native = all(
            _types.is_native(f.type, schema.field(f.name).type)
            for part in found
            for f in part
            if f.name in schema.names
        )

    def __reduce__(self) -> Any:
        return dataset, (self.out, self.table)

    def __len__(self) -> int:
        """The number of rows, as the commit records say. Nothing is read for it."""
        return self.rows

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        columns = "\n".join(f"  {f.name}: {f.type}" for f in self.schema)
        size = f"{self.rows:,} rows in {len(self._fragments):,} files"
        return f"etl2parquet.dataset({self.out!r}, {self.table!r})\n{size}\n{columns}"

    def scanner(self, columns: Any = None, filter: Any = None, **options: Any) -> ds.Scanner:
        """Returns a ``pyarrow.dataset.Scanner``; see there. All other ways to read use it."""
        if self._is_native:
            return super().scanner(columns=columns, filter=filter, **options)
        wanted = self._wanted(columns, filter)
        batches = self._batches(wanted, filter, options)
        return ds.Scanner.from_batches(batches, schema=wanted, columns=columns, filter=filter, **options)

    def _wanted(self, columns: Any, condition: Any) -> pa.Schema:
        """Returns the columns that a scan needs, or more: an expression has no list of its columns."""
        names = set(self.schema.names)
        if columns is not None:
            text = str(condition) + " ".join(map(str, columns.values() if isinstance(columns, dict) else ()))
            named = set() if isinstance(columns, dict) else set(columns)
            names = {name for name in self.schema.names if name in named or name in text}
        return pa.schema([f for f in self.schema if f.name in names])

    def _batches(self, wanted: pa.Schema, condition: Any, options: dict[str, Any]) -> Iterator[pa.RecordBatch]:
        """Yields the rows that pass a filter, and from parts with other types all rows."""
        for fragment, own in self._fragments:
            native = all(_types.is_native(own.field(f.name).type, f.type) for f in wanted if f.name in own.names)
            if native:
                yield from fragment.to_batches(schema=self.schema, columns=wanted.names, filter=condition, **options)
                continue
            names = [name for name in wanted.names if name in own.names]
            for batch in fragment.to_batches(schema=own, columns=names, **options):
                arrays = [
                    _types.conform(batch.column(f.name), f.type)
                    if f.name in own.names
                    else pa.nulls(len(batch), f.type)
                    for f in wanted
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=wanted)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The Arrow PyCapsule interface: a new stream of the rows."""
        return self.scanner().to_reader().__arrow_c_stream__(requested_schema)

    def to_polars(self) -> polars.DataFrame:
        """Reads all rows into a ``polars.DataFrame``."""
        import polars

        frame = polars.from_arrow(self.to_table())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def lazy(self) -> polars.LazyFrame:
        """Returns a ``polars.LazyFrame`` that reads what a query needs when it is collected."""
        import polars

        return polars.scan_pyarrow_dataset(self)

    def to_pandas(self, arrow_types: bool = True) -> pandas.DataFrame:
        """Reads all rows into a ``pandas.DataFrame``, as ``Scan.to_pandas`` does."""
        import pandas

        frame = self.to_table().to_pandas(types_mapper=pandas.ArrowDtype if arrow_types else None)
        assert isinstance(frame, pandas.DataFrame)
        return frame


def _unified(described: dict[str, Any], parts: Sequence[pa.Schema]) -> pa.Schema:
    """Returns the columns that the program describes. A column with one type in all parts has exactly
    that one."""
    fields = []
    for column in described["columns"]:
        name = column["name"]
        own = [part.field(name) for part in parts if name in part.names]
        kinds = {f.type for f in own}
        kind = kinds.pop() if len(kinds) == 1 else _types.described(column["type"])
        nullable = column["nullable"] or len(own) < len(parts) or any(f.nullable for f in own)
        fields.append(pa.field(name, kind, nullable, own[0].metadata if own else None))
    return pa.schema(fields)


def dataset(out: Path, table: str, *, filesystem: pyarrow.fs.FileSystem | None = None, **options: Value) -> Dataset:
    """Opens one table of a dataset that ``convert`` wrote, with one schema whatever its parts have.

    A column has the type that holds the values of all parts, by the rule in docs/dataset.md, and is NULL
    in the rows of parts without it. Only whole parts are read: those with a commit record.

    Files, and so this table, lack the column ``seconds`` of ``scan``: docs/python.md says how to compute it.

    :param out: the folder of the dataset, or ``s3://bucket/folder``.
    :param table: a table by any of its names; ``etl2parquet describe OUT`` lists those of a dataset.
    :param filesystem: the file system of a dataset in a bucket, if its URL does not say all. The options
        ``s3_endpoint``, ``s3_region`` and ``temp_dir`` are those of ``etl2parquet describe``.
    """
    out = os.fspath(out)
    described = _describe(out, table, _arguments.flags(options))
    if filesystem is not None:
        root = out.partition("://")[2] or out
    elif "://" in out:
        filesystem, root = pa.fs.FileSystem.from_uri(out)
    else:
        filesystem, root = pa.fs.LocalFileSystem(), os.path.abspath(out)
    files = _files(filesystem, root.rstrip("/"), described["name"])
    if len(files) < described["files"]:
        raise NotFound(
            _MISSING, f"{out} is being written: it has {len(files)} of {described['files']} files of {table}"
        )
    return Dataset(out, described, filesystem, files)


def _describe(out: str, table: str, flags: list[str]) -> dict[str, Any]:
    """Returns the description of a table. One that the program knows may be without rows."""
    found = run_json_lines(["describe", "--json", *flags, "--", _folder(out), table])
    if len(found) != 1:
        raise _arguments.usage(f"{table} is {len(found)} tables of {out}: name one")
    described = found[0]
    if described["kind"] == "view":
        raise _arguments.usage(f"{table} is a view: query reads it")
    return described


def _folder(out: str) -> str:
    """Returns the name of a folder that is none of a table: describe takes both."""
    return out if "://" in out or os.path.isabs(out) else os.path.join(".", out)


def _files(filesystem: pyarrow.fs.FileSystem, root: str, table: str) -> list[str]:
    """Returns the files of a table, by the commit records."""
    infos = filesystem.get_file_info(pa.fs.FileSelector(f"{root}/_traces"))
    found: list[str] = []
    for info in sorted(infos, key=lambda i: i.path):
        if not info.path.endswith(".json"):
            continue
        with filesystem.open_input_stream(info.path) as file:
            record = json.loads(file.read())
        found += [f"{root}/{f['file']}" for f in record["files"] if f["table"] == table]
    return found
