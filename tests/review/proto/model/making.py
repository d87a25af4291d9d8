"""Generates messages, and changes them as people do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

SCALARS = (
    *("int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64"),
    *("bool", "string", "bytes", "float", "double"),
)
_NOT_PACKED = {"string", "bytes", "Part"}
_DEFAULTS = {"bool": ("true",), "string": ('"a"', '"b"'), "bytes": ('"a"',), "Color": ("RED", "BLUE")}


@dataclass(frozen=True)
class FieldText:
    """A field: `shape` is single, list or map; `presence` implicit, explicit or required; in a oneof if it is named."""

    name: str
    number: int
    type: str
    shape: str = "single"
    presence: str = "implicit"
    oneof: str = ""
    json_name: str = ""
    default: str = ""
    packed: bool = True

    @property
    def text(self) -> str:
        kind = {"single": self.type, "list": f"repeated {self.type}", "map": f"map<string, {self.type}>"}[self.shape]
        options = [f'json_name = "{self.json_name}"'] if self.json_name else []
        if self.shape == "single" and not self.oneof:
            if self.presence == "required":
                options.append("features.field_presence = LEGACY_REQUIRED")
            elif self.presence == "explicit" and self.type != "Part":
                options.append("features.field_presence = EXPLICIT")
        if self.shape == "list" and not self.packed and self.type not in _NOT_PACKED:
            options.append("features.repeated_field_encoding = EXPANDED")
        if self.default and self.can_default:
            options.append(f"default = {self.default}")
        return f"{kind} {self.name} = {self.number}{' [' + ', '.join(options) + ']' if options else ''};"

    @property
    def can_default(self) -> bool:
        return self.shape == "single" and not self.oneof and self.presence != "implicit" and self.type != "Part"


@dataclass(frozen=True)
class ThingText:
    """A message with an enum and a message of its own."""

    fields: tuple[FieldText, ...]
    values: tuple[tuple[str, int], ...] = (("NONE", 0), ("RED", 1), ("BLUE", 2))
    part: tuple[str, ...] = ("int32 size = 1;",)
    reserved: tuple[str, ...] = field(default=())

    def text(self, name: str) -> str:
        plain = [each.text for each in self.fields if not each.oneof]
        oneofs = sorted({each.oneof for each in self.fields if each.oneof})
        for oneof in oneofs:
            members = " ".join(each.text for each in self.fields if each.oneof == oneof)
            plain.append(f"oneof {oneof} {{ {members} }}")
        values = " ".join(f"{value} = {number};" for value, number in self.values)
        lines = [*plain, *(f"reserved {each};" for each in self.reserved)]
        lines += [f"enum Color {{ {values} }}", f"message Part {{ {' '.join(self.part)} }}"]
        return f"message {name} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def thing(chance: random.Random) -> ThingText:
    """A message."""
    return ThingText(tuple(_field(chance, f"f{number}", number) for number in range(1, chance.randint(2, 6))))


def _field(chance: random.Random, name: str, number: int) -> FieldText:
    shape = chance.choice(("single",) * 4 + ("list", "map"))
    made = FieldText(name, number, chance.choice((*SCALARS, "Color", "Part")), shape)
    presence = chance.choice(("implicit", "implicit", "explicit", "explicit", "required"))
    oneof = chance.choice(("", "", "one", "two")) if shape == "single" else ""
    made = replace(made, presence="implicit" if oneof else presence, oneof=oneof)
    return replace(made, default=_default(chance, made.type) if chance.random() < 0.3 else "")


def _default(chance: random.Random, kind: str) -> str:
    return chance.choice(_DEFAULTS.get(kind, ("5", "7")))


def _one(change: Callable[[random.Random, FieldText], FieldText]) -> Callable[[random.Random, ThingText], ThingText]:
    def changed(chance: random.Random, of: ThingText) -> ThingText:
        if not of.fields:
            return of
        at = chance.randrange(len(of.fields))
        fields = tuple(change(chance, each) if index == at else each for index, each in enumerate(of.fields))
        return replace(of, fields=fields)

    return changed


def _retyped(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, type=chance.choice((*SCALARS, "Color", "Part")), default="")


def _reshaped(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, shape=chance.choice(("single", "list", "map")), oneof="")


def _present(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, presence=chance.choice(("implicit", "explicit", "required")))


def _in_oneof(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, oneof=chance.choice(("", "one", "two"))) if of.shape == "single" else of


def _renamed(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, name=f"{of.name}x", json_name=chance.choice(("", of.json_name or of.name)))


def _renumbered(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, number=of.number + 20)


def _named_in_json(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, json_name=f"{of.name}Json")


def _defaulted(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, default=chance.choice(("", _default(chance, of.type))))


def _packed(chance: random.Random, of: FieldText) -> FieldText:
    return replace(of, packed=not of.packed)


def _added(chance: random.Random, of: ThingText) -> ThingText:
    return replace(of, fields=(*of.fields, _field(chance, f"added{len(of.fields)}", 50 + len(of.fields))))


def _removed(chance: random.Random, of: ThingText) -> ThingText:
    gone = chance.choice(of.fields) if len(of.fields) > 1 else None
    if gone is None:
        return of
    reserved = chance.choice(((), (str(gone.number), f'"{gone.name}"'), (str(gone.number),)))
    kept = tuple(each for each in of.fields if each is not gone)
    return replace(of, fields=kept, reserved=() if reserved == () else tuple(_reserved(each) for each in reserved))


def _reserved(word: str) -> str:
    return word.strip('"')


def _swapped(chance: random.Random, of: ThingText) -> ThingText:
    if len(of.fields) < 2:
        return of
    first, second, *others = of.fields
    pair = (replace(first, number=second.number), replace(second, number=first.number))
    return replace(of, fields=(*pair, *others))


def _of_enum(chance: random.Random, of: ThingText) -> ThingText:
    (zero, _), *others = of.values
    last, number = others[-1] if others else ("RED", 1)
    values = chance.choice(
        (
            (*of.values, (f"{last}X", number + 1)),
            of.values[:-1] if others else of.values,
            (*of.values[:-1], (f"{last}Y", number)) if others else of.values,
            (*of.values[:-1], (last, number + 7)) if others else of.values,
            ((f"{zero}Z", 0), *others),
        )
    )
    return replace(of, values=values)


def _of_part(chance: random.Random, of: ThingText) -> ThingText:
    return replace(
        of,
        part=chance.choice(((), ("int64 size = 1;",), ("int32 size = 1;", "int32 more = 2;"), ("int32 breadth = 1;",))),
    )


CHANGES: tuple[Callable[[random.Random, ThingText], ThingText], ...] = (
    *map(_one, (_retyped, _reshaped, _present, _in_oneof, _renamed, _renumbered, _named_in_json, _defaulted, _packed)),
    *(_added, _removed, _swapped, _of_enum, _of_part),
)


def changed(chance: random.Random, of: ThingText) -> ThingText:
    """The message after a change, or two at once; enum defaults that have no value any more are omitted."""
    for _ in range(chance.choice((1, 1, 2))):
        of = chance.choice(CHANGES)(chance, of)
    names = {name for name, _ in of.values}
    fields = tuple(
        replace(each, default="") if each.type == "Color" and each.default not in names else each for each in of.fields
    )
    return replace(of, fields=fields)
