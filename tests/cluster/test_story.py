"""A resource with two versions on a real API server: no data is lost, neither in responses nor in etcd.

Objects are created in each version, read in all, applied in another one, and migrated to a new storage version; the old version is
removed and added again.
"""

from __future__ import annotations

import base64
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import apigen
from tests.cluster.cluster import Cluster, Json, cluster
from tests.cluster.programs import why_unbuilt
from tests.server.processes import running as running_webhook
from tests.yaml_files import read_yaml

SPECS = Path(__file__).with_name("specs")
GROUP = "widgets.example.com"
CRD = f"widgets.{GROUP}"
V1, V2 = f"widgets.v1.{GROUP}", f"widgets.v2.{GROUP}"

pytestmark = pytest.mark.skipif(bool(why_unbuilt()), reason=why_unbuilt())

RED = {"dimensions": {"size": 3}, "paint": "red"}
BLUE = {"dimensions": {"size": 4}, "paint": "blue", "owner": {"name": "ann"}, "speed": 9}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One cluster for the tests of this module."""
    with cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


class Project:
    """A project whose manifests name a webhook that runs."""

    def __init__(self, folder: Path, specs: Path) -> None:
        self.folder = folder
        shutil.copytree(specs, folder / "api-specs")

    def edit(self, file: str, old: str, new: str) -> None:
        """Change a text of a spec that is there."""
        path = self.folder / "api-specs" / GROUP / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def generate(self, url: str = "https://127.0.0.1:1/convert", authority: bytes = b"") -> Json:
        """Generate the package `cluster_api`; returns the manifest."""
        bundle = f'caBundle = "{base64.b64encode(authority).decode()}"\n' if authority else ""
        config = f'backends = ["default", "crd"]\noutput = "cluster_api"\n[crd]\nurl = "{url}"\n{bundle}'
        (self.folder / "apigen.toml").write_text(config, encoding="utf-8")
        done = apigen(self.folder, "generate")
        assert done.code == 0, done.err
        text = (self.folder / f"cluster_api/crds/{GROUP}_widgets.yaml").read_text(encoding="utf-8")
        found: Json = read_yaml(text)
        return found


def widget(version: str, name: str, spec: Json) -> Json:
    """A Widget."""
    return {"apiVersion": f"{GROUP}/{version}", "kind": "Widget", "metadata": {"name": name}, "spec": spec}


def establish(running: Cluster, manifest: Json) -> None:
    """Apply a CustomResourceDefinition, and wait until all its versions are served as it says."""
    running.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", given=manifest)
    wait_for_versions(running, manifest)


def wait_for_versions(running: Cluster, manifest: Json) -> None:
    """Wait until the server serves the versions of a CustomResourceDefinition, and no others."""
    group, plural = manifest["spec"]["group"], manifest["spec"]["names"]["plural"]
    served = {each["name"] for each in manifest["spec"]["versions"] if each["served"]}
    until = time.monotonic() + 30
    while True:
        status, found = running.server.ask(f"/apis/{group}")
        versions = found.get("versions", []) if status == 200 else []
        assert isinstance(versions, list)
        ready = {each["version"] for each in versions if isinstance(each, dict)} == served
        if ready and all(running.server.ask(f"/apis/{group}/{version}/{plural}")[0] == 200 for version in served):
            return
        assert time.monotonic() < until, found
        time.sleep(0.1)


def lost(running: Cluster, moment: str, red: Json, blue: Json) -> list[str]:
    """What version 2 does not show any more."""
    found = {"red": running.read(V2, "red")["spec"], "blue": running.read(V2, "blue")["spec"]}
    expected = {"red": red, "blue": blue}
    return [f"{moment}: {name} is {found[name]}" for name in expected if found[name] != expected[name]]


def story(running: Cluster, project: Project, folder: Path) -> list[str]:
    """What was lost, step by step."""
    project.generate()
    with running_webhook(folder, package="cluster_api") as webhook:
        url = f"https://127.0.0.1:{webhook.port}/convert"
        authority = webhook.authority.ca.cert_pem.bytes()
        establish(running, project.generate(url, authority))
        running.kubectl("create", "-f", "-", given=widget("v1", "red", {"size": 3, "color": "red"}))
        running.kubectl("create", "-f", "-", given=widget("v2", "blue", BLUE))
        losses = lost(running, "created in each version", RED, BLUE)
        assert running.read(V1, "red")["spec"] == {"size": 3, "color": "red"}
        assert running.read(V1, "blue")["spec"] == {"size": 4, "color": "blue"}
        assert "How large it is." in running.kubectl("explain", "--api-version", f"{GROUP}/v1", "widget.spec.size")
        assert "red" in running.kubectl("get", V2)

        applied = widget("v1", "blue", {"size": 4, "color": "green"})
        running.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", given=applied)
        green = {**BLUE, "paint": "green"}
        losses += lost(running, "applied in version 1", RED, green)
        assert {each["apiVersion"] for each in running.stored(GROUP, "widgets").values()} == {f"{GROUP}/v1"}

        project.edit(
            "group.yaml",
            'storage: true}\n  v2: {introduced: "1.1"}',
            'served: true}\n  v2: {introduced: "1.1", storage: true}',
        )
        both = project.generate(url, authority)
        establish(running, both)
        for name in ("red", "blue"):
            running.kubectl("replace", "-f", "-", given=running.read(V2, name))
        stored = running.stored(GROUP, "widgets")
        assert {each["apiVersion"] for each in stored.values()} == {f"{GROUP}/v2"}
        losses += [
            f"stored: {name} is {each['spec']}" for name, each in stored.items() if each["spec"] not in (RED, green)
        ]
        cleaned = json.dumps({"status": {"storedVersions": ["v2"]}})
        running.kubectl("patch", "crd", CRD, "--subresource=status", "--type=merge", "-p", cleaned)

        alone = json.loads(json.dumps(both))
        alone["spec"]["versions"] = [each for each in both["spec"]["versions"] if each["name"] == "v2"]
        establish(running, alone)
        losses += lost(running, "version 1 is dropped", RED, green)
        establish(running, both)
        losses += lost(running, "version 1 is back", RED, green)
        assert running.read(V1, "blue")["spec"] == {"size": 4, "color": "green"}
        return losses


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, running: Cluster) -> Iterator[Project]:
    """A project whose package the webhook can import; its resource is removed at the end."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    yield Project(tmp_path, SPECS)
    running.kubectl("delete", "crd", CRD, "--ignore-not-found", "--wait=true")


@pytest.mark.slow(one_in=16)
def test_story_loses_no_data(running: Cluster, project: Project, tmp_path: Path) -> None:
    assert story(running, project, tmp_path) == []


@pytest.mark.slow(one_in=16)
def test_story_without_lens_loses_data(running: Cluster, project: Project, tmp_path: Path) -> None:
    carried = "spec.speed: {annotation: widgets.example.com/speed, format: decimal}"
    project.edit("v1.yaml", carried, "spec.speed: {drop: not needed}")
    losses = story(running, project, tmp_path)
    assert losses
    assert losses[0].startswith("created in each version: blue is ")
