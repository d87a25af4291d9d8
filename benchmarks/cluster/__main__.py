"""Measures the conversion webhook behind a real kube-apiserver: `python -m benchmarks.cluster`; `--write` stores cluster.md.

Everything listens on loopback. The API server stores v1; a read of v2 needs the webhook. Reviews are also sent to the webhook itself, as more of them
are needed than the API server asks for in reasonable time. The peer is a webhook that only changes `apiVersion`: the least that a webhook costs.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import ssl
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.progress import tell
from benchmarks.server.measure import PEER, Contender, contenders, cpu_seconds, measured_alone, started
from tests.cluster.api_server import ApiServer, serving, storing
from tests.cluster.programs import VERSIONS, unbuilt
from tests.cluster.test_story import GROUP, SPECS, Project
from tests.server.processes import Server
from tests.server.processes import running as running_webhook

RECORD = Path(__file__).parents[1] / "cluster.md"
STORED = 10_000
READS = 1_500
REVIEWS = 100_000
MOST_LOAD = 0.8
"""Above this load average another program uses a core."""
BAD_EVERY = 10
WARM = 10_000
"""Reviews before the memory is first measured: the allocator of a new process grows for a while."""
SWAP_SECONDS = 0.5
RECONNECT_EVERY = 200
"""Reviews on a connection, so that new certificates are used."""
ROUNDS = 5
"""How often reviews on one connection are measured; the best counts, as on a machine that varies."""
JSON = {"Content-Type": "application/json"}
NOISE = "x" * 1_500
"""With it an object has about 2 KB."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """A figure, its target, and whether it is met."""

    what: str
    figure: str
    target: str = ""
    is_met: bool = True

    @property
    def outcome(self) -> str:
        """Whether the target is met; empty without a target."""
        return "" if not self.target else "met" if self.is_met else "**missed**"


def main(arguments: Sequence[str]) -> int:
    """Print the table, or store it; 1 if a program is missing or a target is missed."""
    if missing := unbuilt():
        print(f"not built: {', '.join(missing)}; run `make cluster-programs`", file=sys.stderr)
        return 1
    if (load := os.getloadavg()[0]) > MOST_LOAD and "--busy" not in arguments:
        print(
            f"the load average is {load:.1f}: other programs would be measured, too; `--busy` measures anyway",
            file=sys.stderr,
        )
        return 1
    with tempfile.TemporaryDirectory() as name:
        rows = list(measured(Path(name)))
    text = page(rows)
    print(text)
    if "--write" in arguments:
        RECORD.write_text(text, encoding="utf-8")
    return 0 if all(row.is_met for row in rows) else 1


def page(rows: Sequence[Row]) -> str:
    """The record: what was measured, and the table."""
    versions = f"kube-apiserver {VERSIONS['kube-apiserver']}, etcd {VERSIONS['etcd']}, {os.cpu_count()} cores shared by all processes"
    lines = [
        "# Conversion webhook behind a real API server",
        "",
        "`make bench-cluster ARGS=--write` writes this page. The API server stores v1 of a kind of two versions; reads of v2 call the webhook. Objects have",
        f"about 2 KB. One run, on loopback, over TLS: {versions}. The peer is a webhook that only",
        "changes `apiVersion`, on uvloop and httptools: the least that a webhook in Python costs.",
        "",
        "| figure | measured | target | outcome |",
        "|---|---:|---:|---|",
        *(f"| {row.what} | {row.figure} | {row.target} | {row.outcome} |" for row in rows),
        "",
    ]
    return "\n".join(lines)


def measured(folder: Path) -> Iterator[Row]:
    """All figures, of one run."""
    project = Project(folder, SPECS)
    project.generate()
    os.environ["PYTHONPATH"] = str(folder)
    with (
        storing(folder) as store,
        running_webhook(folder, package="cluster_api") as webhook,
        peer(webhook) as peer_port,
    ):
        manifest = project.generate(f"https://127.0.0.1:{webhook.port}/convert", webhook.authority.ca.cert_pem.bytes())
        with serving(folder, store) as server:
            establish(server, manifest)
            create(server, STORED)
            yield from reads(server, webhook)
            if peer_port:
                use_webhook(server, manifest, peer_port)
                yield from reads_with_peer(server)
        if peer_port:
            with serving(folder, store) as server:
                seconds, _ = first_list(server)
                use_webhook(server, manifest, webhook.port)
                yield Row(f"first list of {STORED:,} objects after a restart, peer", f"{seconds:.1f} s")
        with serving(folder, store) as server:
            yield from first_list_through(webhook, server)
        yield from reviews(webhook)
        yield from reviews_on_one_connection(folder, webhook)


@contextlib.contextmanager
def peer(webhook: Server) -> Iterator[int]:
    """The port of a webhook that only changes `apiVersion`, with the certificate of ours; 0 where the peers are absent."""
    files = webhook.authority.certificate, webhook.authority.key
    if not PEER.is_file():
        yield 0
        return
    contender = Contender("peer", lambda port: [sys.executable, str(PEER), "one", str(port), *map(str, files)])
    with started(contender) as (_, port):
        yield port


def use_webhook(server: ApiServer, manifest: Json, port: int) -> None:
    """Convert by the webhook on a port."""
    path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{manifest['metadata']['name']}"
    found: Any = server.ask(path)[1]
    found["spec"]["conversion"]["webhook"]["clientConfig"]["url"] = f"https://127.0.0.1:{port}/convert"
    status, answer = server.ask(path, found, "PUT")
    assert status == 200, answer
    time.sleep(2)  # the API server opens the storage of the kind again; it does not report when


def establish(server: ApiServer, manifest: Json) -> None:
    """Create the CustomResourceDefinition, and wait until it is served."""
    status, answer = server.ask("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", manifest, "POST")
    assert status == 201, answer
    until = time.monotonic() + 30
    while any(server.ask(f"/apis/{GROUP}/{version}/widgets")[0] != 200 for version in ("v1", "v2")):
        assert time.monotonic() < until, "the kind is not served"
        time.sleep(0.1)


@contextlib.contextmanager
def connected_to(server: ApiServer) -> Iterator[Callable[..., tuple[int, bytes]]]:
    """A function that sends requests over one connection to the API server."""
    host = server.url.removeprefix("https://")
    connection = http.client.HTTPSConnection(host, timeout=120, context=ssl._create_unverified_context())
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}

    def ask(path: str, body: Json | None = None) -> tuple[int, bytes]:
        connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
        response = connection.getresponse()
        return response.status, response.read()

    with contextlib.closing(connection):
        yield ask


def widget(name: str) -> Json:
    """A Widget of v1."""
    metadata = {"name": name, "annotations": {"example.com/note": NOISE}}
    return {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": metadata, "spec": {"size": 3, "color": "red"}}


PATH = f"/apis/{GROUP}/%s/namespaces/default/widgets"


def create(server: ApiServer, count: int) -> None:
    """Create objects over eight connections."""
    tell(f"creating {count} objects")

    def some(first: int) -> None:
        with connected_to(server) as ask:
            for number in range(first, count, 8):
                status, answer = ask(PATH % "v1", widget(f"widget-{number}"))
                assert status == 201, answer

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(some, range(8)))


def reads(server: ApiServer, webhook: Server) -> Iterator[Row]:
    """Reads of the stored version and of the other one, in turns, and then while certificates are swapped."""
    tell("reading single objects")
    stored, other = p50_of_reads(server)
    yield Row("p50 of a read of the stored version", f"{stored:.2f} ms")
    yield Row("p50 of a read that needs the webhook", f"{other:.2f} ms", f"≤ {stored + 1:.2f} ms", other <= stored + 1)
    with swapped_certificates(webhook), connected_to(server) as ask:
        lost = sum(ask(f"{PATH % 'v2'}/widget-{number % STORED}")[0] != 200 for number in range(READS))
    yield Row(f"reads lost of {READS:,} while certificates are swapped", str(lost), "0", lost == 0)


def reads_with_peer(server: ApiServer) -> Iterator[Row]:
    """The same reads while the API server calls the peer."""
    tell("reading single objects, with the peer")
    stored, other = p50_of_reads(server)
    yield Row("p50 of a read of the stored version, peer", f"{stored:.2f} ms")
    yield Row("p50 of a read that needs the webhook, peer", f"{other:.2f} ms")


def p50_of_reads(server: ApiServer) -> tuple[float, float]:
    """The median milliseconds of a read of the stored version, and of one of the other version, in turns."""
    seconds: dict[str, list[float]] = {"v1": [], "v2": []}
    with connected_to(server) as ask:
        for number in range(READS):
            for version, found in seconds.items():
                began = time.perf_counter()
                status, body = ask(f"{PATH % version}/widget-{number % STORED}")
                found.append(time.perf_counter() - began)
                assert status == 200, body
    stored, other = (statistics.median(each) * 1000 for each in seconds.values())
    return stored, other


def first_list(server: ApiServer) -> tuple[float, list[Json]]:
    """The seconds of the first list of the other version after a restart of the API server, and its objects."""
    tell("first list after a restart")
    with connected_to(server) as ask:
        began = time.perf_counter()
        while (found := ask(PATH % "v2"))[0] in (
            429,
            503,
        ):
            # until the CRD is served, and the API server's cache filled
            time.sleep(0.05)
        status, body = found
        seconds = time.perf_counter() - began
    assert status == 200, body
    items: list[Json] = json.loads(body)["items"]
    assert len(items) == STORED
    return seconds, items


def first_list_through(webhook: Server, server: ApiServer) -> Iterator[Row]:
    """The first list of the other version through our webhook, and whose CPU time it takes."""
    processes = {"the API server": server.process, "the webhook": webhook.process.pid}
    before = {name: cpu_seconds(process) for name, process in processes.items()}
    sent = converted(webhook)
    seconds, items = first_list(server)
    assert all(each["spec"] == {"dimensions": {"size": 3}, "paint": "red"} for each in items)
    yield Row(f"first list of {STORED:,} objects after a restart", f"{seconds:.1f} s", "≤ 10 s", seconds <= 10)
    yield Row("objects that the API server sent to the webhook for it", f"{converted(webhook) - sent:,}")
    for name, process in processes.items():
        yield Row(f"CPU of {name} during it", f"{cpu_seconds(process) - before[name]:.1f} s")


def converted(webhook: Server) -> int:
    """How many objects the webhook has converted."""
    lines = webhook.request("GET", "/metrics")[1].decode().splitlines()
    return round(sum(float(line.split()[1]) for line in lines if line.startswith("apigen_webhook_objects_total{")))


def reviews(webhook: Server) -> Iterator[Row]:
    """Reviews over two connections, some with an object that cannot be converted, while certificates are swapped."""
    tell(f"{REVIEWS:,} reviews")
    send(webhook, WARM)
    before = resident(webhook)
    began, cpu = time.perf_counter(), cpu_seconds(webhook.process.pid)
    with swapped_certificates(webhook) as swaps, ThreadPoolExecutor(2) as pool:
        wrong = sum(pool.map(lambda count: send(webhook, count), [REVIEWS // 2] * 2))
    seconds, cpu = time.perf_counter() - began, cpu_seconds(webhook.process.pid) - cpu
    grown = resident(webhook) - before
    yield Row(f"reviews lost or answered wrongly of {REVIEWS:,}, a tenth of them bad", str(wrong), "0", wrong == 0)
    yield Row("certificates swapped during these", str(len(swaps)), "≥ 10", len(swaps) >= 10)
    yield Row("growth of the webhook's memory during these", f"{grown / 1024:.1f} MiB", "≤ 4 MiB", grown <= 4096)
    yield Row("reviews per second of CPU of the webhook during these", f"{REVIEWS / cpu:,.0f}")
    yield Row("reviews per second during these, with the client on the same cores", f"{REVIEWS / seconds:,.0f}")


def reviews_on_one_connection(folder: Path, webhook: Server) -> Iterator[Row]:
    """Good reviews, one after the other on one TLS connection: the server has one core, the client another."""
    authority = folder / "ca.crt"
    authority.write_bytes(webhook.authority.ca.cert_pem.bytes())
    files = webhook.authority.certificate, webhook.authority.key
    body = json.dumps(review("u", widget("good"))).encode()
    targets = {"apigen": ("", 3_000), "apigen compiled": (", with the extension", 6_000), "peer-one": (", peer", 0)}
    for contender in contenders(*files, package="cluster_api"):
        if contender.name in targets:
            tell(f"reviews of {contender.name}")
            what, target = targets[contender.name]
            figures = [measured_alone(contender, authority, body) for _ in range(ROUNDS)]
            rate = 1 / min(each[f"{contender.name}/review/cpu"] for each in figures)
            goal = f"≥ {target:,}" if target else ""
            yield Row(f"reviews per second of CPU on one connection{what}", f"{rate:,.0f}", goal, rate >= target)


def send(webhook: Server, count: int) -> int:
    """Send reviews one after the other; returns how many were lost or answered wrongly."""
    good, bad = widget("good"), widget("bad")
    bad["spec"]["size"] = "x"
    wrong = 0
    connection = webhook.connect()
    for number in range(count):
        if number % RECONNECT_EVERY == RECONNECT_EVERY - 1:
            connection.close()
            connection = webhook.connect()
        is_bad = number % BAD_EVERY == 0
        try:
            connection.request("POST", "/convert", json.dumps(review(f"u{number}", bad if is_bad else good)), JSON)
            response = json.load(connection.getresponse())["response"]
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            wrong += 1
            connection.close()
            connection = webhook.connect()
            continue
        wrong += not is_right(response, f"u{number}", is_bad)
    connection.close()
    return wrong


def review(uid: str, obj: Json) -> Json:
    """A review of one object, which is to be converted to v2."""
    request = {"uid": uid, "desiredAPIVersion": f"{GROUP}/v2", "objects": [obj]}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}


def is_right(response: Mapping[str, Any], uid: str, is_bad: bool) -> bool:
    """Whether a response is the one to the review of that uid."""
    if response["uid"] != uid:
        return False
    if is_bad:
        return response["result"]["status"] == "Failure" and "spec.size" in response["result"]["message"]
    (found,) = response["convertedObjects"]
    return bool(found["spec"] == {"dimensions": {"size": 3}, "paint": "red"})


@contextlib.contextmanager
def swapped_certificates(webhook: Server) -> Iterator[list[bytes]]:
    """Replace the certificate of the webhook again and again; gives the new ones."""
    swaps: list[bytes] = []
    over = threading.Event()

    def swap() -> None:
        while not over.wait(SWAP_SECONDS):
            swaps.append(webhook.authority.issue())

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield swaps
    finally:
        over.set()
        thread.join()


def resident(webhook: Server) -> int:
    """The resident memory of the webhook, in KiB."""
    lines = Path(f"/proc/{webhook.process.pid}/status").read_text("utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
