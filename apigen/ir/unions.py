"""Unions of a struct: their members exist and can be absent, and their discriminator has a value for each."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.checks import Checks
from apigen.ir.model import Enum, EnumType, Field, Presence, Struct, Union, UnionMember, is_text, underlying
from apigen.language.model import Located, UnionSpec


def resolve_unions(specs: tuple[UnionSpec, ...], struct: Struct, checks: Checks) -> tuple[Union, ...]:
    """Return the unions of a struct with the existing members; errors are reported."""
    return tuple(_union(spec, len(specs), struct, checks) for spec in specs)


def _union(spec: UnionSpec, count: int, struct: Struct, checks: Checks) -> Union:
    members = tuple(_members(spec, struct, checks)) if not _is_crowded(spec, count, checks) else ()
    if spec.discriminator is not None:
        _check_discriminator(spec, spec.discriminator, struct, checks)
    return Union(
        members=members,
        discriminator=spec.discriminator.value if spec.discriminator else None,
        empty=tuple(value.value for value in spec.empty),
        optional=spec.optional,
        place=spec.place,
    )


def _is_crowded(spec: UnionSpec, count: int, checks: Checks) -> bool:
    """Return whether all fields are declared as members although the struct has another union."""
    if spec.members or count == 1:
        return False
    checks.run.error(
        "AG0534",
        spec.place,
        "all fields are members of this union, so another union is not possible",
        hint="list the members: `members: [field, …]`",
    )
    return True


def _members(spec: UnionSpec, struct: Struct, checks: Checks) -> Iterator[UnionMember]:
    """Yield the members that exist."""
    if not spec.members:
        skipped = spec.discriminator.value if spec.discriminator else None
        for field in struct.fields:
            if field.json_name != skipped:
                _check_absence(field, spec.place, checks)
                yield UnionMember(field.json_name, None)
    for value, name in spec.members:
        found = checks.field_of(struct, name, "AG0530")
        if found is not None:
            _check_absence(found, name.place, checks)
            yield UnionMember(found.json_name, value.value if value else None)


def _check_absence(field: Field, place: Place, checks: Checks) -> None:
    """Check that a member can be unset; `place` is where it is declared as a member."""
    if field.presence is Presence.PLAIN and not field.can_be_none:
        checks.run.error(
            "AG0531",
            place,
            f"{quote(field.json_name)} is always present, but a union member must be unset if another one is set",
            hint="set `optional: true` or `omitEmpty: true`",
            related=(
                [Related(field.place, f"{quote(field.json_name)} is declared here")] if field.place != place else []
            ),
        )


def _check_discriminator(spec: UnionSpec, name: Located[str], struct: Struct, checks: Checks) -> None:
    field = checks.field_of(struct, name, "AG0530")
    if field is None:
        return
    written = [value for value, _ in spec.members if value is not None]
    if not is_text(field.type):
        checks.run.error(
            "AG0532", name.place, f"a discriminator must be a string or an enum, but {quote(name.value)} is not"
        )
    else:
        _check_values([*written, *spec.empty], field, spec.place, checks)


def _check_values(written: list[Located[str]], field: Field, place: Place, checks: Checks) -> None:
    behind = underlying(field.type)
    enum = checks.types.get(behind.id) if isinstance(behind, EnumType) else None
    if not isinstance(enum, Enum) or enum.open:
        return
    known = [value.value for value in enum.values]
    for value in written:
        if value.value not in known and not checks.may_have(enum.id, value.value):
            checks.run.error(
                "AG0533",
                value.place,
                f"{enum.id.name} has no value {quote(value.value)}",
                hint=checks.run.did_you_mean(value.value, known),
            )
    named = {value.value for value in written}
    silent = tuple(value for value in known if value not in named)
    if silent and named.issubset(known) and not checks.run.is_broken(enum.id):
        checks.run.error(
            "AG0533",
            place,
            f"the union declares no member for {listing(silent, 'and')} of {enum.id.name}",
            hint="add members for them, or list them in `empty: […]`",
        )
