"""What fields and enum values go with a step: each that promised to stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related
from apigen.history.rollback import is_on_by_default
from apigen.ir.model import Api, Enum, EnumValue, Feature, Field, Inline, Lifecycle, Release, Struct, Tombstone
from apigen.ir.stability import Stability, stability
from apigen.ir.types import TypeId
from apigen.language.model import GateSpec
from apigen.lint.evolution.evolution import Evolution

Member = Field | Inline | EnumValue


@dataclass(frozen=True, slots=True)
class Removal:
    """A field or value that goes in release `at`. `deprecated`: since when it was said to.

    Only what promised to stay: it was on by default once, and its version is no alpha. `way_back` is the edit that takes
    the removal back.
    """

    what: str
    name: str
    version: str
    place: Place
    at: Release | None
    deprecated: Release | None
    way_back: str
    related: tuple[Related, ...]

    @property
    def stability(self) -> Stability:
        """What its version promises."""
        return stability(self.version)


def members_of(type_: object) -> Mapping[str, Member]:
    """The fields of a struct's own, inline ones too, or the values of an enum, by name."""
    if isinstance(type_, Enum):
        return {value.value: value for value in type_.values}
    if not isinstance(type_, Struct) or type_.taken_from is not None:
        return {}
    inlines = {inline.name: inline for inline in type_.inlines if not inline.via}
    return {**{field.json_name: field for field in type_.own_fields}, **inlines}


def lifecycle_of(member: Member) -> Lifecycle:
    """The lifecycle of a field or value; inline fields have none."""
    return Lifecycle() if isinstance(member, Inline) else member.lifecycle


def removals(evolution: Evolution) -> Iterator[Removal]:
    """Those that are gone since the last release."""
    before = evolution.before
    for id_, was in () if before is None else before.types.items():
        now = evolution.now.types.get(id_)
        if now is None or not evolution.judges(id_):
            continue
        there = members_of(now)
        for name, member in members_of(was).items():
            if name not in there and type(now) is type(was) and _was_ever_on(id_, name, evolution):
                yield _gone_member(id_, name, member, now, evolution)


def _gone_member(id_: TypeId, name: str, member: Member, now: object, evolution: Evolution) -> Removal:
    newest = evolution.history.newest
    life = lifecycle_of(member)
    is_recorded = life.deprecated is not None and newest is not None and life.deprecated <= newest
    tombstones = now.tombstones if isinstance(now, Struct | Enum) else ()
    tombstone = next((t for t in tombstones if t.json_name == name), None)
    what = "value" if isinstance(member, EnumValue) else "field"
    return Removal(
        what,
        f"{id_.name}.{name}",
        id_.version,
        _place(tombstone, now),
        evolution.release,
        life.deprecated if is_recorded else None,
        f"put `{name}` back as it was, and take its tombstone away",
        (Related(member.place, f"{newest} shipped it"),),
    )


def _place(tombstone: Tombstone | None, now: object) -> Place:
    if tombstone is not None:
        return tombstone.place
    assert isinstance(now, Struct | Enum)
    return now.place


def _was_ever_on(id_: TypeId, name: str, evolution: Evolution) -> bool:
    """Whether anybody could use a member without asking for it: in a release on record, or as it is now."""
    history, release = evolution.history, evolution.release
    if release is not None and _is_on(id_, name, evolution.now, release):
        return True
    return any(_is_on(id_, name, history.api(past), past) for past in reversed(history.releases))


def _is_on(id_: TypeId, name: str, api: Api, release: Release) -> bool:
    member = members_of(api.types.get(id_)).get(name)
    if member is None or _is_only_tolerated(member, release):
        return False
    features = {feature.name: feature for feature in api.features}
    return is_on_by_default(_gate_of(member), features, release) or _was_on(_gate_of(member), features, release)


def _is_only_tolerated(member: Member, release: Release) -> bool:
    """Whether only objects that have a value may have it, which none has yet."""
    if not isinstance(member, EnumValue) or member.tolerated is None:
        return False
    introduced = member.lifecycle.introduced
    return introduced is None or introduced > release


def _was_on(gate: GateSpec | None, features: Mapping[str, Feature], release: Release) -> bool:
    """Whether stages of the gate say that it was on in a release before: histories do not reach back to the beginning."""
    if gate is None:
        return False
    starts = {s.release for name in gate.gates if name.value in features for s in features[name.value].stages}
    return any(is_on_by_default(gate, features, start) for start in starts if start <= release)


def _gate_of(member: Member) -> GateSpec | None:
    return None if isinstance(member, Inline) else member.gate
