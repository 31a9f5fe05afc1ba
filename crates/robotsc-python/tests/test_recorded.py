"""Recorded answers of google/robotstxt, through every way to ask.

The answers were recorded for URLs as robots.cc splits them. The library reads URLs as clients do, so that an answer
can differ if client and robots.cc see another path; ``cause`` says why, and without a cause no answer may differ.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow
import pytest
from conftest import full

import robotsc
from robotsc.compat.protego import Protego
from robotsc.compat.robotparser import RobotFileParser

AGENTS = ["Googlebot", "GPTBot", "FooBot"]
NOW = 1_790_000_000
MAX_FILE = 512_000
"""The bytes of a body that Google's dialect reads; the answers were recorded without a limit."""


class GoogleFileParser(RobotFileParser):
    """The face of urllib under the dialect of the recorded answers."""

    dialect = "google"
    force = True


class AnyProtego(Protego):
    """The face of protego, for bodies that are no robots.txt, too."""

    force = True


def google_path(url: bytes) -> bytes:
    """Returns the path of a URL as robots.cc takes it."""
    start = 2 if url.startswith(b"//") else 0
    early = re.compile(rb"[/?;]").search(url, start)
    scheme = url.find(b"://", start)
    authority = start
    if scheme >= 0 and not (early and early.start() < scheme):
        authority = scheme + 3
    path = re.compile(rb"[/?;]").search(url, authority)
    if path is None:
        return b"/"
    end = url.find(b"#", start)
    end = len(url) if end < 0 else end
    if end < path.start():
        return b"/"
    found = url[path.start() : end]
    return found if found.startswith(b"/") else b"/" + found


def cause(path: bytes) -> str:
    """Returns why a client asks for another path than robots.cc compares; empty if there is no reason."""
    before_query = path.partition(b"?")[0]
    dots = {b".", b"..", b"%2e", b".%2e", b"%2e.", b"%2e%2e"}
    if any(segment in dots for segment in re.split(rb"[/\\]", before_query.lower())):
        return "a dot segment"
    if b"\\" in before_query:
        return "a backslash"
    if any(byte <= 0x20 or byte == 0x7F for byte in path):
        return "a blank or control"
    if any(byte in b"\"<>`{}'" for byte in path):
        return "a sign that URLs escape"
    if re.search(rb"%(?:[a-z].|.[a-z])", path, re.DOTALL):
        return "an escape in lower case"
    return "" if path.isascii() else "a byte that is not ASCII"


