"""Runs the Python blocks of the guide, one after the other, as a reader would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = ["docs/python.md", "crates/robotsc-python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run(page: str, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (repository / page).read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert blocks, f"{page} has no block of Python"
    names: dict[str, object] = {}
    for block in blocks:
        # So that an error names the line of the page.
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], page, "exec"), names)  # noqa: S102
