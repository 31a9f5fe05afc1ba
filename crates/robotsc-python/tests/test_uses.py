"""Pages that are wanted for a use: the rules first, then what the site states, as `robotsc filter --for` answers."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import robotsc
from robotsc import UnknownUse, Use

NOW = 1_790_000_000
AGENTS = ["FooBot", "GPTBot", "Googlebot-Image"]
USES: list[Use] = ["train", "input", "search"]
UNKNOWN_USES: list[UnknownUse] = ["allow", "deny"]
LABELS = {"train": ("train-ai", "ai-train"), "input": ("ai-use", "ai-input"), "search": ("search", "search")}
STATED = [
    "Content-Usage: train-ai=n",
    "Content-Usage: /p1 train-ai=y, search=n",
    "Content-Usage: /*4 ai-use=n",
    "Content-Usage: /p5$ train-ai=n, ai-use=y",
    "Content-Signal: ai-train=no, search=yes",
    "Content-Signal: /p2 ai-train=yes, ai-input=no",
    "Content-Signal: /p ai-input=yes",
]


def body(choose: random.Random) -> bytes:
    groups = []
    for agents in ("*", "GPTBot", "Googlebot"):
        if agents == "*" or choose.random() < 0.5:
            lines = choose.sample(STATED, choose.randrange(4)) + choose.sample(["Disallow: /p3", "Disallow: /*5"], 1)
            groups.append(f"User-agent: {agents}\n" + "\n".join(lines) + "\n")
    return "\n".join(groups).encode()


BODIES = [body(random.Random(seed)) for seed in range(30)]
PATHS = [f"/{start}{n}" for start in ("p", "q") for n in range(7)] + ["/robots.txt"]


@pytest.fixture
def pack(tmp_path: Path) -> robotsc.Pack:
    fetched = [
        robotsc.FetchedRobots(f"https://s{n}.example", status=200, body=text, now=NOW) for n, text in enumerate(BODIES)
    ]
    fetched.append(robotsc.FetchedRobots("https://missing.example", status=404, now=NOW))
    fetched.append(robotsc.FetchedRobots("https://failing.example", status=503, now=NOW))
    robotsc.build_pack(tmp_path / "sites.pack", fetched, preferences=True)
    return robotsc.Pack(tmp_path / "sites.pack")


def addresses() -> list[str]:
    hosts = [f"s{n}" for n in range(len(BODIES))] + ["missing", "failing", "unheld"]
    return [f"https://{host}.example{path}" for host in hosts for path in PATHS]


def filtered(pack: robotsc.Pack, urls: list[str], use: Use, unknown_use: UnknownUse) -> list[list[str]]:
    """Returns the rows of the command: the URL, the verdict of each agent, and a reason."""
    arguments = ["filter", "--pack", str(pack.path), "--agent", ",".join(AGENTS), "--now", str(NOW), "--emit", "columns"]
    arguments += ["--with", "reason", "--for", use, "--unknown-use", unknown_use, "--quiet"]
    command = [sys.executable, "-m", "robotsc", *arguments]
    ran = subprocess.run(command, input="\n".join(urls), capture_output=True, text=True, check=True)
    return [line.split("\t") for line in ran.stdout.splitlines()]


@pytest.mark.parametrize(("use", "unknown_use"), list(itertools.product(USES, UNKNOWN_USES)))
def test_verdicts_are_those_of_the_command(pack: robotsc.Pack, use: Use, unknown_use: UnknownUse) -> None:
    urls = addresses()
    rows = filtered(pack, urls, use, unknown_use)
    assert [row[0] for row in rows] == urls
    columns = robotsc.verdicts(urls, AGENTS, pack=pack, now=NOW, reasons=True, use=use, unknown_use=unknown_use)
    seen = set()
    for row, *reasons in zip(rows, *(columns[f"{agent} reason"] for agent in AGENTS), strict=True):
        # The command has one reason: why nothing is known, or why the use is refused to the first agent.
        refused = [reason for reason in reasons if reason.startswith("use-") or row[1] == "unknown"]
        assert row[-1] == (refused or [""])[0], row
        seen.update(reasons)
    for at, agent in enumerate(AGENTS):
        verdicts = columns[agent]
        assert verdicts == [row[1 + at] for row in rows]
        assert pack.verdicts(urls, agent, now=NOW, use=use, unknown_use=unknown_use) == verdicts
        mask = [verdict == "allowed" for verdict in verdicts]
        forms: list[Any] = [urls, pandas.Series(urls), polars.Series(urls)]
        for some in forms:
            assert list(pack.allowed(some, agent, now=NOW, use=use, unknown_use=unknown_use)) == mask
        answers = pack.allowed(pyarrow.array(urls), agent, now=NOW, use=use, unknown_use=unknown_use)
        assert answers.to_pylist() == mask
    assert {"rule", "no-rule", "use-refused", "not-held", "server-error"} <= seen
    # A site without a robots.txt states nothing.
    assert ("unavailable" in seen, "use-unknown" in seen) == (unknown_use == "allow", unknown_use == "deny")
    one = robotsc.verdicts(urls, AGENTS, pack=pack, now=NOW, require="all", use=use, unknown_use=unknown_use)
    assert all(("disallowed" in row) == (verdict == "disallowed") for row, verdict in zip(rows, one["verdict"], strict=True))


@pytest.mark.parametrize("use", USES)
def test_a_robots_txt_alone_says_what_its_preferences_say(use: Use) -> None:
    for text in BODIES:
        robots = robotsc.parse(text)
        for unknown_use in UNKNOWN_USES:
            columns = robotsc.verdicts(
                PATHS, AGENTS, robots=robots, reasons=True, lines=True, use=use, unknown_use=unknown_use
            )
            plain = robotsc.verdicts(PATHS, AGENTS, robots=robots, reasons=True, lines=True)
            for agent, (at, path) in itertools.product(AGENTS, enumerate(PATHS)):
                stated = robots.preferences(agent, path)
                answer = tuple(columns[f"{agent}{more}"][at] for more in ("", " reason", " line"))
                wanted = tuple(plain[f"{agent}{more}"][at] for more in ("", " reason", " line"))
                if stated is not None:
                    usage, signal = LABELS[use]
                    said = {stated.content_usage[usage].preference, stated.content_signal[signal].preference}
                    if False in said:
                        wanted = ("disallowed", "use-refused", None)
                    elif True not in said and unknown_use == "deny":
                        wanted = ("disallowed", "use-unknown", None)
                assert answer == wanted, (text, agent, path)


def test_there_is_no_default_for_what_is_not_stated(pack: robotsc.Pack, tmp_path: Path) -> None:
    url = ["https://s1.example/"]
    for call in (
        lambda **use: robotsc.verdicts(url, ["FooBot"], pack=pack, now=NOW, **use),
        lambda **use: robotsc.verdicts(url, ["FooBot"], robots=BODIES[0], **use),
        lambda **use: pack.verdicts(url, "FooBot", now=NOW, **use),
        lambda **use: pack.allowed(url, "FooBot", now=NOW, **use),
    ):
        with pytest.raises(TypeError, match=r"use= needs unknown_use=: 'allow' or 'deny'"):
            call(use="train")
        with pytest.raises(TypeError, match=r"unknown_use= needs use="):
            call(unknown_use="deny")
        with pytest.raises(robotsc.RobotsError, match=r"use is 'train', 'input' or 'search', not \"ai-train\""):
            call(use="ai-train", unknown_use="deny")
        with pytest.raises(robotsc.RobotsError, match=r"unknown_use is 'allow' or 'deny', not \"no\""):
            call(use="train", unknown_use="no")
    robotsc.build_pack(tmp_path / "without.pack", [robotsc.FetchedRobots("https://a.example", status=404, now=NOW)])
    with robotsc.Pack(tmp_path / "without.pack") as without:
        for ask in (
            lambda: robotsc.verdicts(url, ["FooBot"], pack=without, now=NOW, use="train", unknown_use="allow"),
            lambda: without.allowed(url, "FooBot", now=NOW, use="train", unknown_use="allow"),
        ):
            with pytest.raises(robotsc.PackError, match="the pack holds no preferences"):
                ask()
        with pytest.raises(robotsc.PackError, match="base holds no preferences"):
            robotsc.build_pack(tmp_path / "new.pack", [], base=without, preferences=True)
    with pytest.raises(robotsc.PackError, match="base holds preferences"):
        robotsc.build_pack(tmp_path / "new.pack", [], base=pack, preferences=False)
    robotsc.build_pack(tmp_path / "new.pack", [], base=pack)
    with robotsc.Pack(tmp_path / "new.pack") as new:
        urls = addresses()
        answers = [one.verdicts(urls, "GPTBot", now=NOW, use="train", unknown_use="deny") for one in (pack, new)]
        assert answers[0] == answers[1]
