"""Filters URLs with protego, as a Python crawler does: each robots.txt is read and parsed once, each URL asked.

usage: python protego_filter.py origins.tsv AGENT < urls.txt > allowed.txt
"""

import sys
from urllib.parse import urlsplit

from protego import Protego


def main():
    with open(sys.argv[1], encoding="utf-8") as table:
        files = dict(line.rstrip("\n").split("\t") for line in table)
    agent = sys.argv[2]
    parsed = {}
    for line in sys.stdin:
        url = line.rstrip("\n")
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        robots = parsed.get(origin)
        if robots is None:
            if origin not in files:
                continue
            with open(files[origin], encoding="utf-8", errors="replace") as body:
                robots = parsed[origin] = Protego.parse(body.read())
        if robots.can_fetch(url, agent):
            sys.stdout.write(line)


main()
