"""The parser and the middleware in Scrapy, against a site on this machine."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")

from OpenSSL import SSL  # noqa: E402
from scrapy import exceptions  # noqa: E402
from twisted.internet import error  # noqa: E402
from twisted.python.failure import Failure  # noqa: E402
from twisted.web.client import ResponseNeverReceived  # noqa: E402

import robotsc  # noqa: E402
from robotsc.scrapy import RobotParser, _failure_name  # noqa: E402
from scrapy_site.site import ROBOTS, Site  # noqa: E402

CRAWL = Path(__file__).parent / "scrapy_site" / "crawl.py"
PATHS = [f"/page/{n}" for n in range(60)] + [f"/private/{n}" for n in range(36)] + [f"/private/open/{n}" for n in range(4)]
ALLOWED = sorted(path for path in PATHS if not path.startswith("/private/") or path.startswith("/private/open/"))


def crawl(
    urls: list[str],
    kind: str,
    concurrency: int = 8,
    meta: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    cwd: Path | None = None,
    chdir: str | None = None,
) -> Any:
    """Crawls URLs in a process of its own."""
    limits = {"CONCURRENT_REQUESTS": concurrency, "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency}
    job = {"urls": urls, "with": kind, "settings": {**limits, **(settings or {})}, "meta": meta or {}, "chdir": chdir}
    command = [sys.executable, str(CRAWL), json.dumps(job)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout.splitlines()[-1])
    result["log"] = run.stderr
    return result


@pytest.mark.parametrize("concurrency", [1, 8, 32])
def test_every_request_is_checked_exactly_once(concurrency: int) -> None:
    with Site() as site:
        urls = [site.url + path for path in PATHS]
        result = crawl(urls, "middleware", concurrency)
        assert site.pages() == ALLOWED
        assert Counter(result["checked"]) == Counter(urls)
        assert site.requested.count("/robots.txt") == 1
    forbidden = len(PATHS) - len(ALLOWED)
    assert result["stats"] == {
        "robotstxt/request_count": 1,
        "robotstxt/response_count": 1,
        "robotstxt/response_status_count/200": 1,
        "robotstxt/forbidden": forbidden,
    }
    assert len(result["failed"]) == forbidden
    assert all("IgnoreRequest: Forbidden by robots.txt" in failure for failure in result["failed"])
    [parsed] = result["parsers"]
    assert (parsed["delay"], parsed["sitemaps"]) == (0.05, ["https://a.example/s"])


@pytest.mark.parametrize("parser", ["protego", "ours"])
def test_scrapys_own_middleware_checks_one_request_after_another(parser: str) -> None:
    with Site() as site:
        urls = [site.url + path for path in PATHS]
        result = crawl(urls, parser, 1)
        assert site.pages() == ALLOWED
        assert Counter(result["checked"]) == Counter(urls)


@pytest.mark.parametrize("parser", ["protego", "ours"])
def test_control_scrapys_own_middleware_lets_requests_through(parser: str) -> None:
    """If this fails, Scrapy was repaired: say so in ``docs/python.md``, and from which version."""
    with Site() as site:
        # All that wait for robots.txt at first are forbidden.
        urls = [site.url + path for path in reversed(PATHS)]
        result = crawl(urls, parser, 32)
        fetched = set(site.pages()) - set(ALLOWED)
        unchecked = set(urls) - set(result["checked"])
    assert fetched, "no forbidden page was fetched"
    assert len(unchecked) >= len(fetched)


@pytest.mark.parametrize(("status", "fetches"), [(404, True), (403, True), (429, False), (500, False), (503, False)])
def test_status_codes_mean_what_the_dialect_says(status: int, fetches: bool) -> None:
    with Site(status=status, wait=0) as site:
        result = crawl([site.url + "/page/1", site.url + "/private/1"], "middleware")
        assert site.pages() == (["/page/1", "/private/1"] if fetches else [])
    assert result["stats"][f"robotstxt/response_status_count/{status}"] == 1
    assert len(result["parsers"]) == 1


def test_status_codes_under_another_dialect() -> None:
    with Site(status=429, wait=0) as site:
        crawl([site.url + "/private/1"], "middleware", settings={"ROBOTSC_DIALECT": "rfc9309"})
        assert site.pages() == ["/private/1"]


def test_redirects_that_do_not_end_are_no_robots_txt() -> None:
    with Site(status=302, wait=0, location="/robots.txt") as site:
        crawl([site.url + "/private/1"], "middleware")
        assert site.pages() == ["/private/1"]
        assert site.requested.count("/robots.txt") == 6


def test_a_host_that_does_not_answer_allows_nothing() -> None:
    with Site(wait=0) as site:
        url = site.url
    result = crawl([f"{url}/page/{n}" for n in range(5)], "middleware")
    assert result["fetched"] == []
    assert len(result["failed"]) == 5
    assert [value for key, value in result["stats"].items() if "exception_count" in key] == [1]
    assert result["parsers"] == []


def test_origins_and_not_hosts_are_the_key() -> None:
    with Site(wait=0) as open_site, Site(wait=0, robots=b"User-agent: *\nDisallow: /\n") as closed_site:
        crawl([open_site.url + "/page/1", closed_site.url + "/page/1"], "middleware")
        assert (open_site.pages(), closed_site.pages()) == (["/page/1"], [])


def test_what_is_not_checked_and_what_has_no_origin() -> None:
    with Site(wait=0, robots=b"User-agent: *\nDisallow: /\n") as site:
        crawl([site.url + "/page/1"], "middleware", meta={"dont_obey_robotstxt": True})
        assert site.requested == ["/page/1"]
    result = crawl(["data:,text", "s3://bucket/key"], "middleware")
    assert result["fetched"] == ["data:,text"]
    assert "UrlError: robots.txt rules apply to http, https and ftp URLs only" in result["failed"][0]


def test_the_log_explains() -> None:
    with Site(wait=0) as site:
        result = crawl([site.url + "/private/1"], "middleware", settings={"ROBOTSC_EXPLAIN": True})
    assert "disallowed by line 2: Disallow: /private/" in result["log"]
    with Site(wait=0, status=503) as site:
        result = crawl([site.url + "/private/1"], "middleware", settings={"ROBOTSC_EXPLAIN": True})
    assert "Refused without a readable robots.txt" in result["log"]
    assert "robots.txt: 503 Service Unavailable, which counts as a failure" in result["log"]
    with Site(wait=0, status=429) as site:
        result = crawl([site.url + "/private/1"], "middleware", settings={"ROBOTSC_EXPLAIN": True})
    assert "429 Too Many Requests" in result["log"]
    assert "unreachable" not in result["failed"][0]
    assert "429 Too Many Requests" in result["failed"][0]
    assert result["own_stats"] == {"robotsc/forbidden/unreachable": 1, "robotsc/outcome/unreachable": 1}


@pytest.mark.parametrize(
    ("status", "body", "summary", "is_allowed"),
    [
        (202, b"<html>wait</html>", "202 Accepted with HTML in place of a robots.txt", False),
        (403, b"<html>no</html>", "403 Forbidden", True),
        (200, b"<html>log in</html>", "200 OK with HTML in place of a robots.txt", True),
        (200, b"\x1f\x8b\x08\x00", "200 OK with gzip data in place of a robots.txt", True),
    ],
)
def test_what_came_in_place_of_a_robots_txt_is_named(status: int, body: bytes, summary: str, is_allowed: bool) -> None:
    with Site(wait=0, status=status, robots=body) as site:
        result = crawl([site.url + "/private/1"], "middleware")
        assert site.pages() == (["/private/1"] if is_allowed else [])
        assert f"robots.txt of {site.url}: {summary}" in result["log"]
        crawl([site.url + "/private/1"], "middleware", settings={"ROBOTSC_CAUTIOUS": True})
        assert site.pages() == (["/private/1"] if is_allowed else []), "a cautious crawler takes it for a failure"


def test_a_failure_does_not_outlive_the_crawl(tmp_path: Path) -> None:
    options = {"ROBOTSC_CACHE": str(tmp_path / "robots.pack"), "ROBOTSTXT_USER_AGENT": "FooBot"}
    with Site(wait=0) as site:
        site.status = 503
        crawl([site.url + "/page/1"], "middleware", settings=options)
        assert site.pages() == []
        site.status = 200
        crawl([site.url + "/page/1"], "middleware", settings=options)
        assert site.pages() == ["/page/1"], "the host is asked again"
        assert site.requested.count("/robots.txt") == 2


@pytest.mark.parametrize(("limit", "is_slow"), [(0, False), (10, True), (0.01, False)])
def test_the_crawl_delay_slows_the_slot_down(limit: float, is_slow: bool) -> None:
    with Site(wait=0, robots=b"User-agent: *\nCrawl-delay: 0.5\n") as site:
        urls = [f"{site.url}/page/{n}" for n in range(5)]
        crawl(urls, "middleware", 1, settings={"ROBOTSC_CRAWL_DELAY": limit, "RANDOMIZE_DOWNLOAD_DELAY": False})
        gaps = site.gaps()
    assert len(gaps) == 4
    # A busy machine makes gaps longer, never all of them.
    assert (min(gaps) > 0.4) is is_slow, gaps


def test_parser() -> None:
    parser = RobotParser(ROBOTS)
    header = b"Mozilla/5.0 (compatible; FooBot/2.1; +http://foo.example/)"
    assert parser.allowed(b"https://a.example/page", header)
    assert not parser.allowed("https://a.example/private/x", "FooBot")
    assert parser.crawl_delay(header) == 0.05
    assert parser.sitemaps == ["https://a.example/s"]
    with pytest.raises(robotsc.UrlError):
        parser.allowed("a.example/page", "FooBot")


def test_the_cache_keeps_what_was_fetched(tmp_path: Path) -> None:
    cache = tmp_path / "robots.pack"
    options = {"ROBOTSC_CACHE": str(cache), "ROBOTSTXT_USER_AGENT": "FooBot"}
    with Site(wait=0) as site, Site(wait=0) as other:
        urls = [site.url + path for path in PATHS]
        crawl(urls, "middleware", settings=options)
        assert site.requested.count("/robots.txt") == 1
        site.requested.clear()
        result = crawl(urls, "middleware", settings={**options, "ROBOTSC_EXPLAIN": True})
        assert site.requested.count("/robots.txt") == 0, "it did not expire"
        assert site.pages() == ALLOWED
        assert result["stats"] == {"robotstxt/forbidden": len(PATHS) - len(ALLOWED)}
        assert "disallowed by line 2" in result["log"]
        crawl([other.url + "/page/1"], "middleware", settings=options)
        with robotsc.Pack(cache) as pack:
            assert len(pack) == 2
            assert pack.verdict(site.url + "/private/1", "FooBot") == "disallowed"
            bytes_before = cache.read_bytes()
        crawl([site.url + "/page/1"], "middleware", settings={**options, "ROBOTSC_CACHE_READ_ONLY": True})
        assert cache.read_bytes() == bytes_before


def test_a_cautious_crawl_does_not_believe_what_the_cache_allows(tmp_path: Path) -> None:
    options = {"ROBOTSC_CACHE": str(tmp_path / "robots.pack"), "ROBOTSTXT_USER_AGENT": "FooBot"}
    cautious = {**options, "ROBOTSC_CAUTIOUS": True}
    for status, body in [(200, b"<html>log in</html>"), (403, b"")]:
        with Site(wait=0, status=status, robots=body) as site:
            crawl([site.url + "/page/1"], "middleware", settings=options)
            assert site.pages() == ["/page/1"]
            site.requested.clear()
            crawl([site.url + "/page/1"], "middleware", settings=cautious)
            assert site.requested == ["/robots.txt"], "a pack does not say what came in place of rules"
    with Site(wait=0) as site:
        crawl([site.url + "/page/1"], "middleware", settings=options)
        site.requested.clear()
        crawl([site.url + "/page/1", site.url + "/private/1"], "middleware", settings=cautious)
        assert site.requested == ["/page/1"], "a file with rules is one"


def test_a_small_file_that_was_compressed_is_read(tmp_path: Path) -> None:
    small = b"User-agent: *\nDisallow: /private/\n"
    packed = gzip.compress(small)
    assert len(packed) > len(small)
    with Site(wait=0, robots=packed, headers={"Content-Encoding": "gzip"}) as site:
        result = crawl([site.url + "/page/1", site.url + "/private/1"], "middleware")
        assert site.pages() == ["/page/1"]
    assert result["own_stats"] == {"robotsc/forbidden/rule": 1, "robotsc/outcome/rules": 1}
    with Site(wait=0, robots=packed, headers={"Content-Encoding": "gzip"}) as site:
        crawl([site.url + "/page/1"], "middleware", settings={"COMPRESSION_ENABLED": False})
        assert site.pages() == [], "it was not decompressed"
    with Site(wait=0, robots=small, headers={"Content-Length": "900", "Connection": "close"}) as site:
        result = crawl([site.url + "/page/1"], "middleware", settings={"ROBOTSC_EXPLAIN": True})
        assert site.pages() == []
        assert "a body that broke off" in result["log"]


def test_failures_have_their_names() -> None:
    # Twisted has no types.
    twisted: Any = error
    never: Any = ResponseNeverReceived
    failure: Any = Failure
    chained = exceptions.DownloadFailedError("failed")
    chained.__cause__ = never([failure(SSL.Error([("SSL routines", "", "bad")]))])
    lost = exceptions.DownloadFailedError("failed")
    lost.__cause__ = never([failure(twisted.ConnectionLost())])
    for exception, name in [
        (exceptions.CannotResolveHostError(), "dns"),
        (twisted.DNSLookupError(), "dns"),
        (exceptions.DownloadConnectionRefusedError(), "connect"),
        (twisted.ConnectionRefusedError(), "connect"),
        (twisted.NoRouteError(), "connect"),
        (exceptions.DownloadTimeoutError(), "timeout"),
        (twisted.TimeoutError(), "timeout"),
        (twisted.TCPTimedOutError(), "timeout"),
        (TimeoutError(), "timeout"),
        (exceptions.DownloadCancelledError(), "incomplete"),
        (exceptions.ResponseDataLossError(), "incomplete"),
        (exceptions.StopDownload(), "incomplete"),
        (exceptions.UnsupportedURLSchemeError(), "protocol"),
        (chained, "tls"),
        (lost, "reset"),
        (exceptions.DownloadFailedError(), "reset"),
        (RuntimeError(), "reset"),
    ]:
        assert _failure_name(exception) == name, exception
        robotsc.FetchedRobots("https://shop.example", error=name)


def test_the_log_names_the_failure() -> None:
    with Site(wait=0) as site:
        port = site.url.rpartition(":")[2]
        urls = [f"https://127.0.0.1:{port}/page/1", "http://robots.invalid/page/1", "http://127.0.0.1:1/page/1"]
        result = crawl(urls, "middleware", settings={"ROBOTSC_EXPLAIN": True})
    tls, refused, dns = result["failed"][2], result["failed"][0], result["failed"][1]
    assert "no connection" in refused
    assert "no address for the host" in dns
    assert "no secure connection" in tls
    with Site(wait=3) as site:
        result = crawl([site.url + "/page/1"], "middleware", settings={"DOWNLOAD_TIMEOUT": 1})
        assert "a timeout" in result["failed"][0]


def test_a_relative_cache_is_that_of_the_start(tmp_path: Path) -> None:
    options = {"ROBOTSC_CACHE": "robots.pack", "ROBOTSTXT_USER_AGENT": "FooBot"}
    (tmp_path / "other").mkdir()
    with Site(wait=0) as site:
        crawl([site.url + "/page/1"], "middleware", settings=options, cwd=tmp_path, chdir=str(tmp_path / "other"))
    assert (tmp_path / "robots.pack").exists()
    assert not (tmp_path / "other" / "robots.pack").exists()


def test_wrong_settings_end_the_crawl_before_it_starts(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"ROBOTSC_DIALECT": "bing"}, "no dialect is called"),
        ({"ROBOTSC_CACHE": str(tmp_path / "none.pack")}, "ROBOTSC_CACHE needs ROBOTSTXT_USER_AGENT"),
        ({"ROBOTSC_CACHE": str(tmp_path), "ROBOTSTXT_USER_AGENT": "FooBot"}, "it is a folder"),
        ({"ROBOTSC_CACHE": str(tmp_path / "no" / "x.pack"), "ROBOTSTXT_USER_AGENT": "FooBot"}, "is no folder"),
        ({"ROBOTSC_CRAWL_DELAY": -5}, "ROBOTSC_CRAWL_DELAY is a number of seconds from 0, not -5"),
        ({"ROBOTSC_CRAWL_DELAY": "x"}, "ROBOTSC_CRAWL_DELAY is a number of seconds from 0, not 'x'"),
        ({"ROBOTSC_CRAWL_DELAY": "nan"}, "ROBOTSC_CRAWL_DELAY is a number of seconds from 0, not 'nan'"),
        ({"ROBOTSC_CAUTIOUS": "perhaps"}, "ROBOTSC_CAUTIOUS is True or False, not 'perhaps'"),
        ({"ROBOTSC_CACHE": "x.pack", "ROBOTSTXT_USER_AGENT": "FooBot/2.1"}, "an agent name cannot contain '/'"),
    ]
    for settings, message in wrong:
        with Site(wait=0) as site:
            result = crawl([site.url + "/page/1"], "middleware", settings=settings)
            assert site.requested == []
        assert message in result["log"]
