"""Real files, read by a naive reader that shares no code with the package: tables of both are equal, cell by cell.

`ROBOTSC_FULL=1` compares all files of the corpus, over a million cells, in place of a sample; that takes some minutes.
"""

from __future__ import annotations

import io
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from conftest import full

import naive
import robotsc

AGENTS = ["GPTBot", "Googlebot", "CCBot", "ClaudeBot", "bingbot", "MJ12bot", "FooBot"]
NOW = 1_790_000_000
# What is kept of a body: what the dialect reads, with the line that crosses its limit, and a byte that shows more.
MAX_KEPT = 512_000 + 16_664 + 1
# Where so many rules are, too many paths show what they do.
MAX_RULES = 400


@pytest.fixture(scope="module")
def bodies(corpus: Path) -> list[bytes]:
    paths = [path for folder in ("robots", "robots-modern", "junk") for path in sorted((corpus / folder).iterdir())]
    return [path.read_bytes() for path in (paths if full() else paths[::60])]


def origin(number: int) -> str:
    return f"https://f{number}.example"


def row(robots: naive.Robots, body: bytes, agent: str, asked: naive.Asked, chosen_by: str) -> dict[str, Any]:
    """Returns the cells that a naive reader finds: all but what a proof finds."""
    delays = [delay for group in asked.groups for delay in group.delays]
    return {
        "bytes": min(len(body), MAX_KEPT),
        "groups": len(robots.groups),
        "rules": robots.rules,
        "sitemaps": len(robots.sitemaps),
        "agent": agent,
        "chosen_by": chosen_by,
        "line": asked.groups[0].line if asked.groups else None,
        "rules_obeyed": len(asked.own),
        "crawl_delay": max(delays, default=None),
    }


def stated(asked: naive.Asked, path: bytes | None) -> dict[str, bool | None]:
    found = {kind: asked.stated(kind, path) if path else {} for kind in ("usage", "signal")}
    return {f"{kind}_{use}": found[kind].get(use) for kind in found for use in naive.USES}


def differences(asked: naive.Asked, cells: dict[str, Any]) -> Iterator[str]:
    """Compares what was proved of all paths with paths that rules match."""
    paths = {name: None if cells[name] is None else cells[name].encode() for name in ("open_path", "closed_path")}
    for name, path in paths.items():
        if path is not None and asked.allowed(path) != (name == "open_path"):
            yield f"{name} {path!r}"
    if cells["access"] != asked.access():
        yield f"{cells['access']}, not {asked.access()}"
    for name, path in paths.items():
        shorter = (other for other in asked.candidates if path is not None and len(other) < len(path))
        if any(asked.allowed(other) == (name == "open_path") for other in shorter):
            yield f"{name} {path!r} is not the shortest"


def test_a_census_is_that_of_a_naive_reader(bodies: list[bytes], tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "sites.tar", "w") as tar:
        for number, body in enumerate(bodies):
            info = tarfile.TarInfo(f"https_f{number}.example.txt")
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
    table = robotsc.census(tmp_path / "sites.tar", agents=[*AGENTS, "*"], as_written=True)
    rows = iter(table.to_pylist())
    counts: Counter[str] = Counter()
    for number, body in enumerate(bodies):
        robots, known = naive.Robots(body), dict[tuple[int, ...], naive.Asked]()
        for agent in [*AGENTS, "*"]:
            cells = next(rows)
            where = (number, agent)
            assert cells["site"] == origin(number)
            chosen_by, groups = robots.chosen(agent)
            asked = known.setdefault(tuple(group.line for group in groups), naive.Asked(groups))
            open_path = None if cells["open_path"] is None else cells["open_path"].encode()
            wanted = row(robots, body, agent, asked, chosen_by) | stated(asked, open_path)
            assert {name: cells[name] for name in wanted} == wanted, where
            counts["cells"] += len(wanted)
            if len(asked.own) > MAX_RULES:
                counts["skipped"] += 1
            elif not any("\\" in (cells[name] or "") for name in ("open_path", "closed_path")):
                assert not list(differences(asked, cells)), where
                counts["cells"] += 3
                counts[cells["access"]] += 1
    assert next(rows, None) is None
    print(dict(counts))
    assert counts["skipped"] < counts["cells"] / 1_000
    assert counts["cells"] > (1_000_000 if full() else 20_000)
    assert min(counts[access] for access in ("open", "partly", "closed")) > 50


def test_verdicts_are_those_of_a_naive_reader(bodies: list[bytes], tmp_path: Path) -> None:
    fetched = [
        robotsc.FetchedRobots(origin(number), status=200, body=body, now=NOW) for number, body in enumerate(bodies)
    ]
    robotsc.build_pack(tmp_path / "sites.pack", fetched)
    urls: list[str] = []
    wanted: dict[str, list[tuple[str, str]]] = {agent: [] for agent in AGENTS}
    for number, body in enumerate(bodies):
        robots = naive.Robots(body)
        asked = {agent: naive.Asked(robots.chosen(agent)[1]) for agent in AGENTS}
        paths = {path for one in asked.values() for path in one.candidates[:: max(1, len(one.candidates) // 8)]}
        for path in sorted(paths):
            urls.append(origin(number) + path.decode())
            for agent, one in asked.items():
                rule = one.deciding(path)
                verdict = "allowed" if rule is None or rule.allow else "disallowed"
                wanted[agent].append((verdict, "no-rule" if rule is None else "rule"))
    crawlers = [robotsc.Crawler(agent, as_written=True) for agent in AGENTS]
    with robotsc.Pack(tmp_path / "sites.pack") as pack:
        table = robotsc.verdicts(pyarrow.array(urls), crawlers, pack=pack, reasons=True, now=NOW)
    for agent in AGENTS:
        found = zip(table.column(agent).to_pylist(), table.column(f"{agent} reason").to_pylist(), strict=True)
        for url, cells, other in zip(urls, found, wanted[agent], strict=True):
            assert cells == other, (agent, url)
    count = 2 * len(urls) * len(AGENTS)
    print(f"{count} cells")
    assert count > (1_000_000 if full() else 10_000)
