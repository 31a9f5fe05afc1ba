"""The faces, compared with the parsers whose interface they have, by these parsers' own tests.

The tests come from protego's source package and from the Python that runs; neither is part of this repository.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tarfile
import tomllib
from datetime import time
from pathlib import Path

import pytest

import robotsc
from robotsc.compat.protego import Protego, RequestRate, VisitTime
from robotsc.compat.robotparser import RobotFileParser

HERE = Path(__file__).parent / "compat"


def check(noted: Path, listed: Path, at_least: int) -> None:
    """Compares what was noted with the list of known differences."""
    result = json.loads(noted.read_text())
    known = {answer for entry in tomllib.loads(listed.read_text())["difference"] for answer in entry["answers"]}
    seen = set(result["seen"])
    assert result["compared"] >= at_least, "too few answers were compared"
    assert not seen - known, "these answers differ, and are not listed: justify them in " + listed.name
    assert not known - seen, "these answers are listed and do not differ: remove them from " + listed.name


def test_protego_by_its_own_tests(tmp_path: Path) -> None:
    pytest.importorskip("protego")
    download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "protego==0.7.0"]
    downloaded = subprocess.run([*download, "-d", str(tmp_path)], capture_output=True, text=True)
    sources = list(tmp_path.glob("protego-*.tar.gz"))
    if not sources:
        pytest.skip(f"protego's source package cannot be downloaded: {downloaded.stderr[-300:]}")
    with tarfile.open(sources[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    tests = tmp_path / "protego-0.7.0" / "tests"
    noted = tmp_path / "noted.json"
    command = [sys.executable, str(HERE / "run_protego.py"), str(tests), str(noted)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    check(noted, HERE / "protego.toml", at_least=600)


def test_robotparser_takes_lines_and_no_text() -> None:
    with pytest.raises(TypeError, match="splitlines"):
        RobotFileParser().parse("User-agent: *\nDisallow: /\n")


def test_robotparser_by_its_own_tests(tmp_path: Path) -> None:
    if importlib.util.find_spec("test.test_robotparser") is None:
        pytest.skip("this Python comes without its own tests")
    noted = tmp_path / "noted.json"
    run = subprocess.run(
        [sys.executable, str(HERE / "run_robotparser.py"), str(noted)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    check(noted, HERE / "robotparser.toml", at_least=150)


BODY = """\
Sitemap: https://shop.example/sitemap.xml
Host: shop.example
User-agent: FooBot
Disallow: /cart
Crawl-delay: 2.5
Request-rate: 3/15 0600-2400
Visit-time: 0200-0630
User-agent: *
Disallow: /
"""

HEADER = "Mozilla/5.0 (compatible; FooBot/2.1; +https://foo.example/bot)"


def test_protego_face() -> None:
    rp = Protego.parse(BODY)
    for agent in ("FooBot", "foobot", HEADER):
        assert rp.can_fetch("https://shop.example/", agent)
        assert not rp.can_fetch("https://shop.example/cart", agent)
        assert rp.crawl_delay(agent) == 2.5
        assert rp.request_rate(agent) == RequestRate(3, 15, time(6), time.max)
        assert rp.visit_time(agent) == VisitTime(time(2), time(6, 30))
    for agent in ("BarBot", "*", "Mozilla/5.0 (compatible; MyFooBot/1.0)"):
        assert not rp.can_fetch("https://shop.example/", agent)
        assert (rp.crawl_delay(agent), rp.request_rate(agent), rp.visit_time(agent)) == (None, None, None)
    assert list(rp.sitemaps) == ["https://shop.example/sitemap.xml"]
    assert rp.preferred_host == "shop.example"


def test_a_mistake_is_an_error_and_no_answer() -> None:
    rp = Protego.parse("")
    assert rp.can_fetch("https://shop.example/", "FooBot")
    for url, agent in [("shop.example/", "FooBot"), ("https://shop.example/", ""), ("FooBot", "https://shop.example/")]:
        with pytest.raises(robotsc.RobotsError):
            rp.can_fetch(url, agent)
    with pytest.raises(TypeError, match="expects str"):
        Protego.parse(b"")  # type: ignore[arg-type]


def test_a_subclass_sets_the_dialect() -> None:
    class Strict(Protego):
        dialect = "rfc9309"

    body = "User-agent: *\nDissallow: /cart\n"
    assert not Protego.parse(body).can_fetch("/cart", "FooBot")
    assert Strict.parse(body).can_fetch("/cart", "FooBot")


def test_robotparser_face() -> None:
    rp = RobotFileParser("https://shop.example/robots.txt")
    assert (rp.host, rp.path) == ("shop.example", "/robots.txt")
    assert not rp.can_fetch("FooBot", "https://shop.example/"), "nothing was read"
    assert (rp.crawl_delay("FooBot"), rp.request_rate("FooBot"), rp.site_maps(), rp.mtime()) == (None, None, None, 0)
    rp.parse(BODY.splitlines())
    assert rp.mtime() > 0
    assert rp.can_fetch(HEADER, "https://shop.example/")
    assert not rp.can_fetch("FooBot", "https://shop.example/cart")
    assert not rp.can_fetch("BarBot", "https://shop.example/")
    assert rp.crawl_delay("FooBot") == 2.5
    assert rp.request_rate("FooBot") == (3, 15)
    assert rp.site_maps() == ["https://shop.example/sitemap.xml"]
    rp.parse(["User-agent: FooBot", "Disallow: /help"])
    assert not rp.can_fetch("FooBot", "https://shop.example/help"), "a second call adds lines"
    assert not rp.can_fetch("FooBot", "https://shop.example/cart")


def test_lines_and_texts_that_are_no_utf8() -> None:
    rp = RobotFileParser()
    rp.parse(["User-agent: *", "Disallow: /\ud800"])
    assert rp.can_fetch("FooBot", "/")
    assert Protego.parse("User-agent: *\nDisallow: /\udc80\nDisallow: /x").can_fetch("/x", "FooBot") is False


def test_the_two_behaviours_of_cpython() -> None:
    """CPython follows RFC 9309 in releases after May 2026; before, the draft of 1996."""
    import urllib.robotparser

    is_new = hasattr(urllib.robotparser.RobotFileParser(), "groups")
    cases = [
        # Lines, path, what CPython before and after RFC 9309 answers.
        (["User-agent: *", "Disallow: /a", "Allow: /a/b"], "/a/b", False, True),
        (["User-agent: *", "Disallow: /*.pdf$"], "/x.pdf", True, False),
        (["User-agent: *", "", "Disallow: /a"], "/a", True, False),
        (["User-agent: FooBot", "Disallow: /a", "User-agent: FooBot", "Disallow: /b"], "/b", True, False),
        (["User-agent: *", "Allow: /a", "Disallow: /a"], "/a", True, True),
    ]
    for lines, path, before, after in cases:
        ours, theirs = RobotFileParser(), urllib.robotparser.RobotFileParser()
        ours.parse(lines)
        theirs.parse(lines)
        url = f"https://shop.example{path}"
        assert ours.can_fetch("FooBot", url) is after, lines
        assert theirs.can_fetch("FooBot", url) is (after if is_new else before), lines


def test_robotparser_takes_requests_and_has_attributes(tmp_path: Path) -> None:
    import urllib.request

    file = tmp_path / "robots.txt"
    file.write_text("User-agent: *\nDisallow: /cart\nSitemap: https://shop.example/s.xml\n")
    request = urllib.request.Request(file.as_uri(), headers={"User-Agent": "FooBot"})
    rp = RobotFileParser(request)
    assert (rp.url, rp.path) == (request, str(file))
    assert (rp.entries, rp.default_entry, rp.sitemaps, rp.disallow_all, rp.allow_all) == ([], None, [], False, False)
    rp.read()
    assert not rp.can_fetch("FooBot", "https://shop.example/cart")
    assert rp.sitemaps == ["https://shop.example/s.xml"]
    file.write_text("<html>no</html>")
    with pytest.raises(robotsc.RobotsError, match="it is HTML"):
        RobotFileParser(request).read()
