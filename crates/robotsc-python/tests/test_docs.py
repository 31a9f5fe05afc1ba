"""Runs the Python blocks of the guide, one after the other, as a reader would."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest

def has_spark() -> bool:
    """Reports whether blocks that need Spark can run."""
    return importlib.util.find_spec("pyspark") is not None and shutil.which("java") is not None


PAGES = ["docs/python.md", "crates/robotsc-python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run(page: str, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Else Spark takes the first Python of PATH, which need not have the package.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    text = (repository / page).read_text()
    blocks = list(re.finditer(r"^```python( spark)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert blocks, f"{page} has no block of Python"
    names: dict[str, object] = {}
    for block in blocks:
        # So that an error names the line of the page.
        line = text.count("\n", 0, block.start(2))
        if block[1] and not has_spark():
            print(f"skipped: {page}, line {line + 1}: there is no Spark")
            continue
        exec(compile("\n" * line + block[2], page, "exec"), names)  # noqa: S102
