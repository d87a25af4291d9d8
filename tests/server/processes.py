"""A webhook server in a process of its own, on loopback, with certificates made for it; ended by the test."""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import trustme

PROJECT = Path(__file__).resolve().parents[2]
SECONDS = 60.0
"""How long a test waits for anything, on a busy machine."""

Json = dict[str, Any]
Found = TypeVar("Found")


@dataclass
class Authority:
    """A certificate authority, and the files of the certificate that it issued last."""

    folder: Path
    ca: trustme.CA = field(default_factory=trustme.CA)

    @property
    def certificate(self) -> Path:
        return self.folder / "tls.crt"

    @property
    def key(self) -> Path:
        return self.folder / "tls.key"

    def issue(self) -> bytes:
        """Replace certificate and key; returns the new certificate in DER."""
        issued = self.ca.issue_cert("127.0.0.1", "localhost")
        for path, blob in (
            (self.key, issued.private_key_pem.bytes()),
            (self.certificate, b"".join(part.bytes() for part in issued.cert_chain_pems)),
        ):
            new = path.with_suffix(".new")
            new.write_bytes(blob)
            new.replace(path)
        return ssl.PEM_cert_to_DER_cert(issued.cert_chain_pems[0].bytes().decode())

    def client_context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        self.ca.configure_trust(context)
        return context


@dataclass
class Server:
    """A running server: its process, where it listens, and the records that it has logged."""

    process: subprocess.Popen[str]
    authority: Authority
    logs: list[Json] = field(default_factory=list)
    port: int = 0

    def connect(self, *, host: str = "127.0.0.1", seconds: float = SECONDS) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(host, self.port, timeout=seconds, context=self.authority.client_context())

    def open_socket(self) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)
        return self.authority.client_context().wrap_socket(plain, server_hostname="127.0.0.1")

    def request(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        with contextlib.closing(self.connect()) as connection:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, response.read()

    def review(self, path: str, review: Json) -> Json:
        """Send a review; returns its response."""
        status, body = self.request("POST", path, json.dumps(review).encode())
        assert status == 200, (status, body)
        found: Json = json.loads(body)
        assert (found["kind"], found["apiVersion"]) == (review["kind"], review["apiVersion"])
        response: Json = found["response"]
        assert response["uid"] == review["request"]["uid"]
        return response

    def logged(self, message: str) -> Json:
        """Wait for a record with a message."""
        return wait_for(lambda: next((each for each in self.logs if each["message"] == message), None), message)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)


def wait_for(find: Callable[[], Found | None], what: str) -> Found:
    """Wait until a function returns something true, and return that."""
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        if found := find():
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for {what}")


@contextlib.contextmanager
def running(folder: Path, *arguments: str, package: str = "generated") -> Iterator[Server]:
    """Run a webhook server with a certificate in a folder, on a port of its own."""
    files = ["--tls-cert", str(folder / "tls.crt"), "--tls-key", str(folder / "tls.key")]
    listening = ["--host", "127.0.0.1", "--port", "0"]
    with started(folder, "webhook", "--package", package, *listening, *files, *arguments) as server:
        yield server


@contextlib.contextmanager
def started(folder: Path, *arguments: str) -> Iterator[Server]:
    """Run a server with these arguments until the end of the block, which kills it if it still runs."""
    authority = Authority(folder)
    authority.issue()
    command = [sys.executable, "-m", "apigen_server", *arguments]
    process = subprocess.Popen(command, cwd=PROJECT, stderr=subprocess.PIPE, text=True)
    server = Server(process, authority)
    reader = threading.Thread(target=_read_logs, args=(server,), daemon=True)
    reader.start()
    try:
        server.port = int(server.logged("listening")["address"].rpartition(":")[2])
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(SECONDS)
        reader.join(SECONDS)
        assert process.stderr is not None
        process.stderr.close()


def _read_logs(server: Server) -> None:
    assert server.process.stderr is not None
    for line in server.process.stderr:
        try:
            server.logs.append(json.loads(line))
        except ValueError:
            server.logs.append({"message": "not a record", "line": line})
