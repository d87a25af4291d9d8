"""Rules on enums: new enums that do not declare whether they may grow, and discriminators of growing unions."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Place, Related
from apigen.ir.features import stage_at
from apigen.ir.model import Api, Enum, EnumValue, Release, Struct, Union
from apigen.ir.types import EnumType, underlying
from apigen.language.model import GateJoin, GateSpec
from apigen.lint.evolution.evolution import Evolution, evolution_rule
from apigen.lint.rule import finding


def enums(evolution: Evolution) -> Iterator[Enum]:
    """Return the enums that are checked."""
    for type_ in evolution.now.types.values():
        if isinstance(type_, Enum) and evolution.covers(type_.id):
            yield type_


def struct_steps(evolution: Evolution) -> Iterator[tuple[Struct, Struct]]:
    """Return the structs that are checked and that the last release has, too, as pairs of the old and the new state."""
    if evolution.before is None:
        return
    for now in evolution.now.types.values():
        before = evolution.before.types.get(now.id)
        if isinstance(now, Struct) and isinstance(before, Struct) and evolution.covers(now.id):
            yield before, now


def value_named(enum: Enum, name: str) -> EnumValue | None:
    """Return the value of an enum, or None."""
    return next((value for value in enum.values if value.value == name), None)


def is_accepted(value: EnumValue, api: Api, release: Release) -> bool:
    """Return whether every object may have a value in a release with the default feature gates."""
    if value.gate is not None:
        return is_enabled(value.gate, api, release)
    return value.is_introduced(release)


def is_enabled(gate: GateSpec, api: Api, release: Release) -> bool:
    """Return whether elements behind the gates are enabled by default in a release."""
    on = gates_on(gate, api, release)
    return bool(on) if gate.join is GateJoin.ANY else len(on) == len(gate.gates)


def gates_on(gate: GateSpec, api: Api, release: Release) -> tuple[str, ...]:
    """Return the gates that are enabled by default in a release."""
    stages = {feature.name: stage_at(feature, release) for feature in api.features}
    return tuple(g.value for g in gate.gates if (stage := stages.get(g.value)) is not None and stage.default)


@evolution_rule("AG1333", can_be_acknowledged=True)
def new_enum_is_declared(evolution: Evolution) -> Iterator[Diagnostic]:
    """An enum declares its handling of unknown values in its first release: clients are written for that release."""
    if evolution.release is None:
        return
    for enum in enums(evolution):
        if enum.open or enum.closed or enum.unknown is not None or not _is_new(enum, evolution):
            continue
        yield finding(
            enum.place,
            f"enum `{enum.id.name}` is new in {evolution.release} and does not declare how clients handle unknown values",
            "add `unknown: VALUE` with one of its values, or `open: true` if any string is valid, or `open: false` if it "
            "never gets another value",
        )


def _is_new(enum: Enum, evolution: Evolution) -> bool:
    """Return whether the enum is new in the next release. An enum served before the first record is not new."""
    before = evolution.before
    if before is not None and any((id_.group, id_.version) == (enum.id.group, enum.id.version) for id_ in before.types):
        return enum.id not in before.types
    version = evolution.now.group(enum.id.group).version(enum.id.version)
    introduced = None if version is None else version.lifecycle.introduced
    return introduced is None or evolution.release is None or introduced >= evolution.release


@evolution_rule("AG1337")
def discriminator_grows(evolution: Evolution) -> Iterator[Diagnostic]:
    """Clients that do not know a member see a union without a set member. The discriminator reveals the unknown member if
    its type is an enum that may grow. (Kubernetes API changes: unions may gain members if they were designed for it)
    """
    for before, struct in struct_steps(evolution):
        for union in struct.unions:
            known = next((u for u in before.unions if u.discriminator == union.discriminator), None)
            if union.discriminator is not None and known is not None:
                yield from _new_members(struct, before, union, known, evolution)


def _new_members(
    struct: Struct, before: Struct, union: Union, known: Union, evolution: Evolution
) -> Iterator[Diagnostic]:
    assert evolution.before is not None and union.discriminator is not None
    names = {member.json_name for member in known.members}
    enum = _discriminator_enum(before, union.discriminator, evolution.before)
    release = evolution.newest
    for member in union.members:
        if member.json_name in names or member.value is None:
            continue
        field = struct.field(member.json_name)
        place = field.place if field is not None else union.place
        related = (Related(known.place, f"the union in release {release}"),)
        start = f"member `{member.json_name}` was added to a union of `{struct.id.name}`"
        if enum is None:
            yield _undetectable(start, union.discriminator, release, place, related)
            continue
        value = value_named(enum, member.value)
        if value is not None and is_accepted(value, evolution.before, release):
            yield finding(
                place,
                f"{start} for discriminator value `{member.value}`, which selects no member in release {release}; "
                "objects with that value and without the member are now rejected",
                f"add a value to `{enum.id.name}` for the new member",
                related,
            )


def _undetectable(
    start: str, discriminator: str, release: object, place: Place, related: tuple[Related, ...]
) -> Diagnostic:
    return finding(
        place,
        f"{start}, but clients of {release} cannot detect it: the discriminator `{discriminator}` is not an enum "
        "with `unknown:`",
        "add a field outside of the union, or a new version in which the discriminator is an enum with `unknown:`",
        related,
    )


def _discriminator_enum(struct: Struct, discriminator: str, api: Api) -> Enum | None:
    field = struct.field(discriminator)
    behind = underlying(field.type) if field is not None else None
    found = api.types.get(behind.id) if isinstance(behind, EnumType) else None
    return found if isinstance(found, Enum) else None
