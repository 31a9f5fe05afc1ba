"""What the package answers, and the forms of URLs and masks."""

from __future__ import annotations

import ast
import copy
import doctest
import pickle
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import robotsc

BODY = b"""\
Sitemap: https://shop.example/sitemap.xml
Host: www.shop.example
User-agent: *
Disallow: /cart
Allow: /cart/help
Crawl-delay: 2.5
Request-rate: 1/10
Request-rate: 3/60 0600-0845
Visit-time: 0200-0630
Content-signal: search=yes, ai-train=no
User-agent: FooBot-Images
Disallow: /images
Dissallow: /typo
"""
NOW = 1_790_000_000

URLS = ["https://shop.example/", "https://shop.example/cart", "https://shop.example/cart/help", "/cart/1"]
MASK = [True, False, True, False]


@pytest.fixture(scope="module")
def robots() -> robotsc.RobotsTxt:
    return robotsc.parse(BODY)


@pytest.fixture
def pack(tmp_path: Path) -> robotsc.Pack:
    fetched = [
        robotsc.FetchedRobots("https://shop.example", status=200, body=BODY, now=NOW),
        robotsc.FetchedRobots("https://down.example", status=503, now=NOW),
        robotsc.FetchedRobots("https://free.example", status=404, now=NOW),
    ]
    target = tmp_path / "sites.pack"
    assert robotsc.build_pack(target, fetched) == 3
    return robotsc.Pack(target)


def test_one_url(robots: robotsc.RobotsTxt) -> None:
    matcher = robots.matcher("FooBot")
    for url, allowed in zip(URLS, MASK, strict=True):
        assert robots.is_allowed("FooBot", url) is allowed
        assert robots.is_allowed("FooBot", url.encode()) is allowed
        assert matcher.is_allowed(url) is allowed
        assert robots.explain("FooBot", url).allowed is allowed
    assert robots.is_allowed("foobot-images", "/cart")
    assert not robots.is_allowed("FooBot-Images", "/images/1")
    for agent in ["a", "b", "c", "d", "e", "FooBot-Images", "a"]:
        assert robots.is_allowed(agent, "/images/1") is (agent != "FooBot-Images"), "matchers of some agents are kept"


def test_crawlers(robots: robotsc.RobotsTxt) -> None:
    chain = robotsc.Crawler.chain("FooBot-Images", "FooBot")
    assert robots.is_allowed(chain, "/cart")
    assert not robots.is_allowed(robotsc.Crawler.pool("FooBot-Images", "FooBot"), "/images/1")
    assert not robots.is_allowed(robotsc.Crawler.others(), "/cart")
    assert not robots.is_allowed(robotsc.Crawler("FooBot-Images"), "/images/1")
    header = "Mozilla/5.0 (compatible; FooBot-Images/2.1; +https://foo.example/)"
    assert robots.crawler(header) == robotsc.Crawler.pool("FooBot-Images")
    assert robots.crawler("Mozilla/5.0") == robotsc.Crawler.others()
    assert robots.crawler("FooBot") == robotsc.Crawler("FooBot")
    assert (chain.names, str(chain)) == (["FooBot-Images", "FooBot"], "FooBot-Images, else FooBot")
    assert len({chain, robotsc.Crawler.chain("FooBot-Images", "FooBot"), robotsc.Crawler.others()}) == 2


