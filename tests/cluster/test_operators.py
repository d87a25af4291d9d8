"""The operators of `examples/operators` on a real API server: each reads, patches, reports status and Events, and cleans up."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import apigen
from tests.cluster.cluster import Cluster, Json, cluster
from tests.cluster.programs import why_unbuilt
from tests.cluster.test_story import wait_for_versions
from tests.server.processes import running as running_webhook
from tests.server.processes import wait_for
from tests.yaml_files import read_yaml

EXAMPLES = Path(__file__).parents[2] / "examples/operators"
COMMANDS = {
    "kopf": ["-m", "kopf", "run", "with_kopf.py", "--namespace", "default"],
    "lightkube": ["with_lightkube.py"],
    "kubernetes": ["with_kubernetes.py"],
}
BACKUPS = "backups.v1.backups.example.com"
SPEC = {"schedule": "0 3 * * *"}

pytestmark = pytest.mark.skipif(bool(why_unbuilt()), reason=why_unbuilt())


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples with the package that is generated for them."""
    folder = tmp_path_factory.mktemp("operators")
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    done = apigen(folder, "generate")
    assert done.code == 0, done.err
    return folder


@pytest.fixture(scope="module")
def running(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster that serves Backups in both versions, and the webhook that converts them."""
    folder = tmp_path_factory.mktemp("cluster")
    manifest: Json = read_yaml((project / "backups_api/crds/backups.example.com_backups.yaml").read_text("utf-8"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(project))
        with cluster(folder) as found, running_webhook(folder, package="backups_api") as webhook:
            bundle = base64.b64encode(webhook.authority.ca.cert_pem.bytes()).decode()
            address = f"https://127.0.0.1:{webhook.port}/convert"
            manifest["spec"]["conversion"]["webhook"]["clientConfig"] = {"url": address, "caBundle": bundle}
            found.kubectl("apply", "--server-side", "-f", "-", given=manifest)
            wait_for_versions(found, manifest)
            yield found


@contextmanager
def operator(name: str, project: Path, running: Cluster) -> Iterator[Path]:
    """Run an operator until the end of the block; gives the file with its output."""
    output = project / f"{name}.log"
    environment = {**os.environ, "KUBECONFIG": str(running.kubeconfig)}
    with output.open("wb") as log:
        command = [sys.executable, "-W", "ignore", *COMMANDS[name]]
        process = subprocess.Popen(command, cwd=project, env=environment, stdout=log, stderr=log)
        try:
            yield output
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def when(found: Callable[[], bool], what: str, output: Path) -> None:
    """Wait for a state of the cluster. Raises AssertionError with the end of the operator's output if it does not come."""
    try:
        wait_for(found, what)
    except AssertionError as error:
        raise AssertionError(f"{error}; the operator says: {output.read_text('utf-8')[-2000:]}") from None


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_operator_creates_and_updates_backups(name: str, project: Path, running: Cluster) -> None:
    backup = f"{name}-one"
    path = "/api/v1/namespaces/default/configmaps/" + f"{backup}-backup"

    def stored() -> Json:
        status, found = running.server.ask(path)
        data = found.get("data")
        return data if status == 200 and isinstance(data, dict) else {}

    with operator(name, project, running) as output:
        old = {"apiVersion": "backups.example.com/v1alpha1", "kind": "Backup", "metadata": {"name": backup}}
        running.kubectl("create", "-f", "-", given={**old, "spec": {**SPEC, "copies": 5}})
        when(lambda: stored() == {**SPEC, "copies": "5"}, "the ConfigMap", output)
        ready = {"phase": "Ready", "observedGeneration": 1}
        when(lambda: bool(running.read(BACKUPS, backup).get("status") == ready), "the status", output)
        assert running.read(BACKUPS, backup)["metadata"]["finalizers"]

        about = f"involvedObject.name={backup},reason=Scheduled"
        when(lambda: "5 copies" in running.kubectl("get", "events", "--field-selector", about), "an Event", output)

        change = '{"spec": {"retention": {"copies": 7}}}'
        running.kubectl("patch", BACKUPS, backup, "--type=merge", "-p", change)
        when(lambda: stored().get("copies") == "7", "the new ConfigMap", output)
        when(lambda: running.read(BACKUPS, backup)["status"]["observedGeneration"] == 2, "the new status", output)

        running.kubectl("delete", BACKUPS, backup, "--wait=true", "--timeout=30s")
        when(lambda: running.server.ask(path)[0] == 404, "the end of the ConfigMap", output)
