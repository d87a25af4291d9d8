"""`{list: items, key: name}`: a map keyed by name in the version, a list of named items in the hub."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.request import Lens, LensRequest, allow_words
from apigen.hub.steps import SOURCE, Assign, Loss, Side, Step
from apigen.ir.expressions import (
    Both,
    Compared,
    Entries,
    Expression,
    Items,
    Keys,
    Truth,
    are_there,
    at,
    guards,
    unless_none,
)
from apigen.ir.field_paths import FieldPath, optional_parents, spell
from apigen.ir.model import Field, Struct
from apigen.ir.types import ListType, MapType, StructType, TypeId, is_text, underlying
from apigen.ir.value_conversions import Converted, Copied, ValueConversion
from apigen.language.model import LensSpec


@dataclass(frozen=True, slots=True)
class NamedList(Step):
    """Each entry is an item whose `key` field holds the entry's key.

    The entry's value is the item's field `member`, or (None) the item itself less its key.
    """

    version: FieldPath
    hub: FieldPath
    key: Field
    item: TypeId
    member: Field | None
    value: ValueConversion

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        source, target = (self.version, self.hub) if to_hub else (self.hub, self.version)
        value, path = at(SOURCE, source), spell(source)
        made: Expression = (
            Items(value, self.item, self.key, self.member, self.value, path)
            if to_hub
            else Entries(value, self.key, self.member, self.value, path)
        )
        made = unless_none(value, made) if source[-1].can_be_none else made
        yield Assign(target, made, Truth(value), optional_parents(source))

    def losses(self) -> Iterable[Loss]:
        items = at("obj", self.hub)
        there = (*guards("obj", self.hub), *(are_there("obj", self.hub) if self.hub[-1].can_be_none else ()))
        test = Both((*there, Compared(Keys(items, self.key), "!=", Keys(items, self.key, sorted=True))))
        when = f"its items are not sorted by `{self.key.json_name}`, or two have the same one"
        yield Loss(Side.HUB, spell(self.hub), when, test, "list", True, "sorted")

    def hub_places(self) -> Iterable[str]:
        yield spell(self.hub)
        yield f"{spell(self.hub)}[].{self.key.json_name}"

    def home(self) -> str | None:
        return spell(self.version)

    def describe(self) -> str | None:
        return f"{spell(self.version)} is the list {spell(self.hub)} in the hub, keyed by {self.key.json_name}"


class NamedListLens(Lens):
    """The words `list` and `key`."""

    name = "list"

    def matches(self, spec: LensSpec) -> bool:
        return spec.list_path is not None

    def bind(self, request: LensRequest) -> Iterable[Step]:
        spec = request.spec
        assert spec.list_path is not None
        if not allow_words(request, "`list`", "list_path", "list_key"):
            return ()
        if spec.list_key is None:
            request.error("AG0603", "`list` needs the `key` that holds the name")
            return ()
        hub = request.hub_path(spec.list_path)
        if hub is None:
            return ()
        listed, mapped = underlying(hub[-1].type), underlying(request.field.type)
        item = underlying(listed.item) if isinstance(listed, ListType) else None
        struct = request.types.get(item.id) if isinstance(item, StructType) else None
        if not isinstance(struct, Struct) or not isinstance(mapped, MapType):
            request.error(
                "AG0602", f"`list` joins a map and a list of structs; {request.where} and {spell(hub)} are not"
            )
            return ()
        key = struct.field(spec.list_key.value)
        if key is None or not is_text(key.type) or key.can_be_none:
            request.error("AG0602", f"{struct.id.name} has no text `{spec.list_key.value}`", place=spec.list_key.place)
            return ()
        if request.field.can_be_none != hub[-1].can_be_none:
            request.error("AG0606", f"{request.where} and {spell(hub)} differ in whether they can be absent")
            return ()
        return self._step(request, hub, struct, key, mapped)

    def _step(
        self, request: LensRequest, hub: FieldPath, struct: Struct, key: Field, mapped: MapType
    ) -> Iterable[Step]:
        whole = request.conversion(mapped.value, StructType(struct.id))
        if isinstance(whole, Converted | Copied):
            return (NamedList(request.path, hub, key, struct.id, None, whole),)
        rest = [f for f in struct.fields if f is not key]
        value = request.conversion(mapped.value, rest[0].type) if len(rest) == 1 else None
        if value is None or rest[0].can_be_none:
            request.error(
                "AG0602",
                f"the values of {request.where} are neither {struct.id.name} nor what it holds beside {key.json_name}",
            )
            return ()
        return (NamedList(request.path, hub, key, struct.id, rest[0], value),)
