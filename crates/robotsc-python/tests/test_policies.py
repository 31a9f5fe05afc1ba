"""`allowed_by`: a column of robots.txt files beside a column of URLs."""

from __future__ import annotations

import random
from typing import Any

import pyarrow
import pyarrow.compute
import pytest

import robotsc

FILES = [b"User-agent: *\nDisallow: /p%d\nUser-agent: BarBot\nDisallow: /\n" % n for n in range(9)]
FORMS = {
    "binary": lambda files: pyarrow.array(files, pyarrow.binary()),
    "large": lambda files: pyarrow.array(files, pyarrow.large_binary()),
    "view": lambda files: pyarrow.array(files, pyarrow.binary_view()),
    "text": lambda files: pyarrow.array(files, pyarrow.binary()).cast(pyarrow.string()),
    "dictionary": lambda files: pyarrow.array(files, pyarrow.binary()).dictionary_encode(),
    "slice": lambda files: pyarrow.array([b"", *files, b""], pyarrow.binary()).dictionary_encode().slice(1, len(files)),
    "runs": lambda files: pyarrow.compute.run_end_encode(pyarrow.array(files, pyarrow.binary())),
    "chunks": lambda files: pyarrow.chunked_array([files[:1_000], [], files[1_000:]], pyarrow.binary()),
}


def rows(count: int) -> tuple[list[bytes | None], list[str | None]]:
    """Returns files and URLs; some of both are missing."""
    choose = random.Random(3)
    files = [choose.choice([*FILES, None]) for _ in range(count)]
    urls = [choose.choice([f"https://s{n}.example/p{choose.randrange(9)}/{n}", f"/p{n % 9}", None]) for n in range(count)]
    return files, urls


@pytest.mark.parametrize("form", FORMS)
def test_answers_are_those_of_each_file(form: str) -> None:
    files, urls = rows(3_000)
    wanted = [
        None if file is None or url is None else robotsc.parse(file).is_allowed("FooBot", url)
        for file, url in zip(files, urls, strict=True)
    ]
    assert {*wanted} == {True, False, None}
    column = FORMS[form](files)
    mask = robotsc.allowed_by(column, pyarrow.chunked_array([urls[:7], urls[7:]]), "FooBot", errors="null")
    assert isinstance(mask, pyarrow.ChunkedArray)
    assert mask.to_pylist() == wanted
    assert robotsc.allowed_by(column, urls, "FooBot", errors="null") == wanted
    assert not any(robotsc.allowed_by(column, urls, "BarBot", errors="null"))


def test_dialects_differ() -> None:
    column = pyarrow.array([b"User-agent: *\nDisallow: /a\nAllow: /*a\n"])
    names: list[robotsc.Dialect] = ["google", "rfc9309"]
    answers = {name: robotsc.allowed_by(column, ["/a"], "FooBot", dialect=name) for name in names}
    assert answers == {name: [robotsc.parse(column[0].as_py(), name).is_allowed("FooBot", "/a")] for name in answers}


def test_empty_columns() -> None:
    for kind in [pyarrow.binary(), pyarrow.null(), pyarrow.dictionary(pyarrow.int8(), pyarrow.binary())]:
        assert robotsc.allowed_by(pyarrow.array([], kind), [], "FooBot") == []
    nulls: Any = pyarrow.DictionaryArray.from_arrays(pyarrow.array([None], pyarrow.int8()), pyarrow.array([], "binary"))
    assert robotsc.allowed_by(nulls, ["/"], "FooBot", errors="null") == [None]


def test_mistakes() -> None:
    column = pyarrow.array([FILES[0], None])
    with pytest.raises(robotsc.UrlError, match=r"urls\[1\]: '/b': there is no robots.txt beside it"):
        robotsc.allowed_by(column, ["/a", "/b"], "FooBot")
    with pytest.raises(robotsc.UrlError, match=r"urls\[0\]: 'mailto:a@b.example': "):
        robotsc.allowed_by(column, ["mailto:a@b.example", "/b"], "FooBot")
    with pytest.raises(robotsc.RobotsError, match="there are 2 policies and 1 URLs: pass one policy for each URL"):
        robotsc.allowed_by(column, ["/a"], "FooBot")
    with pytest.raises(TypeError, match="policies are an Arrow array of robots.txt files, not list"):
        robotsc.allowed_by([b""], ["/a"], "FooBot")
    with pytest.raises(TypeError, match="policies are an Arrow array of strings or binary, not of Int64"):
        robotsc.allowed_by(pyarrow.array([1]), ["/a"], "FooBot")
    with pytest.raises(robotsc.AgentError):
        robotsc.allowed_by(column, ["/a", "/b"], "FooBot/2.1")
    with pytest.raises(robotsc.RobotsError, match="no dialect is called"):
        robotsc.allowed_by(column, ["/a", "/b"], "FooBot", dialect="bing")  # type: ignore[arg-type]
    with pytest.raises(robotsc.RobotsError, match="errors is 'raise' or 'null'"):
        robotsc.allowed_by(column, ["/a", "/b"], "FooBot", errors="ignore")  # type: ignore[arg-type]
