"""The webhooks of `apigen-server` in manifests: the conversion of a CRD, and the configurations of admission webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from apigen.codegen.json_schema.words import Json, Schema
from apigen.language.configuration.model import CrdSettings

_ADMISSION = (("mutate", "Mutating"), ("validate", "Validating"))


def conversion(settings: CrdSettings) -> Schema:
    """The `conversion` of a CustomResourceDefinition with several versions."""
    client = _client(settings, settings.path, settings.url)
    return {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1", "v1beta1"]}}


def authority_annotation(settings: CrdSettings) -> Schema:
    """The annotation by which cert-manager injects the certificate authority, if it does."""
    return {} if settings.certificate is None else {"cert-manager.io/inject-ca-from": settings.certificate}


def configurations(manifests: Iterable[Schema], settings: CrdSettings) -> Iterator[tuple[str, Schema]]:
    """The admission webhooks of the kinds of some manifests, each with the path of its file; none without a name for them."""
    rules = [_rule(manifest) for manifest in manifests]
    if settings.webhooks is None or not rules:
        return
    for verb, word in _ADMISSION:
        url = None if settings.url is None else urlsplit(settings.url)._replace(path=f"/{verb}").geturl()
        webhook: Schema = {
            "name": f"{verb}.{settings.webhooks}.apigen.webhook",
            "admissionReviewVersions": ["v1"],
            "clientConfig": _client(settings, f"/{verb}", url),
            "failurePolicy": "Fail",
            "matchPolicy": "Equivalent",
            "sideEffects": "None",
            "timeoutSeconds": 10,
            "rules": list[Json](rules),
        }
        if verb == "mutate":
            webhook["reinvocationPolicy"] = "IfNeeded"
        metadata: Schema = {"name": settings.webhooks}
        if found := authority_annotation(settings):
            metadata["annotations"] = found
        yield f"crds/{verb}-webhook.yaml", {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": f"{word}WebhookConfiguration",
            "metadata": metadata,
            "webhooks": [webhook],
        }


def _rule(manifest: Schema) -> Schema:
    """The requests for objects of a kind, in the versions that are served."""
    spec = manifest["spec"]
    assert isinstance(spec, dict)
    names, versions = spec["names"], spec["versions"]
    assert isinstance(names, dict)
    assert isinstance(versions, list)
    served = [each for each in versions if isinstance(each, dict) and each["served"]]
    plural = str(names["plural"])
    has_status = any(
        "status" in subresources for each in served if isinstance(subresources := each.get("subresources"), dict)
    )
    return {
        "apiGroups": [spec["group"]],
        "apiVersions": [each["name"] for each in served],
        "operations": ["CREATE", "UPDATE"],
        "resources": [plural, f"{plural}/status"] if has_status else [plural],
        "scope": spec["scope"],
    }


def _client(settings: CrdSettings, path: str, url: str | None) -> Schema:
    client: Schema = {}
    if url is not None:
        client["url"] = url
    else:
        namespace, _, name = settings.service.partition("/")
        client["service"] = {"namespace": namespace, "name": name, "path": path, "port": settings.port}
    if settings.ca_bundle is not None:
        client["caBundle"] = settings.ca_bundle
    return client
