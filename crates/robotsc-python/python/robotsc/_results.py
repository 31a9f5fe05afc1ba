"""What the package answers with, besides plain values: data without methods that ask anything.

All can be compared, hashed, printed, shown in a notebook and pickled.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from robotsc._types import BodyKind, Reason, Verdict

if TYPE_CHECKING:
    from robotsc._native import RobotsTxt

__all__ = [
    "Answer",
    "Change",
    "Diagnostic",
    "Diff",
    "ExplainedRule",
    "Explanation",
    "Finding",
    "Preferences",
    "RequestRate",
    "StatedPreference",
]


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]], caption: str = "") -> str:
    """Returns a table of HTML, all texts escaped."""
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape('' if cell is None else str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    shown = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{shown}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _file_html(robots: RobotsTxt) -> str:
    """Returns a file as HTML: its lines, and what was noticed in each."""
    noticed: dict[int, list[str]] = {}
    for diagnostic in robots.diagnostics:
        noticed.setdefault(diagnostic.line, []).append(f"{diagnostic.severity}: {diagnostic.message}")
    # Of bytes, the ends of lines are those of the parser; a text has more of them.
    lines = [line.decode("utf-8", "replace") for line in robots.body.splitlines()]
    rows = [(number, line, "; ".join(noticed.get(number, []))) for number, line in enumerate(lines, 1)]
    return _table(["line", f"robots.txt, read as {robots.dialect}", "noticed"], rows)


@dataclass(frozen=True, slots=True, repr=False)
class ExplainedRule:
    """A rule that matches."""

    __module__ = "robotsc"

    allowed: bool
    """What it answers."""
    line: int
    """The line, from 1; 0 if the dialect states the rule, and no line."""
    text: str
    """The rule as written: ``Disallow: /cart``."""
    pattern: str
    """The pattern as it was matched: escapes normalized."""
    length: int
    """The length that ranks it, in bytes."""

    def __repr__(self) -> str:
        return f"<robotsc.ExplainedRule line {self.line}: {self.text}>"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """Why a URL may or may not be fetched. Made by ``RobotsTxt.explain``; ``str`` writes it as a few lines of text.

    It has no truth value: ask ``allowed``.
    """

    __module__ = "robotsc"

    allowed: bool
    """Whether the URL may be fetched."""
    matching: list[ExplainedRule] = field(hash=False)
    """The rules that match, from the top rank down."""
    rule: ExplainedRule | None
    """The rule that decides; ``None`` if no rule matches, and the URL is allowed therefore."""
    path: str
    """The path that was matched."""
    agent: str
    """The crawler, as text."""
    dialect: str
    """The name of the dialect."""
    _text: str

    def __bool__(self) -> NoReturn:
        raise TypeError("an explanation has no truth value: ask explanation.allowed")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<robotsc.Explanation: {self._text.partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        rows = [(rule.line, rule.text, "allowed" if rule.allowed else "disallowed") for rule in self.matching]
        return _table(["line", "rule that matches", "says"], rows, self._text.partition("\n")[0])


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """A verdict and what decided. Made by ``Pack.explain`` and ``FetchedRobots.explain``; ``str`` writes it as a line.

    It has no truth value: ask ``verdict``.
    """

    __module__ = "robotsc"

    verdict: Verdict
    """``allowed``, ``disallowed`` or ``unknown``."""
    reason: Reason
    """What decided."""
    line: int | None
    """The line of the rule that decided, if it is known."""
    rule: str | None
    """The rule as written, if the file is held."""
    origin: str
    """The origin of the URL."""
    status: int | None
    """The status of the last fetch of robots.txt; ``None`` if there was no response, or if it is not kept."""
    body_kind: BodyKind | None
    """What the body of a success was, if it is kept."""
    fetched_at: int | None
    """When robots.txt was last fetched, in seconds since 1970."""
    expires_at: int | None
    """Until when that counted without another fetch, in seconds since 1970."""
    _text: str

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer has no truth value: ask answer.verdict == 'allowed'")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<robotsc.Answer: {self._text}>"

    def _repr_html_(self) -> str:
        rows = [(name, getattr(self, name)) for name in ("verdict", "reason", "line", "rule", "origin", "status")]
        return _table(["", self._text], [row for row in rows if row[1] is not None])


@dataclass(frozen=True, slots=True, repr=False)
class Diagnostic:
    """What the parser noticed in a line."""

    __module__ = "robotsc"

    line: int
    """The line, from 1."""
    code: str
    """A stable code, such as ``typo-key``."""
    severity: Literal["info", "warning", "error"]
    """``info``, ``warning`` or ``error``."""
    message: str
    """What it is, and what to write instead."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.severity}: {self.message}"

    def __repr__(self) -> str:
        return f"<robotsc.Diagnostic {self.code} in line {self.line}>"


@dataclass(frozen=True, slots=True, repr=False)
class RequestRate:
    """How many documents may be fetched in which time."""

    __module__ = "robotsc"

    requests: int
    """The number of documents; never 0."""
    seconds: int
    """The time in which they may be fetched, in seconds; never 0."""
    window: tuple[int, int] | None
    """When this holds: start and end, in minutes of the day, UTC; ``None`` for always."""

    def __repr__(self) -> str:
        return f"<robotsc.RequestRate {self.requests} requests in {self.seconds} seconds>"


