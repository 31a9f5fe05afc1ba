"""Judges the same URLs on one machine in several ways, and compares the answers.

    python crates/robotsc-python/bench/one_machine.py ../shared/corpus --urls 1000000

The ways are `robotsc.verdicts` for a column, `robotsc.datatrove`, and protego in a block of the same kind; and Ray Data
and Dask where they are installed. The URLs are those of `spark_data.py`: 50,000 origins, real files and paths. Prints
processor time for each way, and exits with 1 if one of ours differs. protego's answers are another parser's: the number
that differs is printed. A block that keeps all shows what datatrove itself takes.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet
from datatrove.data import Document
from datatrove.pipeline.filters.base_filter import BaseFilter
from spark_data import NOW, Data, make

import robotsc
from robotsc.datatrove import RobotsFilter

AGENTS = ["GPTBot", "CCBot"]
BATCH = 1_000
# So many documents are in memory at once.
CHUNK = 100_000


class ProtegoFilter(BaseFilter):  # type: ignore[misc]  # datatrove has no types
    """Keeps what protego allows to all agents; each file is parsed when its first URL comes."""

    name = "protego"

    def __init__(self, files: dict[str, tuple[int, bytes]]) -> None:
        super().__init__(batch_size=BATCH)
        self.files, self.parsed = files, dict[str, Any]()

    def filter_batch(self, batch: list[Document]) -> list[bool]:
        return [self.filter(doc) for doc in batch]

    def filter(self, doc: Document) -> bool:
        from protego import Protego

        url = doc.metadata["url"]
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self.files:
            return False
        status, body = self.files[origin]
        if status != 200:
            return status == 404
        if origin not in self.parsed:
            self.parsed[origin] = Protego.parse(body.decode("utf-8-sig", "ignore"))
        return all(self.parsed[origin].can_fetch(url, agent) for agent in AGENTS)


class KeepAll(BaseFilter):  # type: ignore[misc]  # datatrove has no types
    """Keeps all documents: what datatrove itself takes."""

    name = "all"

    def filter_batch(self, batch: list[Document]) -> list[bool]:
        return [True] * len(batch)

    def filter(self, doc: Document) -> bool:
        return True


def kept(block: BaseFilter, urls: list[str]) -> tuple[list[bool], float]:
    """Returns for each URL whether a block keeps its document, and the processor seconds that the block took."""
    mask, seconds = [False] * len(urls), 0.0
    for start in range(0, len(urls), CHUNK):
        numbers = range(start, min(start + CHUNK, len(urls)))
        documents = [Document(text="", id="", metadata={"url": urls[number], "n": number}) for number in numbers]
        before = time.process_time()
        left = list(block.run(iter(documents)))
        seconds += time.process_time() - before
        for document in left:
            mask[document.metadata["n"]] = True
    return mask, seconds


def judge(table: pyarrow.Table, pack: str) -> pyarrow.Table:
    """Adds the verdict to a batch of URLs."""
    with robotsc.Pack(pack, trusted=True) as opened:
        judged: Any = robotsc.verdicts(
            table.column("url"), AGENTS, pack=opened, require="all", now=NOW, errors="null"
        )
    return table.append_column("verdict", judged.column("verdict").cast(pyarrow.string()))


def by_ray(folder: Path, pack: str) -> list[bool]:
    """Judges in Ray Data, on the processors of this machine."""
    import ray

    ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    data = ray.data.read_parquet(str(folder)).map_batches(lambda table: judge(table, pack), batch_format="pyarrow")
    return in_order(pyarrow.concat_tables(ray.get(data.to_arrow_refs())))


def by_dask(folder: Path, pack: str) -> list[bool]:
    """Judges in Dask, on the threads of this machine."""
    import dask.dataframe

    frame = dask.dataframe.read_parquet(folder)
    meta = {"n": "int64", "verdict": "string"}
    judged = frame.map_partitions(judge_frame, pack, meta=meta).compute()
    return in_order(pyarrow.table({name: judged[name] for name in meta}))


def judge_frame(frame: Any, pack: str) -> Any:
    """Adds the verdict to a partition of pandas."""
    with robotsc.Pack(pack, trusted=True) as opened:
        judged = robotsc.verdicts(frame["url"], AGENTS, pack=opened, require="all", now=NOW, errors="null")
    return frame[["n"]].assign(verdict=judged["verdict"].astype("string"))


def in_order(table: pyarrow.Table) -> list[bool]:
    column: Any = table.sort_by("n").column("verdict")
    return [verdict == "allowed" for verdict in column.to_pylist()]


def build(data: Data, path: Path) -> dict[str, tuple[int, bytes]]:
    """Builds the pack of the captures. Returns them by origin."""
    rows = pyarrow.parquet.read_table(data.captures).to_pylist()
    files = {row["url"].removesuffix("/robots.txt"): (row["status"], row["body"]) for row in rows}

    def fetched() -> Iterator[robotsc.FetchedRobots]:
        for origin, (status, body) in files.items():
            yield robotsc.FetchedRobots(origin, status=status, body=body if status == 200 else None, now=NOW)

    robotsc.build_pack(path, fetched())
    return files


def main() -> None:
    """Runs all ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="the folder with robots/ and frontier.tsv")
    parser.add_argument("--work", type=Path, default=Path("target/spark"), help="folder for data and results")
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--origins", type=int, default=50_000)
    parser.add_argument("--sample", type=int, default=100_000, help="URLs for protego")
    arguments = parser.parse_args()
    data = Data(arguments.work.resolve() / "data", arguments.urls, arguments.origins)
    make(data, arguments.corpus)
    pack = data.folder / "one-machine.pack"
    files = build(data, pack)
    column = pyarrow.dataset.dataset(data.table).to_table(columns=["n", "url"]).sort_by("n").column("url")
    urls = column.to_pylist()
    failures = []

    def report(name: str, count: int, seconds: float, differs: int | None = None) -> None:
        compared = "" if differs is None else f"{differs:8,} differ"
        each = seconds / count * 1e6
        print(f"{name:20} {count:12,} URLs {seconds:8.2f} s {each:9.2f} µs each {compared}", flush=True)

    with robotsc.Pack(pack, trusted=True) as opened:
        before = time.process_time()
        judged: Any = robotsc.verdicts(column, AGENTS, pack=opened, require="all", now=NOW, errors="null")
        seconds = time.process_time() - before
    wanted = [verdict == "allowed" for verdict in judged.column("verdict").to_pylist()]
    report("robotsc.verdicts", len(urls), seconds)
    print(f"{sum(wanted):,} allowed, {judged.column('verdict').null_count:,} lines without a URL")

    every = max(1, len(urls) // arguments.sample)
    ours = RobotsFilter(pack, AGENTS, require="all", now=NOW, trusted=True, batch_size=BATCH)
    for name, block, step in [
        ("robotsc.datatrove", ours, 1),
        ("a block of protego", ProtegoFilter(files), every),
        ("a block that keeps", KeepAll(batch_size=BATCH), 1),
    ]:
        mask, seconds = kept(block, urls[::step])
        differs = sum(one != other for one, other in zip(mask, wanted[::step], strict=True))
        report(name, len(mask), seconds, None if isinstance(block, KeepAll) else differs)
        if block is ours and differs:
            failures.append(name)
    ways: dict[str, Callable[[Path, str], list[bool]]] = {"ray": by_ray, "dask": by_dask}
    for name, way in ways.items():
        if importlib.util.find_spec(name) is None:
            print(f"{name}: it is not installed")
            continue
        start = time.monotonic()
        differs = sum(one != other for one, other in zip(way(data.table, str(pack)), wanted, strict=True))
        report(f"{name}, of the clock", len(urls), time.monotonic() - start, differs)
        failures += [name] if differs else []
    sys.exit(f"these differ: {', '.join(failures)}" if failures else 0)


if __name__ == "__main__":
    main()
