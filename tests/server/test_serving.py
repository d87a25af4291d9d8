"""What a server does with clients that are slow, large or hang, with a new certificate, and when it is stopped."""

from __future__ import annotations

import contextlib
import http.client
import json
import resource
import signal
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .processes import SECONDS, Server, running, wait_for
from .test_conversion import V1, frobber, review

BODY = json.dumps(review(frobber("a"))).encode()
HEAD = b"POST /convert HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"


def received(connection: socket.socket) -> bytes:
    """Everything that a server sends until it closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionError, ssl.SSLEOFError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def metrics(server: Server) -> dict[str, float]:
    status, text = server.request("GET", "/metrics")
    assert status == 200
    lines = (line.rpartition(" ") for line in text.decode().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/healthz", "/livez", "/readyz"])
def test_probes_answer_ok(server: Server, path: str) -> None:
    assert server.request("GET", path) == (200, b"ok\n")


def test_metrics_count_reviews_objects_and_rejected_requests(server: Server) -> None:
    before = metrics(server)
    server.review("/convert", review(frobber("a"), frobber("b")))
    server.review("/convert", review(frobber("a", height="x")))
    server.request("POST", "/convert", b"x")
    after = metrics(server)

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert grown('apigen_webhook_reviews_total{result="success",webhook="convert"}') == 1
    assert grown('apigen_webhook_reviews_total{result="failure",webhook="convert"}') == 1
    assert grown('apigen_webhook_objects_total{webhook="convert"}') == 3
    assert grown('apigen_webhook_rejected_requests_total{code="400"}') == 1
    assert grown('apigen_webhook_review_duration_seconds_count{webhook="convert"}') == 2
    assert after["apigen_webhook_requests_in_flight"] == 0
    assert after['apigen_webhook_certificate_loads_total{result="success"}'] == 1


def test_failed_reviews_are_logged_with_their_uid(server: Server) -> None:
    server.review("/convert", review(frobber("a", height="x"), uid="logged-uid"))
    found = wait_for(lambda: [each for each in server.logs if each.get("uid") == "logged-uid"], "a record")
    assert (found[0]["level"], found[0]["webhook"]) == ("warning", "convert")
    assert "height: expected" in found[0]["problem"]


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/convert", 405), ("POST", "/healthz", 405), ("GET", "/unknown", 404)]
)
def test_wrong_methods_and_paths_are_rejected(server: Server, method: str, path: str, status: int) -> None:
    assert server.request(method, path)[0] == status


# --- sizes and times --------------------------------------------------------------------------------------------------


def test_response_is_written_in_one_chunk(server: Server) -> None:
    context = server.authority.client_context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2  # whose handshake has no records that look like data
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as plain:
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                plain.sendall(outgoing.read())
                incoming.write(plain.recv(1 << 16))
        tls.write(HEAD % len(BODY) + BODY)
        plain.sendall(outgoing.read())
        raw, text = b"", b""
        while not text.endswith(b"}}}"):
            part = plain.recv(1 << 16)
            assert part
            raw += part
            incoming.write(part)
            with contextlib.suppress(ssl.SSLWantReadError):
                text += tls.read()
    assert list(record_types(raw)) == [23]
    assert text.startswith(b"HTTP/1.1 200 OK\r\n")


def record_types(raw: bytes) -> Iterator[int]:
    while raw:
        yield raw[0]
        raw = raw[5 + int.from_bytes(raw[3:5]) :]


def test_body_over_the_limit_is_rejected_before_reading(server: Server) -> None:
    with server.open_socket() as client:
        client.sendall(HEAD % (1 << 40))
        answer = received(client)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(b"the request body has more than 1048576 bytes\n")


def test_a_chunked_body_over_the_limit_is_rejected(server: Server) -> None:
    with server.open_socket() as client, contextlib.suppress(ConnectionError):
        client.sendall(b"POST /convert HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(17):
            client.sendall(b"10000\r\n" + b" " * (1 << 16) + b"\r\n")
        assert received(client).startswith(b"HTTP/1.1 413 ")
    assert server.request("GET", "/healthz")[0] == 200


def test_a_body_of_the_limit_is_read(server: Server) -> None:
    body = BODY + b" " * ((1 << 20) - len(BODY))
    assert server.request("POST", "/convert", body)[0] == 200
    assert server.request("POST", "/convert", body + b" ")[0] == 413


@pytest.mark.slow
def test_slow_body_times_out(server: Server) -> None:
    start = time.monotonic()
    with server.open_socket() as client:
        client.sendall(HEAD % 1000 + b"{")
        answer = received(client)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert time.monotonic() - start >= 2


@pytest.mark.slow
def test_slow_body_does_not_delay_other_requests(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            client = stack.enter_context(server.open_socket())
            client.sendall(HEAD % 1000 + b"{")
        server.review("/convert", review(frobber("a")))


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"POST /convert HTTP/1.1\r\nHost:"])
def test_connection_with_incomplete_head_is_closed(server: Server, sent: bytes) -> None:
    with server.open_socket() as client:
        client.sendall(sent)
        assert received(client) == b""


@pytest.mark.slow
def test_slow_head_after_a_response_times_out(server: Server) -> None:
    with server.open_socket() as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\n")
        assert received(client).count(b"HTTP/1.1 200 OK") == 1


def test_a_head_over_the_limit_is_rejected(server: Server) -> None:
    with server.open_socket() as client, contextlib.suppress(ConnectionError):
        client.sendall(b"GET /healthz HTTP/1.1\r\n")
        for number in range(100):
            client.sendall(b"x-%d: " % number + b"a" * 1000 + b"\r\n")
        assert received(client).startswith(b"HTTP/1.1 400 ")
    assert server.request("GET", "/healthz")[0] == 200


def test_disconnected_client_is_not_an_error(server: Server) -> None:
    with server.open_socket() as client:
        client.sendall(HEAD % 1000 + b"{")
    server.logged("client closed the connection before the request was complete")


@pytest.mark.slow
def test_client_that_reads_no_response_is_disconnected(tmp_path: Path) -> None:
    body = json.dumps(review(*[{**frobber("a"), "param": "x" * 1_000_000}] * 5)).encode()
    limits = ["--request-timeout", "3", "--max-connections", "1"]
    with running(tmp_path, *limits) as server, server.open_socket() as client:
        client.sendall(HEAD % len(body) + body)
        server.logged("the client did not take the response in time")
        assert wait_for(lambda: server.request("GET", "/healthz")[0] == 200, "a free connection")


@pytest.mark.slow
def test_large_response_is_delivered_to_a_slow_client(tmp_path: Path) -> None:
    objects = [{**frobber("a"), "param": "x" * 1_000_000}] * 3
    with running(tmp_path) as server:
        connection = server.connect()
        connection.request("POST", "/convert", json.dumps(review(*objects)).encode())
        time.sleep(1)
        found = json.load(connection.getresponse())["response"]["convertedObjects"]
        connection.close()
    assert [each["frobs"] for each in found] == ["x" * 1_000_000] * 3


@pytest.mark.slow
def test_memory_of_bodies_is_limited_for_large_requests(tmp_path: Path) -> None:
    part = b" " * (1 << 20)
    with (
        running(tmp_path, "--max-body", "4Mi", "--max-buffered", "16Mi") as server,
        contextlib.ExitStack() as stack,
    ):
        clients = [stack.enter_context(server.open_socket()) for _ in range(8)]
        for client in clients:
            client.sendall(HEAD % (4 << 20))
            with contextlib.suppress(ConnectionError):
                for _ in range(3):
                    client.sendall(part)
        rejected = 'apigen_webhook_rejected_requests_total{code="503"}'
        wait_for(lambda: metrics(server).get(rejected, 0) == 3, "three that are one too many")
        server.review("/convert", review(frobber("a")))
        stack.pop_all().close()
        large = BODY + b" " * ((4 << 20) - len(BODY))
        wait_for(lambda: server.request("POST", "/convert", large)[0] == 200, "memory that is free again")


@pytest.mark.slow
def test_clients_without_handshake_do_not_exhaust_files(tmp_path: Path) -> None:
    with running(tmp_path, "--request-timeout", "2") as server, contextlib.ExitStack() as stack:
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (200, 200))
        for _ in range(190):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        start = time.monotonic()
        wait_for(lambda: is_served(server), "the end of the handshakes")
        assert time.monotonic() - start < SECONDS / 2


def is_served(server: Server) -> bool:
    try:
        return server.request("GET", "/healthz")[0] == 200
    except OSError:
        return False


@contextlib.contextmanager
def limited_files(soft: int) -> Iterator[None]:
    """Start processes with this soft limit of open files."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_file_limit_suffices_for_all_connections(tmp_path: Path) -> None:
    with limited_files(128), running(tmp_path, "--max-connections", "300") as server:
        found = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    assert found[0] > 300