def test_known_crawlers_are_asked_as_documented(tmp_path: Path) -> None:
    body = b"User-agent: Googlebot\nDisallow: /images/\n\nUser-agent: *\nDisallow: /tmp/\n"
    robots = robotsc.parse(body)
    image, ads = (robotsc.Crawler(name, as_written=True) for name in ["Googlebot-Image", "AdsBot-Google"])
    cases: list[tuple[str | robotsc.Crawler, str, bool]] = [
        ("Googlebot-Image", "/images/1", False),
        ("googlebot-image", "/tmp/1", True),
        (robotsc.Crawler("Googlebot-Image"), "/images/1", False),
        (image, "/images/1", True),
        (image, "/tmp/1", False),
        ("AdsBot-Google", "/tmp/1", True),
        (ads, "/tmp/1", False),
        ("FooBot", "/tmp/1", False),
    ]
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=body, now=NOW)
    for agent, path, allowed in cases:
        url = f"https://shop.example{path}"
        assert robots.is_allowed(agent, url) is allowed, (agent, path)
        assert robots.matcher(agent).is_allowed(url) is allowed, (agent, path)
        assert robots.explain(agent, url).allowed is allowed, (agent, path)
        assert fetched.verdict(agent, url, now=NOW) == ("allowed" if allowed else "disallowed"), (agent, path)
    for crawler in [image, ads, robotsc.Crawler("Googlebot-Image"), robotsc.Crawler("AdsBot-Google")]:
        assert pickle.loads(pickle.dumps(crawler)) == crawler
        assert eval(repr(crawler), {"Crawler": robotsc.Crawler}) == crawler
    assert repr(ads) == "Crawler('AdsBot-Google', as_written=True)"

    new = b"User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /tmp/\n"
    assert robotsc.diff(body, new, agents=["Googlebot-Image"]).changes
    assert not robotsc.diff(body, new, agents=["Googlebot-Image"], as_written=True).changes

    url = "https://shop.example/images/1"
    robotsc.build_pack(tmp_path / "all.pack", [fetched])
    robotsc.build_pack(tmp_path / "one.pack", [fetched], agents=["Googlebot-Image"])
    with robotsc.Pack(tmp_path / "all.pack") as pack:
        assert pack.verdict(url, "Googlebot-Image", now=NOW) == "disallowed"
        assert pack.verdict(url, image, now=NOW) == "allowed"
        assert pack.verdict("https://shop.example/tmp/1", "AdsBot-Google", now=NOW) == "allowed"
    with robotsc.Pack(tmp_path / "one.pack") as pack:
        assert pack.verdict(url, "Googlebot-Image", now=NOW) == "disallowed"
        with pytest.raises(robotsc.AgentError):
            pack.verdict(url, image, now=NOW)


def test_what_a_file_says(robots: robotsc.RobotsTxt) -> None:
    assert robots.sitemaps == ["https://shop.example/sitemap.xml"]
    assert robots.hosts == ["www.shop.example"]
    assert robots.crawl_delay("FooBot") == 2.5
    assert robots.crawl_delay("FooBot-Images") is None
    rate = robots.request_rate("FooBot")
    assert rate is not None
    assert (rate.requests, rate.seconds, rate.window) == (3, 60, (360, 525)), "the slowest"
    assert robots.request_rate("FooBot-Images") is None
    assert robots.visit_time("FooBot") == (120, 390)
    said = robots.preferences("FooBot", "/")
    assert said is not None
    signals = {label: stated.preference for label, stated in said.content_signal.items()}
    assert signals == {"search": True, "ai-input": None, "ai-train": False}
    assert said.content_signal["ai-train"].lines == [10]
    assert robots.preferences("FooBot", "/cart") is None, "what may not be fetched has no preference"
    named = robots.preferences("FooBot-Images", "/")
    assert named is not None
    assert all(stated.preference is None for stated in named.content_signal.values())
    assert (robots.dialect, robots.origin, robots.body) == ("google", None, BODY)
    typo = robots.diagnostics[-1]
    assert (typo.line, typo.code, typo.severity) == (13, "typo-key", "warning")
    assert "Dissallow" in typo.message


def test_explanations(robots: robotsc.RobotsTxt) -> None:
    explanation = robots.explain("FooBot", "https://shop.example/cart/help.pdf")
    assert explanation.rule is not None
    assert (explanation.rule.line, explanation.rule.text, explanation.rule.length) == (5, "Allow: /cart/help", 10)
    assert [rule.line for rule in explanation.matching] == [5, 4]
    assert (explanation.path, explanation.agent, explanation.dialect) == ("/cart/help.pdf", "FooBot", "google")
    assert str(explanation).startswith("allowed by line 5: Allow: /cart/help")
    assert robots.explain("FooBot", "/").rule is None


def test_dialects_and_origins() -> None:
    body = "User-agent: *\nDissallow: /cart\n"
    assert not robotsc.parse(body).is_allowed("FooBot", "/cart")
    assert robotsc.parse(body, "rfc9309").is_allowed("FooBot", "/cart")
    robots = robotsc.parse(body, origin="https://shop.example")
    assert not robots.is_allowed("FooBot", "https://Shop.example:443/cart")
    with pytest.raises(robotsc.UrlError, match="not of the origin"):
        robots.is_allowed("FooBot", "http://shop.example/cart")
    assert robotsc.origin_of("HTTPS://Shop.example:443/cart?a") == "https://shop.example"


