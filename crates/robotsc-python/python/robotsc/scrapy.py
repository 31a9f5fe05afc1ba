"""robots.txt in Scrapy: a parser, and a middleware that checks every request.

The parser goes behind Scrapy's own middleware::

    ROBOTSTXT_OBEY = True
    ROBOTSTXT_PARSER = "robotsc.scrapy.RobotParser"

The middleware replaces it. In Scrapy 2.14 and later, of several requests that wait for one robots.txt only the first is
checked; this middleware checks all::

    ROBOTSTXT_OBEY = True
    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robotsc.scrapy.RobotsTxtMiddleware": 100,
    }

Settings of both, and of the middleware alone:

| setting | default | meaning |
|---|---|---|
| ``ROBOTSC_DIALECT`` | ``"google"`` | how files, failures and status codes are read |
| ``ROBOTSC_CAUTIOUS`` | ``False`` | 401, 403 and a body that is no robots.txt are failures: nothing is allowed at first
  (middleware) |
| ``ROBOTSC_EXPLAIN`` | ``False`` | log why a request is refused at the level INFO, not DEBUG (middleware) |
| ``ROBOTSC_CRAWL_DELAY`` | ``0`` | the longest ``Crawl-delay`` to obey, in seconds; 0 obeys none (middleware) |
| ``ROBOTSC_CACHE`` | ``None`` | a pack: a robots.txt that it holds is not fetched before it expires, and at the end of
  the crawl what was fetched is added to it; needs ``ROBOTSTXT_USER_AGENT`` (middleware) |
| ``ROBOTSC_CACHE_READ_ONLY`` | ``False`` | leave the pack as it is (middleware) |

The middleware's statistics, besides those of Scrapy's:

| name | counts |
|---|---|
| ``robotsc/forbidden/REASON`` | requests that were refused, by ``robotsc.Reason``: ``rule``, ``server-error``… |
| ``robotsc/outcome/OUTCOME`` | fetches of robots.txt, by ``robotsc.Outcome`` |
| ``robotsc/body_kind/KIND`` | bodies of a success that are no robots.txt, by ``robotsc.BodyKind`` |
| ``robotsc/challenge`` | responses that the server marked as a challenge |
"""

from __future__ import annotations

import logging
import math
import os
import socket
import ssl
import time
from typing import TYPE_CHECKING, Any, Self

from OpenSSL import SSL
from scrapy import exceptions, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Request
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser as _ScrapyParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet import error
from twisted.internet.defer import Deferred

from robotsc import _native
from robotsc._agents import Matchers
from robotsc._errors import AgentError, PackError, RobotsError
from robotsc._results import Answer
from robotsc._types import Dialect, Verdict

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

__all__ = ["RobotParser", "RobotsTxtMiddleware"]

logger = logging.getLogger(__name__)

DEFAULT_DIALECT: Dialect = "google"
"""The dialect without ``ROBOTSC_DIALECT``."""

MAX_REDIRECTS = 5
"""The number of redirects that are followed to a robots.txt (RFC 9309 section 2.3.1.2)."""

_REFUSALS = {202, 401, 403}
"""Statuses with which servers answer crawlers that they do not know."""

_FRAMING = {b"content-length", b"transfer-encoding"}
"""Headers of the body as it was sent. Scrapy checks the length itself, and keeps the header when it decompresses."""


def _scrapys(*names: str) -> tuple[type[BaseException], ...]:
    """Returns exceptions of Scrapy, of those that the installed version has."""
    return tuple(getattr(exceptions, name) for name in names if hasattr(exceptions, name))


_FAILURES: list[tuple[str, tuple[type[BaseException], ...]]] = [
    ("tls", (SSL.Error, ssl.SSLError)),
    ("dns", (*_scrapys("CannotResolveHostError"), error.DNSLookupError, error.UnknownHostError, socket.gaierror)),
    ("timeout", (*_scrapys("DownloadTimeoutError"), error.TimeoutError, error.TCPTimedOutError, TimeoutError)),
    # A download that is cancelled has a body of another size than Scrapy takes, or was stopped by the program.
    ("incomplete", _scrapys("ResponseDataLossError", "DownloadCancelledError", "StopDownload")),
    ("connect", (*_scrapys("DownloadConnectionRefusedError"), error.ConnectError, ConnectionRefusedError)),
    ("protocol", (*_scrapys("UnsupportedURLSchemeError"), exceptions.NotSupported)),
]
"""The names of failures, and the exceptions that mean each. The first that is found among the causes counts."""


