"""kube-apiserver validates the manifest of every case: it accepts what apigen does, and rejects what apigen reports as
an error.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Severity
from apigen.language.configuration import CrdSettings
from tests.cluster.api_server import ApiServer
from tests.crd.test_manifests import CASES, made
from tests.crd.test_webhooks import documents
from tests.yaml_files import read_yaml


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_agrees_with_the_api_server(path: Path, server: ApiServer, tmp_path: Path) -> None:
    case = read_yaml(path.read_text(encoding="utf-8"))
    manifests, problems = made(case, tmp_path)
    errors = [str(found) for found in problems.diagnostics if found.severity is Severity.ERROR]
    rejections = [rejection for each in manifests if (rejection := server.rejection(each))]
    assert bool(errors) == bool(rejections), (errors, rejections)


@pytest.mark.parametrize("verb", ["mutate", "validate"])
def test_accepts_webhook_configurations(verb: str, server: ApiServer) -> None:
    settings = CrdSettings(certificate="my-api/cert", webhooks="my-api")
    given = documents(settings)[f"crds/{verb}-webhook.yaml"]
    path = f"/apis/admissionregistration.k8s.io/v1/{verb.removesuffix('e')}ingwebhookconfigurations"
    status, answer = server.ask(f"{path}?dryRun=All&fieldValidation=Strict", given, "POST")
    assert status == 201, answer["message"]


OBJECTS = [path for path in CASES if "\nobjects:" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", OBJECTS, ids=lambda path: path.stem)
def test_keeps_objects(path: Path, server: ApiServer, tmp_path: Path) -> None:
    """The API server stores the objects of a case as they are: it drops nothing and adds nothing."""
    case = read_yaml(path.read_text(encoding="utf-8"))
    (first, *_), _problems = made(case, tmp_path)
    plural = str(first["metadata"]["name"]).partition(".")[0]  # type: ignore[call-overload,index]
    with server.serving(first):
        for sent in case["objects"]:
            group = sent["apiVersion"]
            within = f"/namespaces/{sent['metadata']['namespace']}"
            status, stored = server.ask(f"/apis/{group}{within}/{plural}?fieldValidation=Strict", sent, "POST")
            assert status == 201, stored["message"]
            assert stored["spec"] == sent["spec"]