def test_lint_and_diff() -> None:
    body = b"User-agent: *\nDisallow: /shop\nAllow: /shop\nDisallow: /*?sort=\n"
    forms: list[bytes | str | robotsc.RobotsTxt] = [body, body.decode(), robotsc.parse(body)]
    for robots in forms:
        same, param = robotsc.lint(robots)
        assert (same.code, same.line, same.severity, same.related) == ("allow-disallow-same", 2, "warning", [3])
        assert same.fix is None
        assert (param.code, param.witness) == ("param-first-only", "/?x=1&sort=")
        assert param.fix == "add the rule with `&`"
        assert str(param).startswith("line 4: warning: ")
    assert len(robotsc.lint(body, info=True)) > 2

    new = b"User-agent: *\nDisallow: /shop\nUser-agent: FooBot\nDisallow: /shop\nDisallow: /blog/\n"
    diff = robotsc.diff(b"User-agent: *\nDisallow: /shop\n", new)
    [change] = diff.changes
    assert (change.effect, change.path, change.agents, change.all_others) == ("blocked", "/blog/", ["FooBot"], False)
    assert (change.old_lines, change.new_lines) == ([], [5])
    assert (diff.is_same, diff.is_decided) == (False, True)
    assert robotsc.diff(new, robotsc.parse(new)).is_same
    assert [change.effect for change in robotsc.diff(new, b"", agents=["FooBot"]).changes] == ["opened"] * 2
    with pytest.raises(robotsc.AgentError):
        robotsc.diff(new, new, agents=["Foo Bot"])
    with pytest.raises(TypeError):
        robotsc.lint(7)  # type: ignore[arg-type]


def kinds(urls: list[Any]) -> list[Any]:
    """Returns URLs in every form that a batch takes."""
    return [
        urls,
        tuple(urls),
        numpy.array(urls, dtype=object),
        pandas.Series(urls, index=range(5, 5 + len(urls))),
        pandas.Series(urls, dtype=object),
        polars.Series("column", urls),
        pyarrow.array(urls),
        pyarrow.array(urls, pyarrow.large_string()),
        pyarrow.array(urls, pyarrow.string_view()),
        pyarrow.array(urls).dictionary_encode(),
        pyarrow.array(urls, pyarrow.binary()),
        pyarrow.array(urls, pyarrow.large_binary()),
        pyarrow.array(urls, pyarrow.binary_view()),
        pyarrow.array([None, *urls, None])[1:-1],
        pyarrow.chunked_array([urls[:1], [], urls[1:]]),
    ]


def check_kind(urls: Any, answers: Any) -> None:
    """Checks that answers came in the form of the URLs."""
    match urls:
        case pandas.Series():
            assert isinstance(answers, pandas.Series)
            assert list(answers.index) == list(urls.index)
        case polars.Series():
            assert isinstance(answers, polars.Series)
            assert answers.name == urls.name
        case pyarrow.Array():
            assert isinstance(answers, pyarrow.Array)
        case pyarrow.ChunkedArray():
            assert isinstance(answers, pyarrow.ChunkedArray)
            assert [len(chunk) for chunk in answers.chunks] == [len(chunk) for chunk in urls.chunks]
        case _:
            assert type(answers) is type(urls)


def as_list(answers: Any) -> list[Any]:
    """Returns answers of any form as a list."""
    values = answers.to_pylist() if isinstance(answers, pyarrow.Array | pyarrow.ChunkedArray) else list(answers)
    # pandas writes NA or NaN for a missing value.
    return [None if pandas.isna(value) else value for value in values]


def test_masks_have_the_form_of_the_urls(robots: robotsc.RobotsTxt) -> None:
    matcher = robots.matcher("FooBot")
    for urls in [*kinds(URLS), numpy.array(URLS), [url.encode() for url in URLS], numpy.array(URLS, dtype="S40")]:
        mask = matcher.allowed(urls)
        check_kind(urls, mask)
        assert as_list(mask) == MASK
    assert matcher.allowed(numpy.array(URLS)).dtype == numpy.bool_
    assert matcher.allowed(pandas.Series(URLS)).dtype == bool
    assert matcher.allowed(polars.Series(URLS)).dtype == polars.Boolean
    assert matcher.allowed(pyarrow.array(URLS)).type == pyarrow.bool_()
    for urls in [[], (), numpy.array([], dtype=object), pandas.Series([], dtype=object), pyarrow.array([], "string")]:
        assert len(matcher.allowed(urls)) == 0


