"""Measures conversion reviews over one TLS connection: the server has one core, the client that waits for it another."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trustme

from benchmarks.figures import Figures, least
from benchmarks.measuring import plain_environment
from benchmarks.peers.places import HARNESS, NATIVE, ROOT
from benchmarks.progress import tell

PEER = HARNESS / "server" / "webhook.py"
"""Two webhooks that only change `apiVersion`; `one` writes a response in one piece on uvloop and httptools."""
SECONDS = 2.0
"""How long each contender is measured in a round."""
START_SECONDS = 30.0


@dataclass(frozen=True)
class Contender:
    """A webhook: the command that serves it on a port, and what it has in its environment beyond ours."""

    name: str
    command: Callable[[int], Sequence[str]]
    environment: Mapping[str, str] = field(default_factory=dict)


def measure(rounds: int) -> Figures:
    """The least seconds of one review in some rounds, in which the contenders take turns."""
    body = json.dumps(review()).encode()
    with tempfile.TemporaryDirectory() as name:
        files = _certificate(Path(name))
        measured = list(contenders(*files[1:]))
        found: dict[str, float] = {}
        for number in range(rounds):
            for contender in measured:
                tell(f"webhook {contender.name}, round {number + 1} of {rounds}")
                found = least(found, measured_alone(contender, files[0], body))
    return found


def review() -> dict[str, object]:
    """A review as kube-apiserver sends it for a write: one object, of 2 KB."""
    metadata = {
        "name": "benchmark",
        "namespace": "default",
        "uid": "7e2f8a6c-6a55-4b0b-9bb5-2f3d6a1c9a11",
        "resourceVersion": "123456",
        "generation": 3,
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": {f"example.com/label-{number}": "value" for number in range(4)},
        "managedFields": [
            {
                "manager": "kubectl-client-side-apply",
                "operation": "Update",
                "apiVersion": "things.example.com/v6",
                "time": "2026-01-01T00:00:00Z",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:height": {}, "f:param": {}, "f:knobs": {}, "f:template": {"f:labels": {}}},
            }
        ],
    }
    obj = {
        "apiVersion": "things.example.com/v6",
        "kind": "Frobber",
        "metadata": metadata,
        "height": 3,
        "param": "wood",
        "restartPolicy": "Never",
        "knobs": [{"name": f"knob-{number:02}", "position": number % 12} for number in range(36)],
        "template": {"labels": {"a": "b"}},
    }
    request = {
        "uid": "0f3a1d8e-2b6c-4f7d-9e1a-5c8b7d6e4f32",
        "desiredAPIVersion": "things.example.com/v7alpha1",
        "objects": [obj],
    }
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}


def _certificate(folder: Path) -> tuple[Path, Path, Path]:
    """The files of an authority, a certificate for loopback, and its key."""
    ca = trustme.CA()
    issued = ca.issue_cert("127.0.0.1")
    authority, certificate, key = (folder / name for name in ("ca.crt", "tls.crt", "tls.key"))
    ca.cert_pem.write_to_path(authority)
    issued.cert_chain_pems[0].write_to_path(certificate)
    issued.private_key_pem.write_to_path(key)
    return authority, certificate, key


def contenders(certificate: Path, key: Path, package: str = "generated") -> Iterator[Contender]:
    """Our webhook over a generated package, without and with the extension, and the peers."""

    def ours(port: int) -> Sequence[str]:
        arguments = ["--package", package, "--host", "127.0.0.1", "--port", str(port), "--log-level", "warning"]
        files = ["--tls-cert", str(certificate), "--tls-key", str(key)]
        return [sys.executable, "-m", "apigen_server", "webhook", *arguments, *files]

    def peer(name: str) -> Callable[[int], Sequence[str]]:
        return lambda port: [sys.executable, str(PEER), name, str(port), str(certificate), str(key)]

    yield Contender("apigen", ours)
    if NATIVE.is_dir():
        yield Contender(
            "apigen compiled",
            ours,
            {"PYTHONPATH": os.pathsep.join(filter(None, (str(NATIVE), os.environ.get("PYTHONPATH"))))},
        )
    if PEER.is_file():
        for name in ("one", "std"):
            yield Contender(f"peer-{name}", peer(name))


def measured_alone(contender: Contender, authority: Path, body: bytes) -> Mapping[str, float]:
    """The seconds of one review, on the clock and of CPU: the server has one core, the client another."""
    cores = sorted(os.sched_getaffinity(0))
    with started(contender, cores[0]) as (process, port):
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            with connected(authority, port) as connection:
                send_reviews(connection, body, SECONDS / 4)
                before, start = cpu_seconds(process.pid), time.perf_counter()
                count = send_reviews(connection, body, SECONDS)
                wall, cpu = time.perf_counter() - start, cpu_seconds(process.pid) - before
        finally:
            os.sched_setaffinity(0, cores)
    return {f"{contender.name}/review/wall": wall / count, f"{contender.name}/review/cpu": cpu / count}


@contextmanager
def started(contender: Contender, core: int | None = None) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A webhook that runs, on one core if that is given, and its port; ended with the block."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    environment = plain_environment(**contender.environment)
    process = subprocess.Popen(contender.command(port), cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        if core is not None:
            os.sched_setaffinity(process.pid, {core})
        yield process, port
    finally:
        process.kill()
        process.wait()


@contextmanager
def connected(authority: Path, port: int) -> Iterator[ssl.SSLSocket]:
    """A TLS connection to a webhook that may still start."""
    context = ssl.create_default_context(cafile=str(authority))
    ends = time.monotonic() + START_SECONDS
    while True:
        try:
            plain = socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS)
            break
        except ConnectionRefusedError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.05)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
        yield connection


def send_reviews(connection: ssl.SSLSocket, body: bytes, seconds: float) -> int:
    """Send a review again and again, each after the response to the one before; returns how often."""
    request = b"POST /convert HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    ends = time.perf_counter() + seconds
    count = 0
    while time.perf_counter() < ends:
        count += 1
        connection.sendall(request)
        found = connection.recv(1 << 16)
        while (end := found.find(b"\r\n\r\n")) < 0:
            found += connection.recv(1 << 16)
        lengths = [line for line in found[:end].lower().split(b"\r\n") if line.startswith(b"content-length:")]
        whole = end + 4 + int(lengths[0].partition(b":")[2])
        while len(found) < whole:
            found += connection.recv(1 << 16)
        if b'"Success"' not in found:
            raise RuntimeError(f"a review failed: {found[:500]!r}")
    return count


def cpu_seconds(pid: int) -> float:
    """The CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
