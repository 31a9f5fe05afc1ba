"""The interface of protego 0.7, with the answers of robotsc.

Change one import::

    from robotsc.compat.protego import Protego

    rp = Protego.parse("User-agent: *\\nDisallow: /cart\\n")
    rp.can_fetch("https://shop.example/cart", "FooBot")  # False

Where the answers differ from protego's, they are those of Google's own parser. A URL, an agent or a robots.txt that is
none raises ``robotsc.RobotsError``; protego answers for it. ``tests/compat/protego.toml`` lists every difference that protego's own
tests show.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import time
from typing import ClassVar, NamedTuple, Self

from robotsc import _native
from robotsc._agents import Matchers
from robotsc._types import Dialect

__all__ = ["Protego", "RequestRate", "VisitTime"]

_MINUTES_OF_DAY = 24 * 60


class RequestRate(NamedTuple):
    """How many requests a crawler may send in which time, and at which time of the day."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """When a crawler may visit the site, UTC."""

    start_time: time
    end_time: time


def _time(minute: int) -> time:
    """Returns a minute of the day as a time. There is no 24:00: the end of the day is its last moment."""
    return time.max if minute == _MINUTES_OF_DAY else time(*divmod(minute, 60))


class Protego:
    """A parsed robots.txt, as protego's class of the same name."""

    dialect: ClassVar[Dialect] = "google"
    """The dialect that files are read under. A subclass can set another one."""

    force: ClassVar[bool] = False
    """Whether what is no robots.txt, such as HTML, is read as a file without rules. A subclass can set it."""

    def __init__(self, content: str = "") -> None:
        if not isinstance(content, str):
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        # What has no UTF-8 form stays a byte sequence of its own, as it does in protego.
        self._robots = _native.parse(content.encode("utf-8", "surrogatepass"), self.dialect, force=self.force)
        self._matchers = Matchers(self._robots)

    @classmethod
    def parse(cls, content: str) -> Self:
        """Parses a robots.txt. Raises ``robotsc.RobotsError`` if it is none."""
        return cls(content)

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Reports whether an agent may fetch a URL. Raises ``robotsc.RobotsError`` if either is none."""
        return self._matchers.matcher(user_agent).is_allowed(url)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Returns the longest crawl delay that is stated for an agent, in seconds."""
        return self._robots.crawl_delay(self._matchers.crawler(user_agent))

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """Returns the slowest request rate that is stated for an agent."""
        rate = self._robots.request_rate(self._matchers.crawler(user_agent))
        if rate is None:
            return None
        start, end = (None, None) if rate.window is None else map(_time, rate.window)
        return RequestRate(rate.requests, rate.seconds, start, end)

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """Returns the first visit time that is stated for an agent."""
        window = self._robots.visit_time(self._matchers.crawler(user_agent))
        return None if window is None else VisitTime(*map(_time, window))

    @property
    def sitemaps(self) -> Iterator[str]:
        """The sitemaps, each once."""
        return iter(self._robots.sitemaps)

    @property
    def preferred_host(self) -> str | None:
        """The last host that the file names."""
        hosts = self._robots.hosts
        return hosts[-1] if hosts else None
