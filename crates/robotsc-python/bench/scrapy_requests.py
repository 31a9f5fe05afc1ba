"""Counts what Scrapy checks and fetches on a site on this machine, and measures a check.

    python crates/robotsc-python/bench/scrapy_requests.py [--pages 1000]

Half of the pages are forbidden, and come first. Prints a row for each parser and number of requests at once: the
requests that were checked, the forbidden pages that were fetched all the same, and the processor time of a check.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from scrapy_site.site import Site  # noqa: E402

NAMES = {
    "protego": "Scrapy's middleware, protego",
    "ours": "Scrapy's middleware, robotsc.scrapy.RobotParser",
    "middleware": "robotsc.scrapy.RobotsTxtMiddleware",
}


def main() -> None:
    """Prints the table."""
    arguments = argparse.ArgumentParser(description="Counts what Scrapy checks and fetches.")
    arguments.add_argument("--pages", type=int, default=1000)
    pages = arguments.parse_args().pages
    paths = [f"/private/{n}" for n in range(pages // 2)] + [f"/page/{n}" for n in range(pages - pages // 2)]
    print(f"{pages} requests, {pages // 2} of them forbidden")
    print("at once | checked | forbidden and fetched | µs a check | s in all | with")
    for concurrency in (1, 8, 32):
        for kind, name in NAMES.items():
            with Site() as site:
                job = {
                    "urls": [site.url + path for path in paths],
                    "with": kind,
                    "settings": {
                        "CONCURRENT_REQUESTS": concurrency,
                        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
                    },
                }
                command = [sys.executable, str(TESTS / "scrapy_site" / "crawl.py"), json.dumps(job)]
                run = subprocess.run(command, capture_output=True, text=True, check=True)
                fetched = sum(path.startswith("/private/") for path in site.pages())
            result = json.loads(run.stdout.splitlines()[-1])
            checked = sum(result["checked"].values())
            check = result["check_seconds"] / max(checked, 1) * 1e6
            print(f"{concurrency} | {checked} | {fetched} | {check:.1f} | {result['seconds']:.1f} | {name}", flush=True)


if __name__ == "__main__":
    main()
