"""Objects and odd documents: read as Kubernetes reads them, and written byte for byte as it wrote them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest

from tests.kubernetes.checking import Checker
from tests.kubernetes.compiling import Package
from tests.kubernetes.records import Document, Encoded, documents, encoded

JSON = "application/json"
YAML = "application/yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"

KINDS = (
    "ConfigMap",
    "FlowSchema",
    "HorizontalPodAutoscaler",
    "Ingress",
    "IngressClass",
    "PriorityLevelConfiguration",
    "Scale",
)

DOCUMENTS = [d for d in documents() if not re.search(r'"kind":"(?:Pod|Service|List|Deployment)"', d.text)]
"""All but those of kinds that these specs do not have."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_objects_round_trip_in_every_format(
    package: Package, kind: str, record_property: Callable[[str, object], None]
) -> None:
    checker = Checker(package)
    records = [record for record in encoded() if record.kind == kind and checker.has(kind, record.version)]
    wrong = [f"{record}: {problem}" for record in records for problem in problems(package, record)]
    right = len(records) - len({problem.partition(":")[0] for problem in wrong})
    record_property("vectors", ["codec", kind, len(records), right, None])
    assert not wrong


def problems(package: Package, record: Encoded) -> list[str]:
    """Which of the three forms are not read, or not written, as by Kubernetes."""
    scheme = package.scheme
    obj = scheme.decode(record.json, JSON, default=False, unknown="error")
    written = {
        "JSON is read in another way where it is not read strictly": obj
        == scheme.decode(record.json.encode(), JSON, default=False),
        "JSON is not written": scheme.encode(obj, JSON) == record.after_json.encode(),
        "YAML is not written": scheme.encode(obj, YAML) == record.yaml.encode(),
        "protobuf is not written": scheme.encode(obj, PROTOBUF) == record.protobuf,
    }
    read = {
        "YAML is not read": (record.yaml, YAML, record.after_yaml),
        "protobuf is not read": (record.protobuf, PROTOBUF, record.after_protobuf),
    }
    for name, (data, media_type, after) in read.items():
        written[name] = scheme.encode(scheme.decode(data, media_type, default=False), JSON) == after.encode()
    return [name for name, right in written.items() if not right]


def test_records_cover_all_objects(package: Package) -> None:
    checker = Checker(package)
    there = Counter(record.kind for record in encoded() if checker.has(record.kind, record.version))
    assert sorted(there) == sorted(KINDS)
    assert there.total() == 300


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: f"{document.form} {document.text!r}")
def test_unusual_documents(package: Package, document: Document) -> None:
    read_as_by_kubernetes(package, document)


def read_as_by_kubernetes(package: Package, document: Document) -> None:
    """Assert that a document is rejected, warned of or accepted as Kubernetes does, but for what it loses."""
    scheme, media_type = package.scheme, f"application/{document.form}"
    rejected = package.module("runtime").DecodeError
    if document.form == "yaml" and "\n---\n" in document.text:  # Kubernetes drops all but the first document
        with pytest.raises(rejected, match="the input holds several documents"):
            scheme.decode(document.text, media_type, default=False)
        return
    if document.after is None:
        with pytest.raises(rejected):
            scheme.decode(document.text, media_type, default=False)
        with pytest.raises(rejected):
            scheme.decode(document.text, media_type, default=False, unknown="error")
        return
    obj = scheme.decode(document.text, media_type, default=False)
    assert scheme.encode(obj, JSON).decode() == with_type_meta(document.after)
    if not document.strict:
        assert scheme.decode(document.text, media_type, default=False, unknown="error") == obj
        return
    with pytest.raises(rejected) as caught:
        scheme.decode(document.text, media_type, default=False, unknown="error")
    assert str(caught.value) == "; ".join(map(in_our_words, document.strict))
    with pytest.warns(package.module("runtime.scheme").UnknownFieldWarning) as warned:
        scheme.decode(document.text, media_type, default=False, unknown="warn")
    assert [str(warning.message) for warning in warned] == [in_our_words(text) for text in document.strict]


def with_type_meta(text: str) -> str:
    """The object as it is written here: with an `apiVersion` that the document had in other capitals.

    Kubernetes finds the kind by it, and writes an object without it, which cannot be read back.
    """
    return text.replace('{"kind":"ConfigMap","metadata"', '{"kind":"ConfigMap","apiVersion":"v1","metadata"')


def in_our_words(complaint: str) -> str:
    """As Kubernetes says it; but for a name that comes twice in YAML, of which it says the line and not the path."""
    return re.sub(
        r'^yaml: unmarshal errors:\n  line \d+: key "(\w+)" already set in map$',
        r'duplicate field "data.\1"',
        complaint,
    )


def test_number_of_documents() -> None:
    assert Counter(document.form for document in DOCUMENTS) == {"json": 52, "yaml": 49}
    assert len(list(documents())) == 121
