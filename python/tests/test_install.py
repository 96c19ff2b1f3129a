"""The installed wheel: where the program is, its version, and the types of the package."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import REPOSITORY

import etl2parquet


def test_installed() -> None:
    assert not Path(etl2parquet.__file__).is_relative_to(REPOSITORY)
    assert etl2parquet.__version__ == importlib.metadata.version("etl2parquet")


def test_program_of_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ETL2PARQUET", raising=False)
    monkeypatch.setenv("PATH", "")
    program = Path(etl2parquet.program())
    assert program.parent == Path(sys.executable).parent
    output = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
    assert output.startswith(f"etl2parquet v{etl2parquet.__version__}\n")


def test_program_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = etl2parquet.program()
    monkeypatch.setattr("etl2parquet._program._installed", lambda: iter(()))
    assert etl2parquet.program() == installed, "the first one on PATH"
    monkeypatch.setenv("PATH", "")
    with pytest.raises(etl2parquet.ProgramError, match="was not found: install a wheel"):
        etl2parquet.program()


@pytest.mark.parametrize("version", ["v9.9.9", "v0.0.1"])
def test_other_version(fake_program: Callable[..., None], version: str) -> None:
    fake_program("", version)
    with pytest.raises(etl2parquet.ProgramError, match=f"has version {version[1:]}, and this package has version"):
        etl2parquet.program()


@pytest.mark.parametrize("version", ["(devel)", "v0.0.0-20261123034438-f057d3f90b12", "v0.1.0"])
def test_accepted_version(fake_program: Callable[..., None], version: str) -> None:
    fake_program("", version)
    assert etl2parquet.program() == os.environ["ETL2PARQUET"]


def test_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ETL2PARQUET", str(tmp_path / "none"))
    with pytest.raises(etl2parquet.ProgramError, match=r"named by ETL2PARQUET, cannot be run: .*No such file"):
        etl2parquet.scan("x.etl").to_arrow()
    monkeypatch.setenv("ETL2PARQUET", "/bin/echo")
    with pytest.raises(etl2parquet.ProgramError, match="is not etl2parquet"):
        etl2parquet.scan("x.etl").to_arrow()


def test_types(tmp_path: Path) -> None:
    """The package and what a user writes are type-checked."""
    user = tmp_path / "user.py"
    user.write_text(
        "import datetime as dt\n"
        "import pandas, polars, pyarrow\n"
        "import etl2parquet\n"
        's: etl2parquet.Scan = etl2parquet.scan("x.etl", "events", columns=["a"], from_=dt.datetime.now(), to=1.5)\n'
        "a: polars.LazyFrame = s.lazy()\n"
        "b: polars.DataFrame = s.to_polars()\n"
        "c: pandas.DataFrame = s.to_pandas()\n"
        't: list[etl2parquet.Table] = etl2parquet.tables("x.etl")\n'
        "s.no_such_method()  # type: ignore[attr-defined]\n"
    )
    settings = REPOSITORY / "python" / "pyproject.toml"
    options = ["--config-file", settings, "--warn-unused-ignores", "--cache-dir", tmp_path / "cache"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "-p", "etl2parquet", "-m", "user"],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(tmp_path)},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_style() -> None:
    for command in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        run = subprocess.run(
            [sys.executable, "-m", "ruff", *command, REPOSITORY / "python"], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
