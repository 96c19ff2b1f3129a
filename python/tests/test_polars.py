"""Polars' pushdown: columns, time bounds, the number of rows."""

from __future__ import annotations

import datetime as dt
import warnings
from pathlib import Path

import polars as pl
import pytest

import etl2parquet
from etl2parquet import _polars, _program

UTC = dt.timezone.utc
AT = dt.datetime(2024, 5, 1, 12, 0, 0, 500_000, tzinfo=UTC)
NS = 1_714_564_800_500_000_000
LATER = AT + dt.timedelta(seconds=1)
T = pl.col("timestamp")


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines of all runs of the program."""
    seen: list[list[str]] = []
    start = _program.Child.__init__

    def record(self: _program.Child, args: list[str]) -> None:
        seen.append(list(args))
        start(self, args)

    monkeypatch.setattr(_program.Child, "__init__", record)
    return seen


def flags(run: list[str], *names: str) -> dict[str, str]:
    found = dict(arg[2:].split("=", 1) for arg in run if arg.startswith("--") and "=" in arg)
    return {name: found[name] for name in names if name in found}


def time(ns: int) -> str:
    return f"2024-05-01T12:00:{ns // 10**9 - 1_714_564_800:02d}.{ns % 10**9:09d}Z"


@pytest.mark.parametrize(
    ("predicate", "first", "end"),
    [
        (T >= AT, NS, None),
        (T > AT, NS, None),
        (AT <= T, NS, None),
        (T < AT, None, NS + 1000),
        (T <= AT, None, NS + 1000),
        (T == AT, NS, NS + 1000),
        (T.is_between(AT, LATER), NS, NS + 1_000_001_000),
        (T.is_between(AT, LATER, closed="none"), NS, NS + 1_000_001_000),
        ((T >= AT) & (T < LATER) & (pl.col("processor") == 0), NS, NS + 1_000_001_000),
        ((T >= AT) & (T >= LATER), NS + 10**9, None),
        (pl.col("time_ns") >= NS + 7, NS + 7, None),
        (pl.col("time_ns") < NS + 7, None, NS + 8),
        (T >= pl.lit(AT).dt.cast_time_unit("ns"), NS, None),
        (~(T >= AT), None, NS + 1000),
        # Nothing of these is pushed down.
        ((T >= AT) | (pl.col("processor") == 0), None, None),
        (T != AT, None, None),
        (T.dt.second() >= 1, None, None),
        (pl.col("processor") == 1, None, None),
        (T.is_null(), None, None),
    ],
    ids=str,
)
def test_predicates(
    sample: Path, runs: list[list[str]], predicate: pl.Expr, first: int | None, end: int | None
) -> None:
    """The program gets the bounds, and the rows are the same as with Polars' own filter."""
    scan = etl2parquet.scan(sample)
    wanted = scan.to_polars().filter(predicate)
    with warnings.catch_warnings():
        warnings.simplefilter("error", etl2parquet.EtlWarning)
        assert scan.lazy().filter(predicate).collect().equals(wanted)
    pushed = flags(runs[-1], "from", "to")
    bounds = {"from": first, "to": end}
    if "dt.cast_time_unit" not in str(predicate):  # a literal only after optimization
        assert pushed == {name: time(ns) for name, ns in bounds.items() if ns is not None}


P, E, N, ID = (pl.col(name) for name in ("provider_name", "event_name", "process_name", "process_id"))
GUID = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"


@pytest.mark.parametrize(
    ("predicate", "pushed"),
    [
        (P == "Thread", {"provider": ["Thread"]}),
        ("Thread" == P, {"provider": ["Thread"]}),
        (P.is_in(["Thread", "PerfInfo", None]), {"provider": ["Thread", "PerfInfo"]}),
        (P.is_in(pl.Series(["Thread"]).implode()), {"provider": ["Thread"]}),
        ((P == "Thread") | (P == "PerfInfo") | (P == "DiskIo"), {"provider": ["Thread", "PerfInfo", "DiskIo"]}),
        ((P == "Thread") & (E == "CSwitch"), {"provider": ["Thread"], "event": ["CSwitch"]}),
        ((P == "Thread") & P.is_in(["PerfInfo"]), {"provider": ["Thread"]}),
        (pl.col("provider_id") == GUID, {"provider": [GUID]}),
        (E.is_in(["CSwitch", "Start"]), {"event": ["CSwitch", "Start"]}),
        (N == "explorer.exe", {"process": ["explorer.exe"]}),
        (ID == 4, {"process": ["4"]}),
        (ID.is_in([0, 4]) & (T >= AT), {"process": ["0", "4"]}),
        (P == "absent", {"provider": ["absent"]}),
        ((P == "Thread") & (E == "SampleProf"), {"provider": ["Thread"], "event": ["SampleProf"]}),
        # Nothing of these is pushed down.
        (P != "Thread", {}),
        (P.is_null(), {}),
        (P.eq_missing(pl.lit("Thread")), {}),
        (P == E, {}),
        (P == "Thr*", {}),
        (N == "4", {}),
        (P.str.starts_with("Thr"), {}),
        ((P == "Thread") | (E == "CSwitch"), {}),
        ((P == "Thread") | P.is_null(), {}),
        (~(P == "Thread"), {}),
        (P.is_in(["Thread", "[x]"]), {}),
    ],
    ids=str,
)
def test_names(sample: Path, runs: list[list[str]], predicate: pl.Expr, pushed: dict[str, list[str]]) -> None:
    """The program gets the names, and the rows are the same as with Polars' own filter."""
    scan = etl2parquet.scan(sample)
    wanted = scan.to_polars().filter(predicate)
    with warnings.catch_warnings():
        warnings.simplefilter("error", etl2parquet.EtlWarning)
        assert scan.lazy().filter(predicate).collect().equals(wanted)
        assert scan.lazy().filter(predicate).select(pl.len()).collect(engine="streaming").item() == len(wanted)
    found: dict[str, list[str]] = {}
    for name, value in (arg[2:].split("=", 1) for arg in runs[-1] if arg.startswith("--p") or "--event" in arg):
        found.setdefault(name, []).append(value)
    assert found == pushed


