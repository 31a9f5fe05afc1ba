"""What the package answers with: versions, types, pickles, comparison, notebooks; docstrings."""

from __future__ import annotations

import ast
import copy
import importlib.metadata
import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import robotsc
from robotsc import _native

BODY = b"User-agent: *\nDisallow: /cart\nDissallow: /<b>\nRequest-rate: 1/10\nContent-Usage: train-ai=n\n"
NOW = 1_790_000_000


def results() -> list[Any]:
    """Returns an object of each class that answers."""
    robots = robotsc.parse(BODY)
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=BODY, now=NOW)
    failed = robotsc.FetchedRobots("https://shop.example", error="timeout", before=fetched, now=NOW + 9)
    explanation = robots.explain("FooBot", "/cart")
    said = robots.preferences("FooBot", "/")
    diff = robotsc.diff(BODY, b"")
    assert said is not None and explanation.rule is not None
    return [
        robots,
        robots.matcher("FooBot"),
        robotsc.Crawler("FooBot"),
        explanation,
        explanation.rule,
        robots.diagnostics[0],
        robots.request_rate("FooBot"),
        said,
        said.content_usage["train-ai"],
        robotsc.lint(BODY)[0],
        diff,
        diff.changes[0],
        fetched,
        failed,
        fetched.explain("FooBot", "https://shop.example/", now=NOW),
        robotsc.Verdict.UNKNOWN,
    ]


def test_answers_can_be_pickled_compared_and_hashed() -> None:
    for one, same in zip(results(), results(), strict=True):
        for other in [pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one), same]:
            assert type(other) is type(one)
            assert other == one
            assert not other != one
            assert hash(other) == hash(one)
            assert str(other) == str(one)
        assert one != 7
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=BODY, now=NOW)
    restored = pickle.loads(pickle.dumps(fetched))
    assert restored.verdict("FooBot", "https://shop.example/cart", now=NOW) == "disallowed"
    assert (restored.summary, restored.status, restored.body_kind) == ("200 OK", 200, "robots")


def test_notebooks_show_tables_and_no_markup_of_files() -> None:
    shown = 0
    for one in results():
        if hasattr(one, "_repr_html_"):
            text = one._repr_html_()
            assert text.startswith("<table>") and "<b>" not in text
            shown += 1
    assert shown >= 6


def test_names() -> None:
    assert robotsc.__version__ == importlib.metadata.version("robotsc")
    for name in robotsc.__all__:
        assert hasattr(robotsc, name)
    for one in results():
        assert type(one).__module__ == "robotsc", type(one)
        assert getattr(robotsc, type(one).__name__) is type(one)
    for name in ["AgentError", "PackError", "RobotsError", "UrlError"]:
        assert getattr(robotsc, name).__module__ == "robotsc"


def test_errors_of_urls_have_places() -> None:
    robots = robotsc.parse(BODY)
    with pytest.raises(robotsc.UrlError) as raised:
        robots.matcher("FooBot").allowed(["/", b"caf\xe9"])
    assert (raised.value.index, raised.value.url) == (1, "caf\\xe9")
    assert pickle.loads(pickle.dumps(raised.value)).index == 1
    calls: list[Callable[[], object]] = [
        lambda: robots.is_allowed("FooBot", "x"),
        lambda: robots.explain("FooBot", "x"),
    ]
    for call in calls:
        with pytest.raises(robotsc.UrlError) as raised:
            call()
        assert (raised.value.index, raised.value.url) == (None, "x")
    with pytest.raises(robotsc.UrlError) as raised:
        robots.matcher("FooBot").allowed([None], errors="raise")
    assert (raised.value.index, raised.value.url) == (0, None)


def test_docstrings_are_those_of_the_stub() -> None:
    stub = ast.parse((Path(robotsc.__file__).parent / "_native.pyi").read_text())
    compared = 0

    def check(node: ast.AST, thing: Any, name: str) -> None:
        nonlocal compared
        assert isinstance(node, ast.ClassDef | ast.FunctionDef)
        written = ast.get_docstring(node)
        if written is not None:
            assert inspect.getdoc(thing) == written, name
            compared += 1

    for node in stub.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            thing = getattr(_native, node.name)
            check(node, thing, node.name)
            for method in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(method, ast.FunctionDef):
                    check(method, getattr(thing, method.name), f"{node.name}.{method.name}")
    assert compared > 60
    for name in ["parse", "lint", "diff", "allowed_by", "build_pack", "verdicts"]:
        text = inspect.getdoc(getattr(robotsc, name)) or ""
        assert all(part in text for part in ["Args:", "Raises", ">>> "]), name
