"""Makes captures and URLs of many origins, as Spark and ``robotsc filter`` read them.

```text
https://s0.example       20 % of the URLs
https://s1.example       the other 80 %, by Zipf's law: the n-th origin has 1/n of what the first of them has
https://s2.example
…
```

A robots.txt is a real one of the corpus, and the paths are those of its host, each with a query of its own. Of twenty
origins one has no capture, one has status 404 and one has status 503. A few lines hold no URL.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import figures
import numpy
import pyarrow
import pyarrow.parquet

NOW = 1_790_000_000
PART = 500_000
NO_URL = 100_003
"""Each line of this number, counted from 0, holds no URL."""


class Data:
    """Where the files are."""

    def __init__(self, folder: Path, urls: int, origins: int) -> None:
        self.urls, self.origins = urls, origins
        self.folder = folder / f"{urls}-urls-{origins}-origins"
        self.manifest = self.folder / "manifest.tsv"
        self.captures = self.folder / "captures.parquet"
        self.table = self.folder / "urls"
        self.lines = self.folder / "urls.txt"


def make(data: Data, corpus: Path) -> None:
    """Makes the files, unless they are there. The same numbers give the same files."""
    if data.lines.exists():
        return
    shutil.rmtree(data.folder, ignore_errors=True)
    data.table.mkdir(parents=True)
    bodies, urls = figures.read(corpus)
    # The command skips text in UTF-16 as no robots.txt; a table of captures states what its maker takes for one.
    hosts = sorted(host for host, body in bodies.items() if b"\0" not in body)
    random = numpy.random.default_rng(10)
    host_of = random.integers(len(hosts), size=data.origins)
    captures(data, bodies, [hosts[host] for host in host_of])
    paths = [[path(url) for url in urls.get(host, [])] or ["/"] for host in hosts]
    weights = numpy.concatenate([[0.0], 1 / numpy.arange(1, data.origins)])
    weights *= 0.8 / weights.sum()
    weights[0] = 0.2
    ends = weights.cumsum() / weights.sum()
    unfinished = data.lines.with_suffix(".unfinished")
    with unfinished.open("w", encoding="ascii") as lines:
        for part, start in enumerate(range(0, data.urls, PART)):
            numbers = range(start, min(start + PART, data.urls))
            chosen = numpy.searchsorted(ends, random.random(len(numbers)), side="right")
            places = random.integers(1 << 30, size=len(numbers))
            column = [
                address(n, origin, paths[host_of[origin]], place)
                for n, origin, place in zip(numbers, chosen.tolist(), places.tolist(), strict=True)
            ]
            lines.write("\n".join(column) + "\n")
            table = pyarrow.table({"n": pyarrow.array(numbers, pyarrow.int64()), "url": column})
            pyarrow.parquet.write_table(table, data.table / f"part-{part:03}.parquet")
    unfinished.rename(data.lines)


def path(url: str) -> str:
    """Returns the path and query of a URL."""
    start = url.find("/", url.find("://") + 3)
    return url[start:].partition("#")[0] if start > 0 else "/"


def address(n: int, origin: int, paths: list[str], place: int) -> str:
    """Returns the URL of a line."""
    if n % NO_URL == NO_URL - 1:
        return f"mailto:{n}@shop.example"
    path = paths[place % len(paths)]
    return f"https://s{origin}.example{path}{'&' if '?' in path else '?'}n={n}"


def captures(data: Data, bodies: dict[str, bytes], host_of: list[str]) -> None:
    """Writes the captures as a manifest with its files, and as a table."""
    files = data.folder / "robots"
    files.mkdir()
    for host in {*host_of}:
        (files / f"{host}.txt").write_bytes(bodies[host])
    rows = []
    with data.manifest.open("w", encoding="utf-8") as manifest:
        for origin, host in enumerate(host_of):
            status = {7: 404, 13: 503, 19: None}.get(origin % 20, 200)
            if status is None:
                continue
            manifest.write(f"https://s{origin}.example\t{status}\t{NOW}\trobots/{host}.txt\n")
            rows.append((f"https://s{origin}.example/robots.txt", status, bodies[host], NOW))
    columns = zip(*rows, strict=True)
    table = pyarrow.table(dict(zip(["url", "status", "body", "fetched_at"], map(list, columns), strict=True)))
    # Small groups of rows, so that several tasks read the file.
    pyarrow.parquet.write_table(table, data.captures, row_group_size=5_000)
