"""Writes the WARC files of this folder, and the same captures as a folder and a tar archive.

    pip install warcio==1.8.1 brotli==1.2.1 zstandard==0.25.0
    python make.py

Every host is made up. The same versions (and zlib 1.2 or 1.3) give the same bytes. `expected.tsv` is what a reader
must make of the files: it is written from what is stated here beside each record, not by reading the records.
"""

import gzip
import io
import os
import shutil
import tarfile
import zlib
from uuid import UUID

import brotli
import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HERE = os.path.dirname(os.path.abspath(__file__))
DAY = "2026-11-20"


def rules(path):
    """A robots.txt whose first rule tells it from all others."""
    return f"User-agent: *\nDisallow: {path}\nAllow: {path}/help\n".encode()


def chunked(data, size=16):
    """Bytes in the chunks of a transfer."""
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def bare_deflate(data):
    """Deflate without the head and the checksum of zlib, as some servers send it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


CODINGS = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "deflate": zlib.compress,
    "bare-deflate": bare_deflate,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor(level=3).compress,
}


class File:
    """The records of a WARC file, in memory: each as warcio writes it."""

    def __init__(self, name, version="1.0"):
        self.name, self.version, self.records, self.expected, self.number = name, version, [], [], 0

    def _write(self, make):
        out = io.BytesIO()
        writer = WARCWriter(out, gzip=False, warc_version=self.version)
        writer.write_record(make(writer))
        self.records.append(out.getvalue())

    def _head(self, time, more=None):
        self.number += 1
        name = UUID(int=(sum(self.name.encode()) << 64) + self.number)
        return {"WARC-Record-ID": f"<urn:uuid:{name}>", "WARC-Date": time, **(more or {})}

    def other(self, kind, url, content, time=f"{DAY}T00:00:00Z", more=None):
        """A record that is no answer of a server, or the answer itself for a resource."""
        self._write(
            lambda writer: writer.create_warc_record(
                url, kind, payload=io.BytesIO(content), length=len(content), warc_headers_dict=self._head(time, more)
            )
        )

    def request(self, url, time=f"{DAY}T00:00:00Z", more=None):
        host, path = url.split("://", 1)[1].split("/", 1)
        head = f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: FooBot/1.0\r\nAccept-Encoding: br, gzip\r\n\r\n"
        self.other("request", url, head.encode(), time, more)

    def response(self, url, status, fields, body, time=f"{DAY}T00:00:00Z", more=None):
        head = StatusAndHeaders(status, fields, protocol="HTTP/1.1")
        self._write(
            lambda writer: writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(body),
                length=len(body),
                http_headers=head,
                warc_headers_dict=self._head(time, more),
            )
        )

    def revisit(self, url, refers_to, refers_to_time, time, status=None):
        head = StatusAndHeaders(status, [("Server", "x")], protocol="HTTP/1.1") if status else None
        self._write(
            lambda writer: writer.create_revisit_record(
                url, "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", refers_to, refers_to_time, head, self._head(time)
            )
        )

    def expect(self, origin, time, answer, body, hops=0, fields="", outcome="rules", expires=None):
        """What a reader must make of it. `body` is that of the answer; `outcome` and `expires` are a pack's."""
        self.expected.append((origin, time, answer, body, hops, fields, outcome, expires))

    def ok(self, origin, path, fields=None, body=None, time=f"{DAY}T00:00:00Z", more=None, url=None):
        """A response that is read to `rules(path)`; `body` is how it stands in the file."""
        stands = rules(path) if body is None else body
        fields = [("Content-Length", str(len(stands)))] if fields is None else fields
        fields = [("Content-Type", "text/plain"), *fields]
        self.response(url or f"{origin}/robots.txt", "200 OK", fields, stands, time, more)
        self.expect(origin, time, "200", rules(path))


