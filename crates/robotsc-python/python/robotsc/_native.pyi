"""The compiled part of the package. Its items are those of ``robotsc``."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, Self, SupportsFloat, TypeAlias, TypeVar, final, overload

import numpy as np
import polars as pl

from robotsc._results import (
    Answer,
    Diagnostic,
    Diff,
    Explanation,
    Finding,
    Preferences,
    RequestRate,
)
from robotsc._types import BodyKind, Dialect, OnDamage, OnError, Outcome, Require, UnknownUse, Use, Verdict

__all__ = [
    "Crawler",
    "FetchedRobots",
    "Matcher",
    "Pack",
    "RobotsTxt",
    "__version__",
    "allowed_by",
    "build_pack",
    "census",
    "diff",
    "lint",
    "origin_of",
    "origins_of",
    "parse",
    "run_command",
    "verdicts",
]

_Url: TypeAlias = Any  # str, bytes, bytearray, memoryview, or a URL of yarl, httpx, pydantic or urllib.parse
_Body: TypeAlias = bytes | bytearray | memoryview | str
_Agent: TypeAlias = str | Crawler
_UrlList: TypeAlias = list[str] | list[bytes] | list[str | bytes]
_UrlTuple: TypeAlias = tuple[str | bytes, ...]
_Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
_PolarsSeries: TypeAlias = pl.Series

class _Pandas(Protocol):
    """A Series of pandas, which has no types of its own."""

    @property
    def iloc(self) -> Any: ...
    @property
    def index(self) -> Any: ...

_Series = TypeVar("_Series", bound=_Pandas)

__version__: str
"""The version of the package."""

@final
class Crawler:
    """A crawler with several names, without one, or with a name as written. Else pass the name as a ``str``.

    A name of the register of known crawlers means that crawler as its operator documents it: ``Googlebot-Image`` obeys
    the groups of ``Googlebot`` where none names it, ``AdsBot-Google`` obeys only groups that name it.

    Args:
        name: the product token, such as ``FooBot``; no version, no header.
        as_written: it obeys the groups that name it, else those for ``*``, whatever the register says.

    Raises ``AgentError`` if the name is no agent name, ``TypeError`` if it is no ``str``.

    >>> robots = robotsc.parse(b"User-agent: Googlebot\\nDisallow: /cart\\n")
    >>> robots.is_allowed("Googlebot-Image", "/cart")
    False
    >>> robots.is_allowed(robotsc.Crawler("Googlebot-Image", as_written=True), "/cart")
    True
    """

    def __new__(cls, name: str, /, *, as_written: bool = False) -> Self: ...
    @staticmethod
    def chain(*names: str) -> Crawler:
        """Returns a crawler with names in order: the first that the file has a group for decides.

        Raises ``AgentError`` without a name, and for what is no name.

        >>> robotsc.Crawler.chain("FooBot-Images", "FooBot")
        Crawler.chain('FooBot-Images', 'FooBot')
        """

    @staticmethod
    def pool(*names: str) -> Crawler:
        """Returns a crawler that obeys the groups of all its names.

        Raises ``AgentError`` without a name, and for what is no name. A pack does not answer for it.

        >>> robotsc.Crawler.pool("FooBot-Images", "FooBot").names
        ['FooBot-Images', 'FooBot']
        """

    @staticmethod
    def others() -> Crawler:
        """Returns the crawler that no file names: it obeys the groups for ``*``.

        >>> robotsc.parse(b"User-agent: *\\nDisallow: /\\n").is_allowed(robotsc.Crawler.others(), "/")
        False
        """

    @property
    def names(self) -> list[str]:
        """The names, in order."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def parse(body: _Body, dialect: Dialect = "google", *, origin: str | None = None, force: bool = False) -> RobotsTxt:
    """Parses a robots.txt.

    Args:
        body: what was fetched: ``bytes``, ``bytearray``, ``memoryview`` or ``str``. Not its place.
        dialect: ``google``, ``rfc9309``, ``google-2017``, ``google-2019`` or ``yandex``.
        origin: such as ``https://shop.example``; then URLs of other origins are errors.
        force: read what is no robots.txt, too, as the dialect does: a file without rules, which allows everything.

    Returns the file. ``RobotsTxt.diagnostics`` says what was noticed in it.

    Raises ``RobotsError`` for what is no robots.txt, unless forced: a path or a URL, HTML, gzip data, UTF-16, a file
    on one line, rules without a group. It is an answer that a server gives instead of a robots.txt, or a mistake; it
    has no rule, so that everything would be allowed. An empty body and one of comments are fine. Also raises
    ``RobotsError`` for an unknown dialect and for a ``str`` with lone surrogates, ``UrlError`` for a wrong origin,
    ``TypeError`` for what holds no text.

    Cost: linear in the body, at most about 530 kB of it.

    >>> robots = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\n")
    >>> robots.is_allowed("FooBot", "https://shop.example/cart")
    False
    >>> robotsc.parse("robots.txt")
    Traceback (most recent call last):
    robotsc.RobotsError: no robots.txt: 'robots.txt' has no directive: pass the text, not its place
    """