def test_masks_select(robots: robotsc.RobotsTxt) -> None:
    matcher = robots.matcher("FooBot")
    kept = [URLS[0], URLS[2]]
    assert list(numpy.array(URLS)[matcher.allowed(numpy.array(URLS))]) == kept
    series = pandas.Series(URLS, index=[3, 1, 4, 2])
    assert list(series[matcher.allowed(series)]) == kept
    assert polars.Series(URLS).filter(matcher.allowed(polars.Series(URLS))).to_list() == kept
    assert pyarrow.array(URLS).filter(matcher.allowed(pyarrow.array(URLS))).to_pylist() == kept


@pytest.mark.parametrize("bad", ["shop.example/", "mailto:me@shop.example", "", None])
def test_a_url_without_an_answer_raises_or_becomes_null(robots: robotsc.RobotsTxt, bad: str | None) -> None:
    matcher = robots.matcher("FooBot")
    for urls in kinds([*URLS, bad, *URLS]):
        with pytest.raises(robotsc.UrlError, match=r"^urls\[4\]: "):
            matcher.allowed(urls)
        mask = matcher.allowed(urls, errors="null")
        check_kind(urls, mask)
        assert as_list(mask) == [*MASK, None, *MASK]


def test_any_object_that_exports_arrow(robots: robotsc.RobotsTxt) -> None:
    class Exported:
        def __init__(self, array: Any) -> None:
            self.array = array

        def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
            return self.array.__arrow_c_array__(requested_schema)

    mask = robots.matcher("FooBot").allowed(Exported(pyarrow.array(URLS)))
    assert not isinstance(mask, pyarrow.Array)
    assert pyarrow.array(mask).to_pylist() == MASK

    class Stream:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return pyarrow.chunked_array([URLS, URLS]).__arrow_c_stream__(requested_schema)

    mask = robots.matcher("FooBot").allowed(Stream())
    assert pyarrow.chunked_array(mask).to_pylist() == MASK * 2


def test_batches_longer_than_a_chunk(robots: robotsc.RobotsTxt) -> None:
    urls = URLS * 1000
    matcher = robots.matcher("FooBot")
    for some in kinds(urls):
        assert as_list(matcher.allowed(some)) == MASK * 1000
    assert matcher.is_compiled
    urls[3333] = "x"
    for some in kinds(urls):
        with pytest.raises(robotsc.UrlError, match=r"^urls\[3333\]: 'x': neither a URL"):
            robots.matcher("FooBot").allowed(some)


def test_pack(pack: robotsc.Pack) -> None:
    urls = [
        "https://shop.example/cart",
        "HTTPS://Shop.example:443/x/../cart/help",
        "https://down.example/",
        "https://free.example/cart",
        "https://other.example/",
        "https://down.example/robots.txt",
    ]
    verdicts = ["disallowed", "allowed", "disallowed", "allowed", "unknown", "allowed"]
    for some in kinds(urls):
        answers = pack.verdicts(some, agent="FooBot", now=NOW)
        check_kind(some, answers)
        assert as_list(answers) == verdicts
        mask = pack.allowed(some, agent="FooBot", now=NOW)
        check_kind(some, mask)
        assert as_list(mask) == [verdict == "allowed" for verdict in verdicts], "unknown is no allow"
    assert [pack.verdict(url, "FooBot", now=NOW) for url in urls] == verdicts
    for some in kinds([*urls, "/cart"]):
        with pytest.raises(robotsc.UrlError, match=r"^urls\[6\]: "):
            pack.verdicts(some, agent="FooBot", now=NOW)
        assert as_list(pack.verdicts(some, agent="FooBot", now=NOW, errors="null")) == [*verdicts, None]
        assert as_list(pack.allowed(some, agent="FooBot", now=NOW, errors="null"))[-1] is None
    month = 31 * 86_400
    assert pack.verdict("https://free.example/", "FooBot", now=NOW + 2 * month) == "unknown", "it is too old"
    cart = pack.explain("https://shop.example/cart", "FooBot", now=NOW)
    assert (str(cart), cart.verdict, cart.reason, cart.line) == ("disallowed by line 4", "disallowed", "rule", 4)
    down = pack.explain("https://down.example/", "FooBot", now=NOW)
    assert str(down).endswith("robots.txt: server error")
    assert (down.reason, down.line, down.fetched_at, down.origin) == ("server-error", None, NOW, "https://down.example")
    other = pack.explain("https://other.example/", "FooBot", now=NOW)
    assert str(other).startswith("unknown: ")
    assert (other.verdict, other.reason, other.fetched_at) == ("unknown", "not-held", None)
    assert pack.crawl_delay("https://shop.example/any", "FooBot") == 2.5
    assert pack.sitemaps("https://shop.example/any") == ["https://shop.example/sitemap.xml"]
    assert (len(pack), pack.dialect, pack.agents) == (3, "google", None)
    assert not pack.needs_fetch("https://shop.example/", now=NOW)
    assert pack.needs_fetch("https://shop.example/", now=NOW + 86_400)
    assert pack.needs_fetch("https://other.example/", now=NOW)


