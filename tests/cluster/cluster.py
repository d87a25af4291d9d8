"""A cluster for tests: etcd, kube-apiserver and kubectl, on loopback; ended by the test."""

from __future__ import annotations

import base64
import json
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cluster.api_server import ApiServer, running
from tests.cluster.programs import program

SECONDS = 60

Json = dict[str, Any]


@dataclass(frozen=True)
class Cluster:
    """A server that runs, with a client and what lies in its store."""

    server: ApiServer
    kubeconfig: Path

    def kubectl(self, *arguments: str, given: Json | None = None) -> str:
        """The output of a command. `given` is its standard input. Raises AssertionError with what it says if it fails."""
        path = program("kubectl")
        assert path is not None
        text = None if given is None else json.dumps(given)
        command = [str(path), "--kubeconfig", str(self.kubeconfig), "--request-timeout=30s", *arguments]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 0, f"kubectl {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    def read(self, resource: str, name: str) -> Json:
        """An object, by `plural.version.group`."""
        found: Json = json.loads(self.kubectl("get", resource, name, "-o", "json"))
        return found

    def stored(self, group: str, plural: str) -> dict[str, Json]:
        """The objects of a resource as they lie in etcd, by name."""
        first = f"/registry/{group}/{plural}/".encode()
        last = first[:-1] + bytes([first[-1] + 1])
        body = {"key": base64.b64encode(first).decode(), "range_end": base64.b64encode(last).decode()}
        request = urllib.request.Request(f"{self.server.store}/v3/kv/range", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            entries = json.load(response).get("kvs", [])
        objects = (json.loads(base64.b64decode(entry["value"])) for entry in entries)
        return {each["metadata"]["name"]: each for each in objects}


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Run a cluster whose state is in a folder."""
    with running(folder) as server:
        kubeconfig = folder / "kubeconfig"
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "test", "cluster": {"server": server.url, "insecure-skip-tls-verify": True}}],
            "users": [{"name": "admin", "user": {"token": server.token}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}],
            "current-context": "test",
        }
        kubeconfig.write_text(json.dumps(config), encoding="utf-8")
        yield Cluster(server, kubeconfig)
