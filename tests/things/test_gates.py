"""Width behind its gate: creation, update and status update, in every state of the gate, at every place."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.things.frobbers import Document, Frobbers

GATE = "Frobber2D"

STATES = {
    # state: (release, settings, whether the gate is on)
    "beta, enabled by default": ("1.13", "", True),
    "beta, disabled": ("1.13", f"{GATE}=false", False),
    "alpha, disabled by default": ("1.11", "", False),
    "alpha, enabled": ("1.11", f"{GATE}=true", True),
    "alpha, enabled by AllAlpha": ("1.12", "AllAlpha=true", True),
    "beta, disabled by AllBeta": ("1.14", "AllBeta=false", False),
    "release without the gate": ("1.10", "", False),
}

PLACES: dict[str, tuple[str, Document]] = {
    # place: (the path that a warning says, the member of the document that holds a width there)
    "at the top": ("width", {"width": 5}),
    "in a knob of the list": ("knobs[1].width", {"knobs": [{"name": "a"}, {"name": "b", "width": 5}]}),
    "in the optional template": ("template.width", {"template": {"width": 5}}),
}

BARE: Document = {
    "height": 3,
    "param": "p",
    "knobs": [{"name": "a"}, {"name": "b"}],
    "template": {"labels": {"a": "b"}},
}


def frobber(place: str | None, width: int = 5, **other: Any) -> Document:
    """A document with a width at one place, or without."""
    document = {**copy.deepcopy(BARE), **other}
    match place:
        case "at the top":
            document["width"] = width
        case "in a knob of the list":
            document["knobs"][1]["width"] = width
        case "in the optional template":
            document["template"]["width"] = width
    return document


def created(frobbers: Frobbers, document: Document, state: str) -> tuple[Any, list[str]]:
    release, settings, _ = STATES[state]
    obj = frobbers.hub(document)
    dropped = frobbers.scheme.strategy("Frobber").prepare_for_create(obj, features=frobbers.features(release, settings))
    return obj, [str(warning) for warning in dropped]


def updated(
    frobbers: Frobbers, old: Any, document: Document, state: str, subresource: str = ""
) -> tuple[Any, list[str]]:
    release, settings, _ = STATES[state]
    obj = frobbers.hub(document)
    obj.metadata.generation = old.metadata.generation  # as a server sees to before it asks a strategy
    before = copy.deepcopy(old)
    dropped = frobbers.scheme.strategy("Frobber", subresource).prepare_for_update(
        obj, old, features=frobbers.features(release, settings)
    )
    assert old == before, "an update never changes the old object"
    return obj, [str(warning) for warning in dropped]


def warning_at(place: str) -> str:
    return f"{PLACES[place][0]}: dropped because the {GATE} feature is disabled"


@pytest.mark.parametrize("place", [*PLACES, None])
@pytest.mark.parametrize("state", STATES)
def test_create(frobbers: Frobbers, state: str, place: str | None) -> None:
    kept = STATES[state][2]
    obj, warnings = created(frobbers, frobber(place), state)
    assert warnings == ([] if kept or place is None else [warning_at(place)])
    wanted = frobbers.hub(frobber(place if kept else None))
    wanted.metadata.generation = 1
    assert obj == wanted


@pytest.mark.parametrize("in_new", [*PLACES, None])
@pytest.mark.parametrize("in_old", [*PLACES, None])
@pytest.mark.parametrize("state", STATES)
def test_update(frobbers: Frobbers, state: str, in_old: str | None, in_new: str | None) -> None:
    """Absent, in the old, in the new, in both: a width that is new is kept if the old object has one anywhere."""
    kept = STATES[state][2] or in_old is not None
    old = frobbers.hub(frobber(in_old))
    old.metadata.generation = 4
    obj, warnings = updated(frobbers, old, frobber(in_new, 6), state)
    assert warnings == ([warning_at(in_new)] if in_new and not kept else [])
    wanted = frobbers.hub(frobber(in_new if kept else None, 6))
    spec_changed = wanted != frobbers.hub(frobber(in_old))
    wanted.metadata.generation = 5 if spec_changed else 4
    assert obj == wanted


@pytest.mark.parametrize("state", STATES)
def test_all_gated_fields_together(frobbers: Frobbers, state: str) -> None:
    document: Document = {}
    for _, member in PLACES.values():
        document |= copy.deepcopy(member)
    obj, warnings = created(frobbers, document, state)
    if STATES[state][2]:
        assert warnings == [] and (obj.width, obj.knobs[1].width, obj.template.width) == (5, 5, 5)
    else:
        assert warnings == [warning_at(place) for place in PLACES]
        assert (obj.width, obj.knobs[1].width, obj.template.width) == (None, None, None)
        assert [knob.name for knob in obj.knobs] == ["a", "b"] and obj.template is not None


@pytest.mark.parametrize("missing", ["knobs", "template"])
def test_unset_parents(frobbers: Frobbers, missing: str) -> None:
    document = frobber("at the top")
    del document[missing]
    obj, warnings = created(frobbers, document, "beta, disabled")
    assert len(warnings) == 1 and getattr(obj, missing) is None


def test_zero_width_is_a_set_value(frobbers: Frobbers) -> None:
    obj, warnings = created(frobbers, frobber("at the top", 0), "beta, disabled")
    assert obj.width is None and warnings == [warning_at("at the top")]
    old = frobbers.hub(frobber("at the top", 0))
    obj, warnings = updated(frobbers, old, frobber("at the top", 7), "beta, disabled")
    assert obj.width == 7 and warnings == []


def test_warnings_have_path_and_gate(frobbers: Frobbers) -> None:
    obj = frobbers.hub(frobber("in a knob of the list"))
    (dropped,) = frobbers.scheme.strategy("Frobber").prepare_for_create(obj, features=frobbers.features("1.11"))
    assert (dropped.path, dropped.gate) == ("knobs[1].width", GATE)


@pytest.mark.parametrize("old_has", ["measured width", "width", "nothing"])
@pytest.mark.parametrize("state", STATES)
def test_status_update(frobbers: Frobbers, state: str, old_has: str) -> None:
    """Fields of status follow the same rule on status updates, and nothing but the status changes."""
    kept = STATES[state][2] or old_has != "nothing"
    old = frobbers.hub(frobber("at the top" if old_has == "width" else None))
    old.metadata.generation = 4
    if old_has == "measured width":
        old.status.measured_width = 1
    sent = frobber("at the top", 9, height=8, status={"frobs": 2, "measuredWidth": 6})
    obj, warnings = updated(frobbers, old, sent, state, "status")
    assert warnings == ([] if kept else [f"status.measuredWidth: dropped because the {GATE} feature is disabled"])
    wanted = copy.deepcopy(old)
    wanted.status.frobs = 2
    wanted.status.measured_width = 6 if kept else None
    assert obj == wanted


def test_create_and_update_ignore_status(frobbers: Frobbers) -> None:
    status = {"frobs": 2, "measuredWidth": 6}
    obj, warnings = created(frobbers, frobber(None, status=status), "beta, disabled")
    assert warnings == [] and obj.status == type(obj.status)()
    old = frobbers.hub(frobber(None, status={"frobs": 1}))
    obj, warnings = updated(frobbers, old, frobber(None, status=status), "beta, disabled")
    assert warnings == [] and (obj.status.frobs, obj.status.measured_width) == (1, None)


def change(**members: Any) -> Document:
    return {**frobber("at the top"), **members}


GENERATIONS: dict[str, tuple[Document, int]] = {
    # what is sent instead of the old object: the generation after it, from 4
    "nothing new": ({}, 4),
    "another height": ({"height": 9}, 5),
    "another width": ({"width": 9}, 5),
    "knobs in another order": ({"knobs": [{"name": "b"}, {"name": "a"}]}, 5),
    "no knobs": ({"knobs": []}, 5),
    "no template": ({"template": None}, 5),
    "another policy": ({"restartPolicy": "Never"}, 5),
    "the default, written": ({"restartPolicy": "Always"}, 4),
    "labels": ({"metadata": {"labels": {"a": "b"}}}, 4),
    "a status": ({"status": {"frobs": 8}}, 4),
}


@pytest.mark.parametrize("what", GENERATIONS)
def test_generation(frobbers: Frobbers, what: str) -> None:
    members, generation = GENERATIONS[what]
    old = frobbers.hub(frobber("at the top"))
    old.metadata.generation = 4
    obj, _ = updated(frobbers, old, change(**members), "beta, enabled by default")
    assert obj.metadata.generation == generation


def test_dropped_fields_do_not_change_the_generation(frobbers: Frobbers) -> None:
    old = frobbers.hub(frobber(None))
    old.metadata.generation = 4
    obj, warnings = updated(frobbers, old, frobber("at the top"), "alpha, disabled by default")
    assert len(warnings) == 1 and obj.metadata.generation == 4


def test_owner_of_v7_changes_the_generation(frobbers: Frobbers) -> None:
    """What only v7alpha1 shows is a field of the hub like any other, though v6 has it among the annotations."""
    old = frobbers.hub(frobber(None, metadata={"annotations": {"things.example.com/owner": '{"name":"a"}'}}))
    old.metadata.generation = 4
    sent = frobber(None, metadata={"annotations": {"things.example.com/owner": '{"name":"b"}'}})
    obj, _ = updated(frobbers, old, sent, "beta, enabled by default")
    assert obj.owner.name == "b" and obj.metadata.generation == 5
