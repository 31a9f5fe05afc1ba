"""Matchers by what a caller has: a bare name, ``*``, or a whole ``User-Agent`` header."""

from __future__ import annotations

from robotsc._native import Crawler, Matcher, RobotsTxt

MAX_KEPT = 64
"""The number of headers whose matchers are kept. Crawlers have few; a program that makes one up each time has many."""


class Matchers:
    """The matchers of a robots.txt, each made once.

    A bare name such as ``FooBot`` is that name. ``*`` is a crawler that no file names. In any other text the names
    that the file knows are looked for, as ``robotsc check --header`` does.
    """

    __slots__ = ("robots", "_crawlers", "_matchers")

    def __init__(self, robots: RobotsTxt) -> None:
        self.robots = robots
        self._crawlers: dict[str, Crawler] = {}
        self._matchers: dict[str, Matcher] = {}

    def crawler(self, user_agent: str) -> Crawler:
        """Returns the crawler that a header names."""
        crawler = self._crawlers.get(user_agent)
        if crawler is None:
            crawler = Crawler.others() if user_agent == "*" else self.robots.crawler(user_agent)
            if len(self._crawlers) >= MAX_KEPT:
                self._crawlers.clear()
            self._crawlers[user_agent] = crawler
        return crawler

    def matcher(self, user_agent: str) -> Matcher:
        """Returns the matcher for a header."""
        matcher = self._matchers.get(user_agent)
        if matcher is None:
            matcher = self.robots.matcher(self.crawler(user_agent))
            if len(self._matchers) >= MAX_KEPT:
                self._matchers.clear()
            self._matchers[user_agent] = matcher
        return matcher