class Tally:
    """What was asked, and which answers were wrong."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        self.by_cause: Counter[str] = Counter()
        self.wrong: list[str] = []

    def add(self, way: str, where: str, url: bytes, expected: bool, given: object) -> None:
        """Counts an answer."""
        self.answers[way] += 1
        if given is expected:
            return
        reason = cause(google_path(url))
        if given is None and re.match(rb"[a-z]+://[^/?#]*%2F", url):
            # robots.cc takes what comes after the escaped slash for a part of the host; here it is an error.
            reason = "a slash in the host"
        self.by_cause[f"{way}: {reason or 'wrong'}"] += 1
        if not reason:
            self.wrong.append(f"{way}: {where} {url!r}: {given}, recorded {expected}")

    def check(self, at_least: int) -> None:
        """Fails if an answer without a cause differs, or if too little was asked."""
        for way, count in sorted(self.answers.items()):
            print(f"{count:>8} {way}")
        for way, count in sorted(self.by_cause.items()):
            print(f"{count:>8} differ: {way}")
        assert not self.wrong, f"{len(self.wrong)} answers differ:\n" + "\n".join(self.wrong[:25])
        assert all(count >= at_least for count in self.answers.values()), "too little was asked"


def ask(tally: Tally, where: str, body: bytes, agent: str, urls: list[bytes], expected: list[bool]) -> None:
    """Asks about the URLs of a file in every way but by a pack."""
    robots = robotsc.parse(body, force=True)
    # robots.cc compares names, and knows no crawler: the names of its cases are taken as written.
    crawler = robotsc.Crawler(agent, as_written=True)
    matcher = robots.matcher(crawler)

    def add(way: str, answers: list[bool | None]) -> None:
        assert len(answers) == len(urls)
        for url, allowed, given in zip(urls, expected, answers, strict=True):
            tally.add(way, where, url, allowed, given)

    def one_by_one(ask_one: object) -> list[bool | None]:
        answers: list[bool | None] = []
        for url in urls:
            try:
                answers.append(ask_one(url))  # type: ignore[operator]
            except robotsc.UrlError:
                answers.append(None)
        return answers

    add("single", one_by_one(lambda url: robots.is_allowed(crawler, url)))
    add("matcher", one_by_one(matcher.is_allowed))
    # A batch of URLs is of one origin; those of the corpus are of several.
    by_origin: dict[object, list[int]] = {}
    for index, url in enumerate(urls):
        try:
            by_origin.setdefault(robotsc.origin_of(url), []).append(index)
        except robotsc.UrlError:
            by_origin[url] = [index]

    def in_batches(ask_batch: Callable[[list[bytes]], Iterable[bool | None]]) -> list[bool | None]:
        answers: list[bool | None] = [None] * len(urls)
        for indexes in by_origin.values():
            for index, answer in zip(indexes, ask_batch([urls[index] for index in indexes]), strict=True):
                answers[index] = answer
        return answers

    add("list", in_batches(lambda batch: matcher.allowed(batch, errors="null")))
    arrow = pyarrow.binary()
    add("arrow", in_batches(lambda batch: matcher.allowed(pyarrow.array(batch, arrow), errors="null").to_pylist()))
    try:
        text = body.decode()
        texts = {url: url.decode() for url in urls}
    except UnicodeDecodeError:
        return
    protego = AnyProtego.parse(text)
    add("protego face", one_by_one(lambda url: protego.can_fetch(texts[url], agent)))
    lines = GoogleFileParser()
    lines.parse(re.split(r"\r\n|\r|\n", text))
    add("robotparser face", one_by_one(lambda url: lines.can_fetch(agent, texts[url])))


def recorded_in_repository(repository: Path) -> Iterator[tuple[str, bytes, str, bytes, bool]]:
    """Yields case, body, agent, URL and answer."""
    with gzip.open(repository / "tests" / "data" / "google-recorded.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            body = base64.b64decode(case["robots_b64"]) if "robots_b64" in case else case["robots"].encode()
            [agent] = case["agents"]
            yield case["case"], body, agent, case["url"].encode(), case["google"]


def test_answers_that_are_part_of_the_repository(repository: Path) -> None:
    tally = Tally()
    for case, body, agent, url, expected in recorded_in_repository(repository):
        ask(tally, case, body, agent, [url], [expected])
    assert tally.answers["single"] == 20_000
    tally.check(at_least=10_000)


def questions(listed: Path) -> dict[str, list[tuple[bytes, list[bool]]]]:
    """Returns the recorded questions of each file."""
    files: dict[str, list[tuple[bytes, list[bool]]]] = defaultdict(list)
    with listed.open("rb") as rows:
        next(rows)
        for row in rows:
            name, url, *answers = row.rstrip(b"\n").split(b"\t")
            files[name.decode()].append((url, [answer.startswith(b"1:") for answer in answers]))
    return files


LISTS = [("verdicts.tsv", "robots"), ("verdicts-modern.tsv", "robots-modern"), ("frontier.tsv", "robots")]


@pytest.mark.parametrize(("listed", "folder"), LISTS)
def test_answers_of_the_corpus(corpus: Path, tmp_path: Path, listed: str, folder: str) -> None:
    """All with ``ROBOTSC_FULL=1``, else those of every 40th file."""
    files = sorted(questions(corpus / listed).items())[:: 1 if full() else 40]
    tally = Tally()
    fetched, packed = [], []
    cut = 0
    for number, (name, asked) in enumerate(files):
        body = (corpus / folder / f"{name}.txt").read_bytes()
        if len(body) > MAX_FILE:
            cut += 1
            continue
        urls = [url for url, _ in asked]
        for index, agent in enumerate(AGENTS):
            ask(tally, f"{name} {agent}", body, agent, urls, [answers[index] for _, answers in asked])
        # In a pack each file is that of an origin of its own, whatever its URLs say.
        origin = f"https://f{number}.example"
        fetched.append(robotsc.FetchedRobots(origin, status=200, body=body, now=NOW))
        packed += [(name, url, answers, origin.encode() + google_path(url)) for url, answers in asked]
    pack_path = tmp_path / "corpus.pack"
    assert robotsc.build_pack(pack_path, fetched, agents=AGENTS) == len(files) - cut
    with robotsc.Pack(pack_path) as pack:
        for index, agent in enumerate(AGENTS):
            texts = [text for *_, text in packed]
            verdicts = pack.verdicts(texts, agent, now=NOW, errors="null")
            masks = pack.allowed(texts, agent, now=NOW, errors="null")
            for (name, url, answers, text), verdict, mask in zip(packed, verdicts, masks, strict=True):
                if text.endswith(b"/robots.txt") and text.count(b"/") == 3:
                    # A pack always allows the URL of robots.txt itself.
                    assert verdict == "allowed"
                    continue
                where = f"{name} {agent}"
                tally.add("pack", where, url, answers[index], {"allowed": True, "disallowed": False}.get(verdict))
                tally.add("pack mask", where, url, answers[index], mask)
    print(f"{listed}: {len(files)} files, {cut} of them over the dialect's limit and left out")
    tally.check(at_least=1_000)
