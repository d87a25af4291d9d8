"""What no server may lose, and the three places where alpha data is lost because the policy does not protect it."""

from __future__ import annotations

import json
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.language.releases import Release
from tests.evolution.story.policy import GATE, KNOWN, LOCKED, Document
from tests.evolution.story.telling import JSON, PROTOBUF, Servers
from tests.evolution.story.test_rolling_updates import GATED, PAIRS, RELEASES, specs_of

HEADER = {"apiVersion": "things.example.com/v1", "kind": "Frobber", "metadata": {"name": "first"}}

LOST = {
    ((1, 11), (1, 10)): {"depth"},  # 1.10 does not know what 1.11 has in alpha
    ((1, 11), (1, 12)): {"depth"},  # 1.12 has a tombstone in its place
    ((1, 12), (1, 11)): {"width"},  # 1.11 does not know what 1.12 has in alpha
}
"""What the second release loses of what the first one has stored, with the gate on wherever there is one."""


def _change(servers: Servers, release: Release, store: dict[str, bytes], stored_as: str, change: Document) -> list[str]:
    """What a client does that knows no more than the server: get, change, put. Returns the warnings."""
    server = servers.server(release, store, stored_as=stored_as)
    document = json.loads(server.get("first"))
    document["spec"] |= change
    warnings: list[str] = server.put(json.dumps(document).encode())
    return warnings


@pytest.mark.parametrize("stored_as", [JSON, PROTOBUF])
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]} and {pair[1]}")
def test_fields_written_by_default_are_kept_in_updates(
    servers: Servers, pair: tuple[Release, Release], stored_as: str
) -> None:
    """Independent of which server stored an object and which one updates it, only the client's changes take effect."""

    @settings(max_examples=15)
    @given(
        st.one_of([specs_of(servers, release) for release in pair]),
        st.lists(st.tuples(st.sampled_from(pair), st.text(max_size=3)), min_size=2, max_size=6),
        st.sampled_from(pair),
    )
    def check(spec: Document, updates: list[tuple[Release, str]], first: Release) -> None:
        store: dict[str, bytes] = {}
        server = servers.server(first, store, stored_as=stored_as)
        try:
            server.put(json.dumps({**HEADER, "spec": spec}).encode())
        except servers.rejected:
            return
        stored = json.loads(server.get("first"))["spec"]
        for release, param in updates:
            assert _change(servers, release, store, stored_as, {"param": param}) == []
            stored["param"] = param
            assert json.loads(server.get("first"))["spec"] == stored

    check()


@pytest.mark.parametrize("stored_as", [JSON, PROTOBUF])
def test_stored_objects_are_readable_by_later_releases(servers: Servers, stored_as: str) -> None:
    """What a release stored by default, a much later one reads, updates and keeps."""
    for older, newer in combinations(RELEASES, 2):
        store: dict[str, bytes] = {}
        full = {"height": 3, "param": "steam", "restartPolicy": "Never", "depth": 2, "width": 7}
        servers.server(older, store, stored_as=stored_as).put(json.dumps({**HEADER, "spec": full}).encode())
        before = json.loads(servers.server(older, store, stored_as=stored_as).get("first"))["spec"]
        assert _change(servers, newer, store, stored_as, {"height": 4}) == []
        assert json.loads(servers.server(newer, store, stored_as=stored_as).get("first"))["spec"] == {
            **before,
            "height": 4,
        }


@pytest.mark.parametrize("stored_as", [JSON, PROTOBUF])
def test_alpha_data_is_lost_only_in_the_listed_fields(servers: Servers, stored_as: str) -> None:
    """All gates are enabled; consecutive releases are tested in both directions."""
    lost = {}
    for writer, reader in permutations(RELEASES, 2):
        if (writer, reader) not in PAIRS and (reader, writer) not in PAIRS:
            continue
        store: dict[str, bytes] = {}
        gates = f"{GATE}=true" if writer in GATED and writer < LOCKED else ""
        server = servers.server(writer, store, gates, stored_as)
        server.put(json.dumps({**HEADER, "spec": {"height": 3, **dict.fromkeys(KNOWN, 2)}}).encode())
        before = json.loads(server.get("first"))["spec"]
        _change(servers, reader, store, stored_as, {"param": "water"})
        missing = before.keys() - json.loads(server.get("first"))["spec"].keys()
        if missing:
            lost[writer, reader] = missing
    assert lost == LOST
    assert {name for (writer, _), names in lost.items() for name in names if writer < LOCKED} == set(KNOWN)
