"""Reading traces with Spark: the same rows and types as in our Parquet files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import spark_testing
from conftest import AMBIGUOUS, SPELLINGS

import etl2parquet

_UNION = 24  # tables that one query reads

# One of the kernel with call stacks, one of manifests, one of TraceLogging.
_KERNEL, _MANIFEST, _TRACELOGGING = "net.4.5.2.x86", "HTTP_Server", "ebpforwindows"


@pytest.fixture(scope="module")
def spark() -> Any:
    return spark_testing.session()[0]


@pytest.fixture
def program() -> spark_testing.Program:
    program = spark_testing.session()[1]
    program.calls("")
    return program


def etl(spark: Any, path: object, **options: object) -> Any:
    return spark.read.format("etl").options(**{k.rstrip("_"): str(v) for k, v in options.items()}).load(str(path))


def filed(rows: Any) -> Any:
    """Returns the columns that Parquet files have: these two are made when rows are read from a trace."""
    return rows.drop("clock_ns", "seconds")


def parquet(spark: Any, dataset: Path, table: str) -> Any:
    return spark.read.option("mergeSchema", "true").parquet(str(dataset / table))


def digest(rows: Any, name: str) -> Any:
    """Returns one row that stands for all rows, in any order: their number and the sum of their
    hashes."""
    from pyspark.sql import functions as f

    each = f.xxhash64(*(f.col(f"`{c}`") for c in rows.columns)).cast("decimal(20,0)")
    return rows.agg(f.lit(name).alias("name"), f.count("*").alias("rows"), f.sum(each).alias("hash"))


def digests(rows: dict[str, Any]) -> dict[str, tuple[int, Any]]:
    each = [digest(df, name) for name, df in rows.items()]
    found = []
    for i in range(0, len(each), _UNION):
        found += reduce(lambda a, b: a.union(b), each[i : i + _UNION]).collect()
    return {r["name"]: (r["rows"], r["hash"]) for r in found}


def converted(folder: Path, traces: list[Path]) -> Path:
    """Returns the folder with copies of the traces and their dataset."""
    for trace in traces:
        shutil.copy(trace, folder)
    etl2parquet.convert(folder, folder / "dataset", siblings="off")
    return folder


@pytest.fixture(scope="module")
def traces(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three traces and their dataset."""
    names = ("diaghub.user_paged.1", "HTTP_Server", "SelfDescribingSingleEvent")
    return converted(tmp_path_factory.mktemp("traces"), [shared / f"{name}.etl" for name in names])


def test_every_table(spark: Any, shared: Path, tmp_path: Path) -> None:
    traces = converted(tmp_path, [shared / f"{name}.etl" for name in (_KERNEL, _MANIFEST, _TRACELOGGING)])
    dataset = traces / "dataset"
    tables = sorted({p.parent.relative_to(dataset).as_posix() for p in dataset.rglob("*.parquet")})
    assert {"stack_events", "stacks", "events/PerfInfo/SampleProf", "events/StackWalk/Stack"} <= set(tables)
    assert len(tables) > 200
    with ThreadPoolExecutor(2) as pool:
        got = dict(zip(tables, pool.map(lambda t: filed(etl(spark, traces, table=t)), tables), strict=True))
    want = {t: parquet(spark, dataset, t) for t in tables}
    for t in tables:
        assert {f.name: f.dataType for f in got[t].schema} == {f.name: f.dataType for f in want[t].schema}, t
        assert all(f.nullable for f in got[t].schema), t
        want[t] = want[t].select(*got[t].columns)  # mergeSchema takes the files in another order
    found = digests(got)
    assert found == digests(want)
    assert all(rows > 0 for rows, _ in found.values())


def test_spellings(spark: Any, shared: Path) -> None:
    """Every name of an event is that of its table, as in scan."""
    trace = shared / "net.4.5.2.x86.etl"
    rows = {name: etl(spark, trace, table=name) for name in SPELLINGS}
    assert len({df.schema.json() for df in rows.values()}) == 1
    found = digests(rows)
    assert found[SPELLINGS[0]][0] == 160
    assert set(found.values()) == {found[SPELLINGS[0]]}
    with pytest.raises(Exception) as e:
        etl(spark, trace, table=AMBIGUOUS).collect()
    assert '"1" means several: ' in str(e.value)


