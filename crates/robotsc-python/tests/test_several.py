"""Verdicts for several agents in one call, compared with one call for each."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest

import robotsc

NOW = 1_790_000_000
AGENTS = ["GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "FooBot", "Googlebot-Image"]
BODIES = [
    "User-agent: *\nDisallow: /p1\n",
    "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
    "User-agent: Googlebot\nDisallow: /p2\nUser-agent: *\nAllow: /p3\nDisallow: /p\n",
    "User-agent: ClaudeBot\nDisallow: /p4\nUser-agent: GPTBot\nDisallow: /p5\nUser-agent: *\nDisallow:\n",
]


@pytest.fixture
def pack(tmp_path: Path) -> robotsc.Pack:
    fetched = []
    for n in range(40):
        url = f"https://s{n}.example"
        match n % 8:
            case 5:
                fetched.append(robotsc.FetchedRobots(url, status=404, now=NOW))
            case 6:
                fetched.append(robotsc.FetchedRobots(url, status=503, now=NOW))
            case 7:
                fetched.append(robotsc.FetchedRobots(url, status=200, body="", now=NOW - 90 * 86_400))
            case kind:
                fetched.append(robotsc.FetchedRobots(url, status=200, body=BODIES[kind % 4], now=NOW))
    robotsc.build_pack(tmp_path / "sites.pack", fetched)
    return robotsc.Pack(tmp_path / "sites.pack")


def addresses(count: int) -> list[str | None]:
    choose = random.Random(11)
    urls: list[str | None] = [
        f"https://S{choose.randrange(45)}.example/{choose.choice(['p', 'x/../p'])}{choose.randrange(7)}"
        for _ in range(count)
    ]
    return [*urls, None, "mailto:me@shop.example", "https://s1.example/robots.txt"]


def as_lists(columns: Any) -> dict[str, list[Any]]:
    """Returns columns of any form as lists."""
    if isinstance(columns, pyarrow.Table):
        columns = columns.to_pydict()
    elif isinstance(columns, polars.DataFrame):
        columns = columns.to_dict(as_series=False)
    elif isinstance(columns, pandas.DataFrame):
        columns = {name: [None if pandas.isna(cell) else cell for cell in columns[name]] for name in columns}
    return {name: list(cells) for name, cells in columns.items()}


def test_verdicts_are_those_of_one_call_for_each(pack: robotsc.Pack) -> None:
    urls = addresses(5_000)
    wanted: dict[str, Any] = {agent: pack.verdicts(urls, agent, now=NOW, errors="null") for agent in AGENTS}
    assert {*itertools.chain(*wanted.values())} == {"allowed", "disallowed", "unknown", None}
    forms: list[tuple[Any, type]] = [
        (urls, dict),
        (tuple(urls), dict),
        (numpy.array(urls, dtype=object), dict),
        (pandas.Series(urls, index=range(7, 7 + len(urls))), pandas.DataFrame),
        (polars.Series(urls), polars.DataFrame),
        (pyarrow.array(urls), pyarrow.Table),
        (pyarrow.chunked_array([urls[:1500], urls[1500:]]), pyarrow.Table),
    ]
    for some, kind in forms:
        columns: Any = robotsc.verdicts(some, AGENTS, pack=pack, now=NOW, errors="null")
        if kind is pandas.DataFrame:
            assert list(columns.index) == list(range(7, 7 + len(urls)))
        assert isinstance(columns, kind), kind
        assert as_lists(columns) == wanted
    table = robotsc.verdicts(pyarrow.array(urls), AGENTS, pack=pack, now=NOW, errors="null")
    connection = duckdb.connect()
    connection.register("judged", table)
    counted = connection.sql("SELECT count(*) FROM judged WHERE \"GPTBot\" = 'disallowed'").fetchall()
    assert counted == [(wanted["GPTBot"].count("disallowed"),)]


def test_one_verdict_of_several(pack: robotsc.Pack) -> None:
    urls = [url for url in addresses(3_000) if url and url.lower().startswith("https")]
    each = robotsc.verdicts(urls, AGENTS, pack=pack, now=NOW)
    orders = {"all": ["disallowed", "unknown", "allowed"], "any": ["allowed", "unknown", "disallowed"]}
    for require, order in orders.items():
        wanted = [next(word for word in order if word in row) for row in zip(*each.values(), strict=True)]
        one = robotsc.verdicts(urls, AGENTS, pack=pack, now=NOW, require=require)  # type: ignore[call-overload]
        assert one == {"verdict": wanted}
    with pytest.raises(robotsc.RobotsError, match="require is 'all' or 'any'"):
        robotsc.verdicts(urls, AGENTS, pack=pack, require="most")  # type: ignore[call-overload]


def test_reasons_and_lines_are_those_of_explain(pack: robotsc.Pack) -> None:
    urls = [url for url in addresses(400) if url and url.lower().startswith("https")]
    agents = ["GPTBot", "Googlebot-Image"]
    columns = as_lists(robotsc.verdicts(pyarrow.array(urls), agents, pack=pack, reasons=True, lines=True, now=NOW))
    assert list(columns) == [f"{agent}{more}" for agent in agents for more in ["", " reason", " line"]]
    seen = set()
    for agent in agents:
        for row, url in enumerate(urls):
            answer = pack.explain(url, agent, now=NOW)
            assert columns[agent][row] == answer.verdict
            assert columns[f"{agent} reason"][row] == answer.reason, url
            assert columns[f"{agent} line"][row] == answer.line
            seen.add(answer.reason)
    assert seen == {"rule", "no-rule", "robots-txt", "unavailable", "server-error", "not-held", "expired"}
    decided = robotsc.verdicts(urls, agents, pack=pack, reasons=True, lines=True, require="all", now=NOW)
    assert list(decided) == ["verdict", "reason", "line"]
    frame = robotsc.verdicts(pandas.Series(urls), agents, pack=pack, reasons=True, lines=True, now=NOW)
    assert as_lists(frame) == columns


def test_one_robots_txt() -> None:
    robots = robotsc.parse(BODIES[2])
    urls = ["/p2", "https://shop.example/p3", "https://shop.example/p4", "/x"]
    columns = robotsc.verdicts(urls, AGENTS, robots=robots, lines=True, reasons=True)
    for agent in AGENTS:
        explained = [robots.explain(agent, url) for url in urls]
        assert columns[agent] == ["allowed" if one.allowed else "disallowed" for one in explained]
        assert columns[f"{agent} line"] == [one.rule.line if one.rule else None for one in explained]
        assert columns[f"{agent} reason"] == ["rule" if one.rule else "no-rule" for one in explained]
    assert robotsc.verdicts([], AGENTS, robots=robots) == {agent: [] for agent in AGENTS}
    with pytest.raises(robotsc.UrlError, match=r"urls\[1\]") as raised:
        robotsc.verdicts(["/", "x"], AGENTS, robots=robots)
    assert raised.value.index == 1


def test_a_pack_for_some_agents(tmp_path: Path) -> None:
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=BODIES[1], now=NOW)
    robotsc.build_pack(tmp_path / "some.pack", [fetched], agents=["GPTBot", "FooBot"])
    with robotsc.Pack(tmp_path / "some.pack") as some:
        columns = robotsc.verdicts(["https://shop.example/"], ["GPTBot", "FooBot"], pack=some, now=NOW)
        assert columns == {"GPTBot": ["disallowed"], "FooBot": ["allowed"]}
        with pytest.raises(robotsc.AgentError, match="the pack was not built for BarBot"):
            robotsc.verdicts(["https://shop.example/"], ["GPTBot", "BarBot"], pack=some)


def test_an_empty_line_decides_nothing(tmp_path: Path) -> None:
    body, url = b"User-agent: *\nDisallow: /cart\nDisallow:\n", "https://shop.example/a"
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=body, now=NOW)
    robotsc.build_pack(tmp_path / "one.pack", [fetched])
    assert robotsc.parse(body).explain("FooBot", url).rule is None
    with robotsc.Pack(tmp_path / "one.pack") as pack:
        answer = pack.explain(url, "FooBot", now=NOW)
        assert (answer.verdict, answer.reason, answer.line) == ("allowed", "no-rule", None)
        columns = [
            robotsc.verdicts([url], ["FooBot"], pack=pack, now=NOW, reasons=True, lines=True),
            robotsc.verdicts([url], ["FooBot"], robots=body, reasons=True, lines=True),
        ]
    assert columns == [{"FooBot": ["allowed"], "FooBot reason": ["no-rule"], "FooBot line": [None]}] * 2
