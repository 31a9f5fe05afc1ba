"""Fetches the robots.txt of many origins with aiohttp and parses each with protego, as a crawler in Python would.

`cargo run --release --features fetch -- bulk-fetch --python COMMAND` runs it beside the others, with a Python that has
both packages. It writes a line of the same table.
"""

import asyncio
import resource
import sys
import time

import aiohttp
from protego import Protego


def address(number: int) -> str:
    number += 256
    return f"127.{(number >> 16 & 255) + 1}.{number >> 8 & 255}.{number & 255}"


async def fetch_all(port: int, in_flight: int, origins: int) -> int:
    numbers = iter(range(origins))
    count = 0
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    headers = {"User-Agent": "FooBot/1.0 (+https://foo.example/bot)"}

    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:

        async def work() -> None:
            nonlocal count
            for number in numbers:
                async with session.get(f"http://{address(number)}:{port}/robots.txt") as response:
                    body = await response.text()
                Protego.parse(body)
                count += len(body) > 2000

        await asyncio.gather(*(work() for _ in range(in_flight)))
    return count


def main() -> None:
    port, in_flight, origins = map(int, sys.argv[1:])
    at_rest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.monotonic()
    count = asyncio.run(fetch_all(port, in_flight, origins))
    seconds = time.monotonic() - started
    assert count == origins, count
    usage = resource.getrusage(resource.RUSAGE_SELF)
    processor = usage.ru_utime + usage.ru_stime
    each = (usage.ru_maxrss - at_rest) / in_flight
    print(f"{in_flight:>9}  {'aiohttp':<11}  {count / seconds:>10.0f}  {processor:>11.2f}  {usage.ru_maxrss:>7}  {each:>22.1f}")


if __name__ == "__main__":
    main()