def _causes(exception: BaseException | None) -> list[BaseException]:
    """Returns an exception and what it was raised for: Scrapy and Twisted wrap the exception of the connection."""
    causes: list[BaseException] = []
    pending = [exception]
    while pending:
        one = pending.pop()
        if one is None or one in causes:
            continue
        causes.append(one)
        reasons = getattr(one, "reasons", None)
        failures = [getattr(reason, "value", None) for reason in reasons] if isinstance(reasons, list) else []
        pending += [one.__cause__, one.__context__, *failures]
    return causes


def _failure_name(exception: BaseException) -> str:
    """Returns what ``FetchedRobots`` calls a failure."""
    causes = _causes(exception)
    for name, classes in _FAILURES:
        if any(isinstance(cause, classes) for cause in causes):
            return name
    if any(type(cause).__name__ in ("ParseError", "RemoteProtocolError") for cause in causes):
        return "protocol"
    return "incomplete" if any(type(cause).__name__ == "_DataLoss" for cause in causes) else "reset"


_EMPTY = _native.parse(b"")

_BY_FILE = {"rule", "no-rule", "rules"}
"""The reasons that are those of the file."""


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def _dialect(crawler: Crawler | None) -> Dialect:
    if crawler is None:
        return DEFAULT_DIALECT
    dialect: Dialect = crawler.settings.get("ROBOTSC_DIALECT", DEFAULT_DIALECT)
    return dialect


class RobotParser(_ScrapyParser):
    """A parsed robots.txt, with the interface of Scrapy's parsers.

    A server can send any body. One that is no robots.txt has no rules, and a warning names it: Scrapy's middleware
    passes neither the status nor the URL here. ``RobotsTxtMiddleware`` says more, and can take it for a failure.
    """

    def __init__(self, robotstxt_body: bytes, dialect: Dialect = DEFAULT_DIALECT) -> None:
        self.robots = _native.parse(robotstxt_body, dialect, force=True)
        self._matchers = Matchers(self.robots)
        if self.robots.body_kind != "robots":
            message = "A robots.txt is none, but %s: it has no rules, so that all is allowed"
            logger.warning(message, self.robots.body_kind)

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:
        """Parses the body of a response, under ``ROBOTSC_DIALECT``."""
        return cls(robotstxt_body, _dialect(crawler))

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Reports whether an agent may fetch a URL. The agent is a name or a whole ``User-Agent`` header.

        Raises ``robotsc.RobotsError`` if the URL is none, or the agent is empty.
        """
        return self._matchers.matcher(_text(user_agent)).is_allowed(url)

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Returns the longest crawl delay that is stated for an agent, in seconds."""
        return self.robots.crawl_delay(self._matchers.crawler(_text(user_agent)))

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps, each once."""
        return self.robots.sitemaps


class FetchedParser(RobotParser):
    """The robots.txt of an origin as it was fetched: a failure or a missing file counts as the dialect says.

    Receivers of the signal ``robots_parsed`` get one from the middleware.
    """

    def __init__(self, fetched: _native.FetchedRobots) -> None:
        self.fetched = fetched
        self.robots = fetched.robots or _EMPTY
        self._matchers = Matchers(self.robots)

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:
        """Not for use: the middleware makes these itself, since a body alone does not say how the fetch ended."""
        raise NotImplementedError("set ROBOTSTXT_PARSER to robotsc.scrapy.RobotParser")

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Reports whether an agent may fetch a URL of the origin now: not if nothing is known that still counts."""
        return self.verdict(url, user_agent) == "allowed"

    def verdict(self, url: str | bytes, user_agent: str | bytes) -> Verdict:
        """Returns ``allowed``, ``disallowed`` or ``unknown``."""
        return self.fetched.verdict(self._matchers.matcher(_text(user_agent)), url)

    def explain(self, url: str | bytes, user_agent: str | bytes) -> Answer:
        """Returns the verdict for a URL of the origin now, and what decided."""
        return self.fetched.explain(self._matchers.crawler(_text(user_agent)), url)


