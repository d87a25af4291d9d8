"""Python names: the table of the survey, and every reserved name."""

from __future__ import annotations

import ast
import keyword
from pathlib import Path

import pytest

from apigen.ir.names import (
    BUILTIN_TYPES,
    ENUM_MEMBER_NAMES,
    GENERATED_CLASS_NAMES,
    KEYWORDS,
    field_name,
    given_name_problem,
    is_type_name,
    member_name,
    snake_case,
)
from tests.ir.resolving import load_and_resolve, write_specs
from tests.this_project import ROOT

FIELDS = {
    "podCIDRs": "pod_cidrs",
    "podIPs": "pod_ips",
    "hostIPs": "host_ips",
    "clusterIPs": "cluster_ips",
    "externalIPs": "external_ips",
    "nonResourceURLs": "non_resource_urls",
    "targetWWNs": "target_wwns",
    "serverAddressByClientCIDRs": "server_address_by_client_cidrs",
    "URLsByName": "urls_by_name",
    "fieldsV1": "fields_v1",
    "stubPKCS10Request": "stub_pkcs10_request",
    "openAPIV3Schema": "open_apiv3_schema",
    "x509Names": "x509_names",
    "podIPv4": "pod_ipv4",
    "$ref": "ref",
    "x-kubernetes-list-type": "x_kubernetes_list_type",
    "kubernetes.io/name": "kubernetes_io_name",
    "continue": "continue_",
    "except": "except_",
    "from": "from_",
    "not": "not_",
    "None": "none",
    "type": "type",
    "match": "match",
    "min": "min",
    "int": "int",
    "id": "id",
    "_id": "id",
    "items": "items",
    "hostIPC": "host_ipc",
    "hostPID": "host_pid",
    "setHostnameAsFQDN": "set_hostname_as_fqdn",
    "insecureSkipTLSVerify": "insecure_skip_tls_verify",
    "diskURI": "disk_uri",
    "isSet": "is_set",
    "awsElasticBlockStore": "aws_elastic_block_store",
}
TYPES = {
    "HTTPIngressPath": "http_ingress_path",
    "IPBlock": "ip_block",
    "CSIDriver": "csi_driver",
    "CSINode": "csi_node",
    "FlowSchema": "flow_schema",
    "APIVersions": "api_versions",
    "RBDVolumeSource": "rbd_volume_source",
    "Status": "status",
}
MEMBERS = {
    "Always": "ALWAYS",
    "OnTuesday": "ON_TUESDAY",
    "": "EMPTY",
    "*": "ALL",
    "HTTP/1": "HTTP_1",
    "IPv4": "IPV4",
    "kubernetes.io/tls": "KUBERNETES_IO_TLS",
    "None": "NONE",
    "In": "IN",
    "x-y": "X_Y",
}


@pytest.mark.parametrize(("json_name", "expected"), FIELDS.items())
def test_name_of_a_field(json_name: str, expected: str) -> None:
    assert field_name(json_name) == expected


@pytest.mark.parametrize(("name", "expected"), TYPES.items())
def test_name_of_a_type_in_functions(name: str, expected: str) -> None:
    assert snake_case(name) == expected


@pytest.mark.parametrize(("value", "expected"), MEMBERS.items())
def test_name_of_a_value(value: str, expected: str) -> None:
    assert member_name(value) == expected


@pytest.mark.parametrize("name", ["", "$", "2d", "größe", "名前", "--", "\u202e", "a\u0301b"])
def test_invalid_field_names(name: str) -> None:
    assert field_name(name) is None


@pytest.mark.parametrize("value", ["<", "10Gi", "größe", "+", " "])
def test_invalid_enum_member_names(value: str) -> None:
    assert member_name(value) is None


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_every_keyword_is_avoided(word: str) -> None:
    derived = field_name(word)
    assert derived is not None
    assert derived.isidentifier()
    assert not keyword.iskeyword(derived)
    assert given_name_problem(word) is not None


@pytest.mark.parametrize("name", sorted(BUILTIN_TYPES | GENERATED_CLASS_NAMES))
def test_every_reserved_type_name_is_rejected(name: str, tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": f"types: {{'{name}': {{fields: {{}}}}}}\n"})
    _, _, report = load_and_resolve(tmp_path)
    assert [d.code for d in report.diagnostics] == ["AG0304"]


def test_names_that_generated_modules_import_are_reserved() -> None:
    """They would hide a type, or a type would hide them: modules import both by their plain names."""
    imported = set()
    for path in (ROOT / "generated").glob("*/v*/*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        if path.stem == "types" or any(node.module == "types" for node in imports):
            imported |= {each.name for node in imports if "runtime" in (node.module or "") for each in node.names}
    assert {"DecodeError", "Quantity", "UnknownMembers", "INT32"} <= imported
    assert {name for name in imported if is_type_name(name)} <= BUILTIN_TYPES | GENERATED_CLASS_NAMES


@pytest.mark.parametrize("name", sorted(ENUM_MEMBER_NAMES))
def test_every_attribute_name_of_enums_is_rejected(name: str) -> None:
    assert given_name_problem(name) is not None


@pytest.mark.parametrize("name", ["", "a b", "1a", "größe", "_x", "__init__", "class", "a-b"])
def test_declared_names_that_are_invalid(name: str) -> None:
    assert given_name_problem(name) is not None


@pytest.mark.parametrize("name", ["x", "pod_ips", "match", "type", "X", "x1"])
def test_declared_names_that_are_valid(name: str) -> None:
    assert given_name_problem(name) is None
