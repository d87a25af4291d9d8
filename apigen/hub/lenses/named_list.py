"""`{list: items, key: name}`: a map in the version, a list of named items in the hub; `{map: …}` is the reverse."""

from __future__ import annotations

import json
from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.diagnostics.suggest import did_you_mean
from apigen.hub.lenses.cases import fits
from apigen.hub.lenses.request import Lens, LensRequest
from apigen.hub.steps import SOURCE, Assign, Loss, OfField, Side, Step
from apigen.ir.expressions import (
    Both,
    Compared,
    Converted,
    Copied,
    Entries,
    Expression,
    IsNone,
    Items,
    Keys,
    Member,
    Some,
    Truth,
    Typed,
    ValueConversion,
    Variable,
    are_set,
    at,
    guards,
    unless_none,
)
from apigen.ir.model import (
    Field,
    FieldPath,
    ListType,
    MapType,
    Struct,
    StructType,
    TypeId,
    is_text,
    optional_parents,
    spell,
    struct_behind,
    underlying,
)
from apigen.language.model import Located, Path


@dataclass(frozen=True, slots=True)
class NamedList(OfField):
    """Each map entry is a list element whose `key` field has the key of the entry.

    The entry's value is the item's field `member`, or (None) the item itself less its key. If the member can be unset,
    `absent` is its value in the map then. `duplicates` is the treatment of items with equal keys: the `last` or the
    `first` one is preserved, or the list is rejected (`error`).
    """

    hub: FieldPath
    key: Field
    item: TypeId
    member: Field | None
    value: ValueConversion
    list_in_hub: bool = True
    duplicates: str = "last"
    absent: Typed | None = None

    @property
    def list(self) -> FieldPath:
        """The place of the list."""
        return self.hub if self.list_in_hub else self.version

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        source, target = (self.version, self.hub) if to_hub else (self.hub, self.version)
        value, path = at(SOURCE, source), spell(source)
        result: Expression = (
            Items(value, self.item, self.key, self.member, self.value, path)
            if to_hub == self.list_in_hub
            else Entries(value, self.key, self.member, self.value, path, self.duplicates, self.absent)
        )
        result = unless_none(value, result) if source[-1].can_be_none else result
        yield Assign(target, result, Truth(value), optional_parents(source))

    def losses(self) -> Iterable[Loss]:
        items = at("obj", self.list)
        tests = (*guards("obj", self.list), *(are_set("obj", self.list) if self.list[-1].can_be_none else ()))
        test = Both((*tests, Compared(Keys(items, self.key), "!=", Keys(items, self.key, sorted=True))))
        when = f"its items are not sorted by `{self.key.json_name}`, or two have the same one"
        rejects = self.duplicates == "error"
        becomes = "sorted" if rejects else f"sorted, with the {self.duplicates} item of each `{self.key.json_name}`"
        side = Side.HUB if self.list_in_hub else Side.VERSION
        yield Loss(side, spell(self.list), when, test, "list", rejects, becomes)
        if self.absent is not None and self.member is not None:
            unset = Some(
                items, "item", IsNone(Member(Variable("item"), self.member)), can_be_none=self.list[-1].can_be_none
            )
            test = Both((*guards("obj", self.list), unset))
            place, becomes = f"{spell(self.list)}[].{self.member.json_name}", json.dumps(self.absent.value)
            yield Loss(side, place, "it is absent", test, "absent", becomes=becomes)

    def hub_places(self) -> Iterable[str]:
        yield spell(self.hub)
        if self.list_in_hub:
            yield f"{spell(self.hub)}[].{self.key.json_name}"

    def describe(self) -> str | None:
        if self.list_in_hub:
            return f"{spell(self.version)} is the list {spell(self.hub)} in the hub, keyed by {self.key.json_name}"
        return f"{spell(self.version)}, keyed by {self.key.json_name}, is the map {spell(self.hub)} in the hub"


