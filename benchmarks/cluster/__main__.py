"""Measures the conversion webhook behind a real kube-apiserver: `python -m benchmarks.cluster`; `--write` stores cluster.md.

Everything listens on loopback. The API server stores v1; a read of v2 needs the webhook. Reviews are also sent to the webhook itself, as more of them
are needed than the API server asks for in reasonable time.
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
        f"about 2 KB. One run, on loopback, over TLS: {versions}.",
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
    with storing(folder) as store, running_webhook(folder, package="cluster_api") as webhook:
        manifest = project.generate(f"https://127.0.0.1:{webhook.port}/convert", webhook.authority.ca.cert_pem.bytes())
        with serving(folder, store) as server:
            establish(server, manifest)
            create(server, STORED)
            yield from reads(server, webhook)
        with serving(folder, store) as server:
            yield from first_list(server, webhook)
        yield from reviews(webhook)


def establish(server: ApiServer, manifest: Json) -> None:
    """Create the CustomResourceDefinition, and wait until it is served."""
    status, answer = server.ask("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", manifest, "POST")
    assert status == 201, answer
    until = time.monotonic() + 30
    while any(server.ask(f"/apis/{GROUP}/{version}/widgets")[0] != 200 for version in ("v1", "v2")):
        assert time.monotonic() < until, "the kind is not served"
        time.sleep(0.1)


@contextlib.contextmanager
def connected(server: ApiServer) -> Iterator[Callable[..., tuple[int, bytes]]]:
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
        with connected(server) as ask:
            for number in range(first, count, 8):
                status, answer = ask(PATH % "v1", widget(f"widget-{number}"))
                assert status == 201, answer

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(some, range(8)))


def reads(server: ApiServer, webhook: Server) -> Iterator[Row]:
    """Reads of the stored version and of the other one, in turns, while certificates are swapped."""
    tell("reading single objects")
    seconds: dict[str, list[float]] = {"v1": [], "v2": []}
    lost = 0
    with swapped_certificates(webhook), connected(server) as ask:
        for number in range(READS):
            for version, found in seconds.items():
                began = time.perf_counter()
                status, _ = ask(f"{PATH % version}/widget-{number % STORED}")
                found.append(time.perf_counter() - began)
                lost += status != 200
    stored, other = (statistics.median(each) * 1000 for each in seconds.values())
    yield Row("p50 of a read of the stored version", f"{stored:.2f} ms")
    yield Row("p50 of a read that needs the webhook", f"{other:.2f} ms", f"≤ {stored + 1:.2f} ms", other <= stored + 1)
    yield Row(f"reads lost of {2 * READS:,} while certificates are swapped", str(lost), "0", lost == 0)


def first_list(server: ApiServer, webhook: Server) -> Iterator[Row]:
    """The first list of the other version after a restart of the API server, and whose CPU time it takes."""
    tell("first list after a restart")
    processes = {"the API server": server.process, "the webhook": webhook.process.pid}
    with connected(server) as ask:
        began = time.perf_counter()
        before = {name: cpu_seconds(process) for name, process in processes.items()}
        sent = converted(webhook)
        while (found := ask(PATH % "v2"))[0] in (
            429,
            503,
        ):  # until the CRD is served, and the API server's cache filled
            time.sleep(0.05)
        status, body = found
        seconds = time.perf_counter() - began
    assert status == 200, body
    items = json.loads(body)["items"]
    assert len(items) == STORED
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
    yield Row("reviews per second of CPU of the webhook", f"{REVIEWS / cpu:,.0f}", "≥ 3,000", REVIEWS / cpu >= 3000)
    yield Row("reviews per second, client and server on the same cores", f"{REVIEWS / seconds:,.0f}")


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
        request = {"uid": f"u{number}", "desiredAPIVersion": f"{GROUP}/v2", "objects": [bad if is_bad else good]}
        review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}
        try:
            connection.request("POST", "/convert", json.dumps(review), {"Content-Type": "application/json"})
            response = json.load(connection.getresponse())["response"]
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            wrong += 1
            connection.close()
            connection = webhook.connect()
            continue
        wrong += not is_right(response, f"u{number}", is_bad)
    connection.close()
    return wrong


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


def cpu_seconds(process: int) -> float:
    """The CPU time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
