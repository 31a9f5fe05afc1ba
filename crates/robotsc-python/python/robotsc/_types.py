"""Types of arguments and answers."""

from __future__ import annotations

import enum
from typing import Literal, NoReturn, TypeAlias

__all__ = ["BodyKind", "Dialect", "OnDamage", "OnError", "Outcome", "Reason", "Require", "UnknownUse", "Use", "Verdict"]


class Verdict(enum.StrEnum):
    """What a pack or a fetched robots.txt answers: a ``str``, ``allowed``, ``disallowed`` or ``unknown``.

    It has no truth value, since ``unknown`` is no allow: compare it, or ask ``is_allowed``.

    >>> robotsc.Verdict("unknown") == "unknown", robotsc.Verdict.UNKNOWN.is_allowed
    (True, False)
    """

    __module__ = "robotsc"

    ALLOWED = "allowed"
    """The URL may be fetched."""
    DISALLOWED = "disallowed"
    """The URL may not be fetched."""
    UNKNOWN = "unknown"
    """Nothing that still counts is known of the origin: fetch its robots.txt first."""

    @property
    def is_allowed(self) -> bool:
        """Whether the URL may be fetched: ``False`` for ``unknown``."""
        return self == "allowed"

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value, since 'unknown' is no allow: ask verdict == 'allowed'")


Dialect: TypeAlias = Literal["google", "rfc9309", "google-2017", "google-2019", "yandex"]
"""How files, paths and failed fetches are read."""

OnDamage: TypeAlias = Literal["raise", "warn"]
"""What becomes of a capture of a source that cannot be read."""

OnError: TypeAlias = Literal["raise", "null"]
"""What becomes of a URL without an answer in a batch."""

Require: TypeAlias = Literal["all", "any"]
"""Who must be allowed, of several agents."""

Use: TypeAlias = Literal["train", "input", "search"]
"""What pages are wanted for: to train a model, as input of one that answers, for a search index."""

UnknownUse: TypeAlias = Literal["allow", "deny"]
"""What to do with pages of which the site says neither yes nor no to a use."""

Outcome: TypeAlias = Literal["rules", "missing", "too many redirects", "server error", "unreachable", "not modified"]
"""How the fetch of a robots.txt ended."""

Reason: TypeAlias = Literal[
    "rule",
    "no-rule",
    "rules",
    "robots-txt",
    "unavailable",
    "redirects",
    "server-error",
    "unreachable",
    "not-held",
    "expired",
    "copy-not-held",
    "failed-once",
    "future",
    "use-refused",
    "use-unknown",
]
"""Why a verdict is what it is.

| reason | |
|---|---|
| ``rule`` | a rule decides |
| ``no-rule`` | there are rules, and none of them matches |
| ``rules`` | the rules of a pack that was built without the lines of rules |
| ``robots-txt`` | the URL is that of robots.txt, which is always allowed |
| ``unavailable`` | there is no robots.txt |
| ``redirects``, ``server-error``, ``unreachable`` | how the last fetch of robots.txt ended |
| ``not-held`` | robots.txt was never fetched |
| ``expired`` | what is known expired more than 30 days ago |
| ``copy-not-held`` | the server says that a copy is current which is not held |
| ``failed-once`` | a fetch failed, and nobody tried again |
| ``future`` | the last fetch is in the future: a clock is wrong |
| ``use-refused`` | the page may be fetched, and the site says no to the use |
| ``use-unknown`` | the page may be fetched, and the site says neither yes nor no to the use |
"""

BodyKind: TypeAlias = Literal[
    "robots",
    "html",
    "xml",
    "json",
    "utf-16",
    "one-line",
    "text",
    "gzip",
    "zstd",
    "compressed",
    "zip",
    "pdf",
    "image",
    "binary",
]
"""What a body is: a robots.txt, or what a server sent in its place."""
