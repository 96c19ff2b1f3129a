"""No process is left behind, however the reader of a scan ends."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from conftest import missing

import etl2parquet

PATIENCE = 600.0  # seconds; it matters only if a test fails


def programs_with(path: Path) -> list[int]:
    """Returns the ids of programs whose command line has a path."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except (OSError, IndexError):
            continue
        if words[0].endswith(b"etl2parquet") and os.fsencode(path) in words and state != "Z":
            found.append(int(folder.name))
    return found


@pytest.fixture
def trace(large: Path) -> Iterator[Path]:
    """A large trace. At the end of the test no program reads it, and no child is a zombie."""
    if not Path("/proc/self/stat").exists():
        missing("/proc", "run the tests on Linux")
    yield large
    gc.collect()
    deadline = time.monotonic() + PATIENCE
    while programs_with(large) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert programs_with(large) == []
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def started(trace: Path) -> etl2parquet.Stream:
    """Starts a scan and reads its first batch. More rows follow than the pipe holds."""
    stream = etl2parquet.scan(trace).stream()
    assert next(stream).num_rows > 0
    assert programs_with(trace) != []
    return stream


def test_closed(trace: Path) -> None:
    stream = started(trace)
    stream.close()
    assert programs_with(trace) == []
    stream.close()
    with pytest.raises(StopIteration):
        next(stream)


def test_left_early(trace: Path) -> None:
    with started(trace):
        pass
    assert programs_with(trace) == []
    for _ in etl2parquet.scan(trace):
        break
    assert etl2parquet.scan(trace).lazy().head(3).collect().height == 3


def test_exception(trace: Path) -> None:
    for kind in (ValueError, KeyboardInterrupt, SystemExit):
        with pytest.raises(kind), started(trace):
            raise kind
        assert programs_with(trace) == []


def test_dropped(trace: Path) -> None:
    started(trace)
    gc.collect()
    assert programs_with(trace) == []
    reader = etl2parquet.scan(trace).reader()
    reader.read_next_batch()
    del reader
    gc.collect()
    assert programs_with(trace) == []
    capsule = etl2parquet.scan(trace).__arrow_c_stream__()
    assert programs_with(trace) != []
    del capsule
    gc.collect()
    assert programs_with(trace) == []


def test_duckdb_limit(trace: Path) -> None:
    scan = etl2parquet.scan(trace)  # noqa: F841 (DuckDB finds it by its name)
    assert len(duckdb.sql("SELECT event_name FROM scan LIMIT 3").fetchall()) == 3


def test_program_killed(trace: Path) -> None:
    stream = started(trace)
    for process in programs_with(trace):
        os.kill(process, signal.SIGKILL)
    with pytest.raises(etl2parquet.ProgramError, match="ended by signal 9"):
        list(stream)