@final
class RobotsTxt:
    """A parsed robots.txt. Made by ``parse``.

    It never changes, threads can share it, it can be compared, and pickled.
    """

    def is_allowed(self, agent: _Agent, url: _Url) -> bool:
        """Reports whether an agent may fetch a URL.

        Args:
            agent: the name of the crawler, or a ``Crawler``.
            url: a URL, or a path that starts with one ``/``.

        Raises ``AgentError`` if the agent is no agent name, ``UrlError`` if the URL has no path on this site.

        Cost: the first question for an agent ranks the rules of its groups; those of the last four names are kept.

        >>> robots = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\nAllow: /cart/help\\n")
        >>> robots.is_allowed("FooBot", "https://shop.example/cart/help")
        True
        """

    def matcher(self, agent: _Agent) -> Matcher:
        """Returns a matcher for an agent, for many URLs.

        Raises ``AgentError`` if the agent is no agent name. Cost: ranks the rules of its groups.

        >>> robotsc.parse(b"User-agent: *\\nDisallow: /cart\\n").matcher("FooBot").is_allowed("/cart")
        False
        """

    def explain(self, agent: _Agent, url: _Url) -> Explanation:
        """Explains whether an agent may fetch a URL: the rule that decides, its line, and what else matches.

        Raises as ``is_allowed``. Cost: compares the path with each rule of the agent.

        >>> robots = robotsc.parse(b"User-agent: *\\nDisallow: /cart\\n")
        >>> robots.explain("FooBot", "https://shop.example/cart").rule.line
        2
        """

    def crawler(self, user_agent: str) -> Crawler:
        """Returns the crawler that a ``User-Agent`` header names in this file, as ``robotsc check --header`` does.

        A header that is a name is that name. In any other, the names of the file are looked for as whole products;
        if there is none, it is a crawler that no file names.

        Raises ``AgentError`` if the header is empty.

        >>> robots = robotsc.parse(b"User-agent: FooBot\\nDisallow: /\\n")
        >>> robots.crawler("Mozilla/5.0 (compatible; FooBot/2.1; +https://foo.example/)").names
        ['FooBot']
        """

    def crawl_delay(self, agent: _Agent) -> float | None:
        """Returns the longest crawl delay that is stated for an agent, in seconds; ``None`` if there is none.

        There is no highest value: set a limit. Raises ``AgentError`` if the agent is no agent name.
        """

    def request_rate(self, agent: _Agent) -> RequestRate | None:
        """Returns the slowest request rate that is stated for an agent; ``None`` if there is none.

        Raises ``AgentError`` if the agent is no agent name.
        """

    def visit_time(self, agent: _Agent) -> tuple[int, int] | None:
        """Returns the first visit time that is stated for an agent: start and end, in minutes of the day, UTC.

        Raises ``AgentError`` if the agent is no agent name.
        """

    def preferences(
        self,
        agent: _Agent,
        url: _Url,
        *,
        usage_header: str | None = None,
        vocabulary: str | None = None,
    ) -> Preferences | None:
        """Returns what the file says may be done with a page; ``None`` if the agent may not fetch it.

        Args:
            agent: the name of the crawler, or a ``Crawler``.
            url: a URL, or a path that starts with one ``/``.
            usage_header: the ``Content-Usage`` header of the response, which is combined: the most restrictive holds.
                A value that cannot be read says nothing, as the draft has it for received headers: nothing is raised,
                and the answer is that of the file alone.
            vocabulary: the number of a revision of draft-ietf-aipref-vocab, such as ``"07"``; the newest by default.

        Raises as ``is_allowed``, and ``RobotsError`` for a revision that there is not.

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
    def body_kind(self) -> BodyKind:
        """What the body is: ``robots``, or what came in its place. Only ``force`` lets such a body be parsed."""

    @property
    def dialect(self) -> Dialect:
        """The name of the dialect."""

    @property
    def origin(self) -> str | None:
        """The origin that it was parsed for, if one was named."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str:
        """Returns the file for a notebook, with what was noticed."""

    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Matcher:
    """The rules of one agent on one site, ready for many URLs. Made by ``RobotsTxt.matcher``.

    It compiles the rules after 350 questions, when that pays. It never changes otherwise, threads can share it, and it
    can be pickled: a pickle holds the body of the robots.txt, which is parsed again.
    """

    def is_allowed(self, url: _Url) -> bool:
        """Reports whether the agent may fetch a URL, or a path that starts with one ``/``.

        Raises ``UrlError`` if it has no path on this site.
        """

    @overload
    def allowed(self, urls: _UrlList, *, errors: Literal["raise"] = "raise") -> list[bool]: ...
    @overload
    def allowed(self, urls: _UrlTuple, *, errors: Literal["raise"] = "raise") -> tuple[bool, ...]: ...
    @overload
    def allowed(self, urls: Sequence[str | bytes | None], *, errors: Literal["null"]) -> Sequence[bool | None]: ...
    @overload
    def allowed(self, urls: _Array, *, errors: OnError = "raise") -> np.ndarray[Any, np.dtype[Any]]: ...
    @overload
    def allowed(self, urls: _Series, *, errors: OnError = "raise") -> _Series: ...
    @overload
    def allowed(self, urls: _PolarsSeries, *, errors: OnError = "raise") -> _PolarsSeries: ...
    @overload
    def allowed(self, urls: Any, *, errors: OnError = "raise") -> Any:
        """Reports for each of many URLs whether the agent may fetch it.

        | URLs | mask |
        |---|---|
        | list, tuple of ``str`` or ``bytes`` | list, tuple of ``bool`` |
        | numpy array of objects or strings | numpy array of ``bool`` |
        | pandas Series | Series with the same index |
        | pandas Index, ``Series.array`` | numpy array |
        | polars Series | Series with the same name |
        | pyarrow Array, ChunkedArray | BooleanArray, ChunkedArray |
        | any other object with ``__arrow_c_array__`` or ``__arrow_c_stream__`` | such an object |

        Args:
            urls: URLs of one site, and paths.
            errors: what becomes of a URL without an answer: ``raise``, or ``null`` for ``None`` or null in its place.

        Raises ``UrlError``, whose ``index`` and ``url`` are those of the first URL without an answer: a missing value,
        what is no URL, and a URL of another origin than the URLs before it. Raises ``TypeError`` for what can be no
        URL at all, such as a number.

        Cost: 64 to 117 ns a URL (docs/python.md). Other threads run meanwhile, and Ctrl-C ends it.

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
    def dialect(self) -> Dialect:
        """The name of the dialect."""

    @property
    def crawler(self) -> Crawler:
        """The crawler that it answers for."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def lint(
    robots: _Body | RobotsTxt, dialect: Dialect = "google", *, info: bool = False, force: bool = False
) -> list[Finding]:
    """Finds what is wrong with a robots.txt, in the order of the lines.

    Args:
        robots: a file, or its body.
        dialect: of a body; that of a ``RobotsTxt`` is its own.
        info: also opinions and details.
        force: also look at a body that is no robots.txt.

    Raises as ``parse``. Cost: near linear for most files, bounded for all. Other threads run meanwhile.

    >>> robotsc.lint(b"User-agent: *\\nDisallow: /shop\\nAllow: /shop\\n")
    [<robotsc.Finding allow-disallow-same in line 2>]
    """

