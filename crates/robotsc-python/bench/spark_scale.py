"""Checks many URLs in Spark, on executors of their own, beside ``robotsc filter`` and protego.

    .ci/spark full ../shared/corpus

runs it with all that it needs. It makes the data (`spark_data.py`), builds a pack and filters with the command, then
does the same in Spark on `local-cluster[2,1,1024]` (two executors, a core and 1 GiB each), once undisturbed and once
while an executor is killed. Both results must be those of the command: each line once, the same verdict, the same
origins to fetch. Prints a table of the times; exits with 1 if something differs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ending
import numpy
import pyarrow
import pyarrow.compute
import pyarrow.csv
import pyarrow.dataset
import pyspark
from pyspark.sql import SparkSession
from spark_data import NOW, Data, make

from robotsc import spark

AGENT = "FooBot"
VERDICTS = ["allowed", "disallowed", "unknown", "error"]


class Steps:
    """The times of steps: of the clock, and of processors in this process and all that it started."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int, float, float]] = []

    def run(self, name: str, count: int, step: Callable[[], Any]) -> Any:
        """Runs a step that handles ``count`` things."""
        print(f"… {name}", file=sys.stderr, flush=True)
        clock, processor = time.monotonic(), processor_seconds()
        result = step()
        self.rows.append((name, count, time.monotonic() - clock, processor_seconds() - processor))
        print(f"  {self.rows[-1]}", file=sys.stderr, flush=True)
        return result

    def table(self) -> str:
        """Returns the times as a table."""
        lines = ["| step | of | seconds | processor seconds | processor µs each |", "|---|---|---|---|---|"]
        for name, count, clock, processor in self.rows:
            lines.append(f"| {name} | {count:,} | {clock:.1f} | {processor:.1f} | {processor / count * 1e6:.2f} |")
        return "\n".join(lines)


