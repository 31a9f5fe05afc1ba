"""Measures a robots.txt parser written in Python over the corpus, for the table of the aims.

usage: python python_peers.py ENGINE MODE CORPUS AGENT EVERY MAX_FILE ROUNDS

ENGINE is `protego` or `robotparser`. MODE is `name`, `survey`, `prepare` or `hot`. `name` prints the engine with its
version and that of Python. The others print one line for each host, in the order of the names: of `survey` the number
of URLs asked, of wrong answers and of exceptions; of `prepare` the nanoseconds to read the text of the file; of `hot`
the nanoseconds a URL, the URLs of the host asked one after the other. A file that the engine refuses is `nan`.
"""

import platform
import sys
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from time import perf_counter_ns
from urllib.robotparser import RobotFileParser


def protego(text):
    from protego import Protego

    parsed = Protego.parse(text)
    return lambda url, agent: parsed.can_fetch(url, agent)


def robotparser(text):
    parsed = RobotFileParser()
    parsed.parse(text.splitlines())
    return lambda url, agent: parsed.can_fetch(agent, url)


def hosts(corpus, agent, every, most):
    """Yields the text of each file with its URLs and the recorded verdicts."""
    asked = {}
    with open(corpus / "verdicts.tsv", encoding="utf-8") as table:
        column = [name.lower() for name in next(table).rstrip("\n").split("\t")].index(agent.lower())
        for line in table:
            fields = line.rstrip("\n").split("\t")
            asked.setdefault(fields[0], []).append((fields[1], fields[column].startswith("1")))
    names = sorted(asked, key=lambda name: name.encode())
    for name in islice(names, 0, None, every):
        body = (corpus / "robots" / f"{name}.txt").read_bytes()
        if len(body) <= most:
            yield body.decode("utf-8", errors="replace"), asked[name]


def survey(make, text, rows, agent, _):
    ask = make(text)
    wrong = failed = 0
    for url, allowed in rows:
        try:
            wrong += ask(url, agent) != allowed
        except Exception:
            failed += 1
    return f"{len(rows)} {wrong} {failed}"


def prepare(make, text, _rows, _agent, rounds):
    best = None
    for _ in range(rounds):
        start = perf_counter_ns()
        make(text)
        time = perf_counter_ns() - start
        best = time if best is None else min(best, time)
    return best


def hot(make, text, rows, agent, rounds):
    ask = make(text)
    urls = [url for url, _ in rows]
    best = None
    for _ in range(rounds):
        start = perf_counter_ns()
        for url in urls:
            try:
                ask(url, agent)
            except Exception:
                pass
        time = perf_counter_ns() - start
        best = time if best is None else min(best, time)
    return best / len(urls)


def main():
    engine, mode, corpus, agent, every, most, rounds = sys.argv[1:]
    if mode == "name":
        number = f" {version(engine)}" if engine == "protego" else ""
        print(f"{engine}{number} (CPython {platform.python_version()})")
        return
    make = {"protego": protego, "robotparser": robotparser}[engine]
    run = {"survey": survey, "prepare": prepare, "hot": hot}[mode]
    for text, rows in hosts(Path(corpus), agent, int(every), int(most)):
        try:
            print(run(make, text, rows, agent, int(rounds)))
        except Exception:
            print("nan")


main()