def diff(
    old: _Body | RobotsTxt,
    new: _Body | RobotsTxt,
    dialect: Dialect = "google",
    *,
    agents: Iterable[str] | None = None,
    as_written: bool = False,
    force: bool = False,
) -> Diff:
    """Compares two files: what is newly blocked and newly open, for whom, each with a shortest path as proof.

    Args:
        old: a file, or its body.
        new: a file, or its body.
        dialect: of bodies; that of a ``RobotsTxt`` is its own.
        agents: whom to compare for; without them, all names of both files and all other agents. ``*`` stands for these.
        as_written: known crawlers are compared by their names alone, and not as their operators document them.
        force: also compare a body that is no robots.txt.

    Raises as ``parse``, and ``AgentError`` if an agent is no name. Cost: at most some seconds. Other threads run
    meanwhile.

    >>> old = b"User-agent: *\\nDisallow: /cart\\n"
    >>> robotsc.diff(old, old + b"Disallow: /blog/\\n").changes
    [<robotsc.Change blocked: /blog/>]
    """

def run_command(arguments: Sequence[str]) -> int:
    """Runs the command ``robotsc`` in this process, and returns its exit code.

    The wheel's console script and ``python -m robotsc`` call it. It reads standard input and writes standard output
    and standard error of the process, not ``sys.stdout``. It can be called again. After ``census``, ``fetch`` or
    ``filter`` Ctrl-C ends the process without a ``KeyboardInterrupt``: in a program of your own, start
    ``python -m robotsc`` in its place.

    Args:
        arguments: The command line, the name of the program first.

    Returns:
        0 if all is allowed or nothing was found, 1 if something is disallowed or was found, 2 after an error.
    """

