"""The table of answers that every door gives, asked through this one: see crates/robotsc-cli/tests/one_question.

`ROBOTSC_TABLE=FILE` asks a table that the tests of the command wrote, in place of the short one.
"""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pyarrow
import robotsc

TABLE = Path(__file__).resolve().parents[3] / "tests/data/one-question.jsonl"
NOW = 1_790_000_000


def test_one_question_has_one_answer(tmp_path: Path) -> None:
    path = Path(os.environ.get("ROBOTSC_TABLE", TABLE))
    asked = 0
    for line in path.read_text("utf-8").splitlines():
        file = json.loads(line)
        body, dialect, urls = base64.b64decode(file["body"]), file["dialect"], file["urls"]
        robots = robotsc.parse(body, dialect=dialect)
        fetched = robotsc.FetchedRobots(file["origin"], status=200, body=body, now=NOW, dialect=dialect)
        packs = {"all": None, "some": list(file["answers"])}
        for name, agents in packs.items():
            robotsc.build_pack(tmp_path / f"{name}.pack", [fetched], agents=agents, dialect=dialect)
        (tmp_path / "robots.txt").write_bytes(body)
        (tmp_path / "manifest.tsv").write_text(f"{file['origin']}\t200\t{NOW}\trobots.txt\n")
        census = robotsc.census(tmp_path / "manifest.tsv", agents=[*file["answers"]], dialect=dialect)
        with robotsc.Pack(tmp_path / "all.pack") as every, robotsc.Pack(tmp_path / "some.pack") as some:
            for agent, letters in file["answers"].items():
                wanted = [letter == "a" for letter in letters]
                words = ["allowed" if allowed else "disallowed" for allowed in wanted]
                where = (file["source"], dialect, agent)
                assert list(robots.matcher(agent).allowed(urls)) == wanted, where
                assert [robots.is_allowed(agent, url) for url in urls] == wanted, where
                assert robots.explain(agent, urls[0]).allowed is wanted[0], where
                assert [fetched.verdict(agent, url, now=NOW) for url in urls] == words, where
                for pack in (every, some):
                    assert [pack.verdict(url, agent, now=NOW) for url in urls] == words, where
                (cells,) = (row for row in pyarrow.table(census).to_pylist() if row["agent"].lower() == agent.lower())
                # What is proved of all paths holds for these.
                shown = {True: cells["open_path"], False: cells["closed_path"]}
                pages = {allowed for url, allowed in zip(urls, wanted, strict=True) if not url.endswith("/robots.txt")}
                assert pages <= {allowed for allowed, path in shown.items() if path}, where
                for allowed, path in shown.items():
                    assert path is None or robots.is_allowed(agent, path) is allowed, where
                assert cells["access"] == {(True, True): "partly", (True, False): "open", (False, True): "closed"}[
                    shown[True] is not None, shown[False] is not None
                ], where
                asked += len(urls)
    assert asked > 1_000
