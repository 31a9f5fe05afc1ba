"""The compiled part of the package. Its items are those of ``robotsc``."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self, SupportsFloat, final, overload

from robotsc._types import OnError, Verdict

__all__ = [
    "AgentError",
    "Change",
    "Crawler",
    "Diagnostic",
    "Diff",
    "ExplainedRule",
    "Explanation",
    "FetchedRobots",
    "Finding",
    "Matcher",
    "Pack",
    "PackError",
    "Preferences",
    "RequestRate",
    "RobotsError",
    "RobotsTxt",
    "StatedPreference",
    "UrlError",
    "allowed_by",
    "build_pack",
    "diff",
    "lint",
    "origin_of",
    "origins_of",
    "parse",
]

class RobotsError(ValueError):
    """A question that has no answer. The message says what to write instead."""

class AgentError(RobotsError):
    """The agent is no agent name, such as ``FooBot/2.1``; or a pack was built for other agents."""

class UrlError(RobotsError):
    """The URL has no path on this site: no host, another scheme or origin, a lone surrogate."""

class PackError(RobotsError):
    """The pack cannot be read, or is closed."""

@final
class Crawler:
    """A crawler with several names, without one, or with a name as written. Else pass the name as a ``str``.

    A name of the register of known crawlers means that crawler as its operator documents it: ``Googlebot-Image`` obeys
    the groups of ``Googlebot`` where none names it, ``AdsBot-Google`` obeys only groups that name it.

    >>> robotsc.Crawler.chain("FooBot-Images", "FooBot")
    Crawler.chain('FooBot-Images', 'FooBot')
    """

    def __new__(cls, name: str, /, *, as_written: bool = False) -> Self:
        """Returns the crawler with a name, as its operator documents it: what a ``str`` means, too.

        With ``as_written``, it obeys the groups that name it, else those for ``*``, whatever the register says.
        Raises ``AgentError`` if it is no agent name.

        >>> robots = robotsc.parse(b"User-agent: Googlebot\\nDisallow: /cart\\n")
        >>> robots.is_allowed("Googlebot-Image", "/cart")
        False
        >>> robots.is_allowed(robotsc.Crawler("Googlebot-Image", as_written=True), "/cart")
        True
        """

    @staticmethod
    def chain(*names: str) -> Crawler:
        """Returns a crawler with names in order: the first that the file has a group for decides."""

    @staticmethod
    def pool(*names: str) -> Crawler:
        """Returns a crawler that obeys the groups of all its names."""

    @staticmethod
    def others() -> Crawler:
        """Returns the crawler that no file names: it obeys the groups for ``*``."""

    @property
    def names(self) -> list[str]:
        """The names, in order."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def parse(
    body: bytes | str, dialect: str = "google", *, origin: str | None = None
) -> RobotsTxt:
    """Parses a robots.txt. Any bytes parse; ``RobotsTxt.diagnostics`` says what was noticed.

    ``dialect`` is ``google``, ``rfc9309``, ``google-2017``, ``google-2019`` or ``yandex``. With ``origin``, such as
    ``https://shop.example``, URLs of other origins are errors.

    Raises ``RobotsError`` for an unknown dialect, a ``str`` with lone surrogates, and a ``str`` of one line without a
    directive, which is a path or a URL rather than a robots.txt; ``UrlError`` for a wrong origin.

    Cost: linear in the body, at most about 530 kB of it.

    >>> robots = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\n")
    >>> robots.is_allowed("FooBot", "https://shop.example/cart")
    False
    """

