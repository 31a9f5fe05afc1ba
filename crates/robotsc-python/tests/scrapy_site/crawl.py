"""Crawls a list of URLs and prints what happened, as JSON. A process of its own: a reactor starts only once.

The argument is JSON: urls, settings, and which parser counts the questions (protego, ours, middleware).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.robotstxt import ProtegoRobotParser

from robotsc.scrapy import FetchedParser, RobotParser

JOB = json.loads(sys.argv[1])
CHECKED: Counter[str] = Counter()
SECONDS = [0.0]


def counted(answer: Any) -> Any:
    """Wraps a method that answers for a URL, so that questions and their time are counted."""

    def count(self: Any, url: Any, user_agent: Any) -> Any:
        start = time.thread_time()
        try:
            return answer(self, url, user_agent)
        finally:
            SECONDS[0] += time.thread_time() - start
            CHECKED[str(url)] += 1

    return count


class CountingProtego(ProtegoRobotParser):
    """Scrapy's own parser."""

    allowed = counted(ProtegoRobotParser.allowed)


class CountingOurs(RobotParser):
    """Ours behind Scrapy's middleware."""

    allowed = counted(RobotParser.allowed)


class Pages(scrapy.Spider):
    """Asks for each URL once."""

    name = "pages"
    fetched: list[str] = []
    failed: list[str] = []
    parsers: list[dict[str, Any]] = []

    @classmethod
    def from_crawler(cls, crawler: Any, *arguments: Any, **options: Any) -> Any:
        spider = super().from_crawler(crawler, *arguments, **options)
        crawler.signals.connect(cls.robots_parsed, signal=signals.robots_parsed)
        return spider

    @classmethod
    def robots_parsed(cls, robotparser: Any, request: Any) -> None:
        cls.parsers.append({
            "delay": robotparser.crawl_delay("FooBot"),
            "sitemaps": getattr(robotparser, "sitemaps", None),
            "for": request.url,
        })

    async def start(self) -> AsyncIterator[Any]:
        if JOB.get("chdir"):
            os.chdir(JOB["chdir"])
        for url in JOB["urls"]:
            yield scrapy.Request(url, errback=self.note, meta=JOB.get("meta", {}))

    def parse(self, response: Any) -> None:
        self.fetched.append(response.url)

    def note(self, failure: Any) -> None:
        self.failed.append(f"{failure.request.url} {failure.type.__name__}: {failure.value}")


MIDDLEWARE = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "robotsc.scrapy.RobotsTxtMiddleware": 100,
}

settings: dict[str, Any] = {
    "ROBOTSTXT_OBEY": True,
    "LOG_LEVEL": "INFO",
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "USER_AGENT": "Mozilla/5.0 (compatible; FooBot/2.1; +http://foo.example/)",
    **JOB["settings"],
}
if JOB["with"] == "protego":
    settings["ROBOTSTXT_PARSER"] = CountingProtego
elif JOB["with"] == "ours":
    settings["ROBOTSTXT_PARSER"] = CountingOurs
else:
    settings["DOWNLOADER_MIDDLEWARES"] = MIDDLEWARE
    FetchedParser.verdict = counted(FetchedParser.verdict)  # type: ignore[method-assign]

process = CrawlerProcess(settings)
crawler = process.create_crawler(Pages)
begin = time.perf_counter()
process.crawl(crawler)
process.start()
print(json.dumps({
    "seconds": time.perf_counter() - begin,
    "check_seconds": SECONDS[0],
    "fetched": sorted(Pages.fetched),
    "failed": sorted(Pages.failed),
    "checked": CHECKED,
    "parsers": Pages.parsers,
    "stats": {key: value for key, value in crawler.stats.get_stats().items() if key.startswith("robotstxt/")},
    "own_stats": {key: value for key, value in crawler.stats.get_stats().items() if key.startswith("robotsc/")},
}))
