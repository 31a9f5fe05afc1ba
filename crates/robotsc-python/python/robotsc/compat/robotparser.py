"""The interface of ``urllib.robotparser``, with the answers of robotsc.

Change one import::

    from robotsc.compat.robotparser import RobotFileParser

    rp = RobotFileParser()
    rp.parse(["User-agent: *", "Disallow: /cart"])
    rp.can_fetch("FooBot", "https://shop.example/cart")  # False

Files are read as RFC 9309 says. So does CPython 3.15, and 3.13 and 3.14 in their releases after May 2026, with small
differences. CPython before follows the draft of 1996: the first rule that matches decides, ``*`` and ``$`` are plain
signs, and the first group that names an agent counts alone. ``tests/compat/robotparser.toml`` lists every difference that the tests of
CPython 3.11 show, and ``tests/test_compat.py`` has both behaviours.

A URL, an agent or a robots.txt that is none raises ``robotsc.RobotsError``. So does a URL of another origin than that of
the robots.txt, if its URL is known: CPython looks at the path alone.

``url``, ``host``, ``path``, ``disallow_all``, ``allow_all``, ``last_checked``, ``sitemaps``, ``entries`` and
``default_entry`` are there. The last two, which CPython fills with objects of its own, are always empty.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from robotsc import _native
from robotsc._agents import Matchers
from robotsc._errors import RobotsError
from robotsc._types import Dialect

__all__ = ["RequestRate", "RobotFileParser"]

_MAX_BYTES = 1 << 20
"""The bytes of a response that are read: no dialect reads more than about half of it."""


class RequestRate(NamedTuple):
    """How many requests a crawler may send in how many seconds."""

    requests: int
    seconds: int


class RobotFileParser:
    """A robots.txt, as ``urllib.robotparser``'s class of the same name."""

    dialect: ClassVar[Dialect] = "rfc9309"
    """The dialect that files are read under. A subclass can set another one."""

    force: ClassVar[bool] = False
    """Whether what is no robots.txt, such as HTML, is read as a file without rules. A subclass can set it."""

    def __init__(self, url: str | urllib.request.Request = "") -> None:
        self.entries: list[object] = []
        self.default_entry: object | None = None
        self.disallow_all = False
        self.allow_all = False
        self.last_checked = 0.0
        self._body = b""
        self._matchers: Matchers | None = None
        self.set_url(url)

    def set_url(self, url: str | urllib.request.Request) -> None:
        """Sets the URL of the robots.txt, or the request that ``read`` sends, with headers of its own."""
        if not isinstance(url, str | urllib.request.Request):
            raise TypeError(f"url is a str or a urllib.request.Request, not {type(url).__name__}")
        self.url = url
        self.host, self.path = urllib.parse.urlsplit(self._url_text())[1:3]

    def _url_text(self) -> str:
        return self.url.full_url if isinstance(self.url, urllib.request.Request) else self.url

    def _matchers_of(self, body: bytes) -> Matchers:
        """Returns matchers for a body. They take URLs of the origin of ``url`` alone, if that is one of http or ftp."""
        url = self._url_text()
        has_origin = urllib.parse.urlsplit(url).scheme in ("http", "https", "ftp")
        origin = _native.origin_of(url) if has_origin else None
        return Matchers(_native.parse(body, self.dialect, origin=origin, force=self.force))

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps, each once; ``site_maps`` returns ``None`` if there are none."""
        return self._matchers.robots.sitemaps if self._matchers else []

    def mtime(self) -> float:
        """Returns when the file was last read, in seconds since 1970; 0 if it was not."""
        return self.last_checked

    def modified(self) -> None:
        """Sets the time at which the file was last read to now."""
        self.last_checked = time.time()

    def read(self) -> None:
        """Fetches the file and parses it. What was read or parsed before counts no longer, even if this fails.

        401 and 403 disallow everything, any other 4xx allows everything, and after any other failure nothing is
        allowed, as in ``urllib``. Raises what ``urllib.request.urlopen`` raises, such as ``URLError``. Raises
        ``robotsc.RobotsError`` if the server sent something else than a robots.txt, a body that its headers contradict,
        or a status that the dialect takes for no success, such as 202: nothing is allowed then.
        """
        self._body, self._matchers = b"", None
        self.disallow_all = self.allow_all = False
        self.last_checked = 0.0
        try:
            with urllib.request.urlopen(self.url) as response:
                body = response.read(_MAX_BYTES)
        except urllib.error.HTTPError as error:
            with error:
                if error.code in (401, 403):
                    self.disallow_all = True
                elif 400 <= error.code < 500:
                    # For these URLs, and for no others.
                    self._matchers = self._matchers_of(b"")
                    self.allow_all = True
                elif 500 <= error.code < 600:
                    self.disallow_all = True
        else:
            if isinstance(response, http.client.HTTPResponse):
                self._check(response, body)
            self._parse(body)

    def _check(self, response: http.client.HTTPResponse, body: bytes) -> None:
        """Raises ``robotsc.RobotsError`` if a response is no whole robots.txt under the dialect."""
        fetched = _native.FetchedRobots(
            self._url_text(),
            status=response.status,
            body=body,
            headers=response.getheaders(),
            dialect=self.dialect,
        )
        if fetched.outcome != "rules":
            raise RobotsError(f"no robots.txt of {fetched.origin}: {fetched.summary}: nothing is allowed")

    def parse(self, lines: Iterable[str]) -> None:
        """Parses lines of a file; those of a second call come after those of the first.

        Raises ``robotsc.RobotsError`` if they are no robots.txt, ``TypeError`` for a text in place of lines.
        """
        if isinstance(lines, str | bytes):
            # Its characters would be lines, none of them a rule.
            raise TypeError("parse() takes the lines of a robots.txt: call splitlines() on its text")
        text = "\n".join(line.rstrip("\r\n") for line in lines)
        self._parse(text.encode("utf-8", "surrogatepass"))

    def _parse(self, body: bytes) -> None:
        whole = self._body + body + b"\n"
        self._matchers = self._matchers_of(whole)
        self._body = whole
        self.modified()

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Reports whether an agent may fetch a URL: not before the file was read.

        Raises ``robotsc.RobotsError`` if either is none, or if the URL is of another origin than ``url``.
        """
        # Checked in every state, so that a mistake is an error after a 404, too.
        matchers = self._matchers or self._matchers_of(b"")
        is_allowed = matchers.matcher(useragent).is_allowed(url)
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        return is_allowed and self._matchers is not None and self.last_checked > 0

    def crawl_delay(self, useragent: str) -> float | None:
        """Returns the longest crawl delay that is stated for an agent, in seconds."""
        if self._matchers is None or not self.mtime():
            return None
        return self._matchers.robots.crawl_delay(self._matchers.crawler(useragent))

    def request_rate(self, useragent: str) -> RequestRate | None:
        """Returns the slowest request rate that is stated for an agent."""
        if self._matchers is None or not self.mtime():
            return None
        rate = self._matchers.robots.request_rate(self._matchers.crawler(useragent))
        return None if rate is None else RequestRate(rate.requests, rate.seconds)

    def site_maps(self) -> list[str] | None:
        """Returns the sitemaps, each once; ``None`` if there are none."""
        return self.sitemaps or None

    def __str__(self) -> str:
        """Returns the file as it was read."""
        return self._body.decode("utf-8", "replace").rstrip("\n")
