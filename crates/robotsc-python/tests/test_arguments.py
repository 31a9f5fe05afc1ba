"""Arguments that are none, or contradict each other: errors that name the argument and what to pass."""

from __future__ import annotations

import enum
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import robotsc

NOW = 1_790_000_000
SITE = "https://a.example"
PAGE = f"{SITE}/page"
CLOSED = b"User-agent: *\nDisallow: /\n"


def fetched(**how: Any) -> robotsc.FetchedRobots:
    return robotsc.FetchedRobots(SITE, **{"now": NOW, **how})


def test_an_older_fetch_replaces_no_newer() -> None:
    new = fetched(status=200, body=CLOSED)
    hows: list[dict[str, Any]] = [{"status": 404}, {"status": 503}, {"error": "dns"}, {"status": 200, "body": b""}]
    for how in hows:
        for before in [3 * 86400, 1]:
            with pytest.raises(robotsc.RobotsError, match="an older fetch never replaces a newer"):
                fetched(**how, before=new, now=NOW - before)
    for now in [NOW, NOW + 0.5, NOW + 60]:
        assert fetched(status=404, before=new, now=now).verdict("FooBot", PAGE, now=now) == "allowed"


def test_of_one_second_the_last_record_counts(tmp_path: Path) -> None:
    closed, missing = fetched(status=200, body=CLOSED), fetched(status=404)
    for order, verdict in [([closed, missing], "allowed"), ([missing, closed], "disallowed")]:
        robotsc.build_pack(tmp_path / "x.pack", order)
        with robotsc.Pack(tmp_path / "x.pack") as pack:
            assert pack.verdict(PAGE, "FooBot", now=NOW) == verdict


EMPTY: list[Any] = [
    pandas.Series([float("nan")] * 2),
    pandas.Series([float("nan")] * 2, dtype="float32"),
    pandas.Series([None, None], dtype="category"),
    pandas.Series([float("nan")] * 2, dtype="category"),
    pandas.Series([pandas.NaT] * 2),
    pandas.Series([pandas.NA] * 2, dtype="Int64"),
    pandas.Series([pandas.NA] * 2, dtype="boolean"),
    pandas.Series([float("nan")] * 2, dtype="Sparse[float64]"),
    pandas.Series([pandas.NaT] * 2, dtype="datetime64[ns, UTC]"),
    polars.Series([None, None], dtype=polars.Float64),
    polars.Series([float("nan")] * 2),
    polars.Series([None, None], dtype=polars.Int32),
    polars.Series([None, None], dtype=polars.Datetime),
    polars.Series([None, None], dtype=polars.Categorical),
    polars.Series([None, None], dtype=polars.Object),
    pyarrow.array([None, None], pyarrow.float64()),
    pyarrow.array([None, None], pyarrow.int8()),
    pyarrow.array([None, None], pyarrow.list_(pyarrow.string())),
    pyarrow.array([None, None]).dictionary_encode(),
    numpy.array([float("nan")] * 2),
    [numpy.float32("nan"), numpy.float16("nan")],
    [Decimal("NaN"), pandas.NaT],
    [numpy.datetime64("NaT"), None],
]


@pytest.mark.parametrize("urls", EMPTY, ids=lambda urls: f"{type(urls).__module__} {getattr(urls, 'dtype', '')}")
def test_a_column_without_a_value_is_one_of_nulls(urls: Any, tmp_path: Path) -> None:
    matcher = robotsc.parse(CLOSED).matcher("FooBot")
    robotsc.build_pack(tmp_path / "x.pack", [fetched(status=404)])
    pack = robotsc.Pack(tmp_path / "x.pack")
    calls: list[Callable[[Any], Any]] = [
        lambda errors: matcher.allowed(urls, errors=errors),
        lambda errors: pack.verdicts(urls, "FooBot", now=NOW, errors=errors),
    ]
    for call in calls:
        with pytest.raises(robotsc.UrlError, match=r"urls\[0\]: there is no URL"):
            call("raise")
        mask = call("null")
        rows = mask.to_pylist() if isinstance(mask, pyarrow.Array) else list(mask)
        assert [row is None or row is pandas.NA for row in rows] == [True, True]


def test_empty_columns_of_any_type_have_no_row() -> None:
    matcher = robotsc.parse(CLOSED).matcher("FooBot")
    for urls in [pandas.Series([], dtype=float), pandas.Series([], dtype="int64"), polars.Series([], dtype=polars.Date)]:
        assert len(matcher.allowed(urls)) == 0


