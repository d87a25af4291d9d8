"""Every random API gives a manifest with a structural schema, unless apigen says what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings

from apigen.codegen.json_schema.backend import Schema
from apigen.diagnostics import Severity
from apigen.language.json_values import JsonValue
from tests.cluster.api_server import ApiServer
from tests.crd.structural import problems
from tests.crd.test_manifests import WrongSpecError, made
from tests.required.test_random_specs import specs

GROUP = """\
group: example.com
versions: {v1: {introduced: "1.0", storage: true}}
kinds: {Invoice: {plural: invoices}}
"""

REJECTED = {"AG0506"}
"""Possible errors in a random spec: a default that does not set a required field."""


def manifests(spec: str) -> tuple[list[Schema], bool]:
    """The manifests of a spec, and whether apigen reports an error."""
    with TemporaryDirectory() as folder:
        try:
            found, report = made(
                {"specs": {"example.com/group.yaml": GROUP, "example.com/v1.yaml": spec}}, Path(folder)
            )
        except WrongSpecError as error:
            if not error.codes <= REJECTED:
                raise
            reject()
    return found, any(each.severity is Severity.ERROR for each in report.diagnostics)


@settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
@given(specs())
def test_schemas_are_structural(spec: str) -> None:
    found, is_wrong = manifests(spec)
    assert is_wrong or [problem for each in found for problem in problems(_schema(each))] == []


def _schema(manifest: Schema) -> JsonValue:
    spec = manifest["spec"]
    assert isinstance(spec, dict)
    versions = spec["versions"]
    assert isinstance(versions, list)
    version = versions[0]
    assert isinstance(version, dict)
    holder = version["schema"]
    assert isinstance(holder, dict)
    return holder["openAPIV3Schema"]


@pytest.mark.slow
@settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
@given(spec=specs())
def test_agrees_with_the_api_server(spec: str, server: ApiServer) -> None:
    found, is_wrong = manifests(spec)
    rejections = [rejection for each in found if (rejection := server.rejection(each))]
    assert bool(rejections) == is_wrong, rejections