def test_log_records_are_short(server: Server) -> None:
    long = "n" * 500_000
    server.review("/convert", review(frobber(long, height="x"), uid="long-name"))
    found = wait_for(lambda: [each for each in server.logs if each.get("uid") == "long-name"], "a record")
    assert len(found[0]["problem"]) < 3000
    assert found[0]["problem"].endswith("height: expected an integer, found a string ('x')")


# --- certificates -----------------------------------------------------------------------------------------------------


def certificate(server: Server, host: str = "127.0.0.1") -> bytes | None:
    context = server.authority.client_context()
    plain = socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS)
    with plain, context.wrap_socket(plain, server_hostname=host) as tls:
        return tls.getpeercert(binary_form=True)


@pytest.mark.slow
def test_certificate_reload_under_load_loses_no_request(tmp_path: Path) -> None:
    done = threading.Event()
    answered: list[int] = []
    problems: list[BaseException] = []

    def send(server: Server, *, keep: bool) -> None:
        with contextlib.closing(server.connect()) as connection:
            while not done.is_set():
                try:
                    connection.request("POST", "/convert", BODY)
                    response = connection.getresponse()
                    response.read()
                    answered.append(response.status)
                except (OSError, http.client.HTTPException) as error:
                    problems.append(error)
                    return
                if not keep:
                    connection.close()  # which the next request opens again

    with running(tmp_path, "--tls-reload-interval", "0.05") as server:
        threads = [threading.Thread(target=send, args=(server,), kwargs={"keep": keep}) for keep in (True, False)]
        for thread in threads:
            thread.start()
        try:
            for host in ("127.0.0.1", "localhost", "127.0.0.1"):  # an address is no server name of TLS
                new = server.authority.issue()
                wait_for(lambda: certificate(server, host) == new, "the new certificate")  # noqa: B023
        finally:
            done.set()
            for thread in threads:
                thread.join(SECONDS)
        assert not problems
        assert len(answered) > 10
        assert set(answered) == {200}
        assert server.stop() == 0


