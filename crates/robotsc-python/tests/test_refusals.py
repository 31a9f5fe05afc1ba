"""What looks like an answer and is none: bodies, truth values, mixed sites, altered packs, missing columns."""

from __future__ import annotations

import gzip
import pickle
import subprocess
import sys
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
import yarl

import robotsc
from robotsc.compat.protego import Protego
from robotsc.compat.robotparser import RobotFileParser

RULES = "User-agent: *\nDisallow: /cart\n"
NOW = 1_790_000_000
OTHERS: list[tuple[bytes, str]] = [
    (b"r.txt", "pass the text, not its place"),
    (b"/etc/robots.txt", "pass the text, not its place"),
    (b"https://shop.example/robots.txt", "pass the text, not its place"),
    (gzip.compress(RULES.encode()), "gzip data"),
    (RULES.encode("utf-16"), "UTF-16"),
    (RULES.encode("utf-16-le"), "UTF-16"),
    (b"User-agent: * Disallow: /", "on one line"),
    (b"User-agent: *\\nDisallow: /", "on one line"),
    (b"<!doctype html>\n<title>Log in</title>\n", "HTML"),
    (b'{"error": 404}', "JSON"),
    (b"Disallow: /\nDisallow: /x\n", "in no group"),
    (b"Not found\nat all\n", "no line of it is a directive"),
]


@pytest.mark.parametrize(("body", "message"), OTHERS)
def test_what_is_no_robots_txt_is_an_error(body: bytes, message: str) -> None:
    text = body.decode("latin-1")
    calls: list[Callable[[], Any]] = [
        lambda: robotsc.parse(body),
        lambda: robotsc.parse(bytearray(body)),
        lambda: robotsc.lint(body),
        lambda: robotsc.diff(body, RULES),
        lambda: robotsc.diff(RULES, body),
        lambda: robotsc.verdicts(["/"], ["FooBot"], robots=body),
        lambda: robotsc.allowed_by(pyarrow.array([body]), ["/"], "FooBot"),
    ]
    # As text, bytes that are no UTF-8 are other bytes.
    if text.isascii() and "\0" not in text:
        calls += [lambda: robotsc.parse(text), lambda: Protego.parse(text)]
        calls += [lambda: RobotFileParser().parse(text.splitlines())]
    for call in calls:
        with pytest.raises(robotsc.RobotsError, match=message):
            call()
    forced = robotsc.parse(body, force=True)
    assert forced.body_kind != "robots"
    assert pickle.loads(pickle.dumps(forced)) == forced
    files = pyarrow.array([body, RULES.encode()])
    assert robotsc.allowed_by(files, ["/", "/"], "FooBot", errors="null") == [None, True]


def test_files_without_rules_are_robots_txt() -> None:
    for body in [b"", b"\n", b"# nothing yet", b"User-agent: *\nDisallow:\n", b"Sitemap: https://shop.example/s.xml\n"]:
        assert robotsc.parse(body).body_kind == "robots"


def test_fetched_bodies_are_named() -> None:
    packed = gzip.compress(RULES.encode())

    def fetched(body: bytes | str, **more: Any) -> robotsc.FetchedRobots:
        return robotsc.FetchedRobots("https://shop.example", status=200, body=body, now=NOW, **more)

    for body, kind in [(packed, "gzip"), (RULES.encode("utf-16"), "utf-16"), (b"<html>no</html>", "html")]:
        assert (fetched(body).body_kind, fetched(body).policy(NOW)) == (kind, "rules")
        assert fetched(body, cautious=True).policy(NOW) == "disallow"
        assert "in place of a robots.txt" in str(fetched(body).explain("FooBot", "https://shop.example/", now=NOW))
    for headers in [[("Content-Encoding", "gzip")], {"content-encoding": "gzip"}, [(b"Content-Encoding", b"gzip")]]:
        assert fetched(packed, headers=headers).policy(NOW) == "disallow", "the body is not what the headers say"
    assert fetched(RULES, headers={"Content-Length": "900"}).policy(NOW) == "disallow"
    with pytest.raises(robotsc.RobotsError, match="pass the bytes that were fetched"):
        fetched("r.txt")
    with pytest.raises(TypeError, match="headers are a mapping"):
        fetched(RULES, headers="Content-Length: 9")
    for marked in [{"CF-Mitigated": "challenge"}, {"x-amzn-waf-action": "captcha"}]:
        challenge = robotsc.FetchedRobots("https://shop.example", status=403, headers=marked, now=NOW)
        assert challenge.is_challenge
        assert challenge.summary == "403 Forbidden with a challenge"
    accepted = robotsc.FetchedRobots("https://shop.example", status=202, body=b"<html>wait", now=NOW)
    assert accepted.policy(NOW) == "disallow"


