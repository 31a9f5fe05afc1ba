"""Mistakes of callers: exceptions with the library's messages, never an answer, never the end of the process."""

from __future__ import annotations

import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import full

import robotsc
from robotsc.compat.protego import Protego

BODY = b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n"
NOW = 1_790_000_000
URLS = ["https://shop.example/", "https://shop.example/cart"] * 500
MASK = [True, False] * 500

AGENTS: list[tuple[Any, type[Exception], str]] = [
    ("FooBot/2.1", robotsc.AgentError, "an agent name cannot contain '/'"),
    ("Foo Bot", robotsc.AgentError, "an agent name cannot contain ' '"),
    ("", robotsc.AgentError, "empty"),
    ("*", robotsc.AgentError, r"\*"),
    ("Foo\udc80", robotsc.AgentError, "lone surrogate"),
    ("https://shop.example/", robotsc.AgentError, "an agent name cannot contain"),
    (None, TypeError, "an agent is a str or a Crawler, not NoneType"),
    (b"FooBot", TypeError, "an agent is a str or a Crawler, not bytes"),
    (["FooBot"], TypeError, "an agent is a str or a Crawler, not list"),
    (7, TypeError, "an agent is a str or a Crawler, not int"),
]

ADDRESSES: list[tuple[Any, type[Exception], str]] = [
    ("", robotsc.UrlError, "the URL is empty"),
    ("shop.example/cart", robotsc.UrlError, "neither a URL nor a path"),
    ("FooBot", robotsc.UrlError, "neither a URL nor a path"),
    ("//shop.example/", robotsc.UrlError, "no scheme before '//'"),
    ("mailto:me@shop.example", robotsc.UrlError, "http, https and ftp URLs only"),
    ("https:///cart", robotsc.UrlError, "."),
    ("https://a@b@c/", robotsc.UrlError, "two '@'"),
    ("https://shop.example/\ud800", robotsc.UrlError, "lone surrogate"),
    ("\udfff", robotsc.UrlError, "lone surrogate"),
    (None, TypeError, "a URL is a str or bytes, not NoneType"),
    (7, TypeError, "a URL is a str or bytes, not int"),
    (float("nan"), TypeError, "a URL is a str or bytes, not float"),
    (["/"], TypeError, "a URL is a str or bytes, not list"),
]


@pytest.fixture
def pack_path(tmp_path: Path) -> Path:
    target = tmp_path / "sites.pack"
    robotsc.build_pack(target, [robotsc.FetchedRobots("https://shop.example", status=200, body=BODY, now=NOW)])
    return target


@pytest.mark.parametrize(("agent", "error", "message"), AGENTS)
def test_agents_that_are_none(agent: Any, error: type[Exception], message: str, pack_path: Path) -> None:
    robots = robotsc.parse(BODY)
    pack = robotsc.Pack(pack_path)
    fetched = robotsc.FetchedRobots("https://shop.example", status=404, now=NOW)
    calls: list[Callable[[], Any]] = [
        lambda: robots.is_allowed(agent, "/"),
        lambda: robots.matcher(agent),
        lambda: robots.explain(agent, "/"),
        lambda: robots.crawl_delay(agent),
        lambda: robots.preferences(agent, "/"),
        lambda: robots.request_rate(agent),
        lambda: pack.verdicts(URLS, agent=agent),
        lambda: pack.verdict(URLS[0], agent),
        lambda: fetched.verdict(agent, "https://shop.example/", now=NOW),
        lambda: robotsc.Crawler(agent),
        lambda: robotsc.Crawler.chain("FooBot", agent),
    ]
    for call in calls:
        with pytest.raises(error, match=message):
            call()
    assert issubclass(robotsc.AgentError, ValueError)


@pytest.mark.parametrize(("url", "error", "message"), ADDRESSES)
def test_urls_that_are_none(url: Any, error: type[Exception], message: str, pack_path: Path) -> None:
    robots = robotsc.parse(b"")
    pack = robotsc.Pack(pack_path)
    calls: list[Callable[[], Any]] = [
        lambda: robots.is_allowed("FooBot", url),
        lambda: robots.matcher("FooBot").is_allowed(url),
        lambda: robots.explain("FooBot", url),
        lambda: pack.verdict(url, "FooBot"),
        lambda: robotsc.origin_of(url),
        lambda: robotsc.FetchedRobots(url, status=404),
    ]
    for call in calls:
        with pytest.raises(error, match=message):
            call()
    if isinstance(url, str):
        with pytest.raises(robotsc.UrlError, match=r"urls\[1\]: "):
            robots.matcher("FooBot").allowed(["/", url])
        assert robots.matcher("FooBot").allowed(["/", url], errors="null") == [True, None]


