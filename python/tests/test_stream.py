"""Programs that fail, or whose output is cut: no failure looks like the end of the rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import etl2parquet

Fake = Callable[[str], None]


@pytest.mark.parametrize(
    ("code", "kind", "returncode", "text"),
    [
        ("write(2); print('etl2parquet: it broke', file=sys.stderr); sys.exit(1)", etl2parquet.EtlError, 1, "^it broke$"),
        ("write(2, end=False); sys.exit(1)", etl2parquet.EtlError, 1, "failed with exit status 1"),
        ("write(2, end=False)", etl2parquet.ProgramError, 0, "output was cut: it has no end marker"),
        ("write(2); sys.stdout.write('more')", etl2parquet.ProgramError, 0, "output was cut"),
        ("write(0, end=False)", etl2parquet.ProgramError, 0, "output was cut: it has no end marker"),
        ("sys.stdout.buffer.write(b'\\xff\\xff\\xff\\xff\\x10')", etl2parquet.ProgramError, 0, "output was cut"),
        ("", etl2parquet.ProgramError, 0, "output was cut"),
        ("sys.stdout.write('no Arrow at all')", etl2parquet.ProgramError, 0, "output was cut"),
        ("write(1, end=False); os.kill(os.getpid(), signal.SIGKILL)", etl2parquet.ProgramError, -9, "ended by signal 9$"),
        ("write(1, end=False); print('etl2parquet: oh', file=sys.stderr, flush=True); os.abort()", etl2parquet.ProgramError, -6, "ended by signal 6: oh$"),
        ("print('etl2parquet: bad flag', file=sys.stderr); sys.exit(2)", etl2parquet.UsageError, 2, "^bad flag$"),
        ("sys.exit(69)", etl2parquet.EtlError, 69, "exit status 69"),
    ],
)  # fmt: skip
def test_failures(fake_program: Fake, code: str, kind: type[etl2parquet.EtlError], returncode: int, text: str) -> None:
    fake_program(code)
    scan = etl2parquet.scan("x.etl")
    for read in (scan.to_arrow, lambda: list(scan), lambda: scan.lazy().collect()):
        with pytest.raises(Exception, match=text.strip("^$")):
            read()
    with pytest.raises(kind, match=text) as e:
        scan.to_arrow()
    assert type(e.value) is kind
    assert e.value.returncode == returncode


def test_batches_come_before_the_error(fake_program: Fake) -> None:
    """Rows are passed on as they come. The error follows the last row."""
    fake_program("write(2); sys.exit(1)")
    stream = etl2parquet.scan("x.etl").stream()
    assert [next(stream).num_rows, next(stream).num_rows] == [3, 3]
    with pytest.raises(etl2parquet.EtlError):
        next(stream)
    with pytest.raises(StopIteration):
        next(stream)


def test_much_on_stderr(fake_program: Fake) -> None:
    """A program that prints many warnings does not wait for a reader."""
    fake_program("for i in range(100_000): print('etl2parquet: a warning', file=sys.stderr)\nwrite(1)")
    with pytest.warns(etl2parquet.EtlWarning) as found:
        assert etl2parquet.scan("x.etl").to_arrow().num_rows == 3
    assert len(found) == 100_000


def test_many_batches(fake_program: Fake) -> None:
    fake_program("write(20_000)")
    assert etl2parquet.scan("x.etl").to_arrow().num_rows == 60_000
