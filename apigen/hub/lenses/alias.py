"""`{alias: path}`: two fields of the version for one field of the hub."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.request import Lens, LensRequest
from apigen.hub.steps import SOURCE, TARGET, Assign, Loss, OfField, Side, Step
from apigen.ir.expressions import (
    Both,
    Call,
    Compared,
    Expression,
    IsTrue,
    IsZero,
    Literal,
    Not,
    Set,
    Statement,
    Test,
    ValueConversion,
    When,
    at,
    converted,
    guards,
    unless_none,
)
from apigen.ir.model import FieldPath, ListType, MapType, is_text, json_names, optional_parents, spell, underlying
from apigen.language.model import Path


@dataclass(frozen=True, slots=True)
class Alias(OfField):
    """Two fields of the version have the value of one hub field; both are written.

    The other field takes precedence unless it is zero; `wins` reverses that. `selector`: this field is a map of labels
    for the selector string of the hub. It is empty if a map cannot represent the selector, and an invalid selector is
    an error. `primary` is the other field, if the version has it.
    """

    hub: FieldPath
    value: ValueConversion | None
    wins: bool
    primary: FieldPath | None = None

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        if to_hub:
            return
        value, last = at(SOURCE, self.hub), self.hub[-1]
        if self.value is None:
            result: Expression = Call("selector_labels", (value, Literal(spell(self.hub))))
        else:
            result = converted(value, self.value, to_hub=False, path=spell(self.hub))
            result = unless_none(value, result) if last.can_be_none else result
        yield Assign(self.version, result, Not(IsZero(value, last)), optional_parents(self.hub))

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        if not to_hub:
            return
        value, target = at(SOURCE, self.version), at(TARGET, self.hub)
        empty = () if self.wins else (IsZero(target, self.hub[-1]),)
        result = Call("format_selector", (value,)) if self.value is None else converted(value, self.value, to_hub=True)
        tests = (*guards(SOURCE, self.version), *guards(TARGET, self.hub), *empty, self._is_set(value))
        yield When(tests, (Set(target, result),))

    def _is_set(self, value: Expression) -> Test:
        if isinstance(underlying(self.version[-1].type), MapType | ListType):
            return IsTrue(value)
        return Not(IsZero(value, self.version[-1]))

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        return (json_names(self.hub),) if to_hub else ()

    def losses(self) -> Iterable[Loss]:
        value, hub = at("obj", self.version), at("other", self.hub)
        if self.value is None:
            hub = Call("selector_labels", (hub, Literal(spell(self.version))))
        test = Both((*guards("other", self.hub), Compared(value, "!=", hub)))
        when = f"it differs from `{spell(self.hub)}` of the hub, of which it is another name"
        yield Loss(Side.VERSION, spell(self.version), when, test, "alias", self.value is None, "that value")
        if self.primary is not None:
            other = at("obj", self.primary)
            loses = Compared(other, "!=", value) if self.wins else IsZero(other, self.primary[-1])
            test = Both((*guards("obj", self.primary), loses, self._is_set(value)))
            yield Loss(
                Side.VERSION, spell(self.primary), f"`{spell(self.version)}` is set and takes precedence", test, "alias"
            )

    def describe(self) -> str | None:
        return f"{spell(self.version)} is another name for {spell(self.hub)}" + (" and wins" if self.wins else "")


def _bind(request: LensRequest, alias: Path) -> Iterable[Step]:
    spec, hub = request.spec, request.hub_path(alias)
    if spec.wins is not None and spec.wins.value not in ("this", "other"):
        raise request.rejected(
            "AG0603", f"`wins: {spec.wins.value}`?", place=spec.wins.place, hint="write this, or remove it"
        )
    wins = spec.wins is not None and spec.wins.value == "this"
    if spec.format is not None:
        labels = underlying(request.field.type)
        if spec.format.value != "selector" or not isinstance(labels, MapType) or not is_text(hub[-1].type):
            raise request.rejected(
                "AG0602", "`format: selector` requires an alias that maps labels to a selector string"
            )
        if not request.field.can_be_none:
            raise request.rejected(
                "AG0602", f"{request.where} is omitted if it cannot represent the value, so it must be optional"
            )
        return (Alias(request.path, hub, None, wins),)
    value = request.conversion(request.field.type, hub[-1].type)
    if value is None or request.field.can_be_none != hub[-1].can_be_none:
        raise request.rejected("AG0602", f"{request.where} and `{spell(hub)}` of the hub differ in type or presence")
    return (Alias(request.path, hub, value, wins),)


ALIAS = Lens("`alias`", ("alias", "format", "wins"), _bind)
"""The option `alias`."""