@final
class RobotsTxt:
    """A parsed robots.txt. Made by ``parse``. It never changes, threads can share it, and it can be pickled."""

    def is_allowed(self, agent: str | Crawler, url: str | bytes) -> bool:
        """Reports whether an agent may fetch a URL, or a path that starts with one ``/``.

        Raises ``AgentError`` if the agent is no agent name, ``UrlError`` if the URL has no path on this site.

        Cost: the first question for an agent ranks the rules of its groups; those of the last four names are kept.

        >>> robots = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\nAllow: /cart/help\\n")
        >>> robots.is_allowed("FooBot", "https://shop.example/cart/help")
        True
        """

    def matcher(self, agent: str | Crawler) -> Matcher:
        """Returns a matcher for an agent, for many URLs. Raises ``AgentError`` if the agent is no agent name."""

    def explain(self, agent: str | Crawler, url: str | bytes) -> Explanation:
        """Explains whether an agent may fetch a URL: the rule that decides, its line, and what else matches.

        Raises as ``is_allowed``.

        >>> robots = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\n")
        >>> robots.explain("FooBot", "https://shop.example/cart").rule.line
        2
        """

    def crawler(self, user_agent: str) -> Crawler:
        """Returns the crawler that a ``User-Agent`` header names in this file, as ``robotsc check --header`` does.

        A header that is a name is that name. In any other, the names of the file are looked for as whole products;
        if there is none, it is a crawler that no file names. Raises ``AgentError`` if the header is empty.

        >>> robots = robotsc.parse(b"User-agent: FooBot\\nDisallow: /\\n")
        >>> robots.crawler("Mozilla/5.0 (compatible; FooBot/2.1; +https://foo.example/)").names
        ['FooBot']
        """

    def crawl_delay(self, agent: str | Crawler) -> float | None:
        """Returns the longest crawl delay that is stated for an agent, in seconds; ``None`` if there is none.

        There is no highest value: set a limit.
        """

    def request_rate(self, agent: str | Crawler) -> RequestRate | None:
        """Returns the slowest request rate that is stated for an agent."""

    def visit_time(self, agent: str | Crawler) -> tuple[int, int] | None:
        """Returns the first visit time that is stated for an agent: start and end, in minutes of the day, UTC."""

    def preferences(
        self,
        agent: str | Crawler,
        url: str | bytes,
        *,
        usage_header: str | None = None,
        vocabulary: str | None = None,
    ) -> Preferences | None:
        """Returns what the file says may be done with a page; ``None`` if the agent may not fetch it.

        ``usage_header`` is the ``Content-Usage`` header of the response, which is combined: the most restrictive holds.
        A value that cannot be read says nothing, as the draft has it for received headers: nothing is raised, and the
        answer is that of the file alone.
        ``vocabulary`` is the number of a revision of draft-ietf-aipref-vocab, such as ``"07"``; the newest by default.

        >>> body = b"User-agent: *\\nContent-Usage: train-ai=n\\nContent-Signal: /blog/ ai-train=no, use=reference\\n"
        >>> robots = robotsc.parse(body)
        >>> said = robots.preferences("FooBot", "https://shop.example/blog/1")
        >>> said.content_usage["train-ai"].preference, said.content_usage["train-ai"].lines
        (False, [2])
        >>> said.content_signal["search"].preference, said.use_level
        (None, 'reference')
        """

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps, in file order, each once."""

    @property
    def hosts(self) -> list[str]:
        """The hosts that ``Host`` records name, in file order."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What the parser noticed, in file order."""

    @property
    def body(self) -> bytes:
        """The body that was parsed, up to the dialect's limit."""

    @property
    def dialect(self) -> str:
        """The name of the dialect."""

    @property
    def origin(self) -> str | None:
        """The origin that it was parsed for, if one was named."""

    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Matcher:
    """The rules of one agent on one site, ready for many URLs. Made by ``RobotsTxt.matcher``.

    It compiles the rules after 350 questions, when that pays. It never changes otherwise, threads can share it, and it
    can be pickled: a pickle holds the body of the robots.txt, which is parsed again.
    """

    def is_allowed(self, url: str | bytes) -> bool:
        """Reports whether the agent may fetch a URL. Raises ``UrlError`` if it has no path on this site."""

    @overload
    def allowed(self, urls: list[str] | list[bytes], *, errors: Literal["raise"] = "raise") -> list[bool]: ...
    @overload
    def allowed(self, urls: tuple[str | bytes, ...], *, errors: Literal["raise"] = "raise") -> tuple[bool, ...]: ...
    @overload
    def allowed(self, urls: Sequence[str | bytes | None], *, errors: Literal["null"]) -> Sequence[bool | None]: ...
    @overload
    def allowed(self, urls: Any, *, errors: OnError = "raise") -> Any:
        """Reports for each of many URLs whether the agent may fetch it.

        | URLs | mask |
        |---|---|
        | list, tuple of ``str`` or ``bytes`` | list, tuple of ``bool`` |
        | numpy array of objects or strings | numpy array of ``bool`` |
        | pandas Series | Series with the same index |
        | polars Series | Series with the same name |
        | pyarrow Array, ChunkedArray | BooleanArray, ChunkedArray |
        | any other object with ``__arrow_c_array__`` or ``__arrow_c_stream__`` | such an object |

        Other threads run meanwhile. Raises ``UrlError`` that names the index of the first URL without an answer;
        missing values are such. With ``errors="null"`` the mask has ``None`` or null there. Raises ``TypeError`` for
        what is no URL at all, such as a number.

        >>> matcher = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\n").matcher("FooBot")
        >>> matcher.allowed(["https://shop.example/", "https://shop.example/cart"])
        [True, False]
        >>> matcher.allowed(["/", "mailto:me@shop.example"], errors="null")
        [True, None]
        """

    @property
    def is_compiled(self) -> bool:
        """Whether the rules are compiled."""

    @property
    def dialect(self) -> str:
        """The name of the dialect."""

    @property
    def crawler(self) -> Crawler:
        """The crawler that it answers for."""

    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Explanation:
    """Why a URL may or may not be fetched. Made by ``RobotsTxt.explain``; ``str`` writes it as a few lines of text."""

    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched."""

    @property
    def rule(self) -> ExplainedRule | None:
        """The rule that decides; ``None`` if no rule matches, and the URL is allowed therefore."""

    @property
    def matching(self) -> list[ExplainedRule]:
        """The rules that match, from the top rank down."""

    @property
    def path(self) -> str:
        """The path that was matched."""

    @property
    def agent(self) -> str:
        """The crawler, as text."""

    @property
    def dialect(self) -> str:
        """The name of the dialect."""

@final
class ExplainedRule:
    """A rule that matches."""

    @property
    def allowed(self) -> bool:
        """What it answers."""

    @property
    def line(self) -> int:
        """The line, from 1; 0 if the dialect states the rule, and no line."""

    @property
    def text(self) -> str:
        """The rule as written: ``Disallow: /cart``."""

    @property
    def pattern(self) -> str:
        """The pattern as it was matched: escapes normalized."""

    @property
    def length(self) -> int:
        """The length that ranks it, in bytes."""

@final
class Diagnostic:
    """What the parser noticed in a line."""

    @property
    def line(self) -> int:
        """The line, from 1."""

    @property
    def code(self) -> str:
        """A stable code, such as ``typo-key``."""

    @property
    def severity(self) -> str:
        """``info``, ``warning`` or ``error``."""

    @property
    def message(self) -> str:
        """What it is, and what to write instead."""

@final
class Preferences:
    """What a file says may be done with a page, in two vocabularies that correspond and are not equal."""

    @property
    def content_usage(self) -> dict[str, StatedPreference]:
        """What ``Content-Usage`` says, by label: ``train-ai``, ``ai-use`` and ``search`` in the newest draft."""

    @property
    def content_signal(self) -> dict[str, StatedPreference]:
        """What ``Content-Signal`` says: ``ai-train``, ``ai-input`` and ``search``."""

    @property
    def use_level(self) -> Literal["immediate", "reference", "full"] | None:
        """How far a use may go, by the signal ``use``; ``None`` if nothing is said."""

    @property
    def use_lines(self) -> list[int]:
        """The lines that say so."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class StatedPreference:
    """What is said of one use, and where."""

    @property
    def preference(self) -> bool | None:
        """``True`` for yes, ``False`` for no, ``None`` if nothing is said: that is neither."""

    @property
    def lines(self) -> list[int]:
        """The lines of the file that say so."""

    @property
    def is_in_header(self) -> bool:
        """Whether the header of the response says so."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class RequestRate:
    """How many documents may be fetched in which time."""

    @property
    def requests(self) -> int:
        """The number of documents; never 0."""

    @property
    def seconds(self) -> int:
        """The time in which they may be fetched, in seconds; never 0."""

    @property
    def window(self) -> tuple[int, int] | None:
        """When this holds: start and end, in minutes of the day, UTC; ``None`` for always."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Finding:
    """Something that a check of ``lint`` found."""

    @property
    def code(self) -> str:
        """The stable code of the check, such as ``allow-disallow-same``."""

    @property
    def severity(self) -> str:
        """``info``, ``warning`` or ``error``."""

    @property
    def line(self) -> int:
        """The line, from 1; 0 if it is about the whole file."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def witness(self) -> str | None:
        """A path that shows it."""

    @property
    def related(self) -> list[int]:
        """Other lines that have a part in it."""

    @property
    def fix(self) -> str | None:
        """What to change."""

def lint(robots: bytes | str | RobotsTxt, dialect: str = "google", *, info: bool = False) -> list[Finding]:
    """Finds what is wrong with a robots.txt, in the order of the lines. With ``info``, also opinions and details.

    The dialect of a ``RobotsTxt`` is its own. Cost: near linear for most files, bounded for all. Other threads run
    meanwhile.

    >>> robotsc.lint(b"User-agent: *\\nDisallow: /shop\\nAllow: /shop\\n")
    [<robotsc.Finding allow-disallow-same in line 2>]
    """

@final
class Change:
    """Paths whose verdict changed for some agents, all between the same two rules."""

    @property
    def effect(self) -> Literal["blocked", "opened"]:
        """What became of them."""

    @property
    def path(self) -> str:
        """A shortest such path."""

    @property
    def agents(self) -> list[str]:
        """The agents, as first written in the files."""

    @property
    def all_others(self) -> bool:
        """Whether all agents that no group names are among them."""

    @property
    def old_lines(self) -> list[int]:
        """The lines of the rule that decided; none if no rule matched."""

    @property
    def new_lines(self) -> list[int]:
        """The lines of the rule that decides now; none if no rule matches."""

@final
class Diff:
    """What changed from one robots.txt to another. Made by ``diff``."""

    @property
    def changes(self) -> list[Change]:
        """The changes: what is newly blocked first, agent by agent."""

    @property
    def is_same(self) -> bool:
        """Whether every agent can fetch the same paths, and no record that counts changed."""

    @property
    def is_decided(self) -> bool:
        """Whether all was decided. If not, the changes are right, and there can be more."""

def diff(
    old: bytes | str | RobotsTxt,
    new: bytes | str | RobotsTxt,
    dialect: str = "google",
    *,
    agents: list[str] | None = None,
    as_written: bool = False,
) -> Diff:
    """Compares two files: what is newly blocked and newly open, for whom, each with a shortest path as proof.

    Without ``agents``, all names of both files and all other agents are compared; ``*`` stands for these. Known
    crawlers are compared as their operators document them, or with ``as_written`` by their names alone. Raises
    ``AgentError`` if one is no name. Cost: at most some seconds. Other threads run meanwhile.

    >>> old = b"User-agent: *\\nDisallow: /cart\\n"
    >>> robotsc.diff(old, old + b"Disallow: /blog/\\n").changes
    [<robotsc.Change blocked: /blog/>]
    """

def origin_of(url: str | bytes, /) -> str:
    """Returns the canonical origin of a URL: scheme, host and port. A robots.txt is that of an origin.

    Raises ``UrlError`` if it is no http, https or ftp URL.

    >>> robotsc.origin_of("HTTPS://Shop.example:443/cart")
    'https://shop.example'
    """

def allowed_by(
    policies: Any, urls: Any, agent: str | Crawler, *, dialect: str = "google", errors: OnError = "raise"
) -> Any:
    """Reports for each of many URLs whether the robots.txt of its row allows it.

    ``policies`` is an Arrow array of robots.txt files, ``bytes`` or strings, one for each URL; ``urls`` takes the forms
    of ``Matcher.allowed``, paths too, and the mask comes in that form. Each file is parsed once a call. Pass a
    dictionary array if many rows hold one file: no file is copied for each row then.

    Raises ``UrlError`` that names the index of the first row without an answer: its file is null, or its URL has no
    answer. With ``errors="null"`` the mask has null there. Raises ``RobotsError`` if the columns differ in length, and
    ``TypeError`` for what is no such column. Other threads run meanwhile.

    >>> import pyarrow
    >>> policies = pyarrow.array([b"User-agent: *\\nDisallow: /cart\\n", b""]).take(pyarrow.array([0, 0, 1]))
    >>> robotsc.allowed_by(policies, ["https://a.example/", "https://a.example/cart", "/cart"], "FooBot")
    [True, False, True]
    """

def origins_of(urls: Any, /) -> Any:
    """Returns the canonical origin of each of many URLs, as an Arrow array of strings; null for what has none.

    Takes the forms of ``Matcher.allowed``. The array is pyarrow's if pyarrow is imported. Other threads run meanwhile.
    """

@final
class FetchedRobots:
    """The robots.txt of an origin as it was fetched, and what that means at any later time.

    State how the fetch ended: a ``status`` with the ``body`` and the ``headers``, or the ``error``. The body of an
    error page is never read as rules. Pass what was known ``before``: a failed fetch keeps a good copy for a while.

    ``error`` is ``connect``, ``dns``, ``protocol``, ``refused``, ``reset``, ``timeout``, ``tls``, ``incomplete`` (the
    body broke off), ``redirect-loop`` or ``lost-redirect``. ``now`` is the time of the response, in seconds since 1970; without
    it, the clock is read.

    >>> fetched = robotsc.FetchedRobots("https://shop.example", status=503, now=1_790_000_000)
    >>> fetched.verdict("FooBot", "https://shop.example/", now=1_790_000_000)
    'disallowed'
    """

    def __new__(
        cls,
        url: str | bytes,
        *,
        status: int | None = None,
        body: bytes | str | None = None,
        headers: list[tuple[str, str]] | None = None,
        redirects: int = 0,
        error: str | None = None,
        now: SupportsFloat | None = None,
        before: FetchedRobots | None = None,
        dialect: str = "google",
    ) -> Self:
        """Records a fetch.

        Raises ``RobotsError`` if neither or both of status and error are stated, and for a status of success without
        a body.
        """

    def policy(self, now: SupportsFloat | None = None) -> Literal["rules", "allow", "disallow", "unknown"]:
        """Returns which policy counts at a time."""

    def verdict(
        self, agent: str | Crawler | Matcher, url: str | bytes, *, now: SupportsFloat | None = None
    ) -> Verdict:
        """Returns the verdict for a URL of the origin at a time. That of robots.txt itself is always allowed.

        A ``Matcher`` must be one of ``robots``. Raises as ``RobotsTxt.is_allowed``.
        """

    def needs_fetch(self, now: SupportsFloat | None = None) -> bool:
        """Reports whether robots.txt should be fetched again."""

    @property
    def origin(self) -> str:
        """The origin."""

    @property
    def robots(self) -> RobotsTxt | None:
        """The rules that are held: those of this fetch, or of a good one before failures."""

    @property
    def outcome(self) -> str:
        """How the fetch ended: ``rules``, ``missing``, ``server error``, ``unreachable``…"""

    @property
    def fetched_at(self) -> int:
        """When the fetch ended, in seconds since 1970."""

    @property
    def expires_at(self) -> int:
        """Until when the result counts without another fetch, in seconds since 1970."""

    @property
    def dialect(self) -> str:
        """The name of the dialect."""

@final
class Pack:
    """A policy pack, as ``robotsc pack build`` writes it: the policies of many origins in one file.

    The file is mapped, and opened in constant time. ``verify`` checks the checksums of all sections first. Use it in a
    ``with`` statement, or call ``close``. A pickle holds the path, and opens the file again.

    Replace a pack by rename, never in place: an open pack then goes on with the old file. Raises ``PackError`` if the
    file cannot be read.

    >>> with robotsc.Pack("sites.pack") as pack:
    ...     pack.verdicts(["https://shop.example/", "https://other.example/"], agent="FooBot")
    ['allowed', 'unknown']
    """

    def __new__(cls, path: str | PathLike[str], *, verify: bool = False) -> Self:
        """Opens a pack."""

    @staticmethod
    def from_bytes(data: bytes, /) -> Pack:
        """Opens a pack that is in memory. Copies it."""

    @overload
    def verdicts(
        self,
        urls: list[str] | list[bytes],
        agent: str | Crawler,
        *,
        now: SupportsFloat | None = None,
        errors: Literal["raise"] = "raise",
    ) -> list[Verdict]: ...
    @overload
    def verdicts(
        self, urls: Any, agent: str | Crawler, *, now: SupportsFloat | None = None, errors: OnError = "raise"
    ) -> Any:
        """Returns the verdict for each of many URLs: ``allowed``, ``disallowed`` or ``unknown``.

        A URL is unknown if the pack does not hold its origin, or nothing that still counts ``now``. URLs and answers
        have the forms of ``Matcher.allowed``, and ``errors`` means the same. Other threads run meanwhile. Raises
        ``AgentError`` if the pack was not built for the agent.
        """

    @overload
    def allowed(
        self,
        urls: list[str] | list[bytes],
        agent: str | Crawler,
        *,
        now: SupportsFloat | None = None,
        errors: Literal["raise"] = "raise",
    ) -> list[bool]: ...
    @overload
    def allowed(
        self, urls: Any, agent: str | Crawler, *, now: SupportsFloat | None = None, errors: OnError = "raise"
    ) -> Any:
        """Reports for each of many URLs whether it is allowed: ``False`` also if its origin is unknown.

        See ``verdicts``.
        """

    def verdict(self, url: str | bytes, agent: str | Crawler, *, now: SupportsFloat | None = None) -> Verdict:
        """Returns the verdict for one URL. Raises ``UrlError`` if it has no origin."""

    def explain(self, url: str | bytes, agent: str | Crawler, *, now: SupportsFloat | None = None) -> str:
        """Returns the verdict for one URL and what decided, as a line of text."""

    def needs_fetch(self, url: str | bytes, *, now: SupportsFloat | None = None) -> bool:
        """Reports whether the robots.txt of a URL's origin should be fetched: it is not held, or it expired."""

    def crawl_delay(self, url: str | bytes, agent: str | Crawler) -> float | None:
        """Returns the longest crawl delay that the robots.txt of a URL's origin states for an agent, in seconds."""

    def sitemaps(self, url: str | bytes) -> list[str]:
        """Returns the sitemaps that the robots.txt of a URL's origin names; none if the pack was built without."""

    def close(self) -> None:
        """Closes the pack. Batches that run go on; later calls raise ``PackError``."""

    @property
    def dialect(self) -> str:
        """The name of the dialect that the files were read under."""

    @property
    def agents(self) -> list[str] | None:
        """The agents that it was built for; ``None`` for all."""

    @property
    def path(self) -> Path | None:
        """The file; ``None`` if its bytes were given."""

    def __len__(self) -> int:
        """Returns the number of origins."""

    def __bool__(self) -> Literal[True]: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def build_pack(
    path: str | PathLike[str],
    fetched: list[FetchedRobots],
    *,
    agents: list[str] | None = None,
    base: Pack | None = None,
    dialect: str = "google",
) -> int:
    """Writes a pack of what was fetched, and returns the number of its origins.

    Of several records of an origin the newest counts. With ``base``, all that this pack holds is written too, and its
    agents and dialect count; without, the pack is for ``agents``, or for all. The file is written beside ``path`` and
    renamed when it is complete, so that ``path`` can be that of ``base``.

    Raises ``PackError`` if the file cannot be written, an agent is no name, or a record is of another dialect.

    >>> fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=b"User-agent: *\\nDisallow: /cart\\n")
    >>> robotsc.build_pack("sites.pack", [fetched], agents=["FooBot"])
    1
    """
