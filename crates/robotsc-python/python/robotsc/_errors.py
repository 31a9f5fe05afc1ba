"""The exceptions. All are ``RobotsError``, which is a ``ValueError``."""

from __future__ import annotations

__all__ = ["AgentError", "PackError", "RobotsError", "UrlError"]


class RobotsError(ValueError):
    """A question that has no answer. The message says what to write instead."""

    __module__ = "robotsc"


class AgentError(RobotsError):
    """The agent is no agent name, such as ``FooBot/2.1``; or a pack was built for other agents."""

    __module__ = "robotsc"


class UrlError(RobotsError):
    """The URL has no path on this site: no host, another scheme or origin, a lone surrogate.

    >>> try:
    ...     robotsc.parse(b"").matcher("FooBot").allowed(["/", "shop.example/"])
    ... except robotsc.UrlError as error:
    ...     error.index, error.url
    (1, 'shop.example/')
    """

    __module__ = "robotsc"

    index: int | None = None
    """The place of the URL in a batch, from 0; ``None`` if one URL was asked for."""

    url: str | None = None
    """The URL, as text; ``None`` if there is none in its place. Bytes that are no UTF-8 are escaped."""


class PackError(RobotsError):
    """The pack cannot be read, was altered, is closed, or was built for another dialect."""

    __module__ = "robotsc"