@pytest.mark.parametrize("trace", ["HTTP_Server.etl", "ebpforwindows.etl", "Process.etl"])
def test_names_of_real_traces(shared: Path, trace: str) -> None:
    """Every name of a trace selects the rows that Polars' own filter does, in tables of each kind."""
    largest = max(etl2parquet.tables(shared / trace)[1:], key=lambda t: (t.kind == "payload", t.rows or 0))
    for table in ("events", largest.name, "providers", "processes", "stack_events"):
        scan = etl2parquet.scan(shared / trace, table)
        rows = scan.to_polars()
        for name in _polars.OPTIONS.keys() & set(rows.columns):
            for value in rows[name].drop_nulls().unique().sort().head(40):
                predicate = pl.col(name) == value
                assert scan.lazy().filter(predicate).collect().equals(rows.filter(predicate)), (table, name, value)


def test_given_names_stay(sample: Path, runs: list[list[str]]) -> None:
    """Values of an option are alternatives, so none is added to a given one; strict scans say when
    nothing is selected, and a filter is no selection."""
    thread = etl2parquet.scan(sample, provider="Thread")
    assert thread.lazy().filter(P == "PerfInfo").collect().height == 0
    assert etl2parquet.scan(sample, limit=9).lazy().filter(P == "PerfInfo").collect().height < 9
    assert etl2parquet.scan(sample, strict=True).lazy().filter(P == "absent").collect().height == 0
    assert all("PerfInfo" not in arg and "absent" not in arg for run in runs for arg in run)


@pytest.mark.parametrize("table", ["Thread/CSwitch", "stack_events", "processes", "problems", "event_header"])
@pytest.mark.parametrize("at", [0, 17, -1])
def test_boundaries(sample: Path, table: str, at: int) -> None:
    """At the exact times of rows, bounds select the same rows as Polars' own filter, in every kind of table."""
    scan = etl2parquet.scan(sample, table)
    rows = scan.to_polars()
    for name in ("timestamp", "time_ns"):
        if name not in rows.columns or len(rows) == 0:
            continue
        column, value = pl.col(name), rows[name][min(at, len(rows) - 1)]
        for predicate in (column >= value, column > value, column < value, column <= value, column == value):
            assert scan.lazy().filter(predicate).collect().equals(rows.filter(predicate)), (table, str(predicate))


def test_projection(sample: Path, runs: list[list[str]]) -> None:
    lazy = etl2parquet.scan(sample, "Thread/CSwitch").lazy()
    query = lazy.filter(T >= AT, pl.col("new_thread_id") > 0).group_by("process_name").len()
    plan = query.explain()
    assert "PROJECT 3/36 COLUMNS" in plan
    assert "SELECTION:" in plan
    assert "2024-05-01 12:00:00.500 UTC" in plan
    wanted = etl2parquet.scan(sample, "Thread/CSwitch").to_polars().filter(T >= AT, pl.col("new_thread_id") > 0)
    assert query.collect()["len"].sum() == len(wanted) > 0
    assert set(flags(runs[-1], "columns")["columns"].split(",")) == {"timestamp", "new_thread_id", "process_name"}


def test_count(sample: Path, runs: list[list[str]]) -> None:
    assert etl2parquet.scan(sample).lazy().select(pl.len()).collect().item() == 449
    assert "," not in flags(runs[-1], "columns")["columns"], "one column is enough to count"


def test_head(large: Path, runs: list[list[str]]) -> None:
    """Only the first rows are read, with a filter too."""
    lazy = etl2parquet.scan(large).lazy()
    assert lazy.head(3).collect().height == 3
    assert flags(runs[-1], "limit") == {"limit": "3"}
    assert lazy.filter(pl.col("processor") == 1).head(3).collect().height == 3
    assert flags(runs[-1], "limit") == {}


def test_bounds_of_the_scan_stay(sample: Path) -> None:
    """A predicate never widens what the scan itself selects, and a limit comes before it."""
    narrow = etl2parquet.scan(sample, from_=AT, to=LATER, limit=20)
    rows = narrow.to_polars()
    for predicate in (T >= AT - dt.timedelta(seconds=1), T < LATER + dt.timedelta(seconds=1), T > rows["timestamp"][5]):
        assert narrow.lazy().filter(predicate).collect().equals(rows.filter(predicate))


def test_no_time_at_all(sample: Path) -> None:
    lazy = etl2parquet.scan(sample).lazy()
    assert lazy.filter(T >= LATER, T < AT).collect().height == 0
    assert lazy.filter(pl.col("time_ns") >= -(2**63)).collect().height == 449
    assert lazy.filter(pl.col("time_ns") >= 2**63 - 1).collect().height == 0
    assert lazy.filter(T >= LATER, T < AT).select("processor").collect().columns == ["processor"]


def test_unknown_form(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Polars writes expressions in another way, nothing is pushed down and the rows are the same."""
    wanted = etl2parquet.scan(sample).lazy().filter(T >= AT).collect()
    for serialize in (lambda *_, **__: "{}", lambda *_, **__: "no JSON", lambda *_, **__: 1 / 0):
        monkeypatch.setattr("polars.expr.meta.ExprMetaNameSpace.serialize", serialize)
        assert etl2parquet.scan(sample).lazy().filter(T >= AT).collect().equals(wanted)