def python(code: str, trace: Path, **environment: str) -> subprocess.Popen[str]:
    """Starts Python with code that prints a line when it has begun to read."""
    text = f"import os, sys, time, etl2parquet\ntrace = {os.fspath(trace)!r}\n" + textwrap.dedent(code)
    return subprocess.Popen(
        [sys.executable, "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


READ_AND_WAIT = """
    stream = etl2parquet.scan(trace).stream()
    next(stream)
    print("reading", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_reader_killed(trace: Path, killed_by: signal.Signals) -> None:
    """The reader of a scan is killed half-way."""
    with python(READ_AND_WAIT, trace) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "reading\n"
        assert programs_with(trace) != []
        reader.send_signal(killed_by)
        reader.communicate(timeout=PATIENCE)
    assert reader.returncode == -killed_by


@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_conversion_of_killed_process(trace: Path, tmp_path: Path, killed_by: signal.Signals) -> None:
    """The program writes nothing to the process that started it, and still ends with it. Neither leaves
    a temporary file."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = f"""
        import threading
        folder = {os.fspath(tmp_path)!r}
        inputs = [trace] + [f"{{folder}}/{{i}}.etl" for i in range(50)]
        for name in inputs[1:]:
            os.symlink(trace, name)

        def report():
            while not os.path.isdir(folder + "/out"):
                time.sleep(0.01)
            print("converting", flush=True)

        threading.Thread(target=report, daemon=True).start()
        etl2parquet.convert(inputs, folder + "/out")
        print("done", flush=True)
    """
    with python(code, trace, TMPDIR=str(temporary)) as converter:
        assert converter.stdout is not None
        assert converter.stdout.readline() == "converting\n"
        assert programs_with(trace) != []
        converter.send_signal(killed_by)
        assert converter.communicate(timeout=PATIENCE)[0] == ""
    deadline = time.monotonic() + PATIENCE
    while programs_with(trace) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert list(temporary.iterdir()) == []


def test_exit_while_reading(trace: Path) -> None:
    """Python ends in the middle of a scan that something still refers to."""
    with python(READ_AND_WAIT.replace("time.sleep(600)", "sys.exit(0)"), trace) as reader:
        out, errors = reader.communicate(timeout=PATIENCE)
    assert (reader.returncode, out, errors) == (0, "reading\n", "")


def test_parent_killed_with_fork(trace: Path) -> None:
    """A forked process that still lives does not keep its parent's program alive."""
    code = READ_AND_WAIT.replace(
        'print("reading", flush=True)',
        'pid = os.fork()\n    if pid: print("reading", pid, flush=True)',
    )
    with python(code, trace) as reader:
        assert reader.stdout is not None
        forked = int(reader.stdout.readline().split()[1])
        reader.kill()
        reader.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while programs_with(trace) and time.monotonic() < deadline:
            time.sleep(0.01)
        left = programs_with(trace)
        os.kill(forked, signal.SIGKILL)
    assert left == []


def test_fork(trace: Path) -> None:
    """In a forked process a scan that the parent started is refused, and another one works. The
    parent goes on reading its own."""
    code = """
        closed = etl2parquet.scan(trace, limit=1).stream()
        list(closed)
        stream = etl2parquet.scan(trace, columns=["time_ns"]).stream()
        rows = next(stream).num_rows
        pid = os.fork()
        if pid == 0:
            try:
                next(stream)
            except etl2parquet.ProgramError as e:
                assert "before this process was forked" in str(e), e
            else:
                os._exit(1)
            stream.close()
            os._exit(0 if etl2parquet.scan(trace, limit=5).to_arrow().num_rows == 5 else 2)
        assert os.waitpid(pid, 0)[1] == 0
        rows += sum(batch.num_rows for batch in stream)
        assert rows == etl2parquet.scan(trace).lazy().select("time_ns").collect().height, rows
        print("done")
    """
    with python(code, trace) as run:
        out, errors = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out, errors) == (0, "done\n", "")


def test_threads(trace: Path, sample: Path) -> None:
    """Scans in many threads, each a program of its own; one stream may move between threads."""

    def read(i: int) -> int:
        if i % 2:
            return etl2parquet.scan(sample).to_arrow().num_rows
        with etl2parquet.scan(trace).stream() as stream:
            return min(next(stream).num_rows, 449)

    with ThreadPoolExecutor(8) as pool:
        assert len(list(pool.map(read, range(24)))) == 24
    stream = started(trace)
    rows: list[int] = []
    reader = threading.Thread(target=lambda: rows.append(sum(batch.num_rows for batch in stream)))
    reader.start()
    reader.join(PATIENCE)
    assert rows[0] > 0


def test_closed_by_another_thread(trace: Path) -> None:
    """Closing a stream that another thread reads ends both."""
    stream = started(trace)
    ended: list[BaseException | None] = []

    def read() -> None:
        try:
            for _ in stream:
                time.sleep(0.001)
            ended.append(None)
        except (etl2parquet.EtlError, OSError, ValueError) as e:
            ended.append(e)

    reader = threading.Thread(target=read)
    reader.start()
    stream.close()
    reader.join(PATIENCE)
    assert len(ended) == 1
    assert programs_with(trace) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pipes of a chosen size")
def test_small_pipes(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user with many pipes may get none that is larger than usual, and reads all the same."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("fcntl.fcntl", refuse)
    assert etl2parquet.scan(sample).to_arrow().num_rows == 449


def test_repeated(sample: Path) -> None:
    """A hundred scans leave no open files."""

    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = opened()
    for i in range(100):
        scan = etl2parquet.scan(sample, limit=None if i % 2 else 1)
        next(scan.stream())
    gc.collect()
    assert opened() <= before
