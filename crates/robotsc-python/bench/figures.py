"""Measures the Python package beside protego and urllib.robotparser, in one process, one after the other in each round.

    python crates/robotsc-python/bench/figures.py ../shared/corpus [--rounds 7]

The corpus is a folder with `robots/` and `frontier.tsv`, as `tests/corpus.rs` takes it. Prints medians as a table.
Install the wheel as users do (`pip install`, which builds with optimization) and `protego numpy pyarrow`.
"""

from __future__ import annotations

import argparse
import gc
import platform
import resource
import statistics
import subprocess
import sys
import time
import urllib.robotparser
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import protego
import pyarrow

import robotsc
from robotsc.compat.protego import Protego as Face

AGENT = "FooBot"
NOW = 1_790_000_000
BATCH = 1_000_000
PARSED = 10_000


def read(corpus: Path) -> tuple[dict[str, bytes], dict[str, list[str]]]:
    """Returns the bodies of the corpus, and the real URLs of their hosts."""
    bodies = {path.stem: path.read_bytes() for path in sorted((corpus / "robots").glob("*.txt"))}
    urls: dict[str, list[str]] = defaultdict(list)
    with (corpus / "frontier.tsv").open("rb") as rows:
        next(rows)
        for row in rows:
            host, url, *_ = row.split(b"\t")
            # protego and urllib take text; all three get the same.
            if url.isascii():
                urls[host.decode()].append(url.decode())
    return bodies, urls


