"""Changes of types that no kind contains affect no one, unless the types exist for other users."""

from __future__ import annotations

from apigen.ir.surface import Scalar, Scalars, Struct, Surface
from apigen.review.mitigations import unused_type
from apigen.review.results import Direction, Severity
from tests.review.mitigations.building import considered, field, struct, surface, version


def lonely(text: bool) -> Struct:
    return struct("Lonely", field("a") if text else field("a", Scalar(Scalars.INT32)))


def side(text: bool, *more: Struct, kinds: tuple[str, ...] = ("Thing",), served: bool = True) -> Surface:
    return surface(version(struct("Thing"), lonely(text), *more, kinds=kinds, served=served))


def test_type_without_kind_applies() -> None:
    found = considered(unused_type, side(True), side(False), ".a")
    assert found is not None and found.holds and found.at_most is Severity.INFO
    assert found.clears == frozenset(Direction)


def test_type_reachable_on_one_side_does_not_apply() -> None:
    reached = surface(version(struct("Thing", field("lonely", "Lonely")), lonely(False)))
    assert considered(unused_type, side(True), reached, "Lonely.a") is None
    assert considered(unused_type, reached, side(True), "Lonely.a") is None


def test_library_without_kinds_is_not_considered() -> None:
    assert considered(unused_type, side(True, kinds=()), side(False, kinds=()), ".a") is None


def test_type_of_unserved_version_can_be_stored() -> None:
    old, new = (
        surface(version(struct("Thing", field("lonely", "Lonely")), lonely(text), served=False))
        for text in (True, False)
    )
    found = considered(unused_type, old, new, ".a")
    assert found is not None and found.holds and found.at_most is None
    assert found.clears == {Direction.OLD_CLIENT, Direction.NEW_CLIENT}
    assert "v1 Thing" in found.reason


def test_type_of_storage_version_does_not_apply() -> None:
    old, new = (
        surface(version(struct("Thing", field("lonely", "Lonely")), lonely(text), served=False, storage=True))
        for text in (True, False)
    )
    assert considered(unused_type, old, new, ".a") is None
