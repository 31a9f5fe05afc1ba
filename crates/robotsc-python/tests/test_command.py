"""The command that the wheel carries: the console script, and ``python -m robotsc``."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import robotsc

WAYS = [[str(Path(sys.executable).with_name("robotsc"))], [sys.executable, "-m", "robotsc"]]


def run(way: list[str], *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*way, *arguments], input=stdin, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("way", WAYS)
def test_it_answers_as_the_command_does(way: list[str]) -> None:
    rules = "User-agent: *\nDisallow: /cart\n"
    ran = run(way, "check", "-", "--agent", "FooBot", "https://shop.example/cart", "https://shop.example/", stdin=rules)
    assert (ran.stdout, ran.returncode) == ("disallowed\thttps://shop.example/cart\nallowed\thttps://shop.example/\n", 1)
    ran = run(way, "check", "-", "--agent", "FooBot", "https://shop.example/", stdin=rules)
    assert ran.returncode == 0
    ran = run(way, "check", "-", "--agent", "Foo Bot", "https://shop.example/", stdin=rules)
    assert ran.returncode == 2 and ran.stderr.startswith("robotsc: ")


@pytest.mark.parametrize("way", WAYS)
def test_its_version_is_that_of_the_package(way: list[str]) -> None:
    assert run(way, "-V").stdout == f"robotsc {robotsc.__version__}\n"


def test_it_starts_without_what_only_answers_need() -> None:
    code = "import sys, robotsc.__main__; print([name for name in sys.modules if name in ('dataclasses', 'html')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_a_reader_that_goes_away_is_no_crash() -> None:
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run([*WAYS[1], "agents"], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (ran.stderr, ran.returncode) == (b"", 0)
