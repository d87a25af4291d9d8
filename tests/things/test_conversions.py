"""v6 and v7alpha1 of the Frobber by way of the hub: renamed, moved, list and map, what v6 carries in annotations."""

from __future__ import annotations

from typing import Any

import pytest

from tests.things.frobbers import V6, V7, Document, Frobbers

OWNER = "things.example.com/owner"
LIMIT = "things.example.com/max-per-hour"


def v6(annotations: dict[str, str] | None = None, **members: Any) -> Document:
    """A v6 document; the limit, a number without an unset state, is always among the annotations."""
    return {
        "metadata": {"annotations": {LIMIT: "7", **(annotations or {})}},
        "height": 0,
        "param": "",
        "restartPolicy": "Always",
        "status": {},
        **members,
    }


def v7(**members: Any) -> Document:
    return {
        "metadata": {},
        "size": {"height": 0},
        "frobs": "",
        "restartPolicy": "Always",
        "status": {},
        "limits": {"maxPerHour": 7},
        **members,
    }


BOTH_WAYS = {
    "nothing set": (v6(), v7()),
    "renamed": (v6(param="p"), v7(frobs="p")),
    "moved": (v6(height=3), v7(size={"height": 3})),
    "moved, zero is a width": (v6(height=3, width=0), v7(size={"height": 3, "width": 0})),
    "list and map": (
        v6(knobs=[{"name": "a", "position": 2}, {"name": "b", "width": 3}]),
        v7(knobs={"a": {"position": 2}, "b": {"width": 3}}),
    ),
    "a knob without a name": (v6(knobs=[{"name": ""}]), v7(knobs={"": {}})),
    "template": (v6(template={"labels": {"a": "b"}, "width": 1}), v7(template={"labels": {"a": "b"}, "width": 1})),
    "empty template": (v6(template={}), v7(template={})),
    "status": (
        v6(status={"frobs": 5, "measuredWidth": 0, "lastFrobTime": "2024-05-06T07:08:09Z"}),
        v7(status={"frobCount": 5, "measuredWidth": 0, "lastFrobTime": "2024-05-06T07:08:09Z"}),
    ),
    "enum": (v6(restartPolicy="OnTuesday"), v7(restartPolicy="OnTuesday")),
    "unknown enum value": (v6(restartPolicy="Daily"), v7(restartPolicy="Daily")),
    "owner": (v6({OWNER: '{"name":"n","email":"e"}'}), v7(owner={"name": "n", "email": "e"})),
    "owner without anything": (v6({OWNER: '{"name":""}'}), v7(owner={"name": ""})),
    "owner of awkward text": (
        v6({OWNER: '{"name":"\\"\\u003c\\\\é\\n"}'}),
        v7(owner={"name": '"<\\é\n'}),
    ),
    "other annotations": (
        v6({"mine": "x", OWNER: '{"name":"n"}'}),
        v7(metadata={"annotations": {"mine": "x"}}, owner={"name": "n"}),
    ),
    "large limit": (v6({LIMIT: str(2**63 - 1)}), v7(limits={"maxPerHour": 2**63 - 1})),
    "negative limit": (v6({LIMIT: "-1"}), v7(limits={"maxPerHour": -1})),
}


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("what", BOTH_WAYS)
def test_conversion_in_both_directions(frobbers: Frobbers, what: str, share: bool) -> None:
    old, new = BOTH_WAYS[what]
    for document, version, other, wanted in ((old, V6, V7, new), (new, V7, V6, old)):
        obj = frobbers.read(document, version)
        before = frobbers.scheme.copy(obj)
        converted = frobbers.scheme.convert(obj, other, share=share)
        assert frobbers.shown(converted, other) == wanted
        assert obj == before
        assert frobbers.scheme.convert(converted, version) == obj


ONE_WAY = {
    # what is lost or put in order, and why
    "knobs in another order": (
        V6,
        v6(knobs=[{"name": "b"}, {"name": "a"}]),
        V7,
        v7(knobs={"a": {}, "b": {}}),
        v6(knobs=[{"name": "a"}, {"name": "b"}]),
    ),
    "no limit": (
        V6,
        v6(metadata={}),
        V7,
        v7(limits={}),
        v6({LIMIT: "0"}),
    ),
    "owner spelled otherwise": (
        V6,
        v6({OWNER: ' {"email": "", "name": "n"} '}),
        V7,
        v7(owner={"name": "n"}),
        v6({OWNER: '{"name":"n"}'}),
    ),
    "annotations of v6 mean nothing in v7alpha1": (
        V7,
        v7(metadata={"annotations": {OWNER: "stale", LIMIT: "stale", "mine": "x"}}),
        V6,
        v6({"mine": "x"}),
        v7(metadata={"annotations": {"mine": "x"}}),
    ),
}


@pytest.mark.parametrize("what", ONE_WAY)
def test_conversion_in_one_direction(frobbers: Frobbers, what: str) -> None:
    version, document, other, wanted, back = ONE_WAY[what]
    converted = frobbers.scheme.convert(frobbers.read(document, version), other)
    assert frobbers.shown(converted, other) == wanted
    assert frobbers.shown(converted, version) == back


REJECTED = {
    "owner that is no JSON": (V6, v6({OWNER: "{"}), f"metadata.annotations[{OWNER}]: "),
    "owner of the wrong type": (
        V6,
        v6({OWNER: '{"name":5}'}),
        f"metadata.annotations[{OWNER}].name: expected a string",
    ),
    "limit that is no number": (V6, v6({LIMIT: "many"}), f"metadata.annotations[{LIMIT}]: expected a decimal number"),
    "limit too large": (V6, v6({LIMIT: str(2**63)}), f"metadata.annotations[{LIMIT}]: "),
    "empty limit": (V6, v6({LIMIT: ""}), f"metadata.annotations[{LIMIT}]: "),
}


@pytest.mark.parametrize("what", REJECTED)
def test_rejected_conversions(frobbers: Frobbers, what: str) -> None:
    version, document, words = REJECTED[what]
    obj = frobbers.read(document, version)
    with pytest.raises(frobbers.module("runtime.errors").ApiError) as raised:
        frobbers.scheme.convert(obj, V7 if version == V6 else V6)
    assert str(raised.value).startswith(words)


def test_hub_represents_values_of_all_versions(frobbers: Frobbers) -> None:
    hub = frobbers.module("things_example_com.hub.types")
    fields = {
        name: set(frobbers.module(f"things_example_com.{name}.types").Frobber.__slots__) for name in ("v6", "v7alpha1")
    }
    wide = set(hub.Frobber.__slots__)
    assert {"owner", "limits", "width", "height", "param"} <= wide
    assert wide - fields["v6"] and wide - fields["v7alpha1"]
    assert not hasattr(hub.Frobber(), "api_version"), "the hub is never encoded"
