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

from typing import TYPE_CHECKING

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
from robotsc._types import BodyKind, Dialect, OnDamage, OnError, Outcome, Reason, Require, UnknownUse, Use, Verdict

if TYPE_CHECKING:
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


def __getattr__(name: str) -> object:
    """Returns a class of answers when it is first asked for: who starts the command needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module 'robotsc' has no attribute {name!r}")
    from robotsc import _results

    value: object = getattr(_results, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
