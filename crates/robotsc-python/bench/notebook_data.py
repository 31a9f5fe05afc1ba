"""Writes the two sources of docs/census-notebook.md: `robots`, a folder, and `new`, a manifest.

    python crates/robotsc-python/bench/notebook_data.py CORPUS FOLDER

Without a corpus (`-`) they are made of the examples, a few sites each.
"""

from __future__ import annotations

import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
# When the files of sources were collected whose names have a year alone.
MONTHS = {"egonkm2024": "202405", "gov2025": "202503", "bedc2025": "202501"}


def write(corpus: Path | None, folder: Path) -> None:
    """Writes both sources into a folder."""
    if corpus is None:
        return write_examples(folder)
    shutil.copytree(corpus / "robots", folder / "robots")
    files = folder / "new"
    files.mkdir()
    lines = []
    for path in sorted((corpus / "robots-modern").iterdir()):
        source, host = path.stem.split("__", 1)
        month = re.search(r"\d{6}$", MONTHS.get(source, source))
        # The other files are of 2019, as those of `robots`.
        if month:
            time = datetime.strptime(month[0], "%Y%m").replace(tzinfo=UTC)
            shutil.copy(path, files)
            lines.append(f"{host}\t200\t{time.timestamp():.0f}\t{path.name}\n")
    (files / "manifest.tsv").write_text("".join(lines))


def write_examples(folder: Path) -> None:
    for name, more in [("robots", ""), ("new", "User-agent: GPTBot\nDisallow: /\n\n")]:
        (folder / name).mkdir()
        for path in sorted(EXAMPLES.glob("*.robots.txt")):
            host = path.name.removesuffix(".robots.txt")
            (folder / name / f"{host}.example.txt").write_text(more + path.read_text("utf-8"), "utf-8")


if __name__ == "__main__":
    write(None if sys.argv[1] == "-" else Path(sys.argv[1]), Path(sys.argv[2]))
