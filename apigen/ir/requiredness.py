"""Required fields, and the generated code that enforces them."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.ir.model import (
    Enum,
    EnumType,
    Field,
    Group,
    NamedType,
    Presence,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    underlying,
)

KUBERNETES_GROUPS = frozenset(
    {
        "",
        "admission.k8s.io",
        "admissionregistration.k8s.io",
        "apidiscovery.k8s.io",
        "apps",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "autoscaling",
        "batch",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "extensions",
        "flowcontrol.apiserver.k8s.io",
        "imagepolicy.k8s.io",
        "internal.apiserver.k8s.io",
        "meta.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
    }
)
"""The names of the groups that kube-apiserver serves from Go types, and of `meta`."""

_NULL_IS_A_VALUE = frozenset({WellKnown.TIME, WellKnown.MICRO_TIME, WellKnown.RAW_EXTENSION, WellKnown.FIELDS_V1})
"""Types whose zero value is written as `null`."""


def enforces_required(group: Group) -> bool:
    """Return whether documents of a group's kinds can be rejected for a required field that they omit.

    The exception is the built-in groups of Kubernetes: `required` is published in their OpenAPI, but kube-apiserver
    decodes an omitted field as its zero value, and their validation accepts or rejects it. A group is
    recognized by its name, which has one owner, whether the specs are built in or imported.
    """
    return group.name not in KUBERNETES_GROUPS


def accepts_null(member: Field) -> bool:
    """Return whether `null` is a value of a field in its schema, instead of standing for an omitted field."""
    return member.presence is Presence.NULLABLE or _accepts_null(member.type)


def _accepts_null(type_: Type) -> bool:
    while isinstance(type_, NamedType):
        if type_.nullable:
            return True
        type_ = type_.target
    return isinstance(type_, WellKnownType) and type_.known in _NULL_IS_A_VALUE


def must_be_set(member: Field, types: Mapping[TypeId, TypeDef]) -> bool:
    """Return whether validation rejects the field if it is unset, as far as unset values can be recognized.

    A number, string or struct that is always written has the same value if it was omitted, so it is not rejected;
    but an enum that is not open has no empty value, and `None` is always unset.
    """
    if not member.required:
        return False
    behind = underlying(member.type)
    enum = types.get(behind.id) if isinstance(behind, EnumType) else None
    if member.presence is Presence.PLAIN and isinstance(enum, Enum) and not enum.open:
        return True
    return member.can_be_none or member.presence is Presence.OMIT_EMPTY