def _bind(request: LensRequest, path: Path) -> Iterable[Step]:
    spec = request.spec
    in_hub = spec.list_path is not None
    word = "list" if in_hub else "map"
    if spec.list_key is None:
        raise request.rejected("AG0603", f"`{word}` requires `key`, the field that contains the name")
    hub = request.hub_path(path)
    version_type, hub_type = underlying(request.field.type), underlying(hub[-1].type)
    listed, mapped = (hub_type, version_type) if in_hub else (version_type, hub_type)
    item = underlying(listed.item) if isinstance(listed, ListType) else None
    struct = struct_behind(item, request.types)
    if struct is None or not isinstance(mapped, MapType):
        raise request.rejected(
            "AG0602",
            f"`{word}` converts between a map and a list of structs, but {request.where} and `{spell(hub)}` of the hub have other types",
            hint=_reverse(request, hub, word),
        )
    key = struct.field(spec.list_key.value)
    if key is None or not is_text(key.type) or key.can_be_none:
        raise request.rejected(
            "AG0602", f"{struct.id.name} has no string field `{spec.list_key.value}`", place=spec.list_key.place
        )
    if request.field.can_be_none != hub[-1].can_be_none:
        raise request.rejected("AG0606", f"{request.where} and `{spell(hub)}` of the hub differ in presence")
    return _step(request, hub, struct, key, mapped)


def _step(request: LensRequest, hub: FieldPath, struct: Struct, key: Field, mapped: MapType) -> Iterable[Step]:
    spec, in_hub = request.spec, request.spec.list_path is not None
    duplicates = spec.duplicates.value if spec.duplicates is not None else "last"
    if in_hub and spec.list_value is None:
        conversion = request.conversion(mapped.value, StructType(struct.id))
        if isinstance(conversion, Converted | Copied):
            return (NamedList(request.path, hub, key, struct.id, None, conversion, True, duplicates),)
    rest = [f for f in struct.fields if f is not key]
    if spec.list_value is not None and spec.list_value.value not in {f.json_name for f in rest}:
        hint = did_you_mean(spec.list_value.value, [f.json_name for f in rest])
        message = f"{struct.id.name} has no value `{spec.list_value.value}`"
        raise request.rejected("AG0602", message, place=spec.list_value.place, hint=hint)
    member = rest[0] if len(rest) == 1 else None
    types = () if member is None else (mapped.value, member.type) if in_hub else (member.type, mapped.value)
    value = request.conversion(*types) if types else None
    absent = None if member is None or value is None else _bind_absent(request, member, mapped)
    if value is None or member is None or (member.can_be_none and absent is None):
        raise request.rejected(
            "AG0602",
            f"the values of {request.where if in_hub else spell(hub)} are "
            + (f"neither {struct.id.name} nor" if in_hub else "not")
            + f" the fields of {struct.id.name} other than {key.json_name}",
        )
    return (NamedList(request.path, hub, key, struct.id, member, value, in_hub, duplicates, absent),)


_OPTIONS = ("list_key", "list_value", "duplicates", "absent")

LIST = Lens("`list`", ("list_path", *_OPTIONS), _bind)
"""The option `list`, with `key`, `value` and `duplicates`: the hub has the list."""

MAP = Lens("`map`", ("map_path", *_OPTIONS), _bind)
"""The option `map`, with the same ones: the hub has the map."""


def _bind_absent(request: LensRequest, member: Field, mapped: MapType) -> Typed | None:
    """Return the map value of items whose `member` is unset; None if it is not declared, or, with errors, invalid."""
    written = request.spec.absent
    if written is None:
        return None
    if not member.can_be_none:
        request.error("AG0602", f"`absent` has no effect: `{member.json_name}` cannot be unset")
    elif not isinstance(written, Located) or not fits(written.value, mapped.value):
        request.error("AG0602", f"`absent` is not a valid {mapped.value}")
    else:
        return Typed(written.value, mapped.value)
    return None


def _reverse(request: LensRequest, hub: FieldPath, word: str) -> str | None:
    """Return the help if the list and the map are on opposite sides."""
    sides = (request.field.type, hub[-1].type)
    listed, mapped = sides if word == "list" else sides[::-1]
    if isinstance(underlying(listed), ListType) and isinstance(underlying(mapped), MapType):
        other = "map" if word == "list" else "list"
        return f"write `{other}: {spell(hub)}` where the hub has the {other}"
    return None