def test_packs_in_memory(pack: robotsc.Pack) -> None:
    assert pack.path is not None
    held = robotsc.Pack.from_bytes(pack.path.read_bytes())
    for same in [held, pickle.loads(pickle.dumps(held))]:
        assert (same.path, len(same)) == (None, 3)
        assert same.verdict("https://shop.example/cart", "FooBot", now=NOW) == "disallowed"
    with pytest.raises(robotsc.PackError):
        robotsc.Pack.from_bytes(b"")


def test_origins_of_many_urls() -> None:
    urls = ["HTTPS://Shop.example:443/cart", "/cart", "", "http://b\xfccher.example", "https://shop.example?a", None]
    origins = ["https://shop.example", None, None, "http://xn--bcher-kva.example", "https://shop.example", None]
    for some in kinds(urls):
        found = robotsc.origins_of(some)
        assert isinstance(found, pyarrow.StringArray)
        assert found.to_pylist() == origins
    assert robotsc.origins_of(urls * 1000).to_pylist() == origins * 1000


def test_packs_are_added_to(pack: robotsc.Pack, tmp_path: Path) -> None:
    assert pack.path is not None
    newer = robotsc.FetchedRobots("https://shop.example", status=200, body=b"", now=NOW + 1)
    assert robotsc.build_pack(pack.path, [newer], base=pack) == 3
    assert pack.verdict("https://shop.example/cart", "FooBot", now=NOW) == "disallowed", "it is the old file"
    with robotsc.Pack(pack.path) as added:
        assert added.verdict("https://shop.example/cart", "FooBot", now=NOW) == "allowed"
        assert added.verdict("https://down.example/cart", "FooBot", now=NOW) == "disallowed"
    other = robotsc.FetchedRobots("https://shop.example", status=200, body=b"", now=NOW, dialect="rfc9309")
    with pytest.raises(robotsc.PackError, match="dialect google"):
        robotsc.build_pack(tmp_path / "new.pack", [other])
    target = tmp_path / "some.pack"
    robotsc.build_pack(target, [newer], agents=["FooBot"])
    with robotsc.Pack(target) as some:
        assert some.agents == ["foobot"]
        with pytest.raises(robotsc.AgentError, match="holds no rules for BarBot"):
            some.verdicts(URLS, agent="BarBot")


def test_fetched_robots() -> None:
    url = "https://shop.example/any"
    good = robotsc.FetchedRobots(url, status=200, body=BODY, headers=[("Cache-Control", "max-age=600")], now=NOW)
    assert (good.origin, good.outcome, good.policy(NOW)) == ("https://shop.example", "rules", "rules")
    assert (good.fetched_at, good.expires_at) == (NOW, NOW + 600)
    assert not good.needs_fetch(NOW + 599)
    assert good.needs_fetch(NOW + 600)
    assert good.verdict("FooBot", "https://shop.example/cart", now=NOW) == "disallowed"
    assert good.verdict("FooBot", "https://shop.example./cart/help", now=NOW) == "allowed"
    assert good.robots is not None
    matcher = good.robots.matcher("FooBot")
    assert good.verdict(matcher, "https://shop.example/cart", now=NOW) == "disallowed"
    with pytest.raises(robotsc.RobotsError, match="of another robots.txt"):
        good.verdict(robotsc.parse(BODY).matcher("FooBot"), "https://shop.example/cart", now=NOW)
    with pytest.raises(robotsc.UrlError, match="not of the origin https://shop.example"):
        good.verdict("FooBot", "https://other.example/", now=NOW)

    failed = robotsc.FetchedRobots(url, status=503, body=b"User-agent: *\nAllow: /\n", before=good, now=NOW + 700)
    assert (failed.outcome, failed.policy(NOW + 700)) == ("server error", "disallow")
    later = NOW + 700 + 13 * 3600
    again = robotsc.FetchedRobots(url, error="timeout", before=failed, now=later)
    assert (again.policy(later), again.verdict("FooBot", "https://shop.example/", now=later)) == ("rules", "allowed")
    missing = robotsc.FetchedRobots(url, status=404, body=b"User-agent: *\nDisallow: /\n", now=NOW)
    assert (missing.policy(NOW), missing.robots) == ("allow", None)
    for status, error in [(200, "incomplete"), (None, "dns"), (None, "redirect-loop"), (None, "lost-redirect")]:
        ended = robotsc.FetchedRobots(url, status=status, body=b"User-agent: *\nAllow: /\n", error=error, now=NOW)
        assert ended.policy(NOW) == ("allow" if error == "redirect-loop" else "disallow")


