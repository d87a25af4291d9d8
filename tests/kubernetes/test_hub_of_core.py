"""The hub of the core group where it differs from v1: what goes in a round trip through v1 alone does not show it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.ir.model import Field, Struct
from tests.kubernetes.compiling import HAND_WRITTEN, ROOT, SPECS

MOVED = {"hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"}
"""Fields of PodSpec in v1, of PodSecurityContext in Kubernetes' own hub (pkg/apis/core)."""

Fields = Mapping[str, Mapping[str, Field]]


@pytest.fixture(scope="module")
def fields() -> Fields:
    """Type of the hub -> name -> field."""
    checked = check(Sources(SPECS / "kubernetes", HAND_WRITTEN, ROOT, ("core",)), Report())
    assert checked.backend_input is not None
    types = checked.backend_input.types
    return {
        id_.name: {field.json_name: field for field in type_.fields}
        for id_, type_ in types.items()
        if isinstance(type_, Struct) and (id_.group, id_.version) == ("core", "hub")
    }


@pytest.mark.slow
def test_five_fields_are_in_the_security_context(fields: Fields) -> None:
    assert fields["PodSecurityContext"].keys() >= MOVED
    assert fields["PodSpec"].keys().isdisjoint(MOVED)


@pytest.mark.parametrize(
    ("type_", "singular", "plural"), [("NodeSpec", "podCIDR", "podCIDRs"), ("PodStatus", "podIP", "podIPs")]
)
def test_singular_fields_are_not_in_the_hub(fields: Fields, type_: str, singular: str, plural: str) -> None:
    assert plural in fields[type_] and singular not in fields[type_]


def test_aliased_fields_are_not_in_the_hub(fields: Fields) -> None:
    assert "serviceAccountName" in fields["PodSpec"] and "serviceAccount" not in fields["PodSpec"]
    assert "data" in fields["Secret"] and "stringData" not in fields["Secret"]


def test_token_expiration_is_never_unset(fields: Fields) -> None:
    assert not fields["ServiceAccountTokenProjection"]["expirationSeconds"].can_be_none
