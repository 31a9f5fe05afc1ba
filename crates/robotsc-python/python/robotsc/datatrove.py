"""A filter for pipelines of datatrove: keeps the documents that crawlers may fetch, by a pack of robots.txt files.

>>> from datatrove.executor import LocalPipelineExecutor
>>> from datatrove.pipeline.readers import JsonlReader
>>> from datatrove.pipeline.writers import JsonlWriter
>>> from robotsc.datatrove import RobotsFilter
>>> pages = RobotsFilter("all.pack", ["GPTBot", "CCBot"], require="all", use="train", unknown_use="deny")
>>> LocalPipelineExecutor([JsonlReader("pages"), pages, JsonlWriter("kept")], tasks=8).run()  # doctest: +SKIP
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import Any, Literal, SupportsFloat

from datatrove.data import Document
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.writers.disk_base import DiskWriter

import robotsc
from robotsc._types import Require, UnknownUse, Use

__all__ = ["RobotsFilter"]


class RobotsFilter(BaseFilter):  # type: ignore[misc]  # datatrove has no types
    """Keeps documents whose URL the agents may fetch.

    What is not known to be allowed is dropped: also a document without a URL, and one with a URL that is none. Each
    is dropped for a reason, which the statistics count, as ``dropped_rule``: a word of ``robotsc.Reason``, ``no-url``
    or ``bad-url``.

    Args:
        pack: the path of a pack. Each worker opens it when its first documents come.
        agents: names, or ``robotsc.Crawler`` objects.
        require: ``all`` or ``any`` of the agents; with one agent it is not needed. There is no default.
        use: what the documents are wanted for: ``train``, ``input`` or ``search``. The pack needs preferences.
        unknown_use: with ``use``, whether to ``allow`` or ``deny`` pages of which the site says neither yes nor no.
        unknown: whether to ``drop`` or ``keep`` documents of which nothing is known: see ``Verdict.UNKNOWN``. What is
            kept is counted as ``kept_not-held``.
        url_key: the key of the URL in the metadata.
        now: the time to answer for, in seconds since 1970. Without it, that at which the filter is made, so that all
            workers answer for one time.
        trusted: open the pack without comparing its checksums, which each worker else does.
        exclusion_writer: writes what is dropped, with ``filter_reason``.
        batch_size: how many documents are answered at once.

    Raises ``AgentError`` for what is no agent, ``TypeError`` for ``use`` without ``unknown_use`` and for several agents
    without ``require``; while it runs, ``PackError`` for what is no pack, ``AgentError`` for an agent that the pack was
    not built for.
    """

    name = "🤖 robots.txt"

    def __init__(
        self,
        pack: str | os.PathLike[str],
        agents: Iterable[str | robotsc.Crawler],
        *,
        require: Require | None = None,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        unknown: Literal["drop", "keep"] = "drop",
        url_key: str = "url",
        now: SupportsFloat | None = None,
        trusted: bool = False,
        exclusion_writer: DiskWriter | None = None,
        batch_size: int = 1_000,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        if unknown not in ("drop", "keep"):
            raise robotsc.RobotsError(f"unknown is 'drop' or 'keep', not {unknown!r}")
        self.agents = agents if isinstance(agents, str) else list(agents)
        if require is None and len(self.agents) > 1 and not isinstance(agents, str):
            raise TypeError("several agents without require: pass require='all' or require='any'")
        self.pack = os.path.abspath(pack)
        self.asked: dict[str, Any] = {"require": require or "all", "use": use, "unknown_use": unknown_use}
        # Before any document is read: what is wrong with these arguments raises here.
        robotsc.verdicts([], self.agents, robots=b"", **self.asked)
        self.now = time.time() if now is None else now
        self.unknown, self.url_key, self.trusted = unknown, url_key, trusted
        self._opened: robotsc.Pack | None = None

    def __getstate__(self) -> dict[str, Any]:
        # Workers open the pack for themselves.
        return {**self.__dict__, "_opened": None}

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Reports whether a document is kept, or why it is dropped."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """Reports for each document whether it is kept, or why it is dropped."""
        if self._opened is None:
            self._opened = robotsc.Pack(self.pack, trusted=self.trusted)
        found = [doc.metadata.get(self.url_key) for doc in batch]
        urls = [url if isinstance(url, str) and url.strip() else None for url in found]
        # One column of verdicts, since `require` is given; a URL that is none has no verdict.
        columns = robotsc.verdicts(
            urls,
            self.agents,
            pack=self._opened,
            reasons=True,
            now=self.now,
            errors="null",
            **self.asked,
        )
        rows = zip(urls, columns["verdict"], columns["reason"], strict=True)
        return [self._kept(url, verdict, reason) for url, verdict, reason in rows]

    def _kept(self, url: str | None, verdict: str | None, reason: str | None) -> bool | tuple[bool, str]:
        if verdict == "allowed":
            return True
        if verdict is None:
            return False, "no-url" if url is None else "bad-url"
        if verdict == "unknown" and self.unknown == "keep":
            self.stat_update(f"kept_{reason}")
            return True
        return False, reason or str(verdict)
