"""`names[0]`, `names[0].ip`: the singular of a plural."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.request import Lens, LensRejected, LensRequest
from apigen.hub.steps import SOURCE, TARGET, Assign, Loss, OfField, Side, Step
from apigen.ir.expressions import (
    Both,
    Choice,
    Compared,
    Either,
    Element,
    Expression,
    IsNone,
    IsTrue,
    ListOf,
    Literal,
    Made,
    Member,
    Not,
    OrElse,
    Set,
    Statement,
    Test,
    Truth,
    When,
    at,
    guards,
)
from apigen.ir.model import (
    Field,
    FieldPath,
    ListType,
    StructType,
    is_text,
    json_names,
    optional_parents,
    spell,
    struct_behind,
    underlying,
)
from apigen.ir.places import BoundPath, FieldStep, IndexStep, fields_of
from apigen.language.model import Index, LensSpec, Name, Path


@dataclass(frozen=True, slots=True)
class Singular(OfField):
    """The first element of a list as a field of its own, with or without the list.

    `member` is the field of the list's items, None for lists of strings, `version_member` the same in the version, if
    that has the list. `plural`: the version has the list, too; if the two differ, the singular or the plural takes
    precedence. `by_request`: requests are reconciled, with the old object, before they are converted; else (`wins:` is
    declared) conversion alone decides.
    """

    hub: FieldPath
    member: Field | None
    item: StructType | None
    plural: FieldPath | None
    singular_wins: bool
    by_request: bool = False
    version_member: Field | None = None

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        if to_hub:
            return
        items = at(SOURCE, self.hub)
        first = Choice(IsTrue(items), _member(Element(items, 0), self.member), Literal(""))
        yield Assign(self.version, first, Truth(items), optional_parents(self.hub))

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if not to_hub:
            return
        value, items = at(SOURCE, self.version), at(TARGET, self.hub)
        is_empty, first = Not(IsTrue(items)), _member(Element(items, 0), self.member)
        differ: tuple[Test, ...] = (is_empty,)
        if self.plural is None:
            differ = ()
        elif self.singular_wins:
            differ = (Either((is_empty, Compared(first, "!=", value))),)
        one = value if self.item is None or self.member is None else Made(self.item, self.member, value)
        tests = (*guards(SOURCE, self.version), Compared(value, "!=", Literal("")), *differ)
        yield When(tests, (Set(items, ListOf((one,))),))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        return (json_names(self.hub),) if to_hub else ()

    def losses(self) -> Iterable[Loss]:
        yield from self._losses_beside(self.plural) if self.plural is not None else [self._loss_alone()]

    def _losses_beside(self, plural: FieldPath) -> Iterable[Loss]:
        value, listed = at("obj", self.version), at("obj", plural)
        first = Choice(IsTrue(listed), _member(Element(listed, 0), self.version_member), Literal(""))
        differs = Compared(value, "!=", first)
        test = Both((*guards("obj", plural), differs))
        yield Loss(
            Side.VERSION, spell(self.version), f"it is not the first item of `{spell(plural)}`", test, "singular"
        )
        replaces = differs if self.singular_wins else Not(IsTrue(listed))
        test = Both((*guards("obj", plural), Compared(value, "!=", Literal("")), replaces))
        when = f"`{spell(self.version)}` is set and {'differs from its first item' if self.singular_wins else 'it is empty'}"
        yield Loss(Side.VERSION, spell(plural), when, test, "singular")

    def _loss_alone(self) -> Loss:
        items = at("obj", self.hub)
        only: Expression = OrElse(_member(Element(items, 0), self.member), Literal("?"))
        if self.item is not None and self.member is not None:
            only = Made(self.item, self.member, only)
        alone = Choice(IsTrue(items), Compared(items, "!=", ListOf((only,))), Not(IsNone(items)))
        test = Both((*guards("obj", self.hub), alone))
        return Loss(
            Side.HUB,
            spell(self.hub),
            "it has several items, or an item with other fields",
            test,
            "singular",
            becomes="its first item",
        )

    def hub_places(self) -> Iterable[str]:
        if self.plural is None:
            yield spell(self.hub)

    def describe(self) -> str | None:
        wins = "" if self.plural is None else f" ({'singular' if self.singular_wins else 'plural'} wins)"
        return f"{spell(self.version)} is the first of {spell(self.hub)}{wins}"

    @property
    def version_suffix(self) -> str:
        """Return the attribute to append to an element of the version's plural to get the string that the
        singular has.
        """
        return f".{self.version_member.py_name}" if self.version_member else ""

    @property
    def member_suffix(self) -> str:
        """The attribute access to the member, such as `.name`; empty without a member."""
        return f".{self.member.py_name}" if self.member else ""


def _member(value: Expression, field: Field | None) -> Expression:
    return value if field is None else Member(value, field)


def _bind(request: LensRequest, path: Path) -> Iterable[Step]:
    bound = request.hub_bound(path)
    if bound is None:
        raise LensRejected
    parts = _parts(bound)
    if is_text(request.field.type):
        request.require_values("a singular")
    if parts is None or not is_text(request.field.type):
        raise request.rejected(
            "AG0602", f"{request.where} must be a string, the first of a list: `names[0]` or `names[0].name`"
        )
    hub, member, item = parts
    wins = request.spec.wins
    if wins is not None and wins.value not in ("singular", "plural"):
        raise request.rejected("AG0603", f"`wins: {wins.value}`?", place=wins.place, hint="write singular or plural")
    plural = next((f for f in request.version.fields if _is_at(f, hub)), None)
    version_member = None
    if plural is not None and member is not None:
        version_member = _member_in_version(plural, member, request)
        if version_member is None:
            message = f"no field of the elements of `{plural.json_name}` is `{spell((*hub, member))}` in the hub"
            raise request.rejected("AG0602", message)
    return (
        Singular(
            request.path,
            hub,
            member,
            item,
            (plural,) if plural else None,
            wins is None or wins.value == "singular",
            by_request=wins is None,
            version_member=version_member,
        ),
    )


def _has_index(spec: LensSpec) -> bool:
    return spec.to is not None and any(isinstance(step, Index) for step in spec.to.steps)


SINGULAR = Lens("a singular", ("to", "wins"), _bind, restriction=_has_index)
"""A path with `[0]`."""


def _is_at(field: Field, hub: FieldPath) -> bool:
    """Return whether a field of the version has that path in the hub, by its name or its declaration."""
    names = tuple(Name(f.json_name) for f in hub)
    if field.hub is None:
        return (Name(field.json_name),) == names
    return field.hub.to is not None and field.hub.to.steps == names


def _member_in_version(plural: Field, member: Field, request: LensRequest) -> Field | None:
    """The field of the elements of the version's list that is `member` in the hub."""
    listed = underlying(plural.type)
    item = underlying(listed.item) if isinstance(listed, ListType) else None
    struct = struct_behind(item, request.types)
    if struct is None:
        return None
    return next((f for f in struct.fields if _is_at(f, (member,)) and not f.can_be_none), None)


def _parts(bound: BoundPath) -> tuple[FieldPath, Field | None, StructType | None] | None:
    at = next(i for i, step in enumerate(bound.steps) if isinstance(step, IndexStep))
    index, rest = bound.steps[at], bound.steps[at + 1 :]
    before = fields_of(bound.steps[:at])
    if before is None or not isinstance(index, IndexStep) or index.index != 0 or not is_text(bound.type):
        return None
    listed = underlying(before[-1].type)
    item = underlying(listed.item) if isinstance(listed, ListType) else None
    if not rest:
        return before, None, None
    if (
        len(rest) == 1
        and isinstance(rest[0], FieldStep)
        and isinstance(item, StructType)
        and not rest[0].field.can_be_none
    ):
        return before, rest[0].field, item
    return None