def test_columns_of_other_things_are_errors() -> None:
    matcher = robotsc.parse(CLOSED).matcher("FooBot")
    others: list[tuple[Any, str]] = [
        (pandas.Series([1.5, float("nan")]), "not of Float64"),
        (pyarrow.array([None, 7]), "not of Int64"),
        (pandas.DataFrame({"url": ["/"], "n": [1]}), "not a table or a struct of 2: pass the column"),
        (polars.DataFrame({"url": ["/"]}), "not a table or a struct of 1: pass the column"),
        (polars.Series([object()], dtype=polars.Object), r"urls\[0\]: a URL is a str or bytes, not object"),
        ([numpy.float32(1)], r"urls\[0\]: a URL is a str or bytes, not float32"),
    ]
    for urls, message in others:
        with pytest.raises(TypeError, match=message):
            matcher.allowed(urls, errors="null")


def test_arguments_beside_a_base_are_those_of_the_base(tmp_path: Path) -> None:
    target, other = tmp_path / "x.pack", tmp_path / "y.pack"
    robotsc.build_pack(target, [fetched(status=404, dialect="rfc9309")], agents=["FooBot"], dialect="rfc9309")
    base = robotsc.Pack(target)
    same: list[dict[str, Any]] = [{}, {"agents": ["FooBot"]}, {"agents": ["foobot"], "dialect": "rfc9309"}]
    for options in same:
        assert robotsc.build_pack(other, [], base=base, **options) == 1
        with robotsc.Pack(other) as pack:
            assert (pack.agents, pack.dialect) == (["foobot"], "rfc9309")
    other.unlink()
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"dialect": "nonsense"}, robotsc.RobotsError, "no dialect is called"),
        ({"dialect": "google"}, robotsc.PackError, "base is of the dialect rfc9309, not of google"),
        ({"agents": ["BarBot"]}, robotsc.PackError, "base was built for other agents"),
        ({"agents": ["FooBot", "BarBot"]}, robotsc.PackError, "base was built for other agents"),
        ({"agents": ["Foo Bot"]}, robotsc.AgentError, "an agent name cannot contain ' '"),
        ({"agents": "FooBot"}, TypeError, "agents are a list of names"),
    ]
    for options, error, message in wrong:
        with pytest.raises(error, match=message):
            robotsc.build_pack(other, [], base=base, **options)
        assert not other.exists()


def test_a_pack_of_nothing_is_none(tmp_path: Path) -> None:
    nothings: list[Any] = [[], (), iter([])]
    for nothing in nothings:
        with pytest.raises(robotsc.PackError, match="no pack built: there is no record, and no base"):
            robotsc.build_pack(tmp_path / "x.pack", nothing)
    assert list(tmp_path.iterdir()) == []


def test_a_pack_is_for_crawlers_too(tmp_path: Path) -> None:
    chain = robotsc.Crawler.chain("FooBot-Images", "FooBot")
    robotsc.build_pack(tmp_path / "x.pack", [fetched(status=200, body=CLOSED)], agents=[chain])
    with robotsc.Pack(tmp_path / "x.pack") as pack:
        assert pack.verdict(PAGE, chain, now=NOW) == "disallowed"
    for agents in [[robotsc.Crawler.pool("A", "B")], [robotsc.Crawler.others()]]:
        with pytest.raises(robotsc.PackError, match="answers for names"):
            robotsc.build_pack(tmp_path / "y.pack", [fetched(status=404)], agents=agents)


def test_ctrl_c_ends_the_building_of_a_pack(tmp_path: Path) -> None:
    rules = "".join(f"Disallow: /*a{n}*b{n}*c\n" for n in range(300))
    body = [f"User-agent: *\nDisallow: /{n}\n{rules}".encode() for n in range(200)]
    records = [
        robotsc.FetchedRobots(f"https://s{n}.example", status=200, body=text, now=NOW) for n, text in enumerate(body)
    ]
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            robotsc.build_pack(tmp_path / "x.pack", records * 50)
    # A busy machine is slow to compile what was sent already.
    assert time.monotonic() - start < 30
    assert not (tmp_path / "x.pack").exists()