def processor_seconds() -> float:
    """Returns the processor time of this process and its descendants, with those that ended and were waited for."""
    stats: dict[int, tuple[int, int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            stats[int(folder.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    ours = {os.getpid()}
    while more := {process for process, (parent, _) in stats.items() if parent in ours} - ours:
        ours |= more
    return sum(stats[process][1] for process in ours if process in stats) / os.sysconf("SC_CLK_TCK")


def start(work: Path) -> SparkSession:
    """Starts a cluster on this machine."""
    os.environ |= {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(work / "workers"),
        "SPARK_LOCAL_DIRS": str(work / "local"),
    }
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "32",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("robotsc")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def command_verdicts(file: Path) -> Any:
    """Returns the verdicts of ``robotsc filter --emit verdicts``, by line."""
    table = pyarrow.csv.read_csv(
        file,
        pyarrow.csv.ReadOptions(column_names=["verdict", "url"]),
        pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False),
        pyarrow.csv.ConvertOptions(include_columns=["verdict"], column_types={"verdict": pyarrow.string()}),
    )
    return codes(table.column("verdict"))


def codes(verdicts: Any) -> Any:
    """Returns the places of verdicts in ``VERDICTS``; what is no URL has no verdict in Spark."""
    found = pyarrow.compute.index_in(verdicts.fill_null("error"), pyarrow.array(VERDICTS))
    return found.cast(pyarrow.int8()).to_numpy()


def differences(folder: Path, wanted: Any, to_fetch: set[str]) -> list[str]:
    """Returns what differs between a table of Spark and the verdicts of the command."""
    table = pyarrow.dataset.dataset(folder).to_table(columns=["n", "origin", "verdict"])
    numbers = table.column("n").to_numpy()
    if len(numbers) != len(wanted) or (numpy.bincount(numbers, minlength=len(wanted)) != 1).any():
        return [f"{len(numbers)} rows, not each of {len(wanted)} lines once"]
    wrong = int((codes(table.column("verdict")) != wanted[numbers]).sum())
    unknown = pyarrow.compute.equal(table.column("verdict"), "unknown").fill_null(False)
    origins = {*table.filter(unknown).column("origin").unique().to_pylist()}
    found = [f"{wrong} verdicts differ"] if wrong else []
    return found + ([f"{len(origins ^ to_fetch)} origins to fetch differ"] if origins != to_fetch else [])


def protego_verdicts(urls: Any, captures: Any, buckets: int) -> Any:
    """Returns what protego answers: URLs joined with the file of their origin, each file parsed once in a row."""
    from pyspark.sql import functions

    origin = functions.regexp_extract("url", "^https://[^/?]+", 0)
    files = captures.where("status = 200").select(origin.alias("origin"), "body")
    joined = urls.withColumn("origin", origin).join(files, "origin").repartition(buckets, "origin")

    def answer(frames: Iterator[Any]) -> Iterator[Any]:
        from protego import Protego

        last, rules = None, Protego.parse("")
        for frame in frames:
            allowed = []
            for origin, url, body in zip(frame["origin"], frame["url"], frame["body"], strict=True):
                if origin != last:
                    last, rules = origin, Protego.parse(bytes(body).decode("utf-8-sig", "ignore"))
                allowed.append(rules.can_fetch(url, AGENT))
            yield frame[["n"]].assign(allowed=allowed)

    return joined.sortWithinPartitions("origin").mapInPandas(answer, "n bigint, allowed boolean")


def main() -> None:
    """Runs all steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="the folder with robots/ and frontier.tsv")
    parser.add_argument("--command", required=True, help="the program robotsc, built with --release")
    parser.add_argument("--work", type=Path, default=Path("target/spark"), help="folder for data and results")
    parser.add_argument("--urls", type=int, default=10_000_000)
    parser.add_argument("--origins", type=int, default=50_000)
    parser.add_argument("--sample", type=int, default=100_000, help="URLs for protego")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    data = Data(work / "data", arguments.urls, arguments.origins)
    make(data, arguments.corpus)
    results = work / "results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    steps = Steps()

    def command(*words: str | Path) -> None:
        subprocess.run([arguments.command, *map(str, words)], check=True, stdout=subprocess.DEVNULL)

    pack, verdicts, unknown = results / "all.pack", results / "verdicts.tsv", results / "unknown.txt"
    build = ["pack", "build", data.manifest, "--agent", AGENT, "--now", str(NOW), "--json", "-o", pack]
    steps.run("`robotsc pack build`", data.origins, lambda: command(*build))

    def filter_lines() -> None:
        words = ["filter", "--pack", pack, "--agent", AGENT, "--now", str(NOW), "--format", "lines", "--quiet"]
        words += ["--on-error", "drop", "--on-unknown", "list", "--unknown", unknown, "--emit", "verdicts", data.lines]
        with verdicts.open("wb") as output:
            subprocess.run([arguments.command, *map(str, words)], check=True, stdout=output)

    steps.run("`robotsc filter --emit verdicts`", data.urls, filter_lines)
    wanted = command_verdicts(verdicts)
    verdicts.unlink()
    to_fetch = {*unknown.read_text().split()}

    session = steps.run("Spark starts", 1, lambda: start(work))
    urls, captures = session.read.parquet(str(data.table)), session.read.parquet(str(data.captures))
    compiled = spark.policies(captures, [AGENT]).write
    steps.run("`policies`", data.origins, lambda: compiled.parquet(str(results / "policies")))
    policies = session.read.parquet(str(results / "policies"))

    def checked() -> Any:
        return spark.filter_urls(urls, policies, AGENT, NOW).select("n", "origin", "verdict")

    failures = []
    for name, is_disturbed in [("checked", False), ("disturbed", True)]:
        folder, marker = results / name, results / "killed"

        def write(folder: Path = folder, marker: Path = marker, is_disturbed: bool = is_disturbed) -> None:
            frame = ending.with_an_end(checked(), marker, partition=5) if is_disturbed else checked()
            frame.write.parquet(str(folder))

        steps.run("`filter_urls`, an executor killed" if is_disturbed else "`filter_urls`", data.urls, write)
        found = differences(folder, wanted, to_fetch)
        print(f"  {name}: {found or 'as the command'}", file=sys.stderr, flush=True)
        failures += [f"{name}: {what}" for what in found]
    if not (results / "killed").exists():
        failures.append("no executor was killed")

    every = max(1, data.urls // arguments.sample)
    sample = protego_verdicts(urls.where(f"n % {every} = 0"), captures, 32).write
    steps.run("protego on a sample", data.urls // every, lambda: sample.parquet(str(results / "protego")))
    shuffled = urls.repartition(32, "url").write
    steps.run("Spark: read, shuffle and write the URLs", data.urls, lambda: shuffled.parquet(str(results / "shuffled")))
    session.stop()

    counts = dict(zip(VERDICTS, numpy.bincount(wanted, minlength=4).tolist(), strict=True))
    print(steps.table())
    print(json.dumps(counts | {"origins to fetch": len(to_fetch), "differences": failures}))
    sys.exit(1 if failures else 0)


main()
