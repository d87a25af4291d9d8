"""The formats of Kubernetes' declarative validation: what they take, and what they say about the rest."""

from __future__ import annotations

import pytest

from apigen.runtime import formats
from apigen.runtime.field_paths import ROOT
from apigen.runtime.raw import RawExtension

LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an "
    "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
NAME = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
IDENTIFIER = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or "
    "'_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"
)


@pytest.mark.parametrize(
    ("format_", "values"),
    [
        ("k8s_short_name", ["a", "0", "a-b", "a" * 63]),
        ("k8s_long_name", ["a", "a.b", "a-b.0c", ".".join(["a" * 63] * 3)]),
        ("k8s_long_name_caseless", ["A.b", "EXAMPLE.com"]),
        ("k8s_label_key", ["a", "A_b.c-D", "example.com/MyName", "a" * 63, "x/" + "a" * 63]),
        ("k8s_prefixed_label_key", ["example.com/a"]),
        ("k8s_label_value", ["", "a", "A_b.c-D", "a" * 63]),
        ("k8s_path_segment_name", ["", "a", "...", "ä b"]),
        ("k8s_uuid", ["123e4567-e89b-12d3-a456-426614174000"]),
        ("k8s_resource_pool_name", ["a", "a/b.c/d"]),
        ("k8s_extended_resource_name", ["example.com/my-prop"]),
        ("k8s_resource_fully_qualified_name", ["example.com/my_prop", "a/B9", "a/b/c"]),
    ],
)
def test_valid_values(format_: str, values: list[str]) -> None:
    for value in values:
        assert not list(getattr(formats, format_)(ROOT, value)), value


@pytest.mark.parametrize(
    ("format_", "value", "errors"),
    [
        ("k8s_short_name", "", [f'Invalid value: "": {LABEL}']),
        ("k8s_short_name", "a.b", ['Invalid value: "a.b": must not contain dots']),
        ("k8s_short_name", "a\n", [f'Invalid value: "a\\n": {LABEL}']),
        ("k8s_long_name", "A", [f'Invalid value: "A": {SUBDOMAIN}']),
        ("k8s_label_key", "/a", ['Invalid value: "/a": prefix part must be non-empty']),
        (
            "k8s_label_key",
            "a/",
            ['Invalid value: "a/": name part must be non-empty', f'Invalid value: "a/": name part {NAME}'],
        ),
        ("k8s_label_key", "A/b", [f'Invalid value: "A/b": prefix part {SUBDOMAIN}']),
        (
            "k8s_label_key",
            "a/b/c",
            [
                (
                    f"Invalid value: \"a/b/c\": a valid label key {NAME} with an optional DNS subdomain prefix and '/' "
                    "(e.g. 'example.com/MyName')"
                )
            ],
        ),
        ("k8s_prefixed_label_key", "a", ["Invalid value: \"a\": must include a prefix (e.g. 'example.com/key')"]),
        ("k8s_path_segment_name", "..", ["Invalid value: \"..\": may not be '..'"]),
        (
            "k8s_path_segment_name",
            "a/%",
            ["Invalid value: \"a/%\": may not contain '/'", "Invalid value: \"a/%\": may not contain '%'"],
        ),
        ("k8s_uuid", "x", ['Invalid value: "x": must be a lowercase UUID in 8-4-4-4-12 format']),
        ("k8s_resource_pool_name", "a//b", ['Invalid value: "a//b": segment 1: must not be empty']),
        ("k8s_resource_pool_name", "a/B", [f'Invalid value: "B": segment 1: {SUBDOMAIN}']),
        (
            "k8s_extended_resource_name",
            "kubernetes.io/x",
            ['Invalid value: "kubernetes.io/x": must not have "kubernetes.io/" domain'],
        ),
        (
            "k8s_extended_resource_name",
            "x",
            ["Invalid value: \"x\": a name must be a domain-prefixed path, such as 'example.com/my-prop'"],
        ),
        ("k8s_resource_fully_qualified_name", "/a", ['Invalid value: "": prefix must not be empty']),
        ("k8s_resource_fully_qualified_name", "a/", ['Invalid value: "": name must not be empty']),
        ("k8s_resource_fully_qualified_name", "a/b-c", [f'Invalid value: "b-c": {IDENTIFIER}']),
        (
            "k8s_resource_fully_qualified_name",
            "x" * 33,
            [
                "Too long: may not be more than 32 bytes",
                f'Invalid value: "{"x" * 33}": a fully qualified name must be a domain and a name separated by a slash',
            ],
        ),
    ],
)
def test_bad_values(format_: str, value: str, errors: list[str]) -> None:
    found = getattr(formats, format_)(ROOT.child("x"), value)
    assert [str(error) for error in found] == [f"x: {error}" for error in errors]


@pytest.mark.parametrize(
    ("format_", "value", "error"),
    [
        ("k8s_short_name", "a" * 64, f'Invalid value: "{"a" * 64}": must be no more than 63 bytes'),
        ("k8s_label_value", "a" * 64, f'Invalid value: "{"a" * 64}": must be no more than 63 bytes'),
        ("k8s_long_name", "a" * 254, f'Invalid value: "{"a" * 254}": must be no more than 253 bytes'),
        ("k8s_resource_pool_name", "a/" * 127 + "a", "Too long: may not be more than 253 bytes"),
    ],
)
def test_long_values(format_: str, value: str, error: str) -> None:
    assert str(next(iter(getattr(formats, format_)(ROOT.child("x"), value)))) == f"x: {error}"


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {}}', []),
        ('{"apiVersion": "v1"}', ["x.kind: Required value"]),
        ('{"apiVersion": "", "kind": 1}', ["x.apiVersion: Required value", "x.kind: Required value"]),
        ('{"apiVersion": "v1", "kind": "A", "metadata": []}', ["x.metadata: Invalid value: null: must be an object"]),
        ("[]", ["x: Invalid value: null: must be an object"]),
    ],
)
def test_embedded_resources(text: str, errors: list[str]) -> None:
    found = formats.embedded_resource(ROOT.child("x"), RawExtension(text.encode()))
    assert [str(error) for error in found] == errors