@dataclass(frozen=True, slots=True, repr=False)
class StatedPreference:
    """What is said of one use, and where. It has no truth value: ask ``preference``."""

    __module__ = "robotsc"

    label: str
    """The use, such as ``train-ai``."""
    preference: bool | None
    """``True`` for yes, ``False`` for no, ``None`` if nothing is said: that is neither."""
    lines: list[int] = field(hash=False)
    """The lines of the file that say so."""
    is_in_header: bool
    """Whether the header of the response says so."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a stated preference has no truth value: ask stated.preference is True, False or None")

    def __repr__(self) -> str:
        word = {True: "yes", False: "no", None: "unknown"}[self.preference]
        return f"<robotsc.StatedPreference {self.label} {word}>"


class _Stated(Mapping[str, StatedPreference]):
    """What is said, by label: a mapping that does not change, and can be pickled."""

    __slots__ = ("_stated",)

    def __init__(self, stated: Mapping[str, StatedPreference]) -> None:
        self._stated = dict(stated)

    def __getitem__(self, label: str) -> StatedPreference:
        return self._stated[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stated)

    def __len__(self) -> int:
        return len(self._stated)

    def __repr__(self) -> str:
        return repr(self._stated)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Stated, (self._stated,)


@dataclass(frozen=True, repr=False)
class Preferences:
    """What a file says may be done with a page, in two vocabularies that correspond and are not equal.

    It has no truth value: ask for a use, as in ``preferences.content_usage["train-ai"].preference``.
    """

    __module__ = "robotsc"

    content_usage: Mapping[str, StatedPreference] = field(hash=False)
    """What ``Content-Usage`` says, by label: ``train-ai``, ``ai-use`` and ``search`` in the newest draft."""
    content_signal: Mapping[str, StatedPreference] = field(hash=False)
    """What ``Content-Signal`` says: ``ai-train``, ``ai-input`` and ``search``."""
    use_level: Literal["immediate", "reference", "full"] | None
    """How far a use may go, by the signal ``use``; ``None`` if nothing is said."""
    use_lines: list[int] = field(hash=False)
    """The lines that say so."""

    def __post_init__(self) -> None:
        for name in ("content_usage", "content_signal"):
            object.__setattr__(self, name, _Stated(getattr(self, name)))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "preferences have no truth value: ask for a use, as preferences.content_usage['train-ai'].preference; "
            "whether there are any is `preferences is not None`"
        )

    def __repr__(self) -> str:
        def words(stated: Mapping[str, StatedPreference]) -> str:
            return ", ".join(repr(one).removeprefix("<robotsc.StatedPreference ")[:-1] for one in stated.values())

        level = self.use_level or "unknown"
        usage, signals = words(self.content_usage), words(self.content_signal)
        return f"<robotsc.Preferences content_usage: {usage}; content_signal: {signals}, use {level}>"

    def _repr_html_(self) -> str:
        word = {True: "yes", False: "no", None: "unknown"}
        rows = [
            (key, one.label, word[one.preference], ", ".join(map(str, one.lines)))
            for key, stated in (("Content-Usage", self.content_usage), ("Content-Signal", self.content_signal))
            for one in stated.values()
        ]
        return _table(["key", "use", "preference", "lines"], rows)


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """Something that a check of ``lint`` found."""

    __module__ = "robotsc"

    code: str
    """The stable code of the check, such as ``allow-disallow-same``."""
    severity: Literal["info", "warning", "error"]
    """``info``, ``warning`` or ``error``."""
    line: int
    """The line, from 1; 0 if it is about the whole file."""
    message: str
    """What is wrong."""
    witness: str | None
    """A path that shows it."""
    related: list[int] = field(hash=False)
    """Other lines that have a part in it."""
    fix: str | None
    """What to change."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.severity}: {self.message} [{self.code}]"

    def __repr__(self) -> str:
        return f"<robotsc.Finding {self.code} in line {self.line}>"

    def _repr_html_(self) -> str:
        row = (self.line, self.severity, self.message, self.code, self.witness, self.fix)
        return _table(["line", "severity", "message", "code", "witness", "fix"], [row])


@dataclass(frozen=True, slots=True, repr=False)
class Change:
    """Paths whose verdict changed for some agents, all between the same two rules."""

    __module__ = "robotsc"

    effect: Literal["blocked", "opened"]
    """What became of them."""
    path: str
    """A shortest such path."""
    agents: list[str] = field(hash=False)
    """The agents, as first written in the files."""
    all_others: bool
    """Whether all agents that no group names are among them."""
    old_lines: list[int] = field(hash=False)
    """The lines of the rule that decided; none if no rule matched."""
    new_lines: list[int] = field(hash=False)
    """The lines of the rule that decides now; none if no rule matches."""

    def __repr__(self) -> str:
        return f"<robotsc.Change {self.effect}: {self.path}>"


@dataclass(frozen=True, slots=True, repr=False)
class Diff:
    """What changed from one robots.txt to another. Made by ``diff``. It has no truth value: ask ``is_same``."""

    __module__ = "robotsc"

    changes: list[Change] = field(hash=False)
    """The changes: what is newly blocked first, agent by agent."""
    is_same: bool
    """Whether every agent can fetch the same paths, and no record that counts changed."""
    is_decided: bool
    """Whether all was decided. If not, the changes are right, and there can be more."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a diff has no truth value: ask diff.is_same, or look at diff.changes")

    def __repr__(self) -> str:
        return f"<robotsc.Diff of {len(self.changes)} changes{'' if self.is_decided else ' and perhaps more'}>"

    def _repr_html_(self) -> str:
        rows = [
            (
                change.effect,
                change.path,
                ", ".join([*change.agents, *(["all others"] if change.all_others else [])]),
                ", ".join(map(str, change.old_lines)),
                ", ".join(map(str, change.new_lines)),
            )
            for change in self.changes
        ]
        return _table(["effect", "path", "agents", "old lines", "new lines"], rows)