def test_answers_have_no_truth_value() -> None:
    robots = robotsc.parse(b"User-agent: *\nDisallow: /cart\nContent-Usage: train-ai=n\n")
    said = robots.preferences("FooBot", "/")
    fetched = robotsc.FetchedRobots("https://shop.example", status=503, now=NOW)
    assert said is not None
    verdict = fetched.verdict("FooBot", "https://shop.example/", now=NOW)
    for answer, way_out in [
        (said, "preferences is not None"),
        (said.content_usage["train-ai"], "stated.preference"),
        (robots.explain("FooBot", "/cart"), "explanation.allowed"),
        (verdict, "verdict == 'allowed'"),
        (robotsc.Verdict.UNKNOWN, "verdict == 'allowed'"),
        (fetched.explain("FooBot", "https://shop.example/", now=NOW), "answer.verdict"),
        (robotsc.diff(RULES, RULES), "diff.is_same"),
    ]:
        asks: list[Callable[[Any], object]] = [bool, lambda one: not one, lambda one: 1 if one else 0]
        for ask in asks:
            with pytest.raises(TypeError, match="no truth value|have no truth value") as raised:
                ask(answer)
            assert way_out in str(raised.value)
    assert verdict == "disallowed" and not verdict.is_allowed and isinstance(verdict, str)


def test_a_matcher_answers_for_one_site(tmp_path: Path) -> None:
    matcher = robotsc.parse(RULES).matcher("FooBot")
    urls = ["/cart", "https://a.example/", "https://A.example:443/x", "https://b.example/", "http://a.example/", "/"]
    forms: list[Any] = [urls, tuple(urls), numpy.array(urls), pandas.Series(urls), polars.Series(urls)]
    forms.append(pyarrow.array(urls))
    for some in forms:
        with pytest.raises(robotsc.UrlError, match=r"urls\[3\].*of the origin https://b.example, and URLs before") as raised:
            matcher.allowed(some)
        assert (raised.value.index, raised.value.url) == (3, "https://b.example/")
    assert matcher.allowed(urls, errors="null") == [False, True, True, None, None, True]
    assert matcher.allowed(["https://a.examples/", "https://a.example/"], errors="null") == [True, None]
    with pytest.raises(robotsc.UrlError, match="of the origin"):
        robotsc.verdicts(urls, ["FooBot"], robots=RULES)
    swapped = pyarrow.array(["/cart", "/"])
    with pytest.raises(robotsc.UrlError, match="no robots.txt beside it"):
        robotsc.allowed_by(swapped, pyarrow.array([RULES, RULES]), "FooBot")
    with pytest.raises(robotsc.UrlError, match="no robots.txt beside it"):
        robotsc.allowed_by(swapped, ["/cart", "/"], "FooBot")


def test_an_altered_pack_is_an_error(tmp_path: Path) -> None:
    target = tmp_path / "sites.pack"
    fetched = [
        robotsc.FetchedRobots(f"https://s{n}.example", status=200, body=RULES + f"Disallow: /{n}\n", now=NOW)
        for n in range(50)
    ]
    robotsc.build_pack(target, fetched)
    good = target.read_bytes()
    for at in range(len(good)):
        bad = good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]
        with pytest.raises(robotsc.PackError):
            robotsc.Pack.from_bytes(bad)
    target.write_bytes(good[:-40] + bytes([good[-40] ^ 1]) + good[-39:])
    with pytest.raises(robotsc.PackError):
        robotsc.Pack(target)
    trusted = robotsc.Pack(target, trusted=True)
    assert len(pickle.loads(pickle.dumps(trusted))) == 50, "a pickle is opened in the same way"
    assert isinstance(robotsc.Pack.from_bytes(bytearray(good)), robotsc.Pack)
    with pytest.raises(TypeError, match="the data of a pack is bytes, not str"):
        robotsc.Pack.from_bytes("sites.pack")  # type: ignore[arg-type]


def test_columns_of_nulls() -> None:
    matcher = robotsc.parse(RULES).matcher("FooBot")
    for column in [polars.Series("u", [None, None]), pyarrow.nulls(2), pandas.Series([None, None]), [None, None]]:
        assert list(matcher.allowed(column, errors="null")) in ([None, None], [pyarrow.scalar(None, "bool")] * 2, [pandas.NA] * 2)
        with pytest.raises(robotsc.UrlError, match=r"urls\[0\]: there is no URL"):
            matcher.allowed(column)
    assert robotsc.origins_of(polars.Series([None, None])).to_pylist() == [None, None]
    assert robotsc.allowed_by(polars.Series([None]), ["/"], "FooBot", errors="null") == [None]