@pytest.fixture(scope="module")
def twenty(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with twenty traces and their dataset."""
    folder = tmp_path_factory.mktemp("twenty")
    for i in range(20):
        shutil.copy(shared / "KernelNetwork.etl", folder / f"host{i:02}.etl")
    etl2parquet.convert(folder, folder / "dataset", table="event_header", siblings="off")
    yield folder
    shutil.rmtree(folder)


def test_group_by(spark: Any, twenty: Path, program: spark_testing.Program) -> None:
    got = etl(spark, f"{twenty}/*.etl", table="event_header", splits=64, columns="provider_name,event_name,process_id")
    assert got.rdd.getNumPartitions() == 64
    keys = ["trace", "provider_name", "event_name", "process_id"]
    counts = got.groupBy(*keys).count()
    want = parquet(spark, twenty / "dataset", "event_header").groupBy(*keys).count()
    assert sorted(map(str, counts.collect())) == sorted(map(str, want.collect()))
    calls = program.calls("cat")
    assert any("--split=" in c for c in calls)


def test_small_traces_share_partitions(spark: Any, twenty: Path) -> None:
    assert etl(spark, twenty, table="event_header").rdd.getNumPartitions() == 1
    assert etl(spark, twenty, table="event_header", splits=5).rdd.getNumPartitions() == 5


def test_task_that_fails_once(spark: Any, traces: Path, program: spark_testing.Program) -> None:
    rows = filed(etl(spark, traces, table="event_header", splits=8))
    want = parquet(spark, traces / "dataset", "event_header").select(*rows.columns)
    program.fail_once()
    assert digests({"t": rows}) == digests({"t": want})
    assert program.has_failed()


def test_filters(spark: Any, traces: Path, program: spark_testing.Program) -> None:
    want = parquet(spark, traces / "dataset", "event_header")
    where = """provider_name = 'Microsoft-Windows-HttpService' AND timestamp >= '2011-01-23T00:00:00Z'
        AND time_ns < 1295820450000000000
        AND event_name IN ('RecvReq', 'Parse')"""
    flags = (
        "--from=2011-01-23T00:00:00.000000000Z",
        "--to=2011-01-23T22:07:30.000000000Z",
        "--provider=Microsoft-Windows-HttpService",
        "--event=RecvReq --event=Parse",
    )
    expected = digests({"t": want.where(where)})
    assert 0 < expected["t"][0] < 2 * 291
    for setting in ("false", "true"):
        spark.conf.set("spark.sql.python.filterPushdown.enabled", setting)
        program.calls("")
        rows = etl(spark, traces, table="event_header").select(*want.columns).where(where)
        assert digests({"t": rows}) == expected
        calls = program.calls("cat")
        assert len(calls) == 3
        assert all((flag in call) == (setting == "true") for flag in flags for call in calls)
    one = "trace = 'HTTP_Server'"
    rows = etl(spark, traces, table="event_types").where(one)
    assert rows.count() == parquet(spark, traces / "dataset", "event_types").where(one).count()
    assert ["HTTP_Server.etl" in call for call in program.calls("cat")] == [True]
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "false")


def test_table_without_rows(spark: Any, traces: Path) -> None:
    rows = etl(spark, traces, table="Thread/CSwitch")
    assert "new_thread_id" in rows.columns
    assert rows.count() == 0
    assert rows.where("trace = 'HTTP_Server'").collect() == []


def test_columns_and_schemas(spark: Any, traces: Path) -> None:
    chosen = etl(spark, traces, table="event_header", columns="time_ns,event_name")
    assert chosen.columns == ["trace", "time_ns", "event_name"]
    given = (
        spark.read.format("etl")
        .option("table", "stacks")
        .schema("stack_id string, addresses array<bigint>, trace string")
    )
    rows = given.load(str(traces)).orderBy("stack_id").limit(3).collect()
    want = parquet(spark, traces / "dataset", "stacks").selectExpr(
        "cast(stack_id as string) AS id", "addresses", "trace"
    )
    assert [tuple(r) for r in rows] == [
        (r[0], [int(a) for a in r[1]], r[2]) for r in want.orderBy("id").limit(3).collect()
    ]
    only = spark.read.format("etl").option("table", "event_header").schema("trace string").load(str(traces))
    assert only.count() == chosen.count()


def test_sql_view(spark: Any, traces: Path) -> None:
    """SQL reads traces by a temporary view. A table says so: Spark forgets its options."""
    at = f"USING etl OPTIONS (path '{traces}', table 'event_types')"
    spark.sql(f"CREATE TEMPORARY VIEW kinds {at}")
    assert spark.table("kinds").count() == etl(spark, traces, table="event_types").count() > 0
    with pytest.raises(Exception) as e:
        spark.sql(f"CREATE TABLE kinds_table {at}")
    assert "use CREATE TEMPORARY VIEW ... USING etl OPTIONS (...)" in str(e.value)


@pytest.mark.parametrize(
    ("options", "schema", "words"),
    [
        ({"tabel": "stacks"}, None, 'has no option "tabel"; did you mean table?'),
        ({"table": "stakcs"}, None, "there is no such table"),
        ({"table": "stacks", "columns": "nonsense"}, None, 'none called "nonsense"'),
        ({"table": "stacks"}, "nonsense int", 'none called "nonsense"'),
        ({"table": "stacks"}, "stack_id timestamp", "column stack_id is int64, and the schema wants timestamp"),
        ({"table": "stacks"}, "stack_id int", "column stack_id cannot be read as int32"),
        ({"table": "stacks", "splits": "0"}, None, "option splits: '0' is not a number from 1 on"),
        ({"table": "stacks", "provider": "a\0b"}, None, "option provider: 'a\\x00b' has a NUL character"),
        ({"table": "stacks", "provider": '["a\\u0000b"]'}, None, "not an array of texts without NUL characters"),
        ({"table": "stacks", "limit": "-1"}, None, 'has no option "limit"'),
        ({"table": "stacks", "strict": "yes"}, None, "option strict: 'yes' is neither true nor false"),
        ({"table": "stacks", "path": "/no/such/folder"}, None, "/no/such/folder: no such file or directory"),
    ],
)
def test_mistakes(spark: Any, traces: Path, options: dict[str, str], schema: str | None, words: str) -> None:
    reader = spark.read.format("etl").options(**{"path": str(traces), **options})
    with pytest.raises(Exception) as e:
        (reader.schema(schema) if schema else reader).load().collect()
    assert words in str(e.value)


def test_views(spark: Any, sample: Path, tmp_path: Path) -> None:
    from etl2parquet.spark import views

    out = tmp_path / "out"
    etl2parquet.convert(sample, out)
    made = views(spark, str(out), ["image_loads", "gc"])
    assert made.index("images") < made.index("image_loads") and "thread_cswitch" not in made
    assert spark.table("image_loads").count() > 0 and spark.table("gc").count() == 0
    with pytest.raises(ValueError, match="no such_table"):
        views(spark, str(out), ["such_table"])


def test_own_views(spark: Any, sample: Path, tmp_path: Path) -> None:
    from etl2parquet.spark import views

    folder = tmp_path / "views" / "loads"
    folder.mkdir(parents=True)
    (folder / "view.sql").write_text(
        "-- rows of image_loads\n--   n STRING not null: Number of images.\n"
        "SELECT trace, format('{:,}', count(*)) AS n FROM image_loads GROUP BY trace"
    )
    (folder / "view.md").write_text("# loads\n\nOne row per trace.\n")
    out = tmp_path / "out"
    etl2parquet.convert(sample, out)
    try:
        import sqlglot  # noqa: F401
    except ImportError:
        with (
            pytest.warns(etl2parquet.EtlWarning, match="pip install sqlglot"),
            pytest.raises(ValueError, match="no loads"),
        ):
            views(spark, str(out), ["loads"], own=str(tmp_path / "views"))
        return
    assert views(spark, str(out), ["loads"], own=str(tmp_path / "views"))[-1] == "loads"
    assert int(spark.table("loads").collect()[0]["n"]) > 0
