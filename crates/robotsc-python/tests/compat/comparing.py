"""Runs another parser's own tests over that parser and ours at once, and notes every answer that differs.

A test goes on with the other parser's answer. So one difference hides no other, and what is noted is complete.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


MAX_SHOWN = 120
"""The characters of an answer that are noted."""


class Notes:
    """The differences that were seen, and the number of answers that were compared."""

    def __init__(self, test: Callable[[], str]) -> None:
        self.test = test
        self.compared = 0
        self.seen: set[str] = set()

    def compare(self, question: str, theirs: Callable[[], Any], ours: Callable[[], Any]) -> Any:
        """Calls both, and returns or raises what the other parser does."""
        expected = _outcome(theirs)
        given = _outcome(ours)
        self.compared += 1
        if _text(expected) != _text(given):
            self.seen.add(f"{self.test()} {question} => theirs {_text(expected)}, ours {_text(given)}")
        kind, value = expected
        if kind == "raises":
            raise value
        return value

    def write(self, target: Path) -> None:
        """Writes what was noted, as JSON."""
        target.write_text(json.dumps({"compared": self.compared, "seen": sorted(self.seen)}))


def _outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    try:
        return "returns", call()
    except Exception as error:  # noqa: BLE001, what is raised is the answer.
        return "raises", error


def _text(outcome: tuple[str, Any]) -> str:
    kind, value = outcome
    if kind == "raises":
        return f"raises {type(value).__name__}"
    if isinstance(value, tuple):
        return repr(tuple(value))
    # 1 and 1.0 are the same delay.
    if isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