def origin_of(url: _Url, /) -> str:
    """Returns the canonical origin of a URL: scheme, host and port. A robots.txt is that of an origin.

    Raises ``UrlError`` if it is no http, https or ftp URL.

    >>> robotsc.origin_of("HTTPS://Shop.example:443/cart")
    'https://shop.example'
    """

def origins_of(urls: Any, /) -> Any:
    """Returns the canonical origin of each of many URLs, as an Arrow array of strings; null for what has none.

    Takes the forms of ``Matcher.allowed``. The array is pyarrow's if pyarrow is imported. Raises ``TypeError`` for what
    is no column of URLs. Other threads run meanwhile.

    >>> import pyarrow
    >>> robotsc.origins_of(["https://shop.example/cart", "mailto:me@shop.example"]).to_pylist()
    ['https://shop.example', None]
    """

def census(
    source: str | PathLike[str],
    *,
    agents: Iterable[str] | None = None,
    older: str | PathLike[str] | None = None,
    dialect: Dialect = "google",
    cautious: bool = False,
    as_written: bool = False,
    threads: int | None = None,
    errors: OnDamage = "raise",
) -> Any:
    """Returns what many sites say to many crawlers, as ``robotsc census`` counts it: a row for each site and agent.

    A source is what the command takes: a folder of files that are named after hosts, a manifest, a tar or a WARC file.
    The columns are those of ``--emit csv --rows agent``. With ``older`` rows are changes: ``site``, ``change``
    (``appeared``, ``vanished``, ``changed``), and ``agent``, ``before`` and ``after`` for each agent of a site that
    changed.

    Args:
        source: its path.
        agents: names, ``*`` for agents that no group names, ``purpose:PURPOSE`` and ``operator:NAME`` for known
            crawlers. Without it: search engines, AI training and AI search, and ``*``.
        older: the path of an older source, to compare with.
        dialect: how files and failed fetches are read.
        cautious: whether refusals and bodies that are no robots.txt are failures.
        as_written: take names of agents as written, without what the register of known crawlers says of them.
        threads: how many threads answer; one per processor without it.
        errors: what becomes of captures that are damaged: ``raise``, or ``warn`` to skip them with a ``UserWarning``.
            No site has vanished then, since it may not have been read.

    Returns an Arrow table, of pyarrow if that is imported; else any library of Arrow takes it. Words are dictionaries.

    Raises ``RobotsError`` for what is no source, for one without a site, and for damaged captures; ``AgentError`` for
    what is no agent; ``TypeError`` for a path that is none.

    Cost: docs/census.md has figures. Other threads run meanwhile, and Ctrl-C ends it. Sources are read a part at a
    time, so that only the rows take memory.

    >>> import pathlib, pyarrow
    >>> pathlib.Path("sites").mkdir()
    >>> path = pathlib.Path("sites/shop.example.txt")
    >>> _ = path.write_text("User-agent: GPTBot\\nDisallow: /\\n\\nUser-agent: *\\nDisallow: /cart\\n")
    >>> table = robotsc.census("sites", agents=["GPTBot", "FooBot"])
    >>> table.select(["site", "agent", "access", "closed_path"]).to_pylist()[1]
    {'site': 'shop.example', 'agent': 'FooBot', 'access': 'partly', 'closed_path': '/cart'}
    """

