"""What several tests share: where the recorded data is."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# A shell without job control starts what runs beside it with SIGINT ignored, and tests of Ctrl-C would wait forever.
signal.signal(signal.SIGINT, signal.default_int_handler)

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout that the tests lie in."""
    return REPOSITORY


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real robots.txt files and recorded answers beside the checkout."""
    folder = REPOSITORY.parent / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip("the corpus of real files does not lie beside the checkout, at ../shared/corpus")
    return folder


def full() -> bool:
    """Reports whether all recorded answers are to be checked, and not a sample: ``ROBOTSC_FULL=1``."""
    return os.environ.get("ROBOTSC_FULL") == "1"