def captures():
    """All that a manifest can say as well, so that both can be compared."""
    file = File("captures")
    file.other("warcinfo", None, b"software: make.py\r\nformat: WARC File Format 1.0\r\n")

    # One host under two schemes; what stands between, and a page.
    file.request("https://plain.example/robots.txt")
    file.ok("https://plain.example", "/plain")
    file.other("metadata", "https://plain.example/robots.txt", b"fetchTimeMs: 3\r\n")
    file.ok("http://plain.example", "/plain-http")
    file.response("https://plain.example/page.html", "200 OK", [("Content-Type", "text/html")], b"<html>Disallow: /</html>")
    file.response("https://plain.example/robots.txt?x", "200 OK", [], rules("/another-url"))

    # Every encoding of a content, and of a transfer.
    for coding, encode in CODINGS.items():
        body = encode(rules(f"/{coding}"))
        name = "deflate" if coding == "bare-deflate" else coding
        file.ok(
            f"https://{coding}.example", f"/{coding}", [("Content-Encoding", name), ("Content-Length", str(len(body)))], body
        )
    file.ok("https://chunked.example", "/chunked", [("Transfer-Encoding", "chunked")], chunked(rules("/chunked")))
    for coding in ("gzip", "br"):
        fields = [("Transfer-Encoding", "chunked"), ("Content-Encoding", coding)]
        body = chunked(CODINGS[coding](rules(f"/chunked-{coding}")))
        file.ok(f"https://chunked-{coding}.example", f"/chunked-{coding}", fields, body)
    fields = [("Content-Encoding", "br, gzip")]
    file.ok("https://twice.example", "/twice", fields, CODINGS["gzip"](CODINGS["br"](rules("/twice"))))

    # Redirects: a chain over schemes and hosts, one to a file of another name, a loop, one that leads nowhere.
    def redirect(url, status, target, time):
        file.response(url, status, [("Location", target), ("Content-Length", "0")], b"", time)

    redirect("http://moved.example/robots.txt", "301 Moved Permanently", "https://moved.example/robots.txt", f"{DAY}T01:00:00Z")
    redirect("https://moved.example/robots.txt", "302 Found", "//www.moved.example/robots.txt", f"{DAY}T01:00:01Z")
    file.ok("https://www.moved.example", "/moved", time=f"{DAY}T01:00:02Z")
    file.expect("http://moved.example", f"{DAY}T01:00:02Z", "200", rules("/moved"), hops=2)
    file.expect("https://moved.example", f"{DAY}T01:00:02Z", "200", rules("/moved"), hops=1)
    redirect("https://elsewhere.example/robots.txt", "308 Permanent Redirect", "/files/robots?lang=en", f"{DAY}T01:00:00Z")
    file.response(
        "https://elsewhere.example/files/robots?lang=en", "200 OK", [], rules("/elsewhere"), f"{DAY}T01:00:01Z"
    )
    file.expect("https://elsewhere.example", f"{DAY}T01:00:01Z", "200", rules("/elsewhere"), hops=1)
    redirect("https://to-none.example/robots.txt", "302 Found", "/none", f"{DAY}T01:00:00Z")
    file.response("https://to-none.example/none", "404 Not Found", [], b"", f"{DAY}T01:00:01Z")
    file.expect("https://to-none.example", f"{DAY}T01:00:01Z", "404", b"", hops=1, outcome="unavailable")
    redirect("https://loop.example/robots.txt", "302 Found", "/again", f"{DAY}T01:00:00Z")
    redirect("https://loop.example/again", "302 Found", "/robots.txt", f"{DAY}T01:00:00Z")
    file.expect("https://loop.example", f"{DAY}T01:00:00Z", "redirects", b"", hops=None, outcome="redirects")
    redirect("https://lost.example/robots.txt", "301 Moved Permanently", "https://not-there.example/robots.txt", f"{DAY}T01:00:00Z")
    file.expect("https://lost.example", None, "unresolved", b"", hops=None, outcome="-")

    # Statuses.
    for status, outcome in [
        ("404 Not Found", "unavailable"),
        ("429 Too Many Requests", "server-error"),
        ("500 Internal Server Error", "server-error"),
        ("503 Service Unavailable", "server-error"),
    ]:
        code = status[:3]
        page = f"<html>{status}</html>".encode()
        file.response(f"https://s{code}.example/robots.txt", status, [("Content-Length", str(len(page)))], page)
        file.expect(f"https://s{code}.example", f"{DAY}T00:00:00Z", code, page, outcome=outcome)

    # Bodies that are not whole: cut by the crawler, cut on the way, cut in their encoding.
    body = rules("/cut")[:20]
    for reason in ("length", "disconnect"):
        file.response(f"https://{reason}.example/robots.txt", "200 OK", [], body, more={"WARC-Truncated": reason})
        file.expect(f"https://{reason}.example", f"{DAY}T00:00:00Z", "200 incomplete", body, outcome="unreachable")
    file.response("https://short.example/robots.txt", "200 OK", [("Content-Length", "99")], body)
    file.expect("https://short.example", f"{DAY}T00:00:00Z", "200 incomplete", body, outcome="unreachable")
    for coding in ("gzip", "br"):
        half = CODINGS[coding](rules("/cut"))[:30]
        file.response(f"https://cut-{coding}.example/robots.txt", "200 OK", [("Content-Encoding", coding)], half)
        file.expect(f"https://cut-{coding}.example", f"{DAY}T00:00:00Z", "200 incomplete", None, outcome="unreachable")

    # Revisits: of an older capture of the same URL, of another URL, one that says 304, one with a status of its own.
    old, new = "2026-11-18T00:00:00Z", f"{DAY}T02:00:00Z"
    file.ok("https://again.example", "/again", time=old)
    file.revisit("https://again.example/robots.txt", "https://again.example/robots.txt", old, new, "200 OK")
    file.expect("https://again.example", new, "200", rules("/again"))
    file.revisit("https://mirror.example/robots.txt", "https://plain.example/robots.txt", f"{DAY}T00:00:00Z", new)
    file.expect("https://mirror.example", new, "200", rules("/plain"))
    file.ok("https://same.example", "/same", time=old)
    file.revisit("https://same.example/robots.txt", "https://same.example/robots.txt", old, new, "304 Not Modified")
    file.expect("https://same.example", new, "200", rules("/same"))
    file.ok("https://worse.example", "/worse", time=old)
    file.revisit("https://worse.example/robots.txt", "https://worse.example/robots.txt", old, new, "503 Service Unavailable")
    file.expect("https://worse.example", new, "503", b"", outcome="server-error")

    # Names: of other scripts in both spellings, ports, capitals, user information, an address; FTP as a resource.
    file.ok("https://xn--bcher-kva.example", "/punycode")
    file.ok("https://münze.example", "/unicode")
    file.ok("https://port.example:8443", "/port")
    file.ok("http://default-port.example", "/default-port", url="http://default-port.example:80/robots.txt")
    file.ok("https://capitals.example", "/capitals", url="HTTPS://Capitals.EXAMPLE/robots.txt")
    file.ok("http://192.0.2.7", "/address")
    file.other("resource", "ftp://files.example/robots.txt", rules("/ftp"), more={"Content-Type": "text/plain"})
    file.expect("ftp://files.example", f"{DAY}T00:00:00Z", "200", rules("/ftp"))
    return file


