"""Runs the Python blocks of the guide, one after the other, as a reader would."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import notebook_data


def has_spark() -> bool:
    """Reports whether blocks that need Spark can run."""
    return importlib.util.find_spec("pyspark") is not None and shutil.which("java") is not None


def has(module: str) -> Callable[[], bool]:
    """Returns whether blocks that need a module can run."""
    return lambda: importlib.util.find_spec(module) is not None


# What a block after ```python needs, and whether it is there.
NEEDS = {
    "chart": has("matplotlib"),
    "dask": has("dask"),
    "datatrove": has("datatrove"),
    "no-run": lambda: False,
    "ray": has("ray"),
    "spark": has_spark,
}
PAGES = ["docs/python.md", "crates/robotsc-python/README.md"]


def run(page: str, repository: Path, compares: bool = False) -> None:
    """Runs the blocks of a page. If it `compares`, a block prints the text block after it."""
    text = (repository / page).read_text()
    pattern = r"^```python ?([\w-]*)\n(.*?)^```\n(?:```text\n(.*?)^```$)?"
    blocks = list(re.finditer(pattern, text, re.MULTILINE | re.DOTALL))
    assert blocks, f"{page} has no block of Python"
    names: dict[str, object] = {}
    for block in blocks:
        # So that an error names the line of the page.
        line = text.count("\n", 0, block.start(2))
        if block[1] and not NEEDS[block[1]]():
            print(f"skipped: {page}, line {line + 1}: there is no {block[1]}")
            continue
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile("\n" * line + block[2], page, "exec"), names)  # noqa: S102
        if compares and block[3] is not None:
            assert printed.getvalue() == block[3], f"{page}, line {line + 1}"


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run(page: str, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Else Spark takes the first Python of PATH, which need not have the package.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    run(page, repository)


def test_the_notebook_runs(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "svg")
    corpus = repository.parent / "shared" / "corpus"
    has_corpus = corpus.is_dir()
    notebook_data.write(corpus if has_corpus else None, tmp_path)
    run("docs/census-notebook.md", repository, compares=has_corpus)
