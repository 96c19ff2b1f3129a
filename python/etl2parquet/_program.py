"""Finds the program, runs it, and streams Arrow from it.

Every child process gets a pipe as its standard input, to which nothing is written. The program stops
when that pipe closes (ETL2PARQUET_STOP=stdin), so it ends with this process, on every system and in
whatever way this process ends.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from ._errors import PARTLY, EtlError, EtlWarning, PartlyFailed, ProgramError, UsageError, error, in_python

if sys.platform == "linux":
    import fcntl

if TYPE_CHECKING:
    from typing_extensions import Self

_NAME = "etl2parquet.exe" if sys.platform == "win32" else "etl2parquet"
_VARIABLE = "ETL2PARQUET"
_DUCKDB = "ETL2PARQUET_DUCKDB"
_PATIENCE = 10.0  # seconds that a child has to stop by itself
_PIPE_BYTES = 1 << 20
_OTHER_LINE = re.compile(r": (info|warning|error): |^the table ")  # not about an input that cannot be read
_OTHERS = "ignore_errors=True reads the others, and warns"
_END_OF_STREAM = b"\xff\xff\xff\xff\x00\x00\x00\x00"

try:
    VERSION = importlib.metadata.version("etl2parquet")
except importlib.metadata.PackageNotFoundError:  # on sys.path, but not installed
    VERSION = ""


def _installed() -> Iterator[str]:
    """Yields the paths where an installation may put the program: from the wheel's list of files, and
    beside the interpreter."""
    try:
        files = importlib.metadata.files("etl2parquet") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == _NAME:
            yield os.path.normpath(file.locate())
    yield os.path.join(sysconfig.get_path("scripts"), _NAME)


_checked: dict[str, str] = {}  # programs whose version was checked
_check = threading.Lock()


def program() -> str:
    """Returns the path of the program, whose version has been checked.

    The environment variable ``ETL2PARQUET`` names it; otherwise it is the program that was installed
    with this package, or the first one on ``PATH``.
    """
    named = os.environ.get(_VARIABLE, "")
    path = named or next(filter(os.path.isfile, _installed()), "") or shutil.which(_NAME) or ""
    if not path:
        raise ProgramError(
            None,
            f"the program {_NAME} was not found: install a wheel of this package, or name the program in {_VARIABLE}",
        )
    with _check:
        if path not in _checked:
            _checked[path] = _check_version(path, trusted=bool(named))
    return path


def _check_version(path: str, trusted: bool) -> str:
    """Checks that the program has the version of this package. A program without a version, such as
    one built in a clone of the repository, is accepted if it is trusted."""
    source = f"the program {path}" + (f", named by {_VARIABLE}," if trusted else "")
    try:
        run = subprocess.run([path, "version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as e:
        raise ProgramError(None, f"{source} cannot be run: {e}") from e
    words = run.stdout.decode(errors="replace").split()
    if run.returncode != 0 or len(words) < 2 or words[0] != "etl2parquet":
        raise ProgramError(run.returncode, f"{source} is not etl2parquet")
    version = words[1].removeprefix("v")
    unreleased = version == "(devel)" or version.startswith("0.0.0-")
    if VERSION and version != VERSION and not (trusted and unreleased):
        raise ProgramError(
            None, f"{source} has version {version}, and this package has version {VERSION}: install both from one wheel"
        )
    return version


def warn(text: str) -> None:
    """Turns the program's messages into Python warnings, one per line, at the line of code that called
    this package."""
    level = 1
    while level < 50 and _is_own(level):
        level += 1
    for line in text.splitlines():
        warnings.warn(EtlWarning(line), stacklevel=level)


def _is_own(level: int) -> bool:
    """Reports whether a caller is a module of this package; 1 is the caller of this function."""
    try:
        return str(sys._getframe(level).f_globals.get("__name__", "")).partition(".")[0] == "etl2parquet"
    except ValueError:  # the stack has fewer frames
        return False


def _environment() -> dict[str, str]:
    """Returns the environment of the program. With it the program finds other programs, such as duckdb,
    even if they are installed beside Python and that folder is not on PATH."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")])
    duckdb = os.environ.get(_DUCKDB) or _installed_duckdb()
    return {**os.environ, "PATH": path, "ETL2PARQUET_STOP": "stdin", **({_DUCKDB: duckdb} if duckdb else {})}


