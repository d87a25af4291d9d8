"""Every odd document of Kubernetes' decoders, of all kinds; tests/kubernetes has those of the kinds in generated/."""

from __future__ import annotations

import pytest

from tests.kubernetes.records import Document, documents
from tests.kubernetes.test_codec import read_as_by_kubernetes
from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.releases import REFERENCE

DOCUMENTS = list(documents())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: f"{document.form} {document.text!r}")
def test_unusual_documents(built: Built, document: Document) -> None:
    read_as_by_kubernetes(load(built(REFERENCE)[0]), document)


def test_number_of_documents() -> None:
    assert len(DOCUMENTS) == 121
