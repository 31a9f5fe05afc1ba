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

from robotsc._errors import AgentError, PackError, RobotsError, UrlError
from robotsc._native import (
    Crawler,
    FetchedRobots,
    Matcher,
    Pack,
    RobotsTxt,
    __version__,
    allowed_by,
    build_pack,
    census,
    diff,
    lint,
    origin_of,
    origins_of,
    parse,
    verdicts,
)
from robotsc._results import (
    Answer,
    Change,
    Diagnostic,
    Diff,
    ExplainedRule,
    Explanation,
    Finding,
    Preferences,
    RequestRate,
    StatedPreference,
)
from robotsc._types import BodyKind, Dialect, OnDamage, OnError, Outcome, Reason, Require, UnknownUse, Use, Verdict

__all__ = [
    "AgentError",
    "Answer",
    "BodyKind",
    "Change",
    "Crawler",
    "Diagnostic",
    "Dialect",
    "Diff",
    "ExplainedRule",
    "Explanation",
    "FetchedRobots",
    "Finding",
    "Matcher",
    "OnDamage",
    "OnError",
    "Outcome",
    "Pack",
    "PackError",
    "Preferences",
    "Reason",
    "RequestRate",
    "Require",
    "RobotsError",
    "RobotsTxt",
    "StatedPreference",
    "UnknownUse",
    "UrlError",
    "Use",
    "Verdict",
    "__version__",
    "allowed_by",
    "build_pack",
    "census",
    "diff",
    "lint",
    "origin_of",
    "origins_of",
    "parse",
    "verdicts",
]