def _installed_duckdb() -> str:
    """Returns the program that the package duckdb-cli brings, the extra [duckdb], or "". The command
    that it installs would start Python again."""
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec("duckdb_cli")
        for folder in (spec and spec.submodule_search_locations) or ():
            path = os.path.join(folder, "duckdb.exe" if sys.platform == "win32" else "duckdb")
            if os.path.isfile(path):
                return path
    return ""


def _check_text(args: Sequence[str]) -> None:
    """Raises UsageError for an argument with a NUL, which would end it."""
    for arg in args:
        if "\0" in arg:
            raise UsageError(2, f"{in_python(arg)!r} has a NUL character")


class Child:
    """A running program. It must be closed; dropping it closes it, too."""

    def __init__(self, args: Sequence[str]) -> None:
        _check_text(args)
        command = [program(), *args]
        self._pid = os.getpid()
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=_environment(),
            )
        except OSError as e:
            self._errors.close()
            raise ProgramError(None, f"the program {command[0]} cannot be run: {e}") from e
        except ValueError as e:  # such as half of a surrogate pair
            self._errors.close()
            raise UsageError(2, f"an argument of the program is invalid: {e}") from e
        assert self._process.stdout is not None
        self.stdout: IO[bytes] = self._process.stdout
        _widen(self.stdout)
        self._stop = weakref.finalize(self, _stop, self._process, self._errors, self._pid)
        _children.add(self)

    def wait(self, partly: bool = False) -> str:
        """Waits for the end of the program, after its output was read, and returns its standard error.
        Raises EtlError if it failed; with ``partly``, not if it only failed to read some inputs."""
        self.check_owner()
        self.returncode = returncode = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        self.close()
        printed = in_python("\n".join(line.removeprefix("etl2parquet: ") for line in lines))
        if returncode != 0 and not (partly and returncode == PARTLY):
            raise error(returncode, printed)
        return printed

    def close(self) -> None:
        """Stops the program if it runs, and waits for its end."""
        self._stop()

    def check_owner(self) -> None:
        """Raises EtlError in a process that was forked after the program was started."""
        if os.getpid() != self._pid:
            raise ProgramError(None, "the scan was started before this process was forked: start it in this process")

    def abandon(self) -> None:
        """Closes the pipes in a forked process. They belong to its parent, and the program could not
        detect the end of the parent while they are open here."""
        self._stop.detach()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is None or pipe.closed:
                continue
            os.dup2(nowhere, pipe.fileno(), inheritable=False)
        os.close(nowhere)
        self._process.returncode = 0  # the program is not a child of this process


