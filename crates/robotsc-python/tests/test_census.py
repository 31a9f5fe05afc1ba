"""`census`: its rows are those of the command, from every kind of source, and what is wrong is an exception."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import tarfile
import threading
import warnings
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow
import pytest

import robotsc

SHOP = (
    "User-agent: GPTBot\nCrawl-delay: 2\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /g\n\n"
    "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n\nSitemap: https://shop.example/sitemap.xml\n"
)
NEWS = "User-agent: *\nContent-Signal: ai-train=no, search=yes\nContent-Usage: train-ai=n\nDisallow:\n"
PAGE = "<!doctype html><title>Hello</title>"
MANIFEST = """https://a.example\t200\t1700000000\ta.txt
https://b.example\t404\t1700000000
https://c.example\t503\t1700000000
https://d.example\t403\t1700000000
https://e.example\ttimeout\t1700000000
https://a.example\t200\t1600000000\tb.txt
"""
AGENTS = ["GPTBot", "Googlebot-Image", "*", "purpose:search"]


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, Path]:
    """A source of each kind."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, body in [("a.example", SHOP), ("b.example", NEWS), ("https_c.example", PAGE)]:
        (folder / f"{name}.txt").write_text(body)
    manifest = tmp_path / "manifest"
    manifest.mkdir()
    (manifest / "a.txt").write_text(SHOP)
    (manifest / "b.txt").write_text(NEWS)
    (manifest / "manifest.tsv").write_text(MANIFEST)
    archive = tmp_path / "sites.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, arcname="sites")
    warc = tmp_path / "sites.warc"
    warc.write_bytes(b"".join(record(f"https://w{n}.example", SHOP if n % 2 else NEWS) for n in range(5)))
    return {"folder": folder, "manifest": manifest, "tar": archive, "warc": warc}


def record(origin: str, body: str) -> bytes:
    """Returns a response as a record of a WARC file."""
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + body.encode()
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{origin}>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        f"WARC-Target-URI: {origin}/robots.txt\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(response)}\r\n\r\n"
    )
    return head.encode() + response + b"\r\n\r\n"


def command(*arguments: str) -> list[dict[str, str]]:
    """Returns the rows of CSV that the command writes."""
    line = [sys.executable, "-m", "robotsc", "census", *arguments, "--emit", "csv", "--quiet"]
    ran = subprocess.run(line, capture_output=True, check=True)
    return list(csv.DictReader(io.StringIO(ran.stdout.decode(), newline="")))


def as_csv(table: Any) -> list[dict[str, str]]:
    """Returns the rows of a table as the command writes them."""

    def text(value: Any) -> str:
        match value:
            case None:
                return ""
            case bool():
                return "yes" if value else "no"
            case float():
                return f"{value:g}"
            case _:
                return str(value)

    return [{name: text(value) for name, value in row.items()} for row in table.to_pylist()]


@pytest.mark.parametrize("kind", ["folder", "manifest", "tar", "warc"])
def test_rows_are_those_of_the_command(sources: dict[str, Path], kind: str) -> None:
    asked = [argument for agent in AGENTS for argument in ("--agent", agent)]
    rows: list[tuple[list[str], dict[str, Any]]] = [
        ([], {}),
        (["--cautious"], {"cautious": True}),
        (["--dialect", "rfc9309"], {"dialect": "rfc9309"}),
    ]
    for more, options in rows:
        wanted = command(str(sources[kind]), "--rows", "agent", *asked, *more)
        table: Any = robotsc.census(sources[kind], agents=AGENTS, **options)
        assert isinstance(table, pyarrow.Table)
        assert as_csv(table) == wanted
        assert table.column_names == list(wanted[0])
    assert len({row["access"] for row in wanted}) > 1, "the source says one thing alone"