def test_unusable_certificate_keeps_the_previous_one(tmp_path: Path) -> None:
    with running(tmp_path, "--tls-reload-interval", "0.05") as server:
        before = certificate(server)
        server.authority.certificate.write_text("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n")
        record = server.logged("certificate not reloaded, the previous one stays in use")
        assert str(server.authority.certificate) in record["problem"]
        failures = 'apigen_webhook_certificate_loads_total{result="failure"}'
        wait_for(lambda: metrics(server)[failures] > 5, "more attempts")
        assert certificate(server) == before
        server.authority.key.unlink()
        assert certificate(server) == before
        new = server.authority.issue()
        wait_for(lambda: certificate(server) == new, "the new certificate")
        reported = [each for each in server.logs if each["level"] == "error"]
        assert len(reported) < 5, "the same files are reported again and again"


# --- stopping ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_hanging_clients_delay_the_stop_up_to_its_limit(tmp_path: Path, number: int) -> None:
    with running(tmp_path, "--stop-grace", "1", "--max-body", "64Mi") as server, contextlib.ExitStack() as stack:
        stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))  # no handshake
        half_body, half_head, reads_nothing, idle = (stack.enter_context(server.open_socket()) for _ in range(4))
        half_body.sendall(HEAD % 1000 + b"{")
        half_head.sendall(b"POST /conv")
        large = json.dumps(review(*[{**frobber("a"), "param": "x" * 1_000_000}] * 20)).encode()
        reads_nothing.sendall(HEAD % len(large) + large)
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(1 << 16).startswith(b"HTTP/1.1 200 OK")
        start = time.monotonic()
        server.process.send_signal(number)
        assert server.process.wait(SECONDS) == 0
        assert time.monotonic() - start < SECONDS / 2
        assert not [each for each in server.logs if each["message"] == "not a record"]