def _widen(pipe: IO[bytes]) -> None:
    """Enlarges a pipe to hold a batch. The kernel may refuse that to a user with many pipes; the pipe
    then keeps its size."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _stop(process: subprocess.Popen[bytes], errors: IO[bytes], pid: int) -> None:
    if os.getpid() != pid:
        return
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    except BaseException:
        process.kill()
        raise
    finally:
        errors.close()


_children: weakref.WeakSet[Child] = weakref.WeakSet()


def _after_fork() -> None:
    for child in list(_children):
        child.abandon()
    _children.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def run(args: Sequence[str]) -> str:
    """Runs the program to its end and returns its standard output. Raises EtlError if it
    failed."""
    child = Child(args)
    try:
        output = child.stdout.read().decode()
        warn(child.wait())
        return output
    finally:
        child.close()


def run_json_lines(args: Sequence[str]) -> list[dict[str, Any]]:
    """Runs the program and reads its output, a JSON object per line. Names in it may contain Unicode
    line separators."""
    return [json.loads(line) for line in run(args).split("\n") if line]


class _Pipe:
    """The program's standard output as a file that pyarrow reads. It remembers the last bytes, because
    pyarrow accepts a stream that is cut between two batches as complete."""

    closed = False

    def __init__(self, child: Child) -> None:
        self._child = child
        self.last = b""

    def read(self, size: int = -1) -> bytes:
        self._child.check_owner()
        data = self._child.stdout.read(size)
        self.last = data[-8:] if len(data) >= 8 else (self.last + data)[-8:]
        return data

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        """Does nothing: the child closes its pipe."""


class Stream(Iterator[pa.RecordBatch]):
    """The record batches that a program writes to its standard output.

    The end of the iteration means that the program succeeded. Closing or dropping the stream
    earlier stops the program.
    """

    schema: pa.Schema

    def __init__(
        self,
        args: Sequence[str],
        silent: Sequence[str] = (),
        *,
        partly: bool | None = None,
        change: Callable[[pa.RecordBatch], pa.RecordBatch] | None = None,
        unread: Callable[[Sequence[str], pa.Schema], pa.RecordBatch] | None = None,
        report: Callable[[str], None] = warn,
    ) -> None:
        """Starts the program. At its end ``report`` gets its warnings, a line each, without those that contain
        a text of ``silent``. With ``partly``, inputs that cannot be read are warnings; if it is False, the
        exception says how to get that. ``change`` changes each batch; ``unread`` returns a last one, for the
        messages about inputs that cannot be read."""
        self._silent, self._report = silent, report
        self._partly, self._change, self._unread = partly, change, unread
        self._child = Child(args)
        self._pipe = _Pipe(self._child)
        self._reader: Any = None
        try:
            self._reader = pa.ipc.open_stream(self._pipe)
        except pa.ArrowInvalid as e:
            self._fail(e)
        except BaseException:
            self.close()
            raise
        self.schema = self._reader.schema
        if change is not None:
            self.schema = change(pa.RecordBatch.from_pylist([], self.schema)).schema

    def __next__(self) -> pa.RecordBatch:
        if self._reader is None:
            raise StopIteration
        try:
            batch = self._reader.read_next_batch()
            return batch if self._change is None else self._change(batch)
        except StopIteration:
            failures = self._finish()
            if self._unread is not None and failures:
                return self._unread(failures, self.schema)
            raise
        except (pa.ArrowInvalid, OSError) as e:
            self._fail(e)
            raise
        except BaseException:
            self.close()
            raise

    def _finish(self) -> list[str]:
        """Checks that the stream is complete. Returns the messages about inputs that cannot be read."""
        self._reader = None
        rest = self._pipe.read()
        try:
            printed = self._child.wait(bool(self._partly))
        except PartlyFailed as e:
            if self._partly is None:
                raise
            raise PartlyFailed(e.returncode, f"{e.message}\n{_OTHERS}") from None
        if self._pipe.last != _END_OF_STREAM or rest:
            raise ProgramError(0, "the program's output was cut: it has no end marker")
        lines = printed.splitlines()
        self._report("\n".join(line for line in lines if not any(text in line for text in self._silent)))
        return [line for line in lines if self._child.returncode == PARTLY and not _OTHER_LINE.search(line)]

    def _fail(self, cause: Exception) -> None:
        """Raises the program's error for a broken stream, or else an error of its own."""
        self._reader = None
        try:
            while self._child.stdout.read(_PIPE_BYTES):
                pass
            self._child.wait()
            raise ProgramError(0, f"the program's output was cut: {cause}") from cause
        finally:
            self.close()

    def close(self) -> None:
        """Stops the program, if it still runs."""
        self._reader = None
        self._child.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = ["VERSION", "Child", "EtlError", "Stream", "program", "run", "run_json_lines", "warn"]