def allowed_by(
    policies: Any,
    urls: Any,
    agent: _Agent,
    *,
    dialect: Dialect = "google",
    errors: OnError = "raise",
    force: bool = False,
) -> Any:
    """Reports for each of many URLs whether the robots.txt of its row allows it.

    Args:
        policies: an Arrow array of robots.txt files, ``bytes`` or strings, one for each URL. Pass a dictionary array if
            many rows hold one file: no file is copied for each row then.
        urls: URLs, and paths, in the forms of ``Matcher.allowed``.
        agent: the name of the crawler, or a ``Crawler``.
        dialect: how the files are read.
        errors: what becomes of a row without an answer: ``raise``, or ``null``.
        force: read what is no robots.txt, too, as ``parse`` does.

    Returns the mask, in the form of the URLs.

    Raises ``UrlError`` that names the index of the first row without an answer: its file is null or no robots.txt, or
    its URL has no answer. Raises ``RobotsError`` if the columns differ in length, and ``TypeError`` for what is no such
    column.

    Cost: each file is parsed once a call. Other threads run meanwhile, and Ctrl-C ends it.

    >>> import pyarrow
    >>> policies = pyarrow.array([b"User-agent: *\\nDisallow: /cart\\n", b""]).take(pyarrow.array([0, 0, 1]))
    >>> robotsc.allowed_by(policies, ["https://a.example/", "https://a.example/cart", "/cart"], "FooBot")
    [True, False, True]
    """

@overload
def verdicts(
    urls: _UrlList,
    agents: Iterable[_Agent],
    *,
    pack: Pack | None = None,
    robots: _Body | RobotsTxt | None = None,
    require: Require | None = None,
    reasons: bool = False,
    lines: bool = False,
    use: Use | None = None,
    unknown_use: UnknownUse | None = None,
    now: SupportsFloat | None = None,
    errors: OnError = "raise",
) -> dict[str, list[Any]]: ...
@overload
def verdicts(
    urls: _Array,
    agents: Iterable[_Agent],
    *,
    pack: Pack | None = None,
    robots: _Body | RobotsTxt | None = None,
    require: Require | None = None,
    reasons: bool = False,
    lines: bool = False,
    use: Use | None = None,
    unknown_use: UnknownUse | None = None,
    now: SupportsFloat | None = None,
    errors: OnError = "raise",
) -> dict[str, _Array]: ...
@overload
def verdicts(
    urls: _Pandas,
    agents: Iterable[_Agent],
    *,
    pack: Pack | None = None,
    robots: _Body | RobotsTxt | None = None,
    require: Require | None = None,
    reasons: bool = False,
    lines: bool = False,
    use: Use | None = None,
    unknown_use: UnknownUse | None = None,
    now: SupportsFloat | None = None,
    errors: OnError = "raise",
) -> Any: ...
@overload
def verdicts(
    urls: _PolarsSeries,
    agents: Iterable[_Agent],
    *,
    pack: Pack | None = None,
    robots: _Body | RobotsTxt | None = None,
    require: Require | None = None,
    reasons: bool = False,
    lines: bool = False,
    use: Use | None = None,
    unknown_use: UnknownUse | None = None,
    now: SupportsFloat | None = None,
    errors: OnError = "raise",
) -> pl.DataFrame: ...
@overload
def verdicts(
    urls: Any,
    agents: Iterable[_Agent],
    *,
    pack: Pack | None = None,
    robots: _Body | RobotsTxt | None = None,
    require: Require | None = None,
    reasons: bool = False,
    lines: bool = False,
    use: Use | None = None,
    unknown_use: UnknownUse | None = None,
    now: SupportsFloat | None = None,
    errors: OnError = "raise",
) -> Any:
    """Returns the verdict of each of many URLs for each of several agents: a column for each agent.

    | URLs | columns |
    |---|---|
    | list, tuple, numpy array | ``dict`` of lists, tuples, numpy arrays |
    | pandas Series | DataFrame with the same index; words are categories |
    | polars Series | DataFrame; words are categories |
    | pyarrow Array, ChunkedArray | Table; words are dictionaries |
    | any other object that exports Arrow | such an object |

    Args:
        urls: URLs; with ``robots`` those of one site, and paths.
        agents: names, or ``Crawler`` objects, each once. A column has the name of its agent.
        pack: answers for URLs of any origin. Either this or ``robots``.
        robots: a robots.txt, or its body.
        require: ``all`` or ``any`` of the agents; then there is one column, ``verdict``. What decides it has priority
            over ``unknown``, and ``unknown`` over the rest.
        reasons: add a column ``FooBot reason`` for each agent, or ``reason``: see ``Reason``.
        lines: add a column ``FooBot line``, or ``line``: the line of the rule that decided, missing if no rule did.
        use: what the pages are wanted for: ``train``, ``input`` (of a model that answers) or ``search``. A page is
            disallowed, too, if the site says no to this use. A pack needs preferences: see ``build_pack``.
        unknown_use: with ``use``, whether to ``allow`` or ``deny`` pages of which the site says neither yes nor no.
        now: the time to answer for, in seconds since 1970; the clock's without it. A robots.txt has no time.
        errors: what becomes of a URL without an answer: ``raise``, or ``null``.

    Raises ``UrlError`` as ``Matcher.allowed``, ``AgentError`` for what is no agent and for one that the pack was not
    built for, ``PackError`` if it holds no preferences, ``TypeError`` without a pack and a robots.txt, and for ``use``
    without ``unknown_use``: there is no default.

    Cost: each URL is split once, its origin looked up once, and agents with the same rules share a walk
    (docs/python.md has figures). Other threads run meanwhile, and Ctrl-C ends it.

    >>> robots = b"User-agent: GPTBot\\nDisallow: /\\n"
    >>> robotsc.verdicts(["/", "/cart"], ["GPTBot", "FooBot"], robots=robots)["GPTBot"]
    [<Verdict.DISALLOWED: 'disallowed'>, <Verdict.DISALLOWED: 'disallowed'>]
    >>> robotsc.verdicts(["/"], ["GPTBot", "FooBot"], robots=robots, require="all", lines=True)["line"]
    [2]
    >>> body = b"User-agent: *\\nContent-Usage: train-ai=n\\nContent-Usage: /press/ train-ai=y\\n"
    >>> robotsc.verdicts(["/", "/press/"], ["FooBot"], robots=body, use="train", unknown_use="deny")["FooBot"]
    [<Verdict.DISALLOWED: 'disallowed'>, <Verdict.ALLOWED: 'allowed'>]
    """