def crawl():
    """As Common Crawl writes its `robotstxt` files: bodies decoded, the fields that no longer fit them renamed."""
    file = File("crawl")
    info = b"isPartOf: made-up\r\n"
    file.other("warcinfo", None, info, more={"WARC-Filename": "crawl.warc.gz"})

    time = f"{DAY}T03:00:00Z"

    def one(origin, status, fields, stands, more=None):
        first = {"WARC-IP-Address": "192.0.2.1", "WARC-Warcinfo-ID": f"<urn:uuid:{UUID(int=1)}>"}
        types = {"WARC-Identified-Payload-Type": "text/x-robots", **first, **(more or {})}
        fields = [("Content-Type", "text/plain"), *fields]
        file.response(f"{origin}/robots.txt", status, fields, stands, time, types)

    file.request("https://crawl-gzip.example/robots.txt", time)

    for coding in ("gzip", "br"):
        origin, body = f"https://crawl-{coding}.example", rules(f"/crawl-{coding}")
        fields = [
            ("X-Crawl-Transfer-Encoding", "chunked"),
            ("X-Crawl-Content-Encoding", coding),
            ("X-Crawl-Content-Length", str(len(CODINGS[coding](body)))),
            ("Content-Length", str(len(body))),
        ]
        one(origin, "200 OK", fields, body)
        file.expect(origin, time, "200", body)
    page = b"<html>not here</html>"
    one("https://crawl-none.example", "404 Not Found", [("Content-Length", "21")], page)
    file.expect("https://crawl-none.example", time, "404", page, outcome="unavailable")
    fields = [("Location", "https://crawl-gzip.example/robots.txt"), ("X-Crawl-Content-Length", "5"), ("Content-Length", "0")]
    one("http://crawl-gzip.example", "301 Moved Permanently", fields, b"")
    file.expect("http://crawl-gzip.example", time, "200", rules("/crawl-gzip"), hops=1)
    # Kept up to a limit of the crawler that is below any dialect's: not enough to tell what is allowed.
    cut = rules("/crawl-cut")[:30]
    fields = [("X-Crawl-Content-Length", "999999"), ("Content-Length", str(len(cut)))]
    one("https://crawl-cut.example", "200 OK", fields, cut, {"WARC-Truncated": "length"})
    file.expect("https://crawl-cut.example", time, "200 incomplete", cut, outcome="unreachable")
    # As its news files had it until 2019: decoded as well, and nothing renamed.
    body = rules("/crawl-kept")
    for coding in ("gzip", "deflate", "br", "zstd"):
        origin = f"https://kept-{coding}.example"
        fields = [("Content-Encoding", coding), ("Transfer-Encoding", "chunked"), ("Content-Length", "30")]
        one(origin, "200 OK", fields, body)
        file.expect(origin, time, "200", body)
    return file


