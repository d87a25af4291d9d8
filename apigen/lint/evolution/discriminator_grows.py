"""A union with a discriminator gets a member together with a value that is rolled out."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Place, Related
from apigen.ir.model import Api, Enum, Struct, Union
from apigen.ir.types import EnumType, underlying
from apigen.lint.evolution.enum_steps import is_accepted, struct_steps, value_named
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class DiscriminatorGrows(EvolutionRule):
    """Who does not know a member sees a union without one. The discriminator tells that there is something, if its values
    are an enum that may grow. (Kubernetes API changes: unions may gain members if they were designed for it)
    """

    code = "AG1337"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for before, struct in struct_steps(evolution):
            for union in struct.unions:
                known = next((u for u in before.unions if u.discriminator == union.discriminator), None)
                if union.discriminator is not None and known is not None:
                    yield from self._judge(struct, before, union, known, evolution)

    def _judge(
        self, struct: Struct, before: Struct, union: Union, known: Union, evolution: Evolution
    ) -> Iterator[Diagnostic]:
        assert evolution.before is not None and union.discriminator is not None
        names = {member.json_name for member in known.members}
        enum = _enum(before, union.discriminator, evolution.before)
        release = evolution.newest
        for member in union.members:
            if member.json_name in names or member.value is None:
                continue
            field = struct.field(member.json_name)
            place = field.place if field is not None else union.place
            related = (Related(known.place, f"the union as {release} shipped it"),)
            start = f"the union of `{struct.id.name}` gets the member `{member.json_name}`"
            if enum is None:
                yield self._untold(start, union.discriminator, release, place, related)
                continue
            value = value_named(enum, member.value)
            if value is not None and is_accepted(value, evolution.before, release):
                yield finding(
                    place,
                    f"{start} for `{member.value}`, which went with no member in {release}: what has it there is "
                    "refused now",
                    f"add a value to `{enum.id.name}` for the new member",
                    related,
                )

    def _untold(
        self, start: str, discriminator: str, release: object, place: Place, related: tuple[Related, ...]
    ) -> Diagnostic:
        return finding(
            place,
            f"{start}, and clients of {release} cannot tell it from none: `{discriminator}` is no enum that says what "
            "they make of a value that they do not know",
            "add a field beside the union, or a version of the API in which the discriminator is an enum with `unknown:`",
            related,
        )


def _enum(struct: Struct, discriminator: str, api: Api) -> Enum | None:
    field = struct.field(discriminator)
    behind = underlying(field.type) if field is not None else None
    found = api.types.get(behind.id) if isinstance(behind, EnumType) else None
    return found if isinstance(found, Enum) else None
