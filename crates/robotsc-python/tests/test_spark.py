"""Policies and verdicts in Spark, compared with a pack on one machine. Skipped without pyspark and Java."""

from __future__ import annotations

import importlib.metadata
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import robotsc

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore")

from robotsc import spark  # noqa: E402

NOW = 1_790_000_000
AGENT = "FooBot"
CAPTURES = "url string, status int, body binary, error string, fetched_at bigint"
BUCKETS = 16
TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = pyspark.sql.SparkSession.builder.master("local[2]").appName("robotsc")
    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4", "spark.driver.host": "127.0.0.1"}
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def captures() -> list[tuple[str, int | None, bytes | None, str | None, int]]:
    """Returns captures of 60 origins: rules, failures, missing files, and a history."""
    rows: list[tuple[str, int | None, bytes | None, str | None, int]] = []
    for n in range(60):
        url = f"https://s{n}.example/robots.txt"
        body = b"User-agent: *\nDisallow: /p%d/\nUser-agent: BarBot\nDisallow: /\n" % (n % 7)
        match n % 6:
            case 0:
                rows.append((url, 404, b"User-agent: *\nDisallow: /\n", None, NOW))
            case 1:
                rows.append((url, None, None, "timeout", NOW))
            case 2:
                rows += [(url, 200, b"User-agent: *\nDisallow: /\n", None, NOW - 5_000), (url, 200, body, None, NOW)]
            case 3:
                rows += [(url, 200, body, None, NOW - 50_000), (url, 503, b"<html>", None, NOW)]
            case 4:
                rows.append((url, None, None, None, NOW))
            case _:
                rows.append((url, 200, body, None, NOW))
    return [*rows, ("no URL", 200, b"", None, NOW)]


def addresses(count: int) -> list[tuple[str | None, int]]:
    """Returns numbered URLs. One origin has a fifth of them, some origins are unknown, some rows are no URL."""
    choose = random.Random(7)
    urls: list[tuple[str | None, int]] = []
    for n in range(count):
        host = 5 if choose.random() < 0.2 else choose.randrange(66)
        urls.append((f"HTTPS://s{host}.Example:443/p{choose.randrange(8)}/x/../{n}", n))
    return [*urls, (None, -1), ("mailto:me@shop.example", -2), ("/path", -3), ("", -4)]


def expected(urls: list[tuple[str | None, int]], folder: Path) -> dict[int, str | None]:
    """Returns the verdicts of a pack of all captures."""
    fetched = [
        robotsc.FetchedRobots(
            url, status=status, body=body, error=error or (None if status else "protocol"), now=fetched_at
        )
        for url, status, body, error, fetched_at in captures()
        if url != "no URL"
    ]
    robotsc.build_pack(folder / "all.pack", fetched, agents=[AGENT])
    with robotsc.Pack(folder / "all.pack") as pack:
        verdicts: Any = pack.verdicts([url for url, _ in urls], agent=AGENT, now=NOW, errors="null")
    return {n: verdict for (_, n), verdict in zip(urls, verdicts, strict=True)}


@pytest.mark.parametrize("sample", [0.0, 1.0])
def test_verdicts_are_those_of_a_pack(session: Any, tmp_path: Path, sample: float) -> None:
    urls = addresses(4_000)
    known = spark.policies(session.createDataFrame(captures(), CAPTURES), [AGENT], buckets=BUCKETS).cache()
    assert sum(row["origins"] for row in known.select("origins").collect()) == 60
    assert sum(row["lost"] for row in known.select("lost").collect()) == 1
    lost = spark.lost_captures(session.createDataFrame(captures(), CAPTURES)).collect()
    assert [row["url"] for row in lost] == ["no URL"]
    table = session.createDataFrame(urls, "url string, n int")
    checked = spark.filter_urls(table, known, AGENT, NOW, buckets=BUCKETS, sample=sample)
    assert checked.columns == ["url", "n", "origin", "verdict"]
    rows = checked.collect()
    assert len(rows) == len(urls), "each URL is answered once"
    wanted = expected(urls, tmp_path)
    assert {row["n"]: row["verdict"] for row in rows} == wanted
    assert set(wanted.values()) == {"allowed", "disallowed", "unknown", None}
    assert {row["n"]: row["url"] for row in rows} == {n: url for url, n in urls}
    unknown = {row["origin"] for row in rows if row["verdict"] == "unknown"}
    assert unknown >= {f"https://s{n}.example" for n in range(60, 66)}


