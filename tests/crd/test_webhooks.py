"""The configurations of admission webhooks in the output."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.codegen.crd.backend import plan
from apigen.codegen.pipeline import Sources
from apigen.codegen.pipeline import check as check_specs
from apigen.diagnostics import Report
from apigen.language.configuration import CrdSettings
from apigen.language.json_values import JsonValue
from tests.yaml_files import read_yaml

SPECS = Path(__file__).parents[1] / "cluster/specs"


def documents(settings: CrdSettings) -> dict[str, JsonValue]:
    """The files of the backend, by their paths."""
    backend_input = check_specs(Sources(SPECS, display_root=SPECS, crd=settings), Report()).backend_input
    assert backend_input is not None
    return {file.path: read_yaml(file.content) for file in plan(backend_input)}


def test_no_webhooks_are_written_without_a_name() -> None:
    assert list(documents(CrdSettings())) == ["crds/widgets.example.com_widgets.yaml"]


@pytest.mark.parametrize(("verb", "kind"), [("mutate", "Mutating"), ("validate", "Validating")])
def test_all_kinds_have_both_webhooks(verb: str, kind: str) -> None:
    settings = CrdSettings(service="my-api/webhook", port=8443, certificate="my-api/cert", webhooks="my-api")
    found = documents(settings)[f"crds/{verb}-webhook.yaml"]
    assert isinstance(found, dict)
    assert found["kind"] == f"{kind}WebhookConfiguration"
    assert found["metadata"] == {"name": "my-api", "annotations": {"cert-manager.io/inject-ca-from": "my-api/cert"}}
    (webhook,) = found["webhooks"]  # type: ignore[misc]
    assert webhook["clientConfig"] == {  # type: ignore[call-overload,index]
        "service": {"namespace": "my-api", "name": "webhook", "path": f"/{verb}", "port": 8443}
    }
    assert webhook["rules"] == [  # type: ignore[call-overload,index]
        {
            "apiGroups": ["widgets.example.com"],
            "apiVersions": ["v1", "v2"],
            "operations": ["CREATE", "UPDATE"],
            "resources": ["widgets", "widgets/status"],
            "scope": "Namespaced",
        }
    ]


def test_an_address_gets_the_path_of_each_webhook() -> None:
    settings = CrdSettings(
        url="https://hooks.example.com:9443/convert", ca_bundle="LS0tLS1CRUdJTg==", webhooks="my-api"
    )
    found = documents(settings)["crds/validate-webhook.yaml"]
    assert isinstance(found, dict)
    (webhook,) = found["webhooks"]  # type: ignore[misc]
    assert webhook["clientConfig"] == {"url": "https://hooks.example.com:9443/validate", "caBundle": "LS0tLS1CRUdJTg=="}  # type: ignore[call-overload,index]
