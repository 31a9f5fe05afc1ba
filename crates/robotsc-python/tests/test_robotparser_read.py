"""What ``RobotFileParser.read`` makes of a response: every failure allows nothing, and nothing of an earlier read counts."""

from __future__ import annotations

import gzip
import http.client
import socket
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

import robotsc
from robotsc.compat.robotparser import RobotFileParser

OPEN = b"User-agent: *\nAllow: /\nSitemap: https://shop.example/s.xml\n"
HTML = b"<!doctype html>\n<title>Log in</title>\n"


def response(status: int, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} x", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Server:
    """Answers each connection with the next of some responses, the last one again and again, and closes it."""

    def __init__(self) -> None:
        self.responses = [response(200, OPEN)]
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.recv(1 << 16)
                connection.sendall(self.responses.pop(0) if len(self.responses) > 1 else self.responses[0])

    def close(self) -> None:
        # A thread that waits in accept() would keep the port open.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def read(parser: RobotFileParser) -> type[Exception] | None:
    try:
        parser.read()
    except (robotsc.RobotsError, OSError, http.client.HTTPException) as error:
        return type(error)
    return None


@pytest.mark.parametrize(
    ("raw", "error", "is_allowed"),
    [
        (response(200, OPEN), None, True),
        (response(200, OPEN, f"Content-Length: {len(OPEN)}"), None, True),
        (response(200, OPEN + b"#" * (1 << 20), "Content-Length: 2000000"), None, True),
        (response(200, OPEN, "Content-Length: 1000"), robotsc.RobotsError, False),
        (response(200, b"40\r\nUser-", "Transfer-Encoding: chunked"), http.client.IncompleteRead, False),
        (response(200, gzip.compress(OPEN), "Content-Encoding: gzip"), robotsc.RobotsError, False),
        (response(200, HTML), robotsc.RobotsError, False),
        (response(202, OPEN), robotsc.RobotsError, False),
        (response(206, OPEN), robotsc.RobotsError, False),
        (response(404, OPEN), None, True),
        (response(401, OPEN), None, False),
        (response(503, OPEN), None, False),
        (response(304), None, False),
        (response(302, b"", "Location: mailto:me@shop.example"), None, False),
    ],
)
def test_each_read_begins_anew(server: Server, raw: bytes, error: type[Exception] | None, is_allowed: bool) -> None:
    for before in [None, response(200, OPEN), response(404), response(503), response(200, HTML)]:
        parser = RobotFileParser(server.url + "/robots.txt")
        if before is not None:
            server.responses = [before]
            read(parser)
        server.responses = [raw]
        assert read(parser) is error
        assert parser.can_fetch("FooBot", server.url + "/page") is is_allowed
        assert parser.can_fetch("FooBot", "/page") is is_allowed
        has_rules = error is None and raw.startswith(b"HTTP/1.1 200")
        assert (parser.site_maps() is not None) is has_rules
        assert (parser.mtime() > 0) is has_rules


def test_no_connection_allows_nothing(server: Server) -> None:
    for before in [response(200, OPEN), response(404)]:
        server.responses = [before]
        parser = RobotFileParser(server.url + "/robots.txt")
        parser.read()
        assert parser.can_fetch("FooBot", server.url + "/page")
        parser.url = "http://127.0.0.1:1/robots.txt"
        assert issubclass(read(parser) or Exception, OSError)
        parser.url = server.url + "/robots.txt"
        assert not parser.can_fetch("FooBot", server.url + "/page")


@pytest.mark.parametrize("status", [200, 404, 503])
def test_a_mistake_is_an_error_in_every_state(server: Server, status: int) -> None:
    server.responses = [response(status, OPEN)]
    parser = RobotFileParser(urllib.request.Request(server.url + "/robots.txt"))
    for times in range(2):
        for agent, url, error in [
            ("", "/", robotsc.AgentError),
            ("FooBot", "mailto:me@shop.example", robotsc.UrlError),
            ("FooBot", "https://bank.example/secret", robotsc.UrlError),
            ("FooBot", server.url.replace("http:", "https:") + "/", robotsc.UrlError),
        ]:
            with pytest.raises(error):
                parser.can_fetch(agent, url)
        if times == 0:
            assert not parser.can_fetch("FooBot", server.url + "/"), "nothing was read"
            parser.read()


def test_rules_are_those_of_the_site_that_was_read(server: Server) -> None:
    server.responses = [response(404)]
    parser = RobotFileParser(server.url + "/robots.txt")
    parser.read()
    parser.set_url("https://bank.example/robots.txt")
    with pytest.raises(robotsc.UrlError, match="origin"):
        parser.can_fetch("FooBot", "https://bank.example/secret")
    lines = RobotFileParser()
    lines.parse(OPEN.decode().splitlines())
    assert lines.can_fetch("FooBot", "https://bank.example/secret"), "nobody said whose lines these are"


def test_a_url_is_a_text_or_a_request() -> None:
    wrong: list[Any] = [5, None, b"http://shop.example/robots.txt"]
    for url in wrong:
        with pytest.raises(TypeError, match=r"url is a str or a urllib.request.Request, not \w+"):
            RobotFileParser(url)