@final
class FetchedRobots:
    """The robots.txt of an origin as it was fetched, and what that means at any later time.

    State how the fetch ended: a ``status`` with the ``body`` and the ``headers``, or the ``error``. The body of an
    error page is never read as rules, and a body that contradicts its headers is a failure. A body that is no
    robots.txt has no rules, so that everything is allowed, as the dialects have it: ``body_kind`` names it, and
    ``cautious`` makes a failure of it.

    Args:
        url: any URL of the origin.
        status: the status of the last response, redirects followed.
        body: the bytes of the body. A status of success needs one.
        headers: a mapping, or pairs of names and values.
        redirects: the number of redirects that were followed.
        error: ``connect``, ``dns``, ``protocol``, ``refused``, ``reset``, ``timeout``, ``tls``, ``incomplete`` (the
            body broke off), ``redirect-loop`` or ``lost-redirect``.
        now: the time of the response, in seconds since 1970; without it, the clock is read.
        before: what was known before, and not later than ``now``: a failed fetch keeps a good copy for a while.
        dialect: how files, statuses and failures are read.
        cautious: 401, 403 and a body that is no robots.txt are failures: nothing is allowed at first.

    Raises ``RobotsError`` if neither or both of status and error are stated, for a status of success without a body,
    for a ``str`` that is a path or a URL, and if ``before`` is newer; ``UrlError`` if the URL has no origin.

    >>> fetched = robotsc.FetchedRobots("https://shop.example", status=503, now=1_790_000_000)
    >>> fetched.verdict("FooBot", "https://shop.example/", now=1_790_000_000)
    <Verdict.DISALLOWED: 'disallowed'>
    >>> fetched.summary
    '503 Service Unavailable'
    """

    def __new__(
        cls,
        url: _Url,
        *,
        status: int | None = None,
        body: _Body | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]] | None = None,
        redirects: int = 0,
        error: str | None = None,
        now: SupportsFloat | None = None,
        before: FetchedRobots | None = None,
        dialect: Dialect = "google",
        cautious: bool = False,
    ) -> Self: ...
    def policy(self, now: SupportsFloat | None = None) -> Literal["rules", "allow", "disallow", "unknown"]:
        """Returns which policy counts at a time."""

    def verdict(self, agent: _Agent | Matcher, url: _Url, *, now: SupportsFloat | None = None) -> Verdict:
        """Returns the verdict for a URL of the origin at a time. That of robots.txt itself is always allowed.

        A ``Matcher`` must be one of ``robots``. Raises as ``RobotsTxt.is_allowed``.
        """

    def explain(self, agent: _Agent | Matcher, url: _Url, *, now: SupportsFloat | None = None) -> Answer:
        """Returns the verdict for a URL of the origin at a time, and what decided: a rule, or what happened.

        Raises as ``RobotsTxt.is_allowed``.

        >>> fetched = robotsc.FetchedRobots("https://shop.example", status=429, now=1_790_000_000)
        >>> print(fetched.explain("FooBot", "https://shop.example/", now=1_790_000_000))
        disallowed: robots.txt: 429 Too Many Requests, which counts as a failure of the server
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
    def outcome(self) -> Outcome:
        """How the fetch ended: ``rules``, ``missing``, ``server error``, ``unreachable``…"""

    @property
    def status(self) -> int | None:
        """The status of the response; ``None`` if there was none."""

    @property
    def body_kind(self) -> BodyKind | None:
        """What the body of a success is: ``robots``, or what came in its place; ``None`` without a success."""

    @property
    def is_challenge(self) -> bool:
        """Whether the server marked the response as a challenge, by the header of Cloudflare or of AWS WAF."""

    @property
    def summary(self) -> str:
        """What happened, as words: ``429 Too Many Requests``, ``a timeout``."""

    @property
    def fetched_at(self) -> int:
        """When the fetch ended, in seconds since 1970."""

    @property
    def expires_at(self) -> int:
        """Until when the result counts without another fetch, in seconds since 1970."""

    @property
    def dialect(self) -> Dialect:
        """The name of the dialect."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Pack:
    """A policy pack, as ``robotsc pack build`` writes it: the policies of many origins in one file.

    The file is mapped, and verified when it is opened: all its checksums are compared, at the speed of reading it. With
    ``trusted``, only its header is, in constant time: a byte that changed since can allow what is disallowed. Use the
    pack in a ``with`` statement, or call ``close``. A pickle holds the absolute path, and opens the file again in the
    same way; processes share the memory of the file.

    Replace a pack by rename, never in place: an open pack then goes on with the old file.

    Args:
        path: the file.
        trusted: the file was checked before, and cannot have changed since.

    Raises ``PackError`` if the file cannot be read, is no pack, or was altered.

    >>> with robotsc.Pack("sites.pack") as pack:
    ...     pack.verdicts(["https://shop.example/", "https://other.example/"], agent="FooBot")
    [<Verdict.ALLOWED: 'allowed'>, <Verdict.UNKNOWN: 'unknown'>]
    """

    def __new__(cls, path: str | PathLike[str], *, trusted: bool = False) -> Self: ...
    @staticmethod
    def from_bytes(data: bytes | bytearray | memoryview, /, *, trusted: bool = False) -> Pack:
        """Opens a pack that is in memory, and verifies it, unless it is ``trusted``. Copies it.

        Raises ``PackError`` if it is no pack, or was altered.
        """

    @overload
    def verdicts(
        self,
        urls: _UrlList,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: Literal["raise"] = "raise",
    ) -> list[Verdict]: ...
    @overload
    def verdicts(
        self,
        urls: _Array,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> _Array: ...
    @overload
    def verdicts(
        self,
        urls: _Series,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> _Series: ...
    @overload
    def verdicts(
        self,
        urls: _PolarsSeries,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> _PolarsSeries: ...
    @overload
    def verdicts(
        self,
        urls: Any,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> Any:
        """Returns the verdict for each of many URLs: ``allowed``, ``disallowed`` or ``unknown``.

        A URL is unknown if the pack does not hold its origin, or nothing that still counts ``now``. URLs and answers
        have the forms of ``Matcher.allowed``, and ``errors`` means the same. For several agents, or for reasons and
        lines, call ``robotsc.verdicts``, where ``use`` and ``unknown_use`` mean the same, too.

        Raises ``UrlError`` as ``Matcher.allowed``, ``AgentError`` if the pack was not built for the agent, and
        ``PackError`` if a use is asked for and the pack holds no preferences.

        Cost: about 190 ns a URL. Other threads run meanwhile, and Ctrl-C ends it.
        """

    @overload
    def allowed(
        self,
        urls: _UrlList,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: Literal["raise"] = "raise",
    ) -> list[bool]: ...
    @overload
    def allowed(
        self,
        urls: _Array,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> _Array: ...
    @overload
    def allowed(
        self,
        urls: _Series,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> _Series: ...
    @overload
    def allowed(
        self,
        urls: _PolarsSeries,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> _PolarsSeries: ...
    @overload
    def allowed(
        self,
        urls: Any,
        agent: _Agent,
        *,
        use: Use | None = None,
        unknown_use: UnknownUse | None = None,
        now: SupportsFloat | None = None,
        errors: OnError = "raise",
    ) -> Any:
        """Reports for each of many URLs whether it is allowed: ``False`` also if its origin is unknown.

        See ``verdicts``.
        """

    def verdict(self, url: _Url, agent: _Agent, *, now: SupportsFloat | None = None) -> Verdict:
        """Returns the verdict for one URL.

        Raises ``UrlError`` if it has no origin, ``AgentError`` if the pack was not built for the agent.
        """

    def explain(self, url: _Url, agent: _Agent, *, now: SupportsFloat | None = None) -> Answer:
        """Returns the verdict for one URL and what decided. For many URLs, call ``robotsc.verdicts`` with ``reasons``.

        Raises as ``verdict``.

        >>> with robotsc.Pack("sites.pack") as pack:
        ...     print(pack.explain("https://other.example/", "FooBot"))
        unknown: its robots.txt is not held: fetch it
        """

    def _has_failed(self, url: _Url) -> bool:
        """Reports whether the last fetch of the robots.txt of a URL's origin failed."""

    def _has_rules(self, url: _Url, agent: _Agent) -> bool:
        """Reports whether the robots.txt of a URL's origin has a rule for an agent, as far as the pack names rules."""

    def needs_fetch(self, url: _Url, *, now: SupportsFloat | None = None) -> bool:
        """Reports whether the robots.txt of a URL's origin should be fetched: it is not held, or it expired."""

    def crawl_delay(self, url: _Url, agent: _Agent) -> float | None:
        """Returns the longest crawl delay that the robots.txt of a URL's origin states for an agent, in seconds."""

    def sitemaps(self, url: _Url) -> list[str]:
        """Returns the sitemaps that the robots.txt of a URL's origin names; none if the pack was built without."""

    def close(self) -> None:
        """Closes the pack. Batches that run go on; later calls raise ``PackError``."""

    @property
    def dialect(self) -> Dialect:
        """The name of the dialect that the files were read under."""

    @property
    def agents(self) -> list[str] | None:
        """The agents that it was built for; ``None`` for all."""

    @property
    def path(self) -> Path | None:
        """The file, with an absolute path; ``None`` if its bytes were given."""

    def __len__(self) -> int: ...
    def __bool__(self) -> Literal[True]: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def build_pack(
    path: str | PathLike[str],
    fetched: Iterable[FetchedRobots],
    *,
    agents: Iterable[_Agent] | None = None,
    base: Pack | None = None,
    dialect: Dialect | None = None,
    preferences: bool | None = None,
) -> int:
    """Writes a pack of what was fetched, and returns the number of its origins.

    Args:
        path: the file. It is written beside it and renamed when it is complete, so that it can be that of ``base``.
        fetched: of several records of an origin the newest counts; of several of one second the last in this list.
        agents: the pack is for these; without them, for all, or for those of ``base``.
        base: all that this pack holds is written too, and its agents and dialect count.
        dialect: that of all records; without it, that of ``base``, or ``google``.
        preferences: keep what files state of the use of pages; without it, as ``base`` does, or not.

    Raises ``PackError`` if the file cannot be written, if a record is of another dialect, if ``base`` is of other
    agents or another dialect than these arguments, or holds preferences and they say not to, or the other way round,
    and if there is neither a record nor a ``base``; ``AgentError`` if an agent is no name. Ctrl-C ends it, and leaves
    the file as it was.

    >>> fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=b"User-agent: *\\nDisallow: /cart\\n")
    >>> robotsc.build_pack("sites.pack", [fetched], agents=["FooBot"])
    1
    """