class _Origin:
    """What is known of an origin, and who waits for its robots.txt."""

    __slots__ = ("parser", "waiting")

    def __init__(self) -> None:
        self.parser: FetchedParser | None = None
        # Each request waits on a Deferred of its own: the result of one that several wait on is what the first of
        # them returns.
        self.waiting: list[Deferred[FetchedParser]] | None = None


class RobotsTxtMiddleware:
    """Checks every request against the robots.txt of its origin: scheme, host and port.

    It keeps the statistics of Scrapy's middleware, sends ``robots_parsed``, and obeys ``dont_obey_robotstxt``. Status
    codes and failures mean what ``ROBOTSC_DIALECT`` says: under ``google`` nothing is allowed while a server fails.
    A robots.txt is fetched again when it expires, after a day or what the server says.

    A URL that is not http, https or ftp raises ``robotsc.UrlError``, except ``data:`` and ``file:``, which are not
    checked. To fetch others, set ``dont_obey_robotstxt`` in the request's meta.
    """

    DOWNLOAD_PRIORITY: int = 1000

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self.crawler = crawler
        self._default_user_agent: str = settings["USER_AGENT"]
        self._user_agent: str | None = settings["ROBOTSTXT_USER_AGENT"]
        self._dialect = _dialect(crawler)
        # So that a wrong setting ends the crawl before it starts.
        _native.parse(b"", self._dialect)
        self._cautious = self._flag("ROBOTSC_CAUTIOUS")
        self._explains = self._flag("ROBOTSC_EXPLAIN")
        self._max_delay = self._seconds("ROBOTSC_CRAWL_DELAY")
        self._origins: dict[str, _Origin] = {}
        cache = settings.get("ROBOTSC_CACHE")
        # Absolute, since a spider can change the working directory before the crawl ends.
        self._cache: str | None = None if cache is None else os.path.abspath(cache)
        writes_cache = self._cache is not None and not self._flag("ROBOTSC_CACHE_READ_ONLY")
        self._pack = None if self._cache is None else self._open_cache(self._cache, writes_cache)
        if writes_cache:
            crawler.signals.connect(self._write_cache, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the middleware; raises ``NotConfigured`` without ``ROBOTSTXT_OBEY``."""
        return cls(crawler)

    def _flag(self, name: str) -> bool:
        """Reads a setting that is true or false. A wrong one ends the crawl before it starts."""
        try:
            return self.crawler.settings.getbool(name)
        except (TypeError, ValueError):
            raise RobotsError(f"{name} is True or False, not {self.crawler.settings.get(name)!r}") from None

    def _seconds(self, name: str) -> float:
        """Reads a setting that is a number of seconds. A wrong one ends the crawl before it starts."""
        try:
            seconds = self.crawler.settings.getfloat(name)
        except (TypeError, ValueError):
            seconds = math.nan
        if not seconds >= 0:
            raise RobotsError(f"{name} is a number of seconds from 0, not {self.crawler.settings.get(name)!r}")
        return seconds

    def _open_cache(self, path: str, writes: bool) -> _native.Pack | None:
        """Opens the cache, if there is one already. A wrong one ends the crawl before it starts."""
        if not self._user_agent:
            raise AgentError("ROBOTSC_CACHE needs ROBOTSTXT_USER_AGENT: set the name of the crawler")
        _native.Crawler(self._user_agent)
        folder = os.path.dirname(os.path.abspath(path))
        if writes and not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
            raise PackError(f"ROBOTSC_CACHE cannot be written: {folder} is no folder that this process can write to")
        if not os.path.exists(path):
            return None
        pack = _native.Pack(path)
        if pack.dialect != self._dialect:
            raise PackError(f"{path} was built under the dialect {pack.dialect}, ROBOTSC_DIALECT is {self._dialect}")
        pack.verdict("https://robots.invalid/", self._user_agent)
        return pack

    def _write_cache(self) -> None:
        """Adds what was fetched to the cache."""
        fetched = [origin.parser.fetched for origin in self._origins.values() if origin.parser is not None]
        if self._cache is None or self._user_agent is None or not fetched:
            return
        # A pack that is there keeps its agents, of which this crawler is one.
        agents = [self._user_agent] if self._pack is None else None
        _native.build_pack(self._cache, fetched, agents=agents, base=self._pack, dialect=self._dialect)

    async def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Lets a request through, or raises ``IgnoreRequest``."""
        if request.meta.get("dont_obey_robotstxt") or request.url.startswith(("data:", "file:")):
            return
        user_agent = self._user_agent or request.headers.get(b"User-Agent", self._default_user_agent)
        assert user_agent is not None
        name = _native.origin_of(request.url)
        if self._pack is not None and self._user_agent and name not in self._origins and self._counts(self._pack, name):
            self._check_by_cache(self._pack, self._user_agent, request)
            return
        parser = await self._parser(name, request)
        verdict = parser.verdict(request.url, user_agent)
        if verdict != "allowed":
            self._forbid(request, parser.explain(request.url, user_agent))
        if self._max_delay > 0:
            self._delay(request, parser.crawl_delay(user_agent))

    def _counts(self, pack: _native.Pack, origin: str) -> bool:
        """Reports whether what the cache holds of an origin counts. A failure does not outlive the crawl that saw it:
        each crawl asks such a host once, and then again when the failure expires.

        A cautious crawl believes only files that have a rule: a pack does not say whether one without came with a 403,
        or was a page of HTML.
        """
        if pack.needs_fetch(origin) or pack._has_failed(origin):
            return False
        return not self._cautious or (self._user_agent is not None and pack._has_rules(origin, self._user_agent))

    def _check_by_cache(self, pack: _native.Pack, user_agent: str, request: Request) -> None:
        if pack.verdict(request.url, user_agent) != "allowed":
            self._forbid(request, pack.explain(request.url, user_agent))
        if self._max_delay > 0:
            self._delay(request, pack.crawl_delay(request.url, user_agent))

    def _forbid(self, request: Request, answer: Answer) -> None:
        """Refuses a request. The message tells a rule of the site from a host whose robots.txt could not be read."""
        what = "Forbidden by robots.txt" if answer.reason in _BY_FILE else "Refused without a readable robots.txt"
        level = logging.INFO if self._explains else logging.DEBUG
        logger.log(
            level,
            "%(what)s: %(request)s: %(reason)s",
            {"what": what, "request": request, "reason": answer},
            extra={"spider": self.crawler.spider},
        )
        self._count("forbidden")
        self._count_own(f"forbidden/{answer.reason}")
        raise IgnoreRequest(f"{what}: {answer}")

    def _count(self, name: str) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(f"robotstxt/{name}")

    def _count_own(self, name: str) -> None:
        """Counts what Scrapy's middleware does not, under a name of its own."""
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(f"robotsc/{name}")

    async def _parser(self, name: str, request: Request) -> FetchedParser:
        """Returns what counts for an origin now; fetches it if nobody does already."""
        origin = self._origins.setdefault(name, _Origin())
        if origin.waiting is not None:
            mine: Deferred[FetchedParser] = Deferred()
            origin.waiting.append(mine)
            return await maybe_deferred_to_future(mine)
        if origin.parser is not None and not origin.parser.fetched.needs_fetch():
            return origin.parser
        origin.waiting = []
        fetched: FetchedParser | None = None
        try:
            fetched = await self._fetch(name, origin.parser, request)
            origin.parser = fetched
        finally:
            waiting, origin.waiting = origin.waiting, None
            for deferred in waiting:
                if fetched is None:
                    # The fetch was cancelled: nothing is known, and nothing goes through unchecked.
                    deferred.errback(IgnoreRequest(f"robots.txt of {name} was not fetched"))
                else:
                    deferred.callback(fetched)
        return fetched

    async def _fetch(self, name: str, before: FetchedParser | None, request: Request) -> FetchedParser:
        """Fetches the robots.txt of an origin; how that ended is part of what it returns."""
        robots_request = Request(
            f"{name}/robots.txt",
            priority=self.DOWNLOAD_PRIORITY,
            meta={"dont_obey_robotstxt": True, "redirect_ttl": MAX_REDIRECTS},
            callback=NO_CALLBACK,
            dont_filter=True,
        )
        self._count("request_count")
        result: dict[str, Any]
        try:
            assert self.crawler.engine is not None
            response = await self.crawler.engine.download_async(robots_request)
        except Exception as exception:
            result = {"error": self._failure(exception, robots_request)}
        else:
            self._count("response_count")
            self._count(f"response_status_count/{response.status}")
            result = self._result(response)
        now = time.time()
        # If the clock was set back, what was known is from the future, and this fetch counts alone.
        known = before.fetched if before is not None and before.fetched.fetched_at <= now else None
        record = _native.FetchedRobots(
            name,
            before=known,
            dialect=self._dialect,
            now=now,
            cautious=self._cautious,
            **result,
        )
        parser = FetchedParser(record)
        self._report(record)
        if "status" in result:
            await self.crawler.signals.send_catch_log_async(
                signal=signals.robots_parsed, robotparser=parser, request=request
            )
        return parser

    def _report(self, fetched: _native.FetchedRobots) -> None:
        """Counts what happened, and says what is no robots.txt though the verdict does not show it."""
        self._count_own(f"outcome/{fetched.outcome}")
        is_other = fetched.body_kind not in (None, "robots")
        if is_other:
            self._count_own(f"body_kind/{fetched.body_kind}")
        if fetched.is_challenge:
            self._count_own("challenge")
        if is_other or fetched.is_challenge or fetched.status in _REFUSALS:
            means = {"rules": "all is allowed", "allow": "all is allowed"}.get(fetched.policy(), "nothing is allowed")
            logger.warning(
                "robots.txt of %(origin)s: %(summary)s: %(means)s",
                {"origin": fetched.origin, "summary": fetched.summary, "means": means},
                extra={"spider": self.crawler.spider},
            )

    def _result(self, response: Response) -> dict[str, Any]:
        result: dict[str, Any] = {
            "status": response.status,
            "body": response.body,
            "redirects": min(response.meta.get("redirect_times", 0), 255),
            "headers": [
                (_text(key), _text(value))
                for key, values in response.headers.items()
                for value in values
                if key.lower() not in _FRAMING
            ],
        }
        if {"dataloss", "download_stopped"} & set(response.flags):
            # A part of a file can lack the part that disallows.
            result["error"] = "incomplete"
        return result

    def _failure(self, exception: Exception, request: Request) -> str:
        """Returns the name of a failure, and counts and logs it as Scrapy does."""
        if isinstance(exception, IgnoreRequest):
            # What other middlewares refuse is not known, so that nothing is allowed.
            return "redirect-loop" if "max redirections reached" in str(exception) else "protocol"
        self._count(f"exception_count/{type(exception)}")
        logger.error(
            "Error downloading %(request)s: %(f_exception)s",
            {"request": request, "f_exception": exception},
            exc_info=exception,
            extra={"spider": self.crawler.spider},
        )
        return _failure_name(exception)

    def _delay(self, request: Request, delay: float | None) -> None:
        """Slows the slot of a request down to the delay that the file states, up to the limit."""
        engine = self.crawler.engine
        if delay is None or engine is None:
            return
        delay = min(delay, self._max_delay)
        downloader = engine.downloader
        key = downloader.get_slot_key(request)
        slot = downloader.slots.get(key)
        if slot is not None:
            slot.delay = max(slot.delay, delay)
        # For the slot that takes its place when it was idle.
        settings = downloader.per_slot_settings.setdefault(key, {})
        settings["delay"] = max(settings.get("delay", self.crawler.settings.getfloat("DOWNLOAD_DELAY")), delay)
