"""Servers of neighboring releases write the same stored object in turn, in both orders, as JSON and as protobuf.

Requests are random objects of either release. What is in the store is compared with what the policy promises.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.language.releases import Release
from tests.evolution.story.policy import GATE, KNOWN, LOCKED, ON_BY_DEFAULT, Document, Promised, Rejection
from tests.evolution.story.telling import JSON, PROTOBUF, Servers

RELEASES = [Release(1, minor) for minor in range(10, 20)]
PAIRS = list(pairwise(RELEASES))
MEDIA_TYPES = {"json": JSON, "protobuf": PROTOBUF}
GATED = [release for release in RELEASES if Release(1, 11) <= release < Release(1, 19)]
"""The releases that have the gate."""


@dataclass(frozen=True)
class Request:
    """A request to one of the two servers: a whole spec, a change of the spec that the server shows, or a status."""

    to: Release
    spec: Document | None = None
    change: Document | None = None
    status: Document | None = None


class Upgrade:
    """Two servers with one store, and what the policy promises of the object in it."""

    def __init__(self, servers: Servers, pair: tuple[Release, Release], stored_as: str, gate: bool | None) -> None:
        self.store: dict[str, bytes] = {}
        self.on = {release: _state(release, gate) for release in pair}
        self._servers = {
            release: servers.server(release, self.store, _setting(release, gate), stored_as) for release in pair
        }
        self._rejected = servers.rejected
        self.promised = Promised()

    def shown(self, release: Release) -> Document:
        """The object as a client of a server gets it."""
        found: Document = json.loads(self._servers[release].get("first"))
        return found

    def send(self, request: Request) -> None:
        """Send a request; the server must follow the policy."""
        server, before = self._servers[request.to], dict(self.store)
        if request.status is not None:
            if self.promised.spec is not None:
                document = {**self.shown(request.to), "status": request.status}
                assert server.put(json.dumps(document).encode(), subresource="status") == []
                self.promised.put_status(request.status, request.to)
            return
        document = _document(request.spec)
        if request.change is not None and self.promised.spec is not None:
            document = self.shown(request.to)
            document["spec"] |= request.change
        try:
            dropped = self.promised.put(document["spec"], request.to, gate=self.on[request.to])
        except Rejection as rejection:
            with pytest.raises(self._rejected, match=f"spec.{rejection}: "):
                server.put(json.dumps(document).encode())
            assert self.store == before
            return
        warnings = server.put(json.dumps(document).encode())
        assert warnings == [f"spec.{name}: dropped because the {GATE} feature is disabled" for name in dropped]

    def check(self) -> None:
        """What every server reads must be what was promised."""
        for release in self._servers:
            if self.promised.spec is not None:
                document = self.shown(release)
                assert document["spec"] == self.promised.seen_by(release)
                assert document["status"] == self.promised.status
                assert document["metadata"]["generation"] == self.promised.generation


def _document(spec: Document | None) -> Document:
    header = {"apiVersion": "things.example.com/v1", "kind": "Frobber", "metadata": {"name": "first"}}
    return {**header, "spec": {"height": 0, "param": "", "restartPolicy": "Always"} if spec is None else dict(spec)}


def _state(release: Release, gate: bool | None) -> bool:
    if release >= LOCKED or gate is None:
        return release >= ON_BY_DEFAULT
    return gate and release in GATED


def _setting(release: Release, gate: bool | None) -> str:
    return f"{GATE}={str(gate).lower()}" if gate is not None and release in GATED and release < LOCKED else ""


def specs_of(servers: Servers, release: Release) -> st.SearchStrategy[Document]:
    """Specs of random objects of a release, as clients send them."""
    objects = servers.module(release, "tests.objects_things_example_com_v1")
    scheme = servers.module(release, "scheme")
    return objects.frobber().map(lambda obj: json.loads(scheme.encode(obj))["spec"])  # type: ignore[no-any-return]


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "height": st.integers(-1, 5),
    "param": st.text(max_size=3),
    "restartPolicy": st.sampled_from(["Always", "Never", "OnTuesday", "Daily"]),
    **dict.fromkeys(KNOWN, st.integers(-1, 5)),
}


def requests(servers: Servers, pair: tuple[Release, Release]) -> st.SearchStrategy[list[Request]]:
    """What clients of both servers send."""
    to = st.sampled_from(pair)
    whole = st.one_of([specs_of(servers, release) for release in pair])
    change = st.fixed_dictionaries({}, optional=VALUES)
    frobs = st.fixed_dictionaries({}, optional={"frobs": st.integers(1, 9)})
    one = (
        st.builds(Request, to, spec=whole)
        | st.builds(Request, to, change=change)
        | st.builds(Request, to, status=frobs)
    )
    return st.lists(one, min_size=1, max_size=8)


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("gate", [None, True, False], ids=["as it is by default", "gate on", "gate off"])
@pytest.mark.parametrize("stored_as", MEDIA_TYPES)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]} and {pair[1]}")
def test_every_request_follows_the_policy(
    servers: Servers, pair: tuple[Release, Release], stored_as: str, gate: bool | None
) -> None:
    @settings(max_examples=EXAMPLES)
    @given(requests(servers, pair))
    def check(sent: list[Request]) -> None:
        upgrade = Upgrade(servers, pair, MEDIA_TYPES[stored_as], gate)
        for request in sent:
            upgrade.send(request)
            upgrade.check()

    check()


EXAMPLES = 15
