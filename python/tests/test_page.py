"""Runs the Python of pages, one block after another, in a folder with the files that they name."""

from __future__ import annotations

import datetime
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY

import etl2parquet


@pytest.mark.parametrize(("page", "dataset", "least"), [("python.md", "out", 7), ("readers/data.md", "lake", 1)])
def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, dataset: str, least: int) -> None:
    for package in ("polars", "pandas", "duckdb"):
        pytest.importorskip(package)
    sample = REPOSITORY / "testdata" / "sample.etl"
    (tmp_path / "traces").mkdir()
    for name in ("boot.etl", "logon.etl", "traces/boot.etl", "traces/logon.etl"):
        shutil.copy(sample, tmp_path / name)
    with zipfile.ZipFile(tmp_path / "bundle.zip", "w") as archive:
        archive.write(sample, "boot.etl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ETL2PARQUET_CACHE", "none")
    etl2parquet.convert("boot.etl", dataset)
    text = (REPOSITORY / "docs" / page).read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= least
    names: dict[str, object] = {"start": datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)}
    for block in blocks:
        exec(compile(block, f"docs/{page}: {block.splitlines()[0]}", "exec"), names)