def caching():
    """Fields that bear on caching, in records of WARC 1.1."""
    file = File("caching", "1.1")
    file.other("warcinfo", None, b"format: WARC File Format 1.1\r\n")

    def one(name, fields, expires, status="200 OK", outcome="rules"):
        origin, body = f"https://{name}.example", rules(f"/{name}")
        file.response(f"{origin}/robots.txt", status, fields, body, f"{DAY}T04:00:00.250000Z")
        told = "; ".join(sorted(f"{field.lower()}: {value}" for field, value in fields))
        file.expect(origin, f"{DAY}T04:00:00Z", status[:3], body, 0, told, outcome, expires)

    date = ("Date", "Fri, 20 Nov 2026 04:00:00 GMT")
    one("no-fields", [], "2026-11-21T04:00:00Z")
    one("max-age", [("Cache-Control", "public, max-age=600")], f"{DAY}T04:10:00Z")
    one("max-age-long", [("Cache-Control", "max-age=31536000")], "2026-12-20T04:00:00Z")
    one("age", [("Age", "300"), ("Cache-Control", "max-age=600")], f"{DAY}T04:05:00Z")
    one("expires", [date, ("Expires", "Fri, 20 Nov 2026 05:30:00 GMT")], f"{DAY}T05:30:00Z")
    one(
        "max-age-first",
        [("Cache-Control", "max-age=600"), date, ("Expires", "Fri, 20 Nov 2026 05:30:00 GMT")],
        f"{DAY}T04:10:00Z",
    )
    one("retry-after", [("Retry-After", "1800")], f"{DAY}T04:30:00Z", "503 Service Unavailable", "server-error")
    return file


def write(name, data):
    with open(os.path.join(HERE, name), "wb") as out:
        out.write(data)


def gzip_member(data):
    """As warcio packs a record."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS + 16)
    return packer.compress(data) + packer.flush()


def first_rule(answer, body):
    lines = (body or b"").decode().split("\n")
    return next((line for line in lines if line.startswith("Disallow")), "-") if answer == "200" else "-"


def manifest(file):
    """The captures as a folder: their bodies, and a manifest that lists them."""
    folder = os.path.join(HERE, "folder")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    lines, names = ["origin\tstatus\ttime\tfile"], {}
    for origin, time, answer, body, *_ in file.expected:
        if answer == "unresolved":
            continue
        name = "-"
        if answer == "200":
            name = names.setdefault(body, body.decode().split("/")[1].split("\n")[0] + ".txt")
            write(os.path.join("folder", name), body)
        status = {"200 incomplete": "incomplete"}.get(answer, answer)
        lines.append(f"{origin}\t{status}\t{time}\t{name}")
    write(os.path.join("folder", "manifest.tsv"), ("\n".join(lines) + "\n").encode())
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(os.listdir(folder)):
            info = tar.gettarinfo(os.path.join(folder, name), f"captures/{name}")
            info.mtime, info.uid, info.gid, info.uname, info.gname, info.mode = 0, 0, 0, "", "", 0o644
            with open(os.path.join(folder, name), "rb") as entry:
                tar.addfile(info, entry)
    write("folder.tar.zst", zstandard.ZstdCompressor(level=19).compress(out.getvalue()))


def main():
    files = [captures(), crawl(), caching()]
    first, common_crawl, plain = files
    # A member a record, one of all, a frame of all, and no packing.
    write("captures.warc.gz", b"".join(gzip_member(record) for record in first.records))
    write("whole.warc.gz", gzip_member(b"".join(first.records)))
    write("whole.warc.zst", zstandard.ZstdCompressor(level=19).compress(b"".join(first.records)))
    write("crawl.warc.gz", b"".join(gzip_member(record) for record in common_crawl.records))
    write("caching.warc", b"".join(plain.records))
    manifest(first)

    lines = ["file\torigin\tfetched at\tanswer\thops\tfields\tfirst rule\toutcome\texpires"]
    for file in files:
        for origin, time, answer, body, hops, fields, outcome, expires in file.expected:
            rule, hops = first_rule(answer, body), "-" if hops is None else hops
            lines.append(
                f"{file.name}\t{origin}\t{time or '-'}\t{answer}\t{hops}\t{fields or '-'}\t{rule}\t{outcome}\t{expires or '-'}"
            )
    write("expected.tsv", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
