"""The filter for datatrove: the documents that it keeps are those of `verdicts`, in each kind of worker."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import robotsc

pytest.importorskip("datatrove", reason="datatrove is not installed")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from robotsc.datatrove import RobotsFilter

NOW = 1_790_000_000
BODY = b"User-agent: GPTBot\nDisallow: /g\n\nUser-agent: *\nDisallow: /x\n"
STATING = b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /press/ train-ai=y\nDisallow: /x\n"
URLS: list[Any] = [
    "https://shop.example/",
    "https://shop.example/g/1",
    "https://shop.example/x/1",
    "https://news.example/1",
    "https://news.example/press/1",
    "https://down.example/",
    "https://free.example/x",
    "https://new.example/",
    "https://old.example/",
    "mailto:me@shop.example",
    "shop.example/",
    "https://shop.example/\ud800",
    "",
    " ",
    None,
    7,
    b"https://shop.example/",
]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    fetched = [
        robotsc.FetchedRobots("https://shop.example", status=200, body=BODY, now=NOW),
        robotsc.FetchedRobots("https://news.example", status=200, body=STATING, now=NOW),
        robotsc.FetchedRobots("https://down.example", status=503, now=NOW),
        robotsc.FetchedRobots("https://free.example", status=404, now=NOW),
        robotsc.FetchedRobots("https://old.example", status=200, body=b"", now=NOW - 90 * 86_400),
    ]
    robotsc.build_pack(tmp_path / "all.pack", fetched, preferences=True)
    return tmp_path / "all.pack"


def documents() -> list[Document]:
    made = [Document(text="text", id=str(at), metadata={"url": url}) for at, url in enumerate(URLS)]
    return [*made, Document(text="text", id="none")]


def kept(block: RobotsFilter) -> list[str]:
    return [doc.metadata["url"] for doc in block.run(iter(documents()))]


def counts(block: RobotsFilter) -> dict[str, int]:
    return {name: stat.total for name, stat in block.stats.stats.items() if name.startswith(("dropped_", "kept_"))}


@pytest.mark.parametrize("batch_size", [1, 4, 1_000])
@pytest.mark.filterwarnings("ignore:.*expired:UserWarning")
def test_what_is_kept_is_what_is_allowed(pack: Path, batch_size: int) -> None:
    opened = robotsc.Pack(pack)
    good = [url for url in URLS if isinstance(url, str) and url.startswith("https://") and url.isascii()]
    several: list[list[str | robotsc.Crawler]] = [
        ["GPTBot"],
        ["GPTBot", "FooBot"],
        ["FooBot", robotsc.Crawler.others()],
    ]
    for agents in several:
        for require in ("all", "any"):
            for use in ({}, {"use": "train", "unknown_use": "deny"}, {"use": "train", "unknown_use": "allow"}):
                options: dict[str, Any] = {"require": require, "now": NOW, **use}
                judged: Any = robotsc.verdicts(good, agents, pack=opened, reasons=True, **options)
                rows = list(zip(good, judged["verdict"], judged["reason"], strict=True))
                block = RobotsFilter(pack, agents, batch_size=batch_size, **options)
                assert kept(block) == [url for url, verdict, _ in rows if verdict == "allowed"]
                wanted = {"dropped_bad-url": 3, "dropped_no-url": 6}
                for _, verdict, reason in rows:
                    if verdict != "allowed":
                        wanted[f"dropped_{reason}"] = wanted.get(f"dropped_{reason}", 0) + 1
                assert counts(block) == wanted
                block = RobotsFilter(pack, agents, batch_size=batch_size, unknown="keep", **options)
                assert kept(block) == [url for url, verdict, _ in rows if verdict != "disallowed"]
                assert counts(block)["kept_not-held"] == 1


def test_one_document(pack: Path) -> None:
    block = RobotsFilter(pack, ["GPTBot"], url_key="address", now=NOW)
    answers = [
        block.filter(Document(text="", id="", metadata={"address": url}))
        for url in ("https://shop.example/", "https://shop.example/g", "https://new.example/", "x")
    ]
    assert answers == [True, (False, "rule"), (False, "not-held"), (False, "bad-url")]
    assert block.filter(Document(text="", id="", metadata={"url": "https://shop.example/"})) == (False, "no-url")


def test_workers_open_the_pack_themselves(pack: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    urls = [f"https://{host}.example/{path}{n}" for n in range(50) for host in ("shop", "new") for path in "gxy"]
    for part in range(4):
        lines = [json.dumps({"text": "t", "id": f"{n}", "metadata": {"url": url}}) for n, url in enumerate(urls)]
        (pages / f"{part}.jsonl").write_text("\n".join(lines))
    dropped = JsonlWriter(f"{tmp_path}/out")
    block = RobotsFilter(
        pack, ["GPTBot", "CCBot"], require="all", now=NOW, batch_size=64, exclusion_writer=dropped
    )
    block.filter(Document(text="", id="", metadata={"url": urls[0]}))
    assert pickle.loads(pickle.dumps(block))._opened is None
    pipeline = [JsonlReader(str(pages)), block, JsonlWriter(f"{tmp_path}/kept", compression=None)]
    LocalPipelineExecutor(pipeline, tasks=4, workers=2, logging_dir=f"{tmp_path}/logs").run()
    left = [json.loads(line) for path in (tmp_path / "kept").iterdir() for line in path.read_text().splitlines()]
    assert len(left) == 4 * 50
    assert all("//shop.example/y" in row["metadata"]["url"] for row in left)
    stats = json.loads((tmp_path / "logs" / "stats.json").read_text())[1]["stats"]
    assert (stats["dropped_rule"], stats["dropped_not-held"]) == (4 * 100, 4 * 150)


def test_mistakes(pack: Path, tmp_path: Path) -> None:
    options: Any
    for agents, options, error, message in [
        (["GPTBot", "CCBot"], {}, TypeError, "several agents without require"),
        ("GPTBot", {}, TypeError, "agents are a list of names, not str"),
        ([], {}, robotsc.AgentError, "there is no agent"),
        (["Foo/2"], {}, robotsc.AgentError, "an agent name cannot contain"),
        (["GPTBot"], {"use": "train"}, TypeError, "unknown_use"),
        (["GPTBot"], {"require": "most"}, robotsc.RobotsError, "require is"),
        (["GPTBot"], {"unknown": "allow"}, robotsc.RobotsError, "unknown is 'drop' or 'keep'"),
    ]:
        with pytest.raises(error, match=message):
            RobotsFilter(pack, agents, **options)
    document = documents()[:1]
    with pytest.raises(robotsc.PackError):
        RobotsFilter(tmp_path / "missing.pack", ["GPTBot"]).filter_batch(document)
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=BODY, now=NOW)
    robotsc.build_pack(tmp_path / "some.pack", [fetched], agents=["CCBot"])
    with pytest.raises(robotsc.AgentError, match="GPTBot"):
        RobotsFilter(tmp_path / "some.pack", ["GPTBot"], now=NOW).filter_batch(document)
    with pytest.raises(robotsc.PackError, match="preferences"):
        RobotsFilter(tmp_path / "some.pack", ["CCBot"], use="train", unknown_use="deny", now=NOW).filter_batch(document)