def test_pickles_and_copies(robots: robotsc.RobotsTxt, pack: robotsc.Pack) -> None:
    agents: list[str | robotsc.Crawler] = ["FooBot", robotsc.Crawler.others(), robotsc.Crawler("FooBot-Images")]
    agents += [robotsc.Crawler.chain("FooBot-Images", "FooBot"), robotsc.Crawler.pool("a", "b")]
    for agent in agents:
        matcher = robotsc.parse(BODY, "rfc9309", origin="https://shop.example").matcher(agent)
        for other in [pickle.loads(pickle.dumps(matcher)), copy.copy(matcher), copy.deepcopy(matcher)]:
            assert (other.dialect, other.crawler) == (matcher.dialect, matcher.crawler)
            assert other.allowed(URLS) == matcher.allowed(URLS)
            with pytest.raises(robotsc.UrlError):
                other.is_allowed("https://other.example/")
    assert pickle.loads(pickle.dumps(robots)).body == BODY
    assert pickle.loads(pickle.dumps(pack)).verdict("https://shop.example/cart", "FooBot", now=NOW) == "disallowed"


def test_preferences() -> None:
    signals = b"Content-Signal: /a use=full\nContent-Signal: use=immediate\n"
    robots = robotsc.parse(b"User-agent: *\nContent-Usage: /a train-ai=y, bots=n\n" + signals)
    said = robots.preferences("FooBot", "https://shop.example/a")
    assert said is not None
    training = said.content_usage["train-ai"]
    assert (training.preference, training.lines, training.is_in_header) == (True, [2], False)
    assert (said.use_level, said.use_lines) == ("full", [3])
    with_header = robots.preferences("FooBot", "/a", usage_header="train-ai=n")
    assert with_header is not None
    training = with_header.content_usage["train-ai"]
    assert (training.preference, training.lines, training.is_in_header) == (False, [], True)
    without = robots.preferences("FooBot", "/a")
    unreadable = robots.preferences("FooBot", "/a", usage_header="train-ai=n, =")
    assert unreadable is not None and without is not None
    assert unreadable.content_usage["train-ai"].preference == without.content_usage["train-ai"].preference
    assert not unreadable.content_usage["train-ai"].is_in_header, "a header that cannot be read says nothing"
    old = robots.preferences("FooBot", "/a", vocabulary="03")
    assert old is not None
    assert old.content_usage["bots"].preference is False
    with pytest.raises(robotsc.RobotsError, match="no revision has the number"):
        robots.preferences("FooBot", "/a", vocabulary="9")
    with pytest.raises(robotsc.UrlError):
        robots.preferences("FooBot", "shop.example/a")


def test_every_class_has_a_repr(robots: robotsc.RobotsTxt, pack: robotsc.Pack) -> None:
    fetched = robotsc.FetchedRobots("https://shop.example", status=404)
    explanation = robots.explain("FooBot", "/cart")
    assert explanation.rule is not None
    shown = [robots, robots.matcher("FooBot"), explanation, explanation.rule, robots.diagnostics[0], pack, fetched]
    for thing in [*shown, robots.preferences("FooBot", "/"), robots.request_rate("FooBot")]:
        assert repr(thing).startswith("<robotsc."), repr(thing)
        assert " at 0x" not in repr(thing)


def test_examples_in_docstrings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the examples of the package and of the stub."""
    monkeypatch.chdir(tmp_path)
    package = Path(robotsc.__file__).parent
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=b"")
    robotsc.build_pack("sites.pack", [fetched])
    tried = 0
    for name in ["__init__.py", "_native.pyi", "_errors.py", "_types.py", "_results.py"]:
        for node in ast.walk(ast.parse((package / name).read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                test = parser.get_doctest(ast.get_docstring(node) or "", {"robotsc": robotsc}, name, name, 0)
                tried += len(test.examples)
                assert runner.run(test).failed == 0
    assert tried >= 15
