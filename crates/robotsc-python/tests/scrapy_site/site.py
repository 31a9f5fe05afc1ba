"""A site on this machine: a robots.txt that comes late, and pages."""

from __future__ import annotations

import itertools
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ROBOTS = b"User-agent: *\nDisallow: /private/\nAllow: /private/open/\nCrawl-delay: 0.05\nSitemap: https://a.example/s\n"


class Site:
    """Answers on a free port of the loopback address, and notes what was requested."""

    def __init__(
        self,
        status: int = 200,
        robots: bytes = ROBOTS,
        wait: float = 0.3,
        location: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.requested: list[str] = []
        self.times: list[float] = []
        self.status = status
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.requested.append(self.path)
                site.times.append(time.monotonic())
                body = b"<html>page</html>"
                code = 200
                if self.path == "/robots.txt":
                    time.sleep(wait)
                    body, code = robots, site.status
                self.send_response(code)
                fields = {"Content-Length": str(len(body)), "Content-Type": "text/html"}
                if self.path == "/robots.txt":
                    fields |= {"Location": location} if location is not None else {}
                    fields |= headers or {}
                for name, value in fields.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> Site:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def gaps(self) -> list[float]:
        """The seconds between the requests for pages."""
        times = [at for path, at in zip(self.requested, self.times, strict=True) if path != "/robots.txt"]
        return [after - before for before, after in itertools.pairwise(times)]

    def pages(self) -> list[str]:
        """The pages that were requested, without robots.txt."""
        return sorted(path for path in self.requested if path != "/robots.txt")