def test_numbers_and_paths_name_their_argument(tmp_path: Path) -> None:
    robots = robotsc.parse(b"")
    wrong: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: fetched(status=-1), robotsc.RobotsError, "status is from 100 to 999, not -1"),
        (lambda: fetched(status=0), robotsc.RobotsError, "status is from 100 to 999, not 0"),
        (lambda: fetched(status=10**6), robotsc.RobotsError, "status is from 100 to 999, not 1000000"),
        (lambda: fetched(status=10**30), robotsc.RobotsError, "status is from 100 to 999, not 10000"),
        (lambda: fetched(status="404"), TypeError, "status is an int, not str"),
        (lambda: fetched(status=404, redirects=-1), robotsc.RobotsError, "redirects is a number from 0, not -1"),
        (lambda: fetched(status=404, redirects="5"), TypeError, "redirects is an int, not str"),
        (lambda: fetched(status=404, now="x"), TypeError, "now is a number of seconds since 1970, not str"),
        (lambda: fetched(status=404, now=datetime.now(UTC)), TypeError, r"not datetime: pass timestamp\(\)"),
        (lambda: fetched(status=404, now=pandas.Timestamp(0)), TypeError, r"not Timestamp: pass timestamp\(\)"),
        (lambda: fetched(status=404, now=10**400), robotsc.RobotsError, "a time is in seconds since 1970"),
        (lambda: fetched(status=404, now=NOW * 1000), robotsc.RobotsError, "a time is in seconds since 1970"),
        (lambda: robotsc.Pack(None), TypeError, "path is a str or an os.PathLike of str, not NoneType"),  # type: ignore[arg-type]
        (lambda: robotsc.Pack(b"x"), TypeError, "path is a str or an os.PathLike of str, not bytes"),  # type: ignore[arg-type]
        (lambda: robotsc.Pack(tmp_path), robotsc.PackError, "it is a folder, and no pack"),
        (lambda: robotsc.build_pack(5, []), TypeError, "path is a str or an os.PathLike of str, not int"),  # type: ignore[arg-type]
        (lambda: robots.is_allowed(PAGE, "FooBot"), robotsc.AgentError, "are the arguments swapped"),
        (lambda: robots.is_allowed("/page", "FooBot"), robotsc.AgentError, "are the arguments swapped"),
        (lambda: robots.matcher(PAGE), robotsc.AgentError, "it looks like a URL"),
        (lambda: robotsc.Crawler(robotsc.Crawler("x")), TypeError, "a name is a str, not a Crawler"),  # type: ignore[arg-type]
    ]
    for call, error, message in wrong:
        with pytest.raises(error, match=message):
            call()
    assert fetched(status=404, redirects=300).policy(NOW) == fetched(status=404, redirects=255).policy(NOW)
    assert fetched(status=404, now=numpy.int64(NOW)).fetched_at == NOW


def test_a_pack_that_expired_is_a_warning(tmp_path: Path) -> None:
    other = robotsc.FetchedRobots("https://b.example", status=404, now=NOW + 40 * 86400)
    later = NOW + 41 * 86400
    robotsc.build_pack(tmp_path / "x.pack", [fetched(status=404)])
    robotsc.build_pack(tmp_path / "y.pack", [fetched(status=404), other])
    asks: list[Callable[[robotsc.Pack, int], Any]] = [
        lambda pack, now: pack.allowed([PAGE], "FooBot", now=now),
        lambda pack, now: pack.verdicts([PAGE], "FooBot", now=now),
        lambda pack, now: robotsc.verdicts([PAGE], ["FooBot"], pack=pack, now=now),
    ]
    for ask in asks:
        with robotsc.Pack(tmp_path / "x.pack") as pack:
            with pytest.warns(UserWarning, match="about 100 % of the origins of the pack expired, and are unknown"):
                ask(pack, later)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with robotsc.Pack(tmp_path / "x.pack") as pack:
                ask(pack, NOW)
            with robotsc.Pack(tmp_path / "y.pack") as pack:
                ask(pack, later)


def test_what_is_said_of_a_failure(tmp_path: Path) -> None:
    cut = fetched(status=200, body=CLOSED, headers={"Content-Length": "100"})
    assert cut.summary == "200 OK with a body that broke off, which is no success"
    assert (cut.body_kind, cut.policy(NOW)) == (None, "disallow")
    assert pickle.loads(pickle.dumps(cut)) == cut
    robotsc.build_pack(tmp_path / "x.pack", [fetched(status=429)])
    with robotsc.Pack(tmp_path / "x.pack") as pack:
        assert "a status such as 429" in str(pack.explain(PAGE, "FooBot", now=NOW))
        with pytest.raises(robotsc.AgentError, match="a pool of names has no answer in a pack"):
            pack.verdict(PAGE, robotsc.Crawler.pool("A", "B"))


def test_names_of_enumerations_and_lines_in_notebooks() -> None:
    class Bots(str, enum.Enum):
        FOO = "FooBot"

    assert list(robotsc.verdicts(["/"], [Bots.FOO], robots=CLOSED)) == ["FooBot"]
    odd = "User-agent: *\nDisallow: /\x0b\x0c\u0085\u2028x\nDisallow: /y\n"
    robots = robotsc.parse(odd)
    assert robots._repr_html_().count("<tr>") == 1 + 3
    said = robotsc.parse(b"User-agent: *\nContent-Usage: train-ai=n\n").preferences("FooBot", "/")
    assert said is not None
    for one in (said, said.content_usage, said.content_signal):
        assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(TypeError):
        said.content_usage["search"] = None  # type: ignore[index]
