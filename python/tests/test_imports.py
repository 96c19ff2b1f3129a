"""The modules of the package import each other in one direction."""

from __future__ import annotations

import ast
import graphlib
from pathlib import Path

import etl2parquet

PACKAGE = Path(etl2parquet.__file__).parent


def imported(path: Path) -> set[str]:
    """Returns the modules of the package that a file imports, also inside functions and for types alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            names = [name + "." * (name[-1] != ".") + alias.name for alias in node.names] + [name]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            found.add(name.removeprefix("etl2parquet").removeprefix(".").partition(".")[0])
    return {name for name in found if (PACKAGE / f"{name}.py").is_file()}


def test_no_circles() -> None:
    graph = {path.stem: imported(path) for path in PACKAGE.glob("*.py")}
    assert {"_display", "_program"} <= graph["_scan"] | graph["_rows"], "imports are found"
    graphlib.TopologicalSorter(graph).prepare()  # a circle is a CycleError with its modules
