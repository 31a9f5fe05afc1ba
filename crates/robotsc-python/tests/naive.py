"""A naive reader of robots.txt under the dialect `google`, written from docs/dialects.md and docs/preferences.md.

It shares no code with the package, and is slow: lines are split, patterns become regular expressions, and each rule is
tried in turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

MAX_LINE, MAX_FILE = 16_663, 512_000
BLANKS = b" \t\v\f"
KEYS = [
    ("agent", (b"user-agent", b"useragent", b"user agent")),
    ("allow", (b"allow",)),
    ("disallow", (b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw")),
    ("sitemap", (b"sitemap", b"site-map")),
    ("delay", (b"crawl-delay",)),
    ("usage", (b"content-usage",)),
    ("signal", (b"content-signal",)),
]
# Paths that URLs can have as they are: the URL standard escapes these bytes, and resolves segments of dots.
URL_PATH = re.compile(
    rb"(?:/(?!(?:\.|%2[eE]){1,2}(?:[/?]|\Z))[^\0-\x20\x7f-\xff\"<>`{}#?/\\]*)+(?:\?[^\0-\x20\x7f-\xff\"<>#']*)?"
)
USES = ("train", "input", "search")
LABELS = {
    "usage": {b"train-ai": "train", b"ai-use": "input", b"search": "search"},
    "signal": {b"ai-train": "train", b"ai-input": "input", b"search": "search"},
}


@dataclass
class Rule:
    """A rule, or the path of a preference."""

    allow: bool
    pattern: bytes
    line: int

    @cached_property
    def matches(self) -> re.Pattern[bytes]:
        """The pattern as a regular expression, for the start of a path."""
        text, end = self.pattern, b""
        if text.endswith(b"$"):
            text, end = text[:-1], rb"\Z"
        return re.compile(b".*".join(re.escape(part) for part in text.split(b"*")) + end, re.DOTALL)


@dataclass
class Group:
    """A group: lines that name agents, and what follows."""

    line: int
    names: list[bytes] = field(default_factory=list)
    written: list[bytes] = field(default_factory=list)
    star: bool = False
    rules: list[Rule] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    stated: list[tuple[str, bytes | None, dict[str, bool]]] = field(default_factory=list)


def escaped(value: bytes) -> bytes:
    """Returns a pattern with escapes in upper case, and with escapes for bytes from 0x80."""
    value = re.sub(rb"%[0-9a-fA-F]{2}", lambda found: found[0].upper(), value)
    return re.sub(rb"[\x80-\xff]", lambda found: b"%%%02X" % found[0][0], value)


def lines(body: bytes) -> Iterator[tuple[int, bytes]]:
    """Returns the lines that count, without comments, and their numbers."""
    for length in (3, 2, 1):
        if body.startswith(b"\xef\xbb\xbf"[:length]):
            body = body[length:]
            break
    at = 0
    for number, line in enumerate(re.split(rb"\r\n|\r|\n", body), start=1):
        if at > MAX_FILE:
            return
        end = body[at + len(line) : at + len(line) + 2]
        at += len(line) + (2 if end == b"\r\n" else 1)
        yield number, line[:MAX_LINE].split(b"\0")[0].split(b"#")[0]


def split(line: bytes) -> tuple[str, bytes] | None:
    """Returns the kind of a line and its value."""
    key, colon, value = line.partition(b":")
    if not colon:
        words = line.strip(BLANKS).split()
        if len(words) != 2:
            return None
        key, value = words
    key, value = key.strip(BLANKS).lower(), value.strip(BLANKS)
    kinds = (kind for kind, names in KEYS if any(key.startswith(name) for name in names))
    return next(((kind, value) for kind in kinds), None)


class Robots:
    """A parsed robots.txt."""

    def __init__(self, body: bytes) -> None:
        self.groups: list[Group] = []
        self.rules = 0
        self.sitemaps: list[bytes] = []
        is_open = False
        for number, line in lines(body):
            kind, value = split(line) or ("", b"")
            if kind == "sitemap" and re.match(rb"(?i)(https?|ftp)://", value) and value not in self.sitemaps:
                self.sitemaps.append(value)
            elif kind == "agent":
                if not is_open:
                    self.groups.append(Group(number))
                is_open = True
                self.name(self.groups[-1], value)
            elif kind and self.groups:
                is_open &= kind not in ("allow", "disallow")
                self.add(self.groups[-1], kind, value, number)

    def name(self, group: Group, value: bytes) -> None:
        group.star |= value == b"*" or bool(re.match(rb"\*[ \t\v\f]", value))
        token = re.match(rb"[A-Za-z_-]*", value)
        group.names.append(token[0].lower() if token else b"")
        group.written.append(re.split(rb"[/ \t\v\f]", value)[0].lower())

    def add(self, group: Group, kind: str, value: bytes, number: int) -> None:
        match kind:
            case "allow" | "disallow":
                self.rules += 1
                group.rules.append(Rule(kind == "allow", escaped(value), number))
            case "delay" if re.fullmatch(rb"\d+(\.\d*)?|\.\d+", value):
                group.delays.append(float(value))
            case "usage" | "signal":
                path, statement = None, value
                if value.startswith(b"/"):
                    path, _, statement = re.sub(rb"[ \t]", b" ", value, count=1).partition(b" ")
                    path = escaped(path)
                read = usage(statement) if kind == "usage" else signals(statement)
                group.stated.append((kind, path, read))

    def chosen(self, name: str) -> tuple[str, list[Group]]:
        """Returns how an agent finds its groups, and them. It has its own name alone."""
        wanted = name.encode().lower()
        is_token = re.fullmatch(rb"[a-z_-]+", wanted)
        own = [group for group in self.groups if wanted in (group.names if is_token else group.written)]
        if own and name != "*":
            return "name", own
        every = [group for group in self.groups if group.star]
        return ("star", every) if every else ("nothing", [])


class Asked:
    """The rules and preferences of some groups."""

    def __init__(self, groups: Iterable[Group]) -> None:
        self.groups = list(groups)
        # An empty pattern decides nothing, and one that starts with another byte matches no path.
        self.own = [rule for group in self.groups for rule in group.rules if rule.pattern[:1] in (b"/", b"*")]
        rules = [*self.own]
        # `Allow: /dir/index.html` allows the folder, too, if it does not match itself.
        for rule in self.own:
            at = rule.pattern.rfind(b"/")
            if rule.allow and at >= 0 and rule.pattern[at:].startswith(b"/index.htm"):
                rules.append(Rule(True, rule.pattern[: at + 1] + b"$", rule.line))
        self.ranked = sorted(rules, key=lambda rule: (-len(rule.pattern), not rule.allow))

    def deciding(self, path: bytes) -> Rule | None:
        """Returns the rule that decides: the longest that matches, of two an Allow."""
        return next((rule for rule in self.ranked if rule.matches.match(path)), None)

    def allowed(self, path: bytes) -> bool:
        rule = self.deciding(path)
        return rule is None or rule.allow

    @cached_property
    def candidates(self) -> list[bytes]:
        """Paths of URLs that patterns match: each pattern with nothing, or something, at its stars and its end."""
        paths = {b"/"}
        for rule in self.ranked:
            for filled in (b"", b"zq"):
                text = rule.pattern.removesuffix(b"$").replace(b"*", filled)
                text = text if text.startswith(b"/") else b"/" + text
                paths |= {text, text + b"zq"}
        # That of robots.txt itself is no page of a site.
        return sorted(filter(URL_PATH.fullmatch, paths - {b"/robots.txt"}), key=lambda path: (len(path), path))

    def access(self) -> str:
        """Returns what the candidates show: open, partly or closed."""
        root = self.allowed(b"/")
        # The patterns of the other side show it first.
        if all(self.allowed(path) == root for path in self.candidates):
            return "open" if root else "closed"
        return "partly"

    def stated(self, kind: str, path: bytes) -> dict[str, bool]:
        """Returns what is stated about a path: that of the longest pattern, of several any no."""
        records = [record[1:] for group in self.groups for record in group.stated if record[0] == kind]
        found = [
            (-1 if pattern is None else len(pattern), read)
            for pattern, read in records
            if pattern is None or Rule(True, pattern, 0).matches.match(path)
        ]
        longest = max((length for length, _ in found), default=-1)
        together: dict[str, bool] = {}
        for length, read in found:
            if length == longest:
                for use, yes in read.items():
                    together[use] = yes and together.get(use, True)
        return together


# Structured fields (RFC 9651): what a member of a dictionary can be.
BARE = (
    rb'(?:[A-Za-z*][!#$%&\'*+\-.^_`|~0-9A-Za-z:/]*|"(?:[ !#-\[\]-~]|\\["\\])*"|-?\d{1,12}\.\d{1,3}|-?\d{1,15}|\?[01]'
    rb'|:[A-Za-z0-9+/=]*:|@-?\d{1,15}|%"(?:[ !#$&-~]|%[0-9a-f]{2})*")'
)
NAME = rb"[a-z*][a-z0-9_\-.*]*"
PARAMETERS = rb"(?:; *" + NAME + rb"(?:=" + BARE + rb")?)*"
ITEM = BARE + PARAMETERS
LIST = rb"\( *(?:" + ITEM + rb"(?: +" + ITEM + rb")*)? *\)" + PARAMETERS
MEMBER = re.compile(rb"(" + NAME + rb")(?:=(" + ITEM + rb"|" + LIST + rb")|" + PARAMETERS + rb")")


def usage(statement: bytes) -> dict[str, bool]:
    """Reads a `Content-Usage` statement: nothing if it is no dictionary."""
    rest, read = statement.strip(b" "), dict[bytes, bytes]()
    while rest:
        member = MEMBER.match(rest)
        if not member:
            return {}
        read[member[1]] = (member[2] or b"").split(b";")[0]
        rest = rest[member.end() :].lstrip(b" \t")
        if rest:
            if not rest.startswith(b",") or not rest[1:].strip(b" \t"):
                return {}
            rest = rest[1:].lstrip(b" \t")
    labels = LABELS["usage"].items()
    return {use: read[label] == b"y" for label, use in labels if read.get(label) in (b"y", b"n")}


def signals(statement: bytes) -> dict[str, bool]:
    """Reads a `Content-Signal` statement: items that are not understood say nothing."""
    read: dict[str, bool] = {}
    for number, item in enumerate(statement.lower().split(b",")):
        name, _, value = (part.strip(BLANKS) for part in item.partition(b"="))
        if number == 0 and re.search(rb"[ \t]", name):
            return {}
        if name in LABELS["signal"] and value in (b"yes", b"no"):
            use = LABELS["signal"][name]
            read[use] = value == b"yes" and read.get(use, True)
    return read