def test_captures_that_no_fetch_leaves_are_counted(session: Any) -> None:
    url, body = "https://a.example/robots.txt", b"User-agent: *\nDisallow: /\n"
    rows = [
        (url, 404, None, None, NOW - 10),
        (url, -1, None, None, NOW),
        (url, 404, None, None, NOW * 1000),
        ("https://b.example/robots.txt", None, None, "DNS_FAILURE", NOW),
        ("https://c.example/robots.txt", 200, body, None, NOW * 1000),
    ]
    known = spark.policies(session.createDataFrame(rows, CAPTURES), [AGENT], buckets=BUCKETS).cache()
    assert sum(row["lost"] for row in known.select("lost").collect()) == 4
    urls = session.createDataFrame([(f"https://{site}.example/",) for site in "abc"], "url string")
    checked = spark.filter_urls(urls, known, AGENT, NOW, buckets=BUCKETS, sample=0).collect()
    assert {row["url"][8]: row["verdict"] for row in checked} == {"a": "disallowed", "b": "disallowed", "c": "unknown"}
    wrong: list[Any] = [b"GPTBot", "GPTBot"]
    for agents in wrong:
        with pytest.raises(TypeError, match="agents are a list of names, not"):
            spark.policies(session.createDataFrame(rows, CAPTURES), agents)


def test_a_bucket_with_many_urls_is_cut(session: Any) -> None:
    table = spark._with_origin(session.createDataFrame(addresses(2_000), "url string, n int"), "url")
    keyed = table.withColumn("_bucket", spark._bucket(BUCKETS, "url"))
    parts = spark._parts(keyed, 32)
    assert parts
    assert max(parts.values()) >= 6, "a fifth of the URLs are of one origin"
    assert spark._parts(keyed, 1) == {}


def test_mistakes(session: Any) -> None:
    known = spark.policies(session.createDataFrame(captures(), CAPTURES), [AGENT], buckets=BUCKETS)
    table = session.createDataFrame([("https://s5.example/", 1)], "url string, n int")
    with pytest.raises(robotsc.AgentError):
        spark.filter_urls(table, known, "FooBot/2.1", NOW)
    with pytest.raises(robotsc.AgentError):
        spark.policies(table, ["Foo Bot"])
    with pytest.raises(robotsc.RobotsError, match="no column 'address'"):
        spark.filter_urls(table, known, AGENT, NOW, column="address")
    with pytest.raises(robotsc.RobotsError, match="no column 'fetched_at'"):
        spark.policies(table)
    with pytest.raises(robotsc.RobotsError, match="has a column 'origin' already"):
        spark.filter_urls(table.withColumnRenamed("n", "origin"), known, AGENT, NOW)
    with pytest.raises(Exception, match="the policies are of 16 buckets, the URLs of 1"):
        spark.filter_urls(table, known, AGENT, NOW, buckets=1, sample=0).collect()
    with pytest.raises(Exception, match="holds no rules for BarBot"):
        spark.filter_urls(table, known, "BarBot", NOW, buckets=BUCKETS, sample=0).collect()


