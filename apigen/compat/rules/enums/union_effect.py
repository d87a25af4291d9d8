"""What a change of a union does, found by trying which members may be set."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from apigen.compat.surface.types import Struct, Union
from apigen.dataclass import dataclass

_MOST_MEMBERS = 40
_OTHER = "\0other"


@dataclass(frozen=True, slots=True)
class Choice:
    """The members that are set, and what the discriminator says (None: there is none)."""

    members: tuple[str, ...]
    value: str | None = None

    def words(self, discriminator: str | None) -> str:
        """As messages show it."""
        names = " and ".join(f"`{name}`" for name in self.members) or "no member"
        if discriminator is None or self.value is None:
            return f"{names} set"
        said = "another value" if self.value == _OTHER else f"`{self.value}`"
        return f"{names} set and {said} as `{discriminator}`"

    @property
    def value_known(self) -> str | None:
        """What the discriminator says, where it is one of its values."""
        return None if self.value == _OTHER else self.value


@dataclass(frozen=True, slots=True)
class Effect:
    """The first choice that one side accepts and the other does not; None: there is none."""

    refused: Choice | None
    accepted: Choice | None


def effect(old: Union | None, new: Union | None, before: Struct, after: Struct) -> Effect:
    """Compare what both sides accept of members that are set; a member that a side does not have is not there for it."""
    both = [union for union in (old, new) if union is not None]
    return Effect(_differing(both, (old, before), (new, after)), _differing(both, (new, after), (old, before)))


def _differing(
    both: list[Union], writer: tuple[Union | None, Struct], reader: tuple[Union | None, Struct]
) -> Choice | None:
    for choice in _choices(both, writer[1]):
        if _accepts(*writer, choice) and not _accepts(*reader, choice):
            return choice
    return None


def _choices(unions: list[Union], struct: Struct) -> Iterator[Choice]:
    """All choices of at most two members that a struct has: with more, no union finds anything else."""
    names = list(dict.fromkeys(name for union in unions for name in union.members if name in struct.fields))
    values: list[str | None] = list(
        dict.fromkeys(value for union in unions for value in (*union.members.values(), *union.empty) if value)
    )
    has_discriminator = any(union.discriminator in struct.fields for union in unions if union.discriminator)
    said = [*values, _OTHER] if has_discriminator else [None]
    for number in (1, 2, 0):
        for members in combinations(names[:_MOST_MEMBERS], number):
            yield from (Choice(members, value) for value in said)


def _accepts(union: Union | None, struct: Struct, choice: Choice) -> bool:
    """As generated validation judges it."""
    if union is None:
        return True
    present = {name for name in choice.members if name in union.members and name in struct.fields}
    if union.discriminator is None:
        return len(present) == 1 or (not present and union.optional)
    value = choice.value if union.discriminator in struct.fields else None
    for name, wanted in union.members.items():
        if name in present and value != (wanted or ""):
            return False
        if name not in present and value == (wanted or "") and not union.optional:
            return False
    return True