def test_texts_of_other_kinds_are_taken() -> None:
    robots = robotsc.parse(RULES)
    matcher = robots.matcher("FooBot")
    cart = "https://shop.example/cart"
    split = urllib.parse.urlsplit(cart)
    forms: list[Any] = [bytearray(cart, "ascii"), memoryview(cart.encode()), yarl.URL(cart), split, urllib.parse.urlparse(cart)]
    for url in forms:
        assert not robots.is_allowed("FooBot", url)
        assert robotsc.origin_of(url) == "https://shop.example"
    assert matcher.allowed(forms) == [False] * len(forms)
    index = pandas.Index([cart, "https://shop.example/"])
    assert list(index[matcher.allowed(index)]) == ["https://shop.example/"]
    assert matcher.allowed(pandas.Series([cart]).array).tolist() == [False]
    assert not robotsc.parse(memoryview(RULES.encode())).is_allowed("FooBot", cart)


def test_messages_have_the_names_of_python(tmp_path: Path) -> None:
    robots = robotsc.parse(RULES)
    calls: list[Callable[[], Any]] = [
        lambda: robots.is_allowed("FooBot/2.1", "/"),
        lambda: robots.is_allowed("Foo Bot", "/"),
        lambda: robots.is_allowed("*", "/"),
        lambda: robotsc.Crawler.chain("*"),
        lambda: robotsc.build_pack(tmp_path / "x", [], agents="FooBot"),
        lambda: robotsc.build_pack(tmp_path / "x", [7]),  # type: ignore[list-item]
        lambda: robotsc.build_pack(tmp_path / "x", 7),  # type: ignore[arg-type]
        lambda: robotsc.build_pack(tmp_path / "x", [], agents=7),  # type: ignore[arg-type]
        lambda: robotsc.diff(RULES, RULES, agents="FooBot"),
        lambda: robotsc.verdicts(["/"], "FooBot", robots=RULES),
        lambda: robotsc.verdicts(["/"], ["FooBot"]),
        lambda: robotsc.verdicts(["/"], ["FooBot"], robots=RULES, use="train"),
        lambda: robotsc.verdicts(["/"], ["FooBot"], robots=RULES, unknown_use="deny"),
        lambda: robotsc.verdicts(["/"], ["FooBot", "FooBot"], robots=RULES),
        lambda: robotsc.verdicts(["/"], [], robots=RULES),
        lambda: robotsc.verdicts(["/"], ["FooBot"], pack="sites.pack"),  # type: ignore[call-overload]
        lambda: robotsc.parse(RULES, 7),  # type: ignore[arg-type]
        lambda: robotsc.parse(Path("robots.txt")),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises((ValueError, TypeError)) as raised:
            call()
        text = str(raised.value)
        assert "::" not in text and "Vec" not in text and "Bound" not in text, text
    with pytest.raises(robotsc.AgentError, match="RobotsTxt.crawler"):
        robots.is_allowed("FooBot/2.1", "/")
    with pytest.raises(TypeError, match=r"pass \['FooBot'\]"):
        robotsc.build_pack(tmp_path / "x", [], agents="FooBot")


def test_an_expired_origin_says_its_age(tmp_path: Path) -> None:
    url = "https://shop.example"
    fetched = robotsc.FetchedRobots(url, status=200, body=RULES, now=NOW)
    robotsc.build_pack(tmp_path / "sites.pack", [fetched])
    later = NOW + 75 * 86_400
    with robotsc.Pack(tmp_path / "sites.pack") as pack:
        for answer in [pack.explain(url, "FooBot", now=later), fetched.explain("FooBot", url, now=later)]:
            assert (answer.verdict, answer.reason) == ("unknown", "expired")
            assert "fetched 75 days ago and expired 74 days ago" in str(answer)


def test_a_relative_path_is_kept_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    robotsc.build_pack("sites.pack", [robotsc.FetchedRobots("https://shop.example", status=404, now=NOW)])
    pack = robotsc.Pack("sites.pack")
    monkeypatch.chdir("/")
    assert pack.path == tmp_path / "sites.pack"
    assert pickle.loads(pickle.dumps(pack)).verdict("https://shop.example/", "FooBot", now=NOW) == "allowed"


INTERRUPTED = """
import _thread, sys, threading, time
import pyarrow, robotsc
urls = pyarrow.array(["https://shop.example/" + "x" * 40 + "/cart"]).take(pyarrow.array([0] * 8_000_000, "int32"))
matcher = robotsc.parse(b"User-agent: *\\nDisallow: /*cart\\n").matcher("FooBot")
threading.Timer(0.5, lambda: __import__("os").kill(__import__("os").getpid(), 2)).start()
start = time.monotonic()
try:
    while True:
        matcher.allowed(urls)
except KeyboardInterrupt:
    print(time.monotonic() - start)
"""


def test_ctrl_c_ends_a_batch() -> None:
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert 0.4 < float(run.stdout) < 3, "it does not wait for the batch"


def test_subinterpreters_are_refused() -> None:
    """What docs/python.md states: one interpreter a process, from 3.12 on."""
    if sys.version_info < (3, 12):
        pytest.skip("3.11 does not ask modules whether they support subinterpreters")
    code = "import _interpreters as i\nn = i.create()\nprint(i.run_string(n, 'import robotsc'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "ImportError" in run.stdout + run.stderr


