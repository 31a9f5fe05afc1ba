"""Runs protego's tests over protego and our face at once. Arguments: the folder of the tests, the file to write."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import protego
import pytest
from comparing import Notes

from robotsc.compat.protego import Protego as Strict

Theirs = protego.Protego


class Ours(Strict):
    """Our face, which answers for what is no robots.txt, as the tests ask."""

    force = True


def current_test() -> str:
    """Returns the name of the test that runs."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").split("::")[-1].removesuffix(" (call)")


NOTES = Notes(current_test)


class Both:
    """Asks both parsers each question."""

    def __init__(self, theirs: Any, ours: Any) -> None:
        self._theirs = theirs
        self._ours = ours

    @classmethod
    def parse(cls, content: str) -> Both:
        NOTES.compare("parse", lambda: Theirs.parse(content) is None, lambda: Ours.parse(content) is None)
        return cls(Theirs.parse(content), Ours.parse(content))

    def _ask(self, method: str, *arguments: str) -> Any:
        question = f"{method}({', '.join(map(repr, arguments))})"
        return NOTES.compare(
            question, lambda: getattr(self._theirs, method)(*arguments), lambda: getattr(self._ours, method)(*arguments)
        )

    def can_fetch(self, url: str, user_agent: str) -> Any:
        return self._ask("can_fetch", url, user_agent)

    def crawl_delay(self, user_agent: str) -> Any:
        return self._ask("crawl_delay", user_agent)

    def request_rate(self, user_agent: str) -> Any:
        return self._ask("request_rate", user_agent)

    def visit_time(self, user_agent: str) -> Any:
        return self._ask("visit_time", user_agent)

    @property
    def sitemaps(self) -> Any:
        return iter(NOTES.compare("sitemaps", lambda: list(self._theirs.sitemaps), lambda: list(self._ours.sitemaps)))

    @property
    def preferred_host(self) -> Any:
        return NOTES.compare("preferred_host", lambda: self._theirs.preferred_host, lambda: self._ours.preferred_host)

    def __getattr__(self, name: str) -> Any:
        # Private counters, which are no part of the interface.
        return getattr(self._theirs, name)


if __name__ == "__main__":
    tests, target = map(Path, sys.argv[1:])
    protego.Protego = Both  # type: ignore[misc, assignment]
    # Its other tests are about private functions, and that nothing raises for files that our corpus has, too.
    found = [str(tests / name) for name in ("test_protego.py", "test_on_google_spec.py")]
    status = pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(tests), "-c", os.devnull, *found])
    NOTES.write(target)
    sys.exit(status)