def test_bodies_and_dialects_that_are_none() -> None:
    for body in [None, 7, ["User-agent: *"], Path("robots.txt")]:
        with pytest.raises(TypeError, match="a robots.txt is bytes or a str, not"):
            robotsc.parse(body)  # type: ignore[arg-type]
    with pytest.raises(robotsc.RobotsError, match="lone surrogate"):
        robotsc.parse("Disallow: /\ud800")
    for place in ["robots.txt", "/tmp/robots.txt", "https://shop.example/robots.txt\n"]:
        with pytest.raises(robotsc.RobotsError, match="pass the text, not its place"):
            robotsc.parse(place)
    for text in ["", "# nothing yet", "Sitemap: /map.xml", "User-agent: *"]:
        robotsc.parse(text)
    for dialect in ["", "Google", "bing", "google\0"]:
        with pytest.raises(robotsc.RobotsError, match="no dialect is called .*: use one of google, rfc9309"):
            robotsc.parse(BODY, dialect)  # type: ignore[arg-type]
    with pytest.raises(robotsc.UrlError):
        robotsc.parse(BODY, origin="shop.example")
    with pytest.raises(robotsc.AgentError, match="empty"):
        robotsc.parse(BODY).crawler("  ")


def test_batches_that_are_none(pack_path: Path) -> None:
    matcher = robotsc.parse(BODY).matcher("FooBot")
    pack = robotsc.Pack(pack_path)
    cases: list[tuple[Any, str]] = [
        ("https://shop.example/", "not str: for one URL use is_allowed"),
        (b"/", "not bytes: for one URL"),
        (None, "not NoneType"),
        ({"/": 1}, "not dict: make a list of it"),
        ({"/"}, "not set"),
        (iter(["/"]), "not list_iterator: make a list of it"),
        (7, "not int"),
        ([7], r"urls\[0\]: a URL is a str or bytes, not int"),
        (["/", ["/"]], r"urls\[1\]: a URL is a str or bytes, not list"),
        (numpy.array([["/"]]), "has 2 dimensions"),
        (numpy.array("/"), "has 0 dimensions"),
        (numpy.array([1, 2]), r"urls\[0\]: .* not int"),
        (pandas.Series([1.5]), "."),
        (pandas.DataFrame({"url": ["/"]}), "."),
        (polars.Series([1]), "not of Int64"),
        (polars.DataFrame({"url": ["/"]}), "not a table or a struct of 1"),
        (pyarrow.array([1]), "not of Int64"),
        (pyarrow.table({"url": ["/"]}), "not a table or a struct of 1"),
        (pyarrow.array([["/"]]), "not of List"),
    ]
    for urls, message in cases:
        with pytest.raises(TypeError, match=message):
            matcher.allowed(urls)
        with pytest.raises(TypeError, match=message):
            pack.verdicts(urls, agent="FooBot")
    for errors in ["", "ignore", "Null"]:
        with pytest.raises(robotsc.RobotsError, match="errors is 'raise' or 'null', not"):
            matcher.allowed(["/"], errors=errors)  # type: ignore[call-overload]


def test_times_that_are_none(pack_path: Path) -> None:
    pack = robotsc.Pack(pack_path)
    for now in [-1, float("nan"), float("inf"), 2**32]:
        with pytest.raises(robotsc.RobotsError, match="seconds since 1970"):
            pack.verdicts(URLS, agent="FooBot", now=now)
        with pytest.raises(robotsc.RobotsError, match="seconds since 1970"):
            robotsc.FetchedRobots("https://shop.example", status=200, body=b"", now=now)


def test_fetches_that_are_none() -> None:
    for arguments, message in [
        ({}, "neither a status nor an error"),
        ({"status": 200, "error": "dns"}, "both a status and the error"),
        ({"error": "boredom"}, "no failure is called .*: use one of connect"),
        ({"status": 200, "dialect": "bing"}, "no dialect is called"),
        ({"status": 200}, "needs a body"),
        ({"status": 204, "body": None}, "needs a body"),
    ]:
        with pytest.raises(robotsc.RobotsError, match=message):
            robotsc.FetchedRobots("https://shop.example", **arguments)  # type: ignore[arg-type]
    for status in [-1, 70_000]:
        with pytest.raises(robotsc.RobotsError, match="status is from 100 to 999"):
            robotsc.FetchedRobots("https://shop.example", status=status)
    before = robotsc.FetchedRobots("https://shop.example", status=200, body=b"")
    with pytest.raises(robotsc.RobotsError, match="another origin or dialect"):
        robotsc.FetchedRobots("https://other.example", status=503, before=before)


