"""ratcheting, read-time defaults, gates never on, windows elapsed, fields added everywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apigen.ir.model import Feature, Lifecycle
from apigen.ir.surface import Default, Scalar, Scalars, Surface, Tombstone
from apigen.review.changes.change import Removed
from apigen.review.changes.comparing import compare
from apigen.review.context import Context
from apigen.review.mitigations import (
    added_everywhere,
    never_enabled,
    ratcheting,
    ratcheting_before,
    read_time_default,
    window_elapsed,
)
from apigen.review.results import Direction, RuleResult, Severity, breaks
from tests.review.mitigations.building import (
    RESULT,
    considered,
    default,
    field,
    gate,
    release,
    struct,
    surface,
    the_change,
    tombstone,
    version,
)

EMPTY = surface(version(struct("Thing")))
WIDE = surface(version(struct("Thing", field("width"))))
NUMBER = surface(version(struct("Thing", field("width", Scalar(Scalars.INT32)))))


TIGHTENED = RuleResult("", {direction: breaks("") for direction in (Direction.OLD_CLIENT, Direction.STORED)})


@pytest.mark.parametrize(("result", "at_most"), [(TIGHTENED, Severity.WARNING), (RESULT, None)])
def test_ratcheting_clears_stored_objects(result: RuleResult, at_most: Severity | None) -> None:
    """Only a change that does nothing but tighten a constraint is then a warning."""
    new = replace(NUMBER, ratchets=True)
    found = ratcheting.consider(the_change(WIDE, new, ".width"), result, Context(WIDE, new))
    assert found is not None and found.holds
    assert found.clears == {Direction.STORED} and found.at_most is at_most


def test_ratcheting_must_be_declared() -> None:
    found = considered(ratcheting, replace(WIDE, ratchets=True), NUMBER, ".width")
    assert found is not None and not found.holds


LOOSENED = RuleResult("", {direction: breaks("") for direction in (Direction.NEW_CLIENT, Direction.ROLLBACK)})


def test_earlier_release_with_ratcheting_accepts_stored() -> None:
    old = replace(WIDE, ratchets=True)
    found = ratcheting_before.consider(the_change(old, NUMBER, ".width"), LOOSENED, Context(old, NUMBER))
    assert found is not None and found.holds
    assert found.clears == {Direction.ROLLBACK} and found.at_most is None


def test_earlier_release_without_ratcheting_rejects_stored() -> None:
    new = replace(NUMBER, ratchets=True)
    assert ratcheting_before.consider(the_change(WIDE, new, ".width"), LOOSENED, Context(WIDE, new)) is None


def test_earlier_release_is_ignored_without_rollback() -> None:
    old = replace(WIDE, ratchets=True)
    assert ratcheting_before.consider(the_change(old, NUMBER, ".width"), TIGHTENED, Context(old, NUMBER)) is None


def two_versions(v1: Default | None, v2: Default | None, served: bool = True) -> Surface:
    return surface(
        version(struct("Thing", field("width", default=v1))),
        version(struct("Thing", field("width", default=v2), version="v2"), name="v2", served=served),
    )


BARE = surface(version(struct("Thing")), version(struct("Thing", field("width"), version="v2"), name="v2"))


def test_default_in_all_versions_applies() -> None:
    found = considered(read_time_default, BARE, two_versions(default("5"), default("5")), "v1.Thing.width")
    assert found is not None and found.holds
    assert found.softens == {Direction.OLD_CLIENT, Direction.STORED}
    assert found.reason == "v1 and v2 apply the default 5 when an object is read"


@pytest.mark.parametrize(
    ("v1", "v2", "reason"),
    [
        (default("5"), default("6"), "the default is 6 in v2, and 5 in v1"),
        (default("5"), None, "the default is unset in v2, and 5 in v1"),
        (
            default("5", computed=True),
            default("5"),
            "the default of v1 is computed, and may not apply to every object",
        ),
        (default("5"), default("5", "Wide"), "the default of v2 depends on `Wide`"),
        (
            default("5", read_time=False),
            default("5"),
            "the default of v1 is applied when an object is written, not when it is read",
        ),
    ],
)
def test_default_in_some_versions_does_not_apply(v1: Default, v2: Default | None, reason: str) -> None:
    found = considered(read_time_default, BARE, two_versions(v1, v2), "v1.Thing.width")
    assert found is not None and not found.holds
    assert found.reason == reason


def test_unserved_version_is_ignored() -> None:
    found = considered(
        read_time_default, BARE, two_versions(default("5"), default("6"), served=False), "v1.Thing.width"
    )
    assert found is not None and found.holds


def test_field_without_default_is_not_considered() -> None:
    assert considered(read_time_default, BARE, two_versions(None, None), "v1.Thing.width") is None


def gated(*gates: Feature, at: str = "1.12") -> Surface:
    return surface(version(struct("Thing", field("width", gates=("Wide",), number=3))), gates=gates, at=at)


def buried(*tombstones: Tombstone, gates: tuple[Feature, ...] = ()) -> Surface:
    return surface(version(struct("Thing", tombstones=tombstones)), gates=gates, at="1.13")


OFF = gate("Wide", "1.10 alpha off", "1.12 beta off")


def never_on(old: Surface, new: Surface) -> tuple[bool, str, Severity | None]:
    change = next(change for change in compare(old, new) if isinstance(change, Removed) and change.element.type)
    found = never_enabled.consider(change, RESULT, Context(old, new))
    assert found is not None
    return found.holds, found.reason, found.at_most


@pytest.mark.parametrize(
    ("old", "new", "holds", "reason"),
    [
        (
            gated(OFF),
            buried(tombstone("width", 3)),
            True,
            "`Wide` was disabled by default in every release, and a tombstone reserves the name",
        ),
        (gated(OFF), buried(tombstone("width")), False, "no tombstone reserves `width` and its number"),
        (gated(OFF), buried(tombstone("width", 4)), False, "no tombstone reserves `width` and its number"),
        (gated(OFF), buried(), False, "no tombstone reserves `width` and its number"),
        (
            gated(gate("Wide", "1.10 beta on", "1.12 beta off")),
            buried(tombstone("width", 3)),
            False,
            "`Wide` was enabled by default in 1.10",
        ),
        (gated(), buried(tombstone("width", 3)), False, "`Wide` is unknown"),
        (
            gated(OFF),
            buried(tombstone("width", 3), gates=(gate("Wide", "1.10 alpha off", "1.13 ga on"),)),
            False,
            "`Wide` is now enabled by default",
        ),
    ],
)
def test_gate_that_was_never_enabled(old: Surface, new: Surface, holds: bool, reason: str) -> None:
    assert never_on(old, new)[:2] == (holds, reason)


def test_never_enabled_gate_of_stable_field_is_a_warning() -> None:
    assert never_on(gated(OFF), buried(tombstone("width", 3)))[2] is Severity.WARNING


def test_ungated_field_is_not_mitigated() -> None:
    assert considered(never_enabled, WIDE, EMPTY, ".width") is None


def beta(life: Lifecycle, at: str | None, name: str = "v1beta1") -> Surface:
    made = version(struct("Thing", replace(field("width"), lifecycle=life), version=name), name=name)
    return surface(made, at=at)


@pytest.mark.parametrize(
    ("name", "life", "old", "new", "holds", "reason"),
    [
        (
            "v1beta1",
            Lifecycle(deprecated=release("1.9")),
            "1.11",
            "1.12",
            True,
            "it was deprecated in 1.9, and the deprecation period is over",
        ),
        (
            "v1beta1",
            Lifecycle(deprecated=release("1.10")),
            "1.11",
            "1.12",
            False,
            "it was deprecated in 1.10 and must be kept until 1.13",
        ),
        ("v1beta1", Lifecycle(), "1.11", "1.12", False, "no release deprecated it"),
        (
            "v1beta1",
            Lifecycle(deprecated=release("1.9"), removed=release("1.14")),
            "1.11",
            "1.12",
            False,
            "it was deprecated in 1.9 and must be kept until 1.14",
        ),
        (
            "v1beta1",
            Lifecycle(deprecated=release("1.12")),
            "1.11",
            "1.15",
            False,
            "the previous release, 1.11, did not deprecate it",
        ),
        ("v1alpha1", Lifecycle(), "1.11", "1.12", True, "alpha elements may be removed at any time"),
        (
            "v1",
            Lifecycle(deprecated=release("1.1")),
            "1.11",
            "1.12",
            False,
            "stable elements must be kept for all of 1.x",
        ),
        (
            "v1",
            Lifecycle(deprecated=release("1.1")),
            "1.11",
            "2.0",
            True,
            "it was deprecated in 1.1, and the deprecation period is over",
        ),
        (
            "v1beta1",
            Lifecycle(),
            None,
            None,
            False,
            "the release is unknown, so the deprecation period cannot be verified",
        ),
    ],
)
def test_window_elapsed(name: str, life: Lifecycle, old: str | None, new: str | None, holds: bool, reason: str) -> None:
    without = surface(version(struct("Thing", version=name), name=name), at=new)
    found = considered(window_elapsed, beta(life, old, name), without, ".width")
    assert found is not None and (found.holds, found.reason) == (holds, reason)
    assert not found.clears and not found.softens


def test_added_everywhere() -> None:
    def side(*names: str) -> Surface:
        return surface(
            *(
                version(struct("Thing", *((field("width"),) if name in names else ()), version=name), name=name)
                for name in ("v1", "v2")
            )
        )

    found = considered(added_everywhere, side(), side("v1", "v2"), "v1.Thing.width")
    assert found is not None and found.holds and found.at_most is None
    found = considered(added_everywhere, side(), side("v1"), "v1.Thing.width")
    assert found is not None and not found.holds and "v2 does not have the field" in found.reason
