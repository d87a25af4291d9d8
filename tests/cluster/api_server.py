"""A kube-apiserver with its etcd, as far as both are built: what it says of manifests."""

from __future__ import annotations

import json
import secrets
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from apigen.language.json_values import JsonValue
from tests.cluster.programs import program

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_REPEATS = 9
"""How often a request whose connection the server closed is sent again."""


@dataclass(frozen=True)
class ApiServer:
    """A server that runs, with the id of its process; `store` is where its etcd listens."""

    url: str
    token: str
    store: str
    process: int

    def ask(self, path: str, body: JsonValue = None, method: str = "GET") -> tuple[int, dict[str, JsonValue]]:
        """The status and the answer of a request.

        A server answers a request that is too large before it has read all of it, and closes the connection. On a busy
        machine, the client may still be sending then, and the answer is lost: the request is sent again.
        """
        for _ in range(_REPEATS):
            try:
                return self._ask(path, body, method)
            except urllib.error.URLError as error:
                if not isinstance(error.reason, ssl.SSLEOFError | ConnectionError):
                    raise
        return self._ask(path, body, method)

    def _ask(self, path: str, body: JsonValue, method: str) -> tuple[int, dict[str, JsonValue]]:
        request = urllib.request.Request(
            self.url + path,
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"},
            method=method,
        )
        context = ssl._create_unverified_context()  # its certificate is its own, made at its start
        try:
            with urllib.request.urlopen(request, context=context, timeout=60) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            return error.code, json.loads(text) if text.startswith("{") else {"message": text}

    def rejection(self, manifest: JsonValue) -> str | None:
        """Why the server rejects a CustomResourceDefinition, of which it keeps nothing; None if it accepts it."""
        status, answer = self.ask(f"{_DEFINITIONS}?dryRun=All&fieldValidation=Strict", manifest, "POST")
        return None if status == 201 else str(answer["message"])

    @contextmanager
    def serving(self, manifest: dict[str, JsonValue]) -> Iterator[None]:
        """Serve the kind of a CustomResourceDefinition for a while. Raises AssertionError if the server rejects it."""
        status, answer = self.ask(_DEFINITIONS, manifest, "POST")
        assert status == 201, answer["message"]
        metadata, spec = manifest["metadata"], manifest["spec"]
        assert isinstance(metadata, dict)
        assert isinstance(spec, dict)
        names, versions = spec["names"], spec["versions"]
        assert isinstance(names, dict)
        assert isinstance(versions, list)
        try:
            for version in versions:
                assert isinstance(version, dict)
                path = f"/apis/{spec['group']}/{version['name']}/{names['plural']}"
                _wait(lambda: self.ask(path)[0] == 200, 30)  # noqa: B023  called at once
            yield
        finally:
            path = f"{_DEFINITIONS}/{metadata['name']}"
            self.ask(path, method="DELETE")
            _wait(lambda: self.ask(path)[0] == 404, 60)  # so that the next one can have the same name


@contextmanager
def running(folder: Path) -> Iterator[ApiServer]:
    """Run both programs on loopback, with their state in `folder`. Raises LookupError if one was not built."""
    with storing(folder) as store, serving(folder, store) as found:
        yield found


@contextmanager
def storing(folder: Path) -> Iterator[str]:
    """Run etcd on loopback, with its state in `folder`; gives its address. Raises LookupError if it was not built."""
    client, peer = _free_ports(2)
    store, members = f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peer}"
    flags = {
        "data-dir": folder / "etcd",
        "listen-client-urls": store,
        "advertise-client-urls": store,
        "listen-peer-urls": members,
        "initial-advertise-peer-urls": members,
        "initial-cluster": f"default={members}",
    }
    with _process("etcd", flags, folder):
        yield store


@contextmanager
def serving(folder: Path, store: str) -> Iterator[ApiServer]:
    """Run kube-apiserver over an etcd. Raises LookupError if it was not built."""
    (secure,) = _free_ports(1)
    token = secrets.token_hex(16)
    (folder / "tokens.csv").write_text(f'{token},admin,1,"system:masters"\n', encoding="utf-8")
    key = folder / "sa.key"
    if not key.exists():
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
    flags = {
        "etcd-servers": store,
        "bind-address": "127.0.0.1",
        "secure-port": secure,
        "cert-dir": folder / "certificates",
        "service-account-issuer": "https://kubernetes.default.svc",
        "service-account-key-file": key,
        "service-account-signing-key-file": key,
        "token-auth-file": folder / "tokens.csv",
        "authorization-mode": "RBAC",
        "service-cluster-ip-range": "10.0.0.0/24",
        "endpoint-reconciler-type": "none",
        "disable-admission-plugins": "ServiceAccount",
    }
    with _process("kube-apiserver", flags, folder) as process:
        found = ApiServer(f"https://127.0.0.1:{secure}", token, store, process)
        _wait(lambda: _is_ready(found), 120)
        yield found


@contextmanager
def _process(name: str, flags: Mapping[str, object], folder: Path) -> Iterator[int]:
    path = program(name)
    if path is None:
        raise LookupError(f"{name} is not built")
    with (folder / f"{name}.log").open("ab") as log:
        command = [str(path), *(f"--{flag}={value}" for flag, value in flags.items())]
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield process.pid
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _is_ready(server: ApiServer) -> bool:
    try:
        return server.ask(_DEFINITIONS)[0] == 200
    except (urllib.error.URLError, ConnectionError):
        return False


def _wait(condition: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(f"nothing after {seconds} s")
        time.sleep(0.1)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
