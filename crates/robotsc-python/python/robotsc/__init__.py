"""Answers "may my crawler fetch this URL?" as Google's own robots.txt parser does.

>>> import robotsc
>>> robots = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\nAllow: /cart/help\\n")
>>> robots.is_allowed("FooBot", "https://shop.example/cart/help")
True
>>> robots.matcher("FooBot").allowed(["https://shop.example/", "https://shop.example/cart"])
[True, False]

A mistake is an exception, never an answer:

>>> robots.is_allowed("FooBot", "shop.example/cart")
Traceback (most recent call last):
robotsc.UrlError: neither a URL nor a path: write 'https://' or 'http://' before the host, or '/' before a path
"""

from robotsc._native import (
    AgentError,
    Change,
    Crawler,
    Diagnostic,
    Diff,
    ExplainedRule,
    Explanation,
    FetchedRobots,
    Finding,
    Matcher,
    Pack,
    PackError,
    Preferences,
    RequestRate,
    RobotsError,
    RobotsTxt,
    StatedPreference,
    UrlError,
    allowed_by,
    build_pack,
    diff,
    lint,
    origin_of,
    origins_of,
    parse,
)

__all__ = [
    "AgentError",
    "Change",
    "Crawler",
    "Diagnostic",
    "Diff",
    "ExplainedRule",
    "Explanation",
    "FetchedRobots",
    "Finding",
    "Matcher",
    "Pack",
    "PackError",
    "Preferences",
    "RequestRate",
    "RobotsError",
    "RobotsTxt",
    "StatedPreference",
    "UrlError",
    "allowed_by",
    "build_pack",
    "diff",
    "lint",
    "origin_of",
    "origins_of",
    "parse",
]
