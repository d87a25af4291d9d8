"""The codecs of Kubernetes' groups: byte for byte what its own code wrote, and Google's protobuf understands it."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import message_factory

from apigen.ir.model import Api, TypeId
from apigen.runtime.wire import MAGIC, Envelope, unwrap, wrap
from tests.codegen.protobuf_peer import Generated, generate
from tests.this_project import backend_input

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data/kubernetes"


@pytest.fixture(scope="module")
def kubernetes(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(backend_input().api, tmp_path_factory.mktemp("kubernetes"))


@dataclass(frozen=True)
class Document:
    """A document that Kubernetes wrote, of a kind that the specs have."""

    origin: str
    data: bytes
    envelope: Envelope
    type: TypeId


def written(api: Api) -> Iterator[Document]:
    """Every protobuf document of the test data whose kind the specs have; the vectors have more kinds than they.

    Objects that protobuf does not preserve (`null` among bytes) are omitted: a round trip changes them.
    """
    folders = {group.name: group.folder for group in api.groups}
    for origin, data in [*fixtures(), *vectors()]:
        envelope = unwrap(data)
        group, _, version = envelope.api_version.rpartition("/")
        id_ = TypeId(folders.get(group, ""), version, envelope.kind)
        if id_ in api.types:
            yield Document(origin, data, envelope, id_)


def fixtures() -> Iterator[tuple[str, bytes]]:
    for path in sorted(DATA.glob("fixtures/**/*.pb")):
        yield path.name, path.read_bytes()


def vectors() -> Iterator[tuple[str, bytes]]:
    for path in sorted(DATA.glob("vectors/codec/*.jsonl.gz")):
        with gzip.open(path) as lines:
            for vector in map(json.loads, lines):
                if "kind" in vector and vector["protoAfter"] is None:
                    yield f"{path.name} {vector['kind']} {vector['seed']}", base64.b64decode(vector["proto"])


def test_kubernetes_documents_round_trip(kubernetes: Generated) -> None:
    documents = list(written(kubernetes.api))
    assert len(documents) == 72 + 298
    for document in documents:
        obj = kubernetes.decode(document.type, document.envelope.raw)
        raw = kubernetes.encode(document.type, obj)
        assert wrap(document.envelope.api_version, document.envelope.kind, raw) == document.data, document.origin


def test_google_protobuf_decodes_the_same(kubernetes: Generated) -> None:
    for document in written(kubernetes.api):
        message = kubernetes.empty_message(document.type)
        message.ParseFromString(document.envelope.raw)
        obj = kubernetes.decode(document.type, document.envelope.raw)
        assert message == kubernetes.message(document.type, obj), document.origin


def test_google_protobuf_decodes_the_envelope(kubernetes: Generated) -> None:
    document = next(written(kubernetes.api))
    unknown: Any = message_factory.GetMessageClass(kubernetes.pool.FindMessageTypeByName("apigen.runtime.Unknown"))()
    unknown.ParseFromString(document.data.removeprefix(MAGIC))
    assert (unknown.typeMeta.kind, unknown.raw) == (document.type.name, document.envelope.raw)


def test_damaged_documents_are_reported_with_a_path(kubernetes: Generated) -> None:
    id_ = TypeId("flowcontrol.apiserver.k8s.io", "v1", "FlowSchema")
    data = (DATA / "fixtures/v1.36.0/flowcontrol.apiserver.k8s.io.v1.FlowSchema.pb").read_bytes()
    raw = unwrap(data).raw.replace(b"nameValue", b"name\xffalue")
    with pytest.raises(ValueError, match=r"^metadata\.name: text that is not UTF-8"):
        kubernetes.decode(id_, raw)
