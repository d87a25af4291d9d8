"""A server as trials run it does what Kubernetes' does: an update of the status starts from what is stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apigen.review.counterexamples.running import Kind, RejectedError, Server
from tests.review.cases import GROUP
from tests.review.counterexamples.serving import server_of

THING = Kind(GROUP, "Thing", has_status=True)
VERSION = f"{GROUP}/v1"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server of a kind whose status is a subresource, with a default in it that no update may change."""
    node = {"type": "string", "optional": True, "immutable": True, "default": "none", "protobuf": 1}
    status = {"type": "Status", "protobuf": 2}
    types = {"Thing": {"fields": {"status": status}}, "Status": {"fields": {"node": node}}}
    kinds = {"Thing": {"scope": "Namespaced", "subresources": {"status": {}}}}
    return server_of({"kinds": kinds, "types": types}, tmp_path, monkeypatch)


def sent(**status: Any) -> bytes:
    return json.dumps({"apiVersion": VERSION, "kind": "Thing", **status}).encode()


@pytest.mark.parametrize("status", [{}, {"status": {}}, {"status": {"node": "none"}}], ids=str)
def test_status_default_is_applied_before_status_update(server: Server, status: Any) -> None:
    held = server.create(sent(**status), THING)
    assert json.loads(server.answer(held, VERSION))["status"] == {"node": "none"}


def test_status_that_differs_from_the_default_is_an_update(server: Server) -> None:
    with pytest.raises(RejectedError, match="node"):
        server.create(sent(status={"node": "other"}), THING)


def test_kind_of_another_group_is_a_different_kind(server: Server) -> None:
    assert server.versions(THING) == (VERSION,)
    assert server.versions(Kind("others.example.com", "Thing")) == ()
