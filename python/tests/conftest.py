"""Shared parts of the tests. They test the installed package, not the one of the repository."""

from __future__ import annotations

import os
import stat
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pyarrow as pa
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

# Names of one table of net.4.5.2.x86.etl: by event, provider, id, and as in SQL, in any case.
SPELLINGS = [
    "GC/Start",
    "gc/START",
    "Microsoft-Windows-DotNETRuntime/GC/Start",
    "Microsoft-Windows-DotNETRuntime/GC_Start",
    "MICROSOFT-windows-DotNETRuntime/gc/start",
    "Microsoft-Windows-DotNETRuntime/1",
    "microsoft_windows_dotnetruntime_gc_start",
    "Microsoft_Windows_DotNETRuntime_GC_Start",
    "microsoft_windows_dotnetruntime_1",
    "MICROSOFT_WINDOWS_DOTNETRUNTIME_1",
    "events/Microsoft-Windows-DotNETRuntime/GC_Start",
]
AMBIGUOUS = "1"  # events of two providers have this id


def missing(part: str, remedy: str) -> NoReturn:
    """Skips a test because a part is missing, or fails it in CI: as package testenv of Go does."""
    line = f"MISSING {part}: {remedy}"
    if os.environ.get("CI") == "true":
        pytest.fail(line)
    pytest.skip(line)


@pytest.fixture(scope="session")
def sample() -> Path:
    """The synthetic trace of the repository."""
    return REPOSITORY / "testdata" / "sample.etl"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real traces."""
    folder = REPOSITORY.parent / "shared" / "traces"
    if not folder.is_dir():
        missing("../shared", "put the folder of traces and oracles beside the repository")
    return folder


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Path:
    """A trace whose rows do not fit into the pipe between program and reader: repeated buffers of the
    sample."""
    data = sample.read_bytes()
    first = int.from_bytes(data[:4], "little")  # WMI_BUFFER_HEADER.BufferSize
    path = tmp_path_factory.mktemp("large") / "large.etl"
    path.write_bytes(data[:first] + data[first:] * 400)
    return path


def arrow_messages() -> tuple[bytes, bytes]:
    """Returns the two messages of an Arrow stream of one batch with three rows: the schema, the batch."""
    batch = pa.record_batch({"a": [1, 2, 3]})
    return batch.schema.serialize().to_pybytes(), batch.serialize().to_pybytes()


@pytest.fixture
def fake_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Returns a function that replaces the program by Python code, which gets the command line in
    ``args`` and the schema and batches of an Arrow stream in ``write(batches, end)``."""
    if sys.platform == "win32":
        pytest.skip("a script is no program on Windows")

    def replace(code: str, version: str = "v0.1.0") -> None:
        path = tmp_path / "fake"
        schema, batch = arrow_messages()
        begin = f"""\
            #!{sys.executable} -IS
            import os, signal, sys, time
            args = sys.argv[1:]
            if args == ["version"]:
                print("etl2parquet {version}")
                sys.exit()
            def write(batches, end=True):
                sys.stdout.buffer.write({schema!r} + {batch!r} * batches + (b"\\xff" * 4 + bytes(4)) * end)
                sys.stdout.flush()
            """
        path.write_text(textwrap.dedent(begin) + textwrap.dedent(code))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("ETL2PARQUET", str(path))
        monkeypatch.setattr("etl2parquet._program._checked", {})

    return replace