def test_changes_are_those_of_the_command(sources: dict[str, Path], tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    newer.mkdir()
    for name, body in [("a.example", NEWS), ("https_b.example", NEWS), ("d.example", SHOP)]:
        (newer / f"{name}.txt").write_text(body)
    wanted = command(str(sources["folder"]), str(newer), "--agent", "GPTBot,*")
    table = robotsc.census(newer, older=sources["folder"], agents=["GPTBot", "*"])
    assert as_csv(table) == wanted
    assert {row["change"] for row in wanted} == {"appeared", "vanished", "changed"}
    assert {"GPTBot", ""} <= {row["agent"] for row in wanted}


def test_agents_are_those_of_the_command(sources: dict[str, Path]) -> None:
    names = {row["agent"] for row in command(str(sources["folder"]), "--rows", "agent")}
    assert {*robotsc.census(sources["folder"]).column("agent").to_pylist()} == names
    for as_written, chosen_by in [(False, "fallback"), (True, "star")]:
        table = robotsc.census(sources["folder"], agents=["Googlebot-Image"], as_written=as_written)
        assert table.column("chosen_by").to_pylist()[0] == chosen_by


def test_other_libraries_take_it(sources: dict[str, Path]) -> None:
    frame = polars.DataFrame(robotsc.census(sources["folder"], agents=["GPTBot", "*"]))
    closed = frame.filter(polars.col("access") == "closed")
    assert closed.select("site", "agent").rows() == [("a.example", "GPTBot")]
    connection = duckdb.connect()
    connection.register("census", robotsc.census(sources["folder"], agents=["GPTBot", "*"]))
    query = "SELECT agent, count(*) FROM census WHERE access = 'partly' GROUP BY agent"
    assert connection.sql(query).fetchall() == [("*", 1)]
    # Without pyarrow it is a table that any library of Arrow takes.
    script = (
        "import sys, robotsc\n"
        f"table = robotsc.census({str(sources['folder'])!r}, agents=['GPTBot', '*'])\n"
        "assert 'pyarrow' not in sys.modules\n"
        "import pyarrow\n"
        "print(pyarrow.table(table).num_rows)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "6\n"


def many(folder: Path, count: int) -> Path:
    """Writes a tar file of many sites."""
    path = folder / "many.tar"
    with tarfile.open(path, "w") as tar:
        for number in range(count):
            body = f"User-agent: *\nDisallow: /p{number % 1000}\nAllow: /*.png$\n".encode()
            info = tarfile.TarInfo(f"s{number}.example.txt")
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
    return path


def test_the_order_is_that_of_the_source_whatever_the_threads(tmp_path: Path) -> None:
    path = many(tmp_path, 3_000)
    agents = ["GPTBot", "CCBot", "FooBot"]
    tables = [robotsc.census(path, agents=agents, threads=threads) for threads in (1, 2, 5)]
    assert tables[0].num_rows == 9_000
    assert all(table.equals(tables[0]) for table in tables)
    assert tables[0].column("site").to_pylist()[::3] == [f"s{number}.example" for number in range(3_000)]


def test_many_rows_are_several_batches(tmp_path: Path) -> None:
    agents = [f"Bot{chr(97 + first)}{chr(97 + second)}" for first in range(8) for second in range(5)]
    table = robotsc.census(many(tmp_path, 2_000), agents=agents)
    assert table.num_rows == 80_000
    assert table.column("agent").num_chunks > 1
    assert table.column("agent").to_pylist()[:80] == agents * 2
    assert table.column("closed_path").to_pylist()[::40] == [f"/p{number % 1000}" for number in range(2_000)]


def test_ctrl_c_ends_it_and_other_threads_run(tmp_path: Path) -> None:
    path = many(tmp_path, 20_000)
    main = threading.main_thread().ident
    assert main is not None
    ticks = 0

    def interrupt() -> None:
        nonlocal ticks
        for _ in range(5):
            threading.Event().wait(0.02)
            ticks += 1
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        robotsc.census(path)
        # A machine that is faster than the signal.
        thread.join()
        threading.Event().wait(1)
    assert ticks == 5
    # The process handles signals as before.
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (({"agents": ["Foo/2"]}), robotsc.AgentError, "bad agent: 'Foo/2'"),
        (({"agents": ["purpose:fun"]}), robotsc.AgentError, "bad purpose"),
        (({"agents": ["operator:Nobody"]}), robotsc.AgentError, "bad operator"),
        (({"agents": []}), robotsc.AgentError, "there is no agent"),
        (({"agents": "GPTBot"}), TypeError, "agents are a list of names, not str"),
        (({"agents": [robotsc.Crawler("GPTBot")]}), TypeError, "a name is a str, not a Crawler"),
        (({"dialect": "bing"}), robotsc.RobotsError, "no dialect is called"),
        (({"threads": 0}), robotsc.RobotsError, "threads is a number from 1"),
        (({"errors": "null"}), robotsc.RobotsError, "errors is 'raise' or 'warn'"),
        (({"older": "missing"}), robotsc.RobotsError, "missing: no such file"),
        (({"older": 1}), TypeError, "a source is a str or an os.PathLike of str, not int"),
    ],
)
def test_mistakes(sources: dict[str, Path], arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        robotsc.census(sources["folder"], **arguments)


def test_what_is_no_source(tmp_path: Path) -> None:
    fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=SHOP, now=1_790_000_000)
    robotsc.build_pack(tmp_path / "sites.pack", [fetched])
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, message in [
        ("missing", "no such file"),
        ("sites.pack", "a policy pack holds"),
        ("empty", "no sites: "),
        ("pipe", "it is no regular file: .*: put it in a file or a folder$"),
    ]:
        for errors in ("raise", "warn"):
            with pytest.raises(robotsc.RobotsError, match=message):
                robotsc.census(tmp_path / name, errors=errors)


def test_an_older_source_without_a_site(sources: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for errors in ("raise", "warn"):
        with pytest.raises(robotsc.RobotsError, match="no sites: .*empty: it holds no robots.txt"):
            robotsc.census(sources["folder"], older=tmp_path / "empty", errors=errors)


def test_long_paths_make_small_batches(tmp_path: Path) -> None:
    (tmp_path / "a.example.txt").write_text("User-agent: *\nDisallow: /" + "a" * 400_000 + "\n")
    names = [f"Bot{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in range(100)]
    for agents, chunks in [(names, 1), (names + [f"{name}x" for name in names], 2)]:
        table = robotsc.census(tmp_path, agents=agents, dialect="rfc9309")
        column = table.column("closed_path")
        assert (len(column), column.num_chunks) == (len(agents), chunks)
        assert {len(path.as_py()) for path in column} == {400_001}


def test_damaged_captures(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SHOP)
    manifest = tmp_path / "manifest.tsv"
    manifest.write_text("https://a.example\t200\t1\ta.txt\nhttps://b.example\t999\t1\ta.txt\nhttps://c.example\tx\t1\n")
    with pytest.raises(robotsc.RobotsError, match=r"line 2.*; 1 more captures cannot be read: pass errors='warn'"):
        robotsc.census(tmp_path, agents=["GPTBot"])
    with pytest.warns(UserWarning, match="1 more captures cannot be read"):
        table = robotsc.census(tmp_path, agents=["GPTBot"], errors="warn")
    assert table.column("site").to_pylist() == ["https://a.example"]
    # A site that was not read has not vanished.
    older = tmp_path / "older"
    older.mkdir()
    (older / "https_b.example.txt").write_text(SHOP)
    with warnings.catch_warnings(action="ignore"):
        table = robotsc.census(tmp_path, older=older, agents=["GPTBot"], errors="warn")
    assert table.column("change").to_pylist() == ["appeared"]