def test_running_requests_are_answered_after_the_signal(tmp_path: Path) -> None:
    with running(tmp_path, "--stop-grace", "60") as server:
        with server.open_socket() as client:
            client.sendall(HEAD % len(BODY) + BODY[:50])
            wait_for(lambda: metrics(server)["apigen_webhook_requests_in_flight"] == 1, "the request")
            server.process.send_signal(signal.SIGTERM)
            server.logged("stopping")
            time.sleep(0.3)
            client.sendall(BODY[50:])
            answer = received(client)
        assert answer.startswith(b"HTTP/1.1 200 OK")
        assert b"connection: close" in answer
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["apiVersion"] == V1
        assert server.process.wait(SECONDS) == 0


@pytest.mark.slow
def test_requests_are_accepted_until_the_delay_is_over(tmp_path: Path) -> None:
    with running(tmp_path, "--stop-delay", "1.5") as server:
        server.process.send_signal(signal.SIGTERM)
        server.logged("stopping")
        assert server.request("GET", "/readyz") == (503, b"shutting down\n")
        assert server.request("GET", "/healthz") == (200, b"ok\n")
        server.review("/convert", review(frobber("a")))
        assert server.process.wait(SECONDS) == 0


@pytest.mark.slow
def test_stop_under_load_answers_all_accepted_requests(tmp_path: Path) -> None:
    answered: list[int] = []
    lost: list[BaseException] = []

    def send(server: Server) -> None:
        connection = server.connect()
        while True:
            try:
                if connection.sock is None:
                    connection.connect()
            except OSError:  # the server accepts no connection any more
                return
            try:
                connection.request("POST", "/convert", BODY)
                response = connection.getresponse()
                response.read()
                answered.append(response.status)
            except (OSError, http.client.HTTPException) as error:
                lost.append(error)
                connection.close()

    with running(tmp_path, "--stop-delay", "1") as server:
        threads = [threading.Thread(target=send, args=(server,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        wait_for(lambda: len(answered) > 100, "requests")
        server.process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join(SECONDS)
        assert server.process.wait(SECONDS) == 0
    assert not lost
    assert set(answered) == {200}


def test_second_signal_stops_the_server_immediately(tmp_path: Path) -> None:
    with running(tmp_path, "--stop-delay", "600", "--stop-grace", "600") as server, server.open_socket() as client:
        client.sendall(HEAD % 1000 + b"{")
        wait_for(lambda: metrics(server)["apigen_webhook_requests_in_flight"] == 1, "the request")
        server.process.send_signal(signal.SIGTERM)
        server.logged("stopping")
        assert server.stop() == 0


def test_connections_over_the_limit_are_rejected(tmp_path: Path) -> None:
    with running(tmp_path, "--max-connections", "2") as server, contextlib.ExitStack() as stack:
        for _ in range(2):
            client = stack.enter_context(contextlib.closing(server.connect()))
            client.request("POST", "/convert", BODY)
            response = client.getresponse()
            assert (response.status, len(response.read()) > 100) == (200, True)
        assert server.request("GET", "/healthz")[0] == 503
        stack.pop_all().close()
        assert wait_for(lambda: server.request("GET", "/healthz")[0] == 200, "a free connection")
