"""`unions:` of a struct: fields of which one is set."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.spec.context import Context
from apigen.spec.keys import Found, Key, Keys
from apigen.spec.model import Located, UnionSpec
from apigen.spec.nodes import Node, Scalar
from apigen.spec.shapes import ByForm, ListOf, made, map_of
from apigen.spec.words import FLAG, SOME_TEXTS, TEXT, TEXTS, Choice

_Member = tuple[Located[str] | None, Located[str]]


@dataclass(frozen=True, slots=True)
class _Members:
    """What stands at `members:`; none listed means all fields."""

    listed: tuple[_Member, ...] = ()

    @property
    def have_values(self) -> bool:
        return any(value is not None for value, _ in self.listed)


def _by_value(value: Scalar, field: Located[str], _: Context) -> _Member:
    return Located(value.text, value.place), field


def _with_values(members: tuple[_Member, ...], node: Node, context: Context) -> _Members | None:
    if not members:
        context.error("AG0211", node.place, "a union without members")
        return None
    return _Members(members)


def _without_values(fields: tuple[Located[str], ...], *_: object) -> _Members:
    return _Members(tuple((None, field) for field in fields))


def _all(*_: object) -> _Members:
    return _Members()


MEMBERS = Key(
    "members",
    ByForm(
        "`all`, a list of fields, or a mapping of values of the discriminator to fields",
        scalar=made(Choice("all"), _all),
        mapping=made(map_of(TEXT, _by_value, "a mapping of values to fields"), _with_values),
        sequence=made(SOME_TEXTS, _without_values),
    ),
    "The fields: `all`, a list, or by the value of the discriminator.",
    required=True,
)
DISCRIMINATOR = Key("discriminator", TEXT, "The field that says which member is set.")
EMPTY = Key("empty", TEXTS, "Values of the discriminator that go with no member.")
OPTIONAL = Key("optional", FLAG, "None of the members may be set.")

_KEYS = Keys("union", "a union", (MEMBERS, DISCRIMINATOR, EMPTY, OPTIONAL))


def _union(found: Found, node: Node, context: Context) -> UnionSpec | None:
    members = found.get(MEMBERS)
    if members is None or not _fits(found, members, context):
        return None
    return UnionSpec(
        place=node.place,
        all_members=not members.listed,
        members=members.listed,
        discriminator=found.get(DISCRIMINATOR),
        empty=found.some(EMPTY),
        optional=found.is_on(OPTIONAL),
    )


def _fits(found: Found, members: _Members, context: Context) -> bool:
    """Whether there are values of the discriminator if and only if there is a discriminator."""
    if found.is_written(DISCRIMINATOR) and not members.have_values:
        message = "a union with a `discriminator` has its members by value"
        context.error("AG0212", found.place_of(MEMBERS), message, hint="write `members: {Value: field}`")
        return False
    if members.have_values and not found.is_written(DISCRIMINATOR):
        message = "members by value need a `discriminator`"
        context.error("AG0212", found.place_of(MEMBERS), message, hint="without one, write `members: [field, …]`")
        return False
    if found.is_written(EMPTY) and not found.is_written(DISCRIMINATOR):
        context.error("AG0212", found.place_of(EMPTY), "`empty` needs a `discriminator`")
        return False
    return True


UNIONS = ListOf(made(_KEYS, _union), "a list of unions")
"""The `unions:` of a struct."""