JOB = """
import sys
from pathlib import Path
from pyspark.sql import SparkSession
sys.path += [{tests!r}, {bench!r}]
import ending
import test_spark
from robotsc import spark

session = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.shuffle.partitions", "4").getOrCreate()
)
session.sparkContext.setLogLevel("OFF")

urls = test_spark.addresses(2000)
known = spark.policies(session.createDataFrame(test_spark.captures(), test_spark.CAPTURES), ["FooBot"], buckets=16)
table = session.createDataFrame(urls, "url string, n int").repartition(4)
checked = spark.filter_urls(table, known, "FooBot", test_spark.NOW, buckets=16, sample=0)
rows = ending.with_an_end(checked, Path({folder!r}) / "ended").collect()
assert {{row["n"]: row["verdict"] for row in rows}} == test_spark.expected(urls, Path({folder!r}))
assert len(rows) == len(urls)
print("verdicts are equal")
session.stop()
"""


def environment(folder: Path) -> dict[str, str]:
    """Returns the environment of a program that starts executors, whose folders lie in a folder."""
    return {
        **os.environ,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        # Spark writes the folders of its executors where it stands, or in its own.
        "SPARK_WORKER_DIR": str(folder / "work"),
    }


def test_executors_of_their_own_of_which_one_ends(tmp_path: Path) -> None:
    """Real executor processes; one is killed on the way, and the result is the same."""
    script = JOB.format(tests=str(TESTS), bench=str(TESTS.parent / "bench"), folder=str(tmp_path))
    with_tests = environment(tmp_path) | {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(TESTS)}
    run = subprocess.run(
        [sys.executable, "-c", script], env=with_tests, cwd=tmp_path, capture_output=True, text=True, timeout=400
    )
    assert run.returncode == 0, run.stderr[-4000:]
    assert "verdicts are equal" in run.stdout
    assert (tmp_path / "ended").exists(), "no executor was ended"


def test_a_job_whose_executors_get_an_archive(tmp_path: Path) -> None:
    """The example for spark-submit: the executors have no other Python than that of the archive."""
    wheel = os.environ.get("WHEEL")
    if wheel is None:
        pytest.skip("WHEEL does not name the wheel for the archive: .ci/spark does")
    packed = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", packed], check=True)
    install: list[str | Path] = [packed / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
    versions = [f"{name}=={importlib.metadata.version(name)}" for name in ["numpy", "pandas", "pyarrow"]]
    subprocess.run([*install, wheel, *versions], check=True)
    archive = shutil.make_archive(str(packed), "gztar", packed)
    shutil.rmtree(packed)

    urls = addresses(2_000)
    tables = {
        "captures": pyarrow.Table.from_pylist(
            [dict(zip(["url", "status", "body", "error", "fetched_at"], row, strict=True)) for row in captures()]
        ),
        "urls": pyarrow.Table.from_pylist([{"url": url, "n": n} for url, n in urls]),
    }
    for name, table in tables.items():
        pyarrow.parquet.write_table(table, tmp_path / f"{name}.parquet")
    submit = [f"{environment(tmp_path)['SPARK_HOME']}/bin/spark-submit", "--master", "local-cluster[2,1,1024]"]
    submit += ["--archives", f"{archive}#environment", "--conf", "spark.pyspark.python=./environment/bin/python"]
    submit += ["--conf", f"spark.pyspark.driver.python={sys.executable}", "--conf", "spark.driver.host=127.0.0.1"]
    submit += ["--conf", "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=4"]
    job: list[str | Path] = [TESTS.parent / "examples" / "spark_job.py", "captures.parquet", "urls.parquet", "checked.parquet"]
    words = ["--agent", AGENT, "--now", str(NOW), "--buckets", str(BUCKETS)]
    run = subprocess.run(
        [*submit, *job, *words], env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True, timeout=400
    )
    assert run.returncode == 0, run.stderr[-4000:]
    rows = pyarrow.parquet.read_table(tmp_path / "checked.parquet").to_pylist()
    assert len(rows) == len(urls)
    assert {row["n"]: row["verdict"] for row in rows} == expected(urls, tmp_path)


def test_letters_are_no_agents(session: Any) -> None:
    table = session.createDataFrame(captures(), CAPTURES)
    with pytest.raises(TypeError, match=r"agents are a list of names, not str: pass \['GPTBot'\]"):
        spark.policies(table, agents="GPTBot")
