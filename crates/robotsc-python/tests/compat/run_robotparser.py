"""Runs CPython's tests over ``urllib.robotparser`` and our face at once. Argument: the file to write."""

from __future__ import annotations

import sys
import unittest
import urllib.robotparser
from pathlib import Path
from typing import Any

from comparing import Notes

from robotsc.compat.robotparser import RobotFileParser as Ours

Theirs = urllib.robotparser.RobotFileParser
CURRENT = [""]
NOTES = Notes(lambda: CURRENT[0])


class Both:
    """Asks both parsers each question."""

    def __init__(self, url: str = "") -> None:
        self._theirs: Any = Theirs(url)
        self._ours: Any = Ours(url)

    def set_url(self, url: str) -> None:
        self._theirs.set_url(url)
        self._ours.set_url(url)

    def parse(self, lines: list[str]) -> None:
        self._ask("parse", list(lines), shown="lines")

    def read(self) -> None:
        self._ask("read")

    def _ask(self, method: str, *arguments: Any, shown: str | None = None) -> Any:
        question = f"{method}({shown or ', '.join(map(repr, arguments))})"
        return NOTES.compare(
            question, lambda: getattr(self._theirs, method)(*arguments), lambda: getattr(self._ours, method)(*arguments)
        )

    def can_fetch(self, useragent: str, url: str) -> Any:
        return self._ask("can_fetch", useragent, url)

    def crawl_delay(self, useragent: str) -> Any:
        return self._ask("crawl_delay", useragent)

    def request_rate(self, useragent: str) -> Any:
        return self._ask("request_rate", useragent)

    def site_maps(self) -> Any:
        return self._ask("site_maps")

    def mtime(self) -> Any:
        # The times of two reads differ; whether there is one must not.
        NOTES.compare("mtime() > 0", lambda: self._theirs.mtime() > 0, lambda: self._ours.mtime() > 0)
        return self._theirs.mtime()

    def __str__(self) -> str:
        return str(NOTES.compare("str()", lambda: str(self._theirs), lambda: str(self._ours)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._theirs, name)


class Result(unittest.TextTestResult):
    """Notes which test runs."""

    def startTest(self, test: unittest.TestCase) -> None:
        CURRENT[0] = test.id().removeprefix("test.test_robotparser.")
        super().startTest(test)


if __name__ == "__main__":
    urllib.robotparser.RobotFileParser = Both  # type: ignore[misc, assignment]
    from test import test_robotparser  # type: ignore[import-not-found]

    suite = unittest.defaultTestLoader.loadTestsFromModule(test_robotparser)
    outcome = unittest.TextTestRunner(resultclass=Result).run(suite)  # type: ignore[arg-type]
    NOTES.write(Path(sys.argv[1]))
    sys.exit(not outcome.wasSuccessful())
