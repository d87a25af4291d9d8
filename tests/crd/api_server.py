"""A kube-apiserver with its etcd, as far as both are built: what it says of manifests.

The programs stand in `$XDG_CACHE_HOME/apigen-test/NAME-VERSION` (`~/.cache` without it).
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from apigen.codegen.json_schema.words import Json

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def program(name: str) -> Path | None:
    """A program that was built, of the newest version; None where there is none."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "apigen-test")
    return max(cache.glob(f"{name}-*/{name}"), default=None)


@dataclass(frozen=True)
class ApiServer:
    """A server that runs."""

    url: str
    token: str

    def ask(self, path: str, body: Json = None, method: str = "GET") -> tuple[int, dict[str, Json]]:
        """The status and the answer of a request."""
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
            text = error.read().decode()
            return error.code, json.loads(text) if text.startswith("{") else {"message": text}

    def refusal(self, manifest: Json) -> str | None:
        """Why the server refuses a CustomResourceDefinition, of which it keeps nothing; None if it accepts it."""
        status, answer = self.ask(f"{_DEFINITIONS}?dryRun=All&fieldValidation=Strict", manifest, "POST")
        return None if status == 201 else str(answer["message"])

    @contextmanager
    def serving(self, manifest: dict[str, Json]) -> Iterator[None]:
        """Serve the kind of a CustomResourceDefinition for a while. Raises AssertionError if the server refuses it."""
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
            self.ask(f"{_DEFINITIONS}/{metadata['name']}", method="DELETE")


@contextmanager
def running(folder: Path) -> Iterator[ApiServer]:
    """Run both programs on loopback, with their state in `folder`. Raises LookupError if one was not built."""
    etcd, server = program("etcd"), program("kube-apiserver")
    if etcd is None or server is None:
        raise LookupError("kube-apiserver or etcd is not built")
    client, peer, secure = _free_ports(3)
    token = secrets.token_hex(16)
    (folder / "tokens.csv").write_text(f'{token},admin,1,"system:masters"\n', encoding="utf-8")
    key = folder / "sa.key"
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
    store, members = f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peer}"
    run_store: list[Path | str] = [etcd, "--data-dir", folder / "etcd"]
    run_store += ["--listen-client-urls", store, "--advertise-client-urls", store]
    run_store += ["--listen-peer-urls", members, "--initial-advertise-peer-urls", members]
    run_store += ["--initial-cluster", f"default={members}"]
    run_server: list[Path | str] = [server, f"--etcd-servers={store}", "--bind-address=127.0.0.1"]
    run_server += [f"--secure-port={secure}", f"--cert-dir={folder / 'certificates'}"]
    run_server += ["--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={key}"]
    run_server += [f"--service-account-signing-key-file={key}", f"--token-auth-file={folder / 'tokens.csv'}"]
    run_server += ["--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24"]
    run_server += ["--endpoint-reconciler-type=none", "--disable-admission-plugins=ServiceAccount"]
    with ExitStack() as stack:
        for command in (run_store, run_server):
            stack.enter_context(_process(command, folder))
        found = ApiServer(f"https://127.0.0.1:{secure}", token)
        _wait(lambda: _is_ready(found), 120)
        yield found


@contextmanager
def _process(command: Sequence[Path | str], folder: Path) -> Iterator[None]:
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield
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
