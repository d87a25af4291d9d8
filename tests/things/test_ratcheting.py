"""The generated validation of Frobber: every rule on creation and on a change, and none for what stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest

from generated.features import GATES, SERIES
from generated.meta.v1.types import ObjectMeta
from generated.runtime.features import Features
from generated.things_example_com.hub.types import (
    Frobber,
    FrobberLimits,
    FrobberStatus,
    FrobTemplate,
    Knob,
)
from generated.things_example_com.hub.validation import check_frobber

FEATURES = Features(GATES, "1.36", series=SERIES)
MINUS = "Invalid value: -1: must be greater than or equal to 0"


def knobs(*names: str, position: int = 0, width: int | None = None) -> Frobber:
    """A Frobber with knobs, of which the last one has a position and a width."""
    found = Frobber(knobs=[Knob(name=name) for name in names])
    assert found.knobs
    found.knobs[-1].position, found.knobs[-1].width = position, width
    return found


def errors(obj: Frobber, old: Frobber | None = None) -> list[str]:
    return [str(error) for error in check_frobber(obj, old, FEATURES)]


RULES: list[tuple[Callable[[], Frobber], Callable[[], Frobber], str]] = [
    # what is wrong, the same with another value that is right, the error
    (lambda: Frobber(height=-1), lambda: Frobber(height=0), f"height: {MINUS}"),
    (lambda: Frobber(width=-1), lambda: Frobber(width=0), f"width: {MINUS}"),
    (
        lambda: Frobber(restart_policy="Daily"),
        lambda: Frobber(restart_policy="Always"),
        'restartPolicy: Unsupported value: "Daily": supported values: "Always", "Never", "OnTuesday"',
    ),
    (lambda: knobs("a", "b", position=-1), lambda: knobs("a", "b"), f"knobs[1].position: {MINUS}"),
    (
        lambda: knobs("a", "b", position=12),
        lambda: knobs("a", "b", position=11),
        "knobs[1].position: Invalid value: 12: must be less than or equal to 11",
    ),
    (lambda: knobs("a", "b", width=-1), lambda: knobs("a", "b", width=0), f"knobs[1].width: {MINUS}"),
    (
        lambda: Frobber(template=FrobTemplate(width=-1)),
        lambda: Frobber(template=FrobTemplate(width=0)),
        f"template.width: {MINUS}",
    ),
    (
        lambda: Frobber(limits=FrobberLimits(max_per_hour=-1)),
        lambda: Frobber(limits=FrobberLimits(max_per_hour=1)),
        f"limits.maxPerHour: {MINUS}",
    ),
    (lambda: knobs("a", ""), lambda: knobs("a", "b"), "knobs[1].name: Too short: must be at least 1 character"),
    (
        lambda: knobs("a", 64 * "x"),
        lambda: knobs("a", 63 * "x"),
        "knobs[1].name: Too long: may not be more than 63 characters",
    ),
    (lambda: knobs("a", "a"), lambda: knobs("a", "b"), 'knobs[1]: Duplicate value: {"name":"a"}'),
    (
        lambda: Frobber(status=FrobberStatus(frobs=-1)),
        lambda: Frobber(status=FrobberStatus(frobs=1)),
        f"status.frobs: {MINUS}",
    ),
]
OF_STATUS = RULES[-1:]


@pytest.mark.parametrize(("wrong", "right", "error"), [rule for rule in RULES if rule not in OF_STATUS])
def test_creation(wrong: Callable[[], Frobber], right: Callable[[], Frobber], error: str) -> None:
    assert errors(wrong()) == [error]
    assert errors(right()) == []


@pytest.mark.parametrize(("wrong", "right", "error"), RULES)
def test_change_to_an_invalid_value(wrong: Callable[[], Frobber], right: Callable[[], Frobber], error: str) -> None:
    for old in (right(), Frobber()):
        assert errors(wrong(), old) == [error]
        assert errors(right(), old) == []
    assert errors(right(), wrong()) == []


def _other_sibling(obj: Frobber) -> Frobber:
    """The same with another value next to everything, so that nothing as a whole is what it was."""
    other = deepcopy(obj)
    other.param = "other"
    other.status.measured_width = 1
    if other.template:
        other.template.labels = {"a": "b"}
    for knob in other.knobs or ():
        knob.width = 5 if knob.width is None else knob.width
        knob.position = knob.position or 3
    return other


@pytest.mark.parametrize(("wrong", "right", "error"), [rule for rule in RULES if "Duplicate" not in rule[2]])
def test_unchanged_values_are_not_validated(
    wrong: Callable[[], Frobber], right: Callable[[], Frobber], error: str
) -> None:
    assert errors(wrong(), wrong()) == []
    assert errors(_other_sibling(wrong()), wrong()) == []


def test_list_map_element_is_paired_by_key() -> None:
    old = knobs("a", "b", position=12)
    obj = deepcopy(old)
    assert obj.knobs
    obj.knobs.reverse()
    obj.knobs[0].width = 1
    assert errors(obj, old) == []
    obj.knobs[1].position = 12
    assert errors(obj, old) == ["knobs[1].position: Invalid value: 12: must be less than or equal to 11"]


def test_unchanged_list_with_duplicates_is_accepted() -> None:
    old = knobs("a", "a")
    assert errors(Frobber(knobs=deepcopy(old.knobs), height=1), old) == []
    changed = deepcopy(old)
    assert changed.knobs
    changed.knobs[0].position = 1
    assert errors(changed, old) == ['knobs[1]: Duplicate value: {"name":"a"}']


def test_status_is_not_validated_on_create() -> None:
    assert errors(Frobber(status=FrobberStatus(frobs=-1))) == []


def test_metadata_is_validated_if_changed() -> None:
    def twice(**others: int) -> Frobber:
        return Frobber(metadata=ObjectMeta(finalizers=["a", "a"]), **others)

    error = 'metadata.finalizers[1]: Duplicate value: "a"'
    assert errors(twice()) == [error]
    assert errors(twice(), Frobber()) == [error]
    assert errors(twice(height=1), twice()) == []


@pytest.mark.parametrize(
    ("policy", "old", "text"),
    [
        ("OnTuesday", "Always", "only allowed if the FrobberRestartPolicyOnTuesday feature is enabled"),
        ("OnTuesday", "OnTuesday", None),
        ("Daily", "OnTuesday", 'supported values: "Always", "Never", "OnTuesday"'),
        ("Daily", "Always", 'supported values: "Always", "Never"'),
    ],
)
def test_value_behind_a_disabled_gate(policy: str, old: str, text: str | None) -> None:
    off = Features(GATES, "1.36", "FrobberRestartPolicyOnTuesday=false", series=SERIES)
    obj, before = Frobber(restart_policy=policy, height=1), Frobber(restart_policy=old)
    assert [error.detail for error in check_frobber(obj, before, off)] == ([text] if text else [])


def test_removed_values_are_not_validated() -> None:
    assert errors(Frobber(template=FrobTemplate()), Frobber(template=FrobTemplate(width=1))) == []