def test_closed_packs(pack_path: Path) -> None:
    with robotsc.Pack(pack_path) as pack:
        assert pack.verdicts(URLS, agent="FooBot", now=NOW)[:2] == ["allowed", "disallowed"]
    calls: list[Callable[[], Any]] = [
        lambda: pack.verdicts(URLS, agent="FooBot"),
        lambda: pack.allowed([], agent="FooBot"),
        lambda: pack.verdict(URLS[0], "FooBot"),
        lambda: pack.sitemaps(URLS[0]),
        lambda: len(pack),
        lambda: pack.agents,
        lambda: pickle.dumps(pack),
        lambda: pack.__enter__(),
    ]
    for call in calls:
        with pytest.raises(robotsc.PackError, match="the pack is closed"):
            call()
    pack.close()
    assert "closed" in repr(pack)


def test_files_that_are_no_packs(tmp_path: Path, pack_path: Path) -> None:
    with pytest.raises(robotsc.PackError, match="cannot open"):
        robotsc.Pack(tmp_path / "none.pack")
    with pytest.raises(robotsc.PackError):
        robotsc.Pack(tmp_path)
    good = pack_path.read_bytes()
    bad = tmp_path / "bad.pack"
    for body in [b"", b"robots", good[:-1], good[: len(good) // 2], b"\0" * len(good), b"X" + good[1:]]:
        bad.write_bytes(body)
        with pytest.raises(robotsc.PackError):
            robotsc.Pack(bad)
    # A byte that is altered is an error; where nobody looks, it never ends the process, whatever it answers.
    for at in range(0, len(good), 37):
        bad.write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
        with pytest.raises(robotsc.PackError):
            robotsc.Pack(bad)
        with pytest.raises(robotsc.PackError):
            robotsc.Pack.from_bytes(bad.read_bytes())
        try:
            pack = robotsc.Pack(bad, trusted=True)
        except robotsc.PackError:
            continue
        assert len(pack.verdicts(URLS, agent="FooBot", now=NOW, errors="null")) == len(URLS)
    with pytest.raises(robotsc.PackError):
        robotsc.build_pack(tmp_path / "no" / "such" / "folder.pack", [])
    with pytest.raises(robotsc.AgentError, match="agent name"):
        robotsc.build_pack(tmp_path / "new.pack", [], agents=["Foo Bot"])


def test_pickles_that_are_none() -> None:
    data = pickle.dumps(robotsc.parse(BODY).matcher("FooBot"))
    for at in range(2, len(data), 5):
        try:
            pickle.loads(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        except Exception:  # noqa: BLE001, S110, whatever pickle makes of it, the process goes on.
            pass


def test_arrow_exports_that_are_none() -> None:
    class Wrong:
        def __init__(self, answer: Any) -> None:
            self.answer = answer

        def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
            return self.answer() if callable(self.answer) else self.answer

    def fail() -> None:
        raise RuntimeError("the exporter fails")

    matcher = robotsc.parse(BODY).matcher("FooBot")
    capsules = pyarrow.array(["/"]).__arrow_c_array__()
    assert matcher.allowed(Wrong(capsules)) is not None
    for wrong in [None, (), (1, 2), "text", capsules, tuple(reversed(pyarrow.array(["/"]).__arrow_c_array__())), fail]:
        with pytest.raises(Exception, match="."):  # noqa: B017, the exporter's or pyo3-arrow's.
            matcher.allowed(Wrong(wrong))


def test_threads_share_everything(pack_path: Path) -> None:
    robots = robotsc.parse(BODY)
    matcher = robots.matcher("FooBot")
    pack = robotsc.Pack(pack_path)
    arrow = pyarrow.array(URLS)

    def work(number: int) -> bool:
        agent = f"Bot{chr(97 + number % 26)}"
        return (
            [robots.is_allowed(agent, url) for url in URLS] == MASK
            and matcher.allowed(URLS) == MASK
            and matcher.allowed(arrow).to_pylist() == MASK
            and pack.allowed(URLS, agent=agent, now=NOW) == MASK
        )

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(200)))


def test_a_list_that_changes_meanwhile() -> None:
    matcher = robotsc.parse(BODY).matcher("FooBot")
    urls = [f"https://shop.example/{n}" for n in range(200_000)]
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            urls[:] = [f"https://shop.example/cart/{n}" for n in range(1000)]
            urls.extend(f"https://shop.example/{n}" for n in range(100_000))

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(20):
            assert set(matcher.allowed(urls)) <= {True, False}
    finally:
        stop.set()
        thread.join()


def test_other_threads_run_meanwhile() -> None:
    """While a batch runs, a thread that needs the interpreter's lock makes progress."""
    matcher = robotsc.parse(BODY).matcher("FooBot")
    urls = pyarrow.array(["https://shop.example/" + "x" * 2000 + "/cart"] * 200_000)
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    start = time.perf_counter()
    matcher.allowed(urls)
    seconds = time.perf_counter() - start
    during = ticks - before
    done.set()
    thread.join()
    # Holding the lock, a thread that waits for it gets it once at most.
    assert during >= 5, f"{during} ticks in {seconds:.3f} seconds"


def test_a_pack_is_closed_while_batches_run(pack_path: Path) -> None:
    urls = pyarrow.array(URLS * 100)
    for _ in range(20):
        pack = robotsc.Pack(pack_path)
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            batches = [threads.submit(lambda: pack.allowed(urls, agent="FooBot", now=NOW)) for _ in range(4)]
            pack.close()
            for batch in batches:
                try:
                    assert batch.result().to_pylist()[:2] == [True, False]
                except robotsc.PackError as error:
                    assert "closed" in str(error)


FORK = """
import os, sys, threading
import robotsc
matcher = robotsc.parse({body!r}).matcher("FooBot")
pack = robotsc.Pack({path!r})
urls = ["https://shop.example/", "https://shop.example/cart"] * 20_000
stop = threading.Event()
def work():
    while not stop.is_set():
        matcher.allowed(urls); pack.verdicts(urls, agent="FooBot", now={now})
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
children = []
for _ in range(10):
    child = os.fork()
    if child == 0:
        right = matcher.allowed(urls)[:2] == [True, False]
        right &= pack.verdicts(urls, agent="FooBot", now={now})[:2] == ["allowed", "disallowed"]
        right &= pack.verdict(urls[1], "BarBot", now={now}) == "disallowed"
        os._exit(0 if right else 3)
    children.append(child)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
stop.set()
for thread in threads: thread.join()
sys.exit(max(codes))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_fork_while_threads_answer(pack_path: Path) -> None:
    script = FORK.format(body=BODY, path=str(pack_path), now=NOW)
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", script], timeout=120, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def answer(matcher: robotsc.Matcher, urls: list[str]) -> tuple[robotsc.Matcher, list[bool]]:
    """Answers in another process, and sends the matcher back."""
    return matcher, matcher.allowed(urls)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_matchers_go_between_processes(method: str) -> None:
    matcher = robotsc.parse(BODY).matcher("FooBot")
    with multiprocessing.get_context(method).Pool(2) as processes:
        for returned, mask in processes.starmap(answer, [(matcher, URLS)] * 4):
            assert mask == MASK
            assert returned.allowed(URLS) == MASK


def test_hostile_files_and_urls_cost_a_bounded_time() -> None:
    stars = b"User-agent: *\n" + b"Disallow: /" + b"a*" * 5_000 + b"b\n"
    many = b"User-agent: *\n" + b"".join(b"Disallow: /*a*%d*b\n" % n for n in range(20_000))
    start = time.perf_counter()
    for body in [stars, many, b"\0" * 1_000_000, b"User-agent: " * 100_000, bytes(range(256)) * 4_000]:
        matcher = robotsc.parse(body, force=True).matcher("FooBot")
        assert len(matcher.allowed(["/" + "a" * 20_000] * 3)) == 3
    assert time.perf_counter() - start < 60


def resident() -> int:
    """Returns the bytes of memory that the process has now."""
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system does not say what memory is used")
def test_a_million_parses_leave_nothing_behind(pack_path: Path) -> None:
    """A million with ``ROBOTSC_FULL=1``, else a twentieth."""
    rounds = 1_000_000 if full() else 50_000
    urls = URLS[:4]
    arrow = pyarrow.array(urls)

    def once(number: int) -> None:
        robots = robotsc.parse(BODY)
        assert robots.is_allowed("FooBot", "/cart/help")
        if number % 50 == 0:
            matcher = pickle.loads(pickle.dumps(robots.matcher("FooBot")))
            matcher.allowed(urls)
            matcher.allowed(arrow)
            matcher.allowed(numpy.array(urls))
            str(robots.explain("FooBot", "/cart"))
            Protego.parse(BODY.decode()).can_fetch("/cart", "Mozilla/5.0 (FooBot)")
            try:
                matcher.allowed(["x"])
            except robotsc.UrlError:
                pass
        if number % 1000 == 0:
            with robotsc.Pack(pack_path) as pack:
                pack.verdicts(urls, agent="FooBot", now=NOW)

    for number in range(rounds // 10):
        once(number)
    gc.collect()
    before = resident()
    for number in range(rounds):
        once(number)
    gc.collect()
    grown = resident() - before
    assert grown < 4 << 20, f"{grown:,} bytes more after {rounds:,} parses"