def interleaved(rounds: int, runs: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Runs everything once a round, and returns the median processor seconds of each."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        for name, run in runs.items():
            gc.collect()
            # Of the processor: everything measured here is one thread, and others may use the machine.
            start = time.process_time()
            run()
            seconds[name].append(time.process_time() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}


def text(body: bytes) -> str:
    """Returns a body as Scrapy decodes it for protego."""
    return body.decode("utf-8-sig", "ignore")


def urllib_parser(body: bytes) -> urllib.robotparser.RobotFileParser:
    """Returns a file, parsed by urllib."""
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(text(body).splitlines())
    return parser


def single(rounds: int, bodies: dict[str, bytes], urls: dict[str, list[str]]) -> None:
    """One question at a time, over the URLs of a site, for all sites."""
    hosts = [host for host in urls if host in bodies]
    count = sum(len(urls[host]) for host in hosts)
    ours = [(robotsc.parse(bodies[host]), urls[host]) for host in hosts]
    matchers = [(robots.matcher(AGENT), some) for robots, some in ours]
    faces = [(Face.parse(text(bodies[host])), urls[host]) for host in hosts]
    theirs = [(protego.Protego.parse(text(bodies[host])), urls[host]) for host in hosts]
    old = [(urllib_parser(bodies[host]), urls[host]) for host in hosts]

    def ask_robots() -> None:
        for robots, some in ours:
            is_allowed = robots.is_allowed
            for url in some:
                is_allowed(AGENT, url)

    def ask_matchers() -> None:
        for matcher, some in matchers:
            is_allowed = matcher.is_allowed
            for url in some:
                is_allowed(url)

    def ask(parsers: list[tuple[Any, list[str]]]) -> Callable[[], None]:
        def run() -> None:
            for parser, some in parsers:
                can_fetch = parser.can_fetch
                for url in some:
                    can_fetch(url, AGENT)

        return run

    def ask_old() -> None:
        for parser, some in old:
            can_fetch = parser.can_fetch
            for url in some:
                can_fetch(AGENT, url)

    runs = {
        "RobotsTxt.is_allowed": ask_robots,
        "Matcher.is_allowed": ask_matchers,
        "compat.protego": ask(faces),
        "protego 0.7": ask(theirs),
        "urllib (CPython 3.11, before RFC 9309)": ask_old,
    }
    print(f"\n## One question, {count:,} real URLs of {len(hosts):,} hosts, ns a question")
    for name, seconds in interleaved(rounds, runs).items():
        print(f"{name:<40} {seconds / count * 1e9:>10,.0f}")


def batches(rounds: int, bodies: dict[str, bytes], urls: dict[str, list[str]], folder: Path) -> None:
    """A million URLs at once: of one site for a matcher, of all for a pack."""
    host = max((host for host in urls if host in bodies), key=lambda host: len(bodies[host]))
    site = (urls[host] * (BATCH // len(urls[host]) + 1))[:BATCH]
    everything = [url for some in urls.values() for url in some]
    many = (everything * (BATCH // len(everything) + 1))[:BATCH]
    matcher = robotsc.parse(bodies[host]).matcher(AGENT)
    fetched = [
        robotsc.FetchedRobots(f"{scheme}://{host}", status=200, body=bodies[host], now=NOW)
        for host in urls
        if host in bodies
        for scheme in ("http", "https")
    ]
    robotsc.build_pack(folder / "figures.pack", fetched, agents=[AGENT])
    pack = robotsc.Pack(folder / "figures.pack")
    site_array, many_array = numpy.array(site, dtype=object), numpy.array(many, dtype=object)
    site_arrow, many_arrow = pyarrow.array(site), pyarrow.array(many)
    runs: dict[str, Callable[[], Any]] = {
        "Matcher.allowed, list": lambda: matcher.allowed(site, errors="null"),
        "Matcher.allowed, numpy objects": lambda: matcher.allowed(site_array, errors="null"),
        "Matcher.allowed, Arrow": lambda: matcher.allowed(site_arrow, errors="null"),
        "Pack.allowed, list": lambda: pack.allowed(many, agent=AGENT, now=NOW, errors="null"),
        "Pack.allowed, numpy objects": lambda: pack.allowed(many_array, agent=AGENT, now=NOW, errors="null"),
        "Pack.allowed, Arrow": lambda: pack.allowed(many_arrow, agent=AGENT, now=NOW, errors="null"),
    }
    length = sum(map(len, site)) / BATCH, sum(map(len, many)) / BATCH
    print(f"\n## A million URLs, ns a URL: of {host} ({length[0]:.0f} bytes a URL), of a pack ({length[1]:.0f})")
    for name, seconds in interleaved(rounds, runs).items():
        print(f"{name:<40} {seconds / BATCH * 1e9:>10,.0f}")


def parsing(rounds: int, bodies: dict[str, bytes]) -> None:
    """Each file of the corpus, parsed once, from what a caller has."""
    texts = [text(body) for body in bodies.values()]
    every = list(bodies.values())
    size = sum(map(len, every))
    runs: dict[str, Callable[[], Any]] = {
        "robotsc.parse": lambda: [robotsc.parse(body) for body in every],
        "robotsc.parse and a matcher": lambda: [robotsc.parse(body).matcher(AGENT) for body in every],
        "compat.protego": lambda: [Face.parse(body) for body in texts],
        "protego 0.7": lambda: [protego.Protego.parse(body) for body in texts],
        "urllib (CPython 3.11, before RFC 9309)": lambda: [urllib_parser(body) for body in every],
    }
    print(f"\n## Parse {len(every):,} files, {size:,} bytes, ms")
    for name, seconds in interleaved(rounds, runs).items():
        print(f"{name:<40} {seconds * 1e3:>10,.1f}")


MEMORY = """
import gc, itertools, resource, sys
from pathlib import Path
bodies = [path.read_bytes() for path in sorted(Path(sys.argv[1], "robots").glob("*.txt"))]
make = {{
    "robotsc": lambda body: robotsc.parse(body),
    "matcher": lambda body: robotsc.parse(body).matcher("FooBot"),
    "protego": lambda body: protego.Protego.parse(body.decode("utf-8-sig", "ignore")),
}}[{kind!r}]
import protego, robotsc
def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
make(bodies[0])
before = resident()
# Copies of the bytes, as if each had been fetched.
held = [make(bytes(bytearray(body))) for body in itertools.islice(itertools.cycle(bodies), {count})]
if {kind!r} == "protego":
    for parsed in held: parsed.can_fetch("https://shop.example/", "FooBot")
else:
    for parsed in held: parsed.is_allowed(*(["FooBot"] if {kind!r} == "robotsc" else []), "https://shop.example/")
print(resident() - before)
"""


def memory(corpus: Path) -> None:
    """The memory of many parsed files, each asked once. A process each, so that none sees what another left."""
    print(f"\n## Memory of {PARSED:,} hosts, bytes a host")
    for kind, name in [("robotsc", "RobotsTxt"), ("matcher", "Matcher alone"), ("protego", "protego 0.7")]:
        script = MEMORY.format(kind=kind, count=PARSED)
        run = subprocess.run([sys.executable, "-c", script, str(corpus)], capture_output=True, text=True, check=True)
        print(f"{name:<40} {int(run.stdout) / PARSED:>10,.0f}")


def main() -> None:
    """Prints all figures."""
    arguments = argparse.ArgumentParser(description="Measures the Python package beside its peers.")
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--folder", type=Path, default=Path.cwd(), help="where the pack of the figures is written")
    options = arguments.parse_args()
    bodies, urls = read(options.corpus)
    print(f"Python {platform.python_version()}, medians of {options.rounds} rounds, processor time")
    single(options.rounds, bodies, urls)
    batches(options.rounds, bodies, urls, options.folder)
    parsing(options.rounds, bodies)
    memory(options.corpus)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"\nThis process used {peak / 1024:,.0f} MiB at most.")


if __name__ == "__main__":
    main()
