"""Writes a page for each version, `docs/<group>/<version>.md`: a table of fields with their limits for each type."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apigen.codegen.backend_input import Compilation
from apigen.codegen.docs.limits import limits_of, limits_of_struct
from apigen.codegen.docs.timeline import life_of_version
from apigen.codegen.markdown import anchor, code, sentence, table, text
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass
from apigen.ir.generated_modules import package_name
from apigen.ir.model import Alias, Api, Enum, EnumValue, Field, Group, Lifecycle, Presence, Struct, TypeDef, Version
from apigen.ir.types import EnumType, ListType, MapType, NamedType, StructType, Type
from apigen.language.model import DefaultCase, GateJoin, GateSpec, Items, LiteralNode, Located, Object

FOLDER = "docs"
LONGEST_DEFAULT = 60

PRESENCE = {
    Presence.PLAIN: "always written",
    Presence.NULLABLE: "nullable",
    Presence.OPTIONAL: "optional",
    Presence.OMIT_EMPTY: "omitted if empty",
}


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as the template writes it; all are Markdown."""

    name: str
    about: str
    table: str


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The page of each version that has types."""
    for group in compilation.api.groups:
        name = package_name(group.folder)
        for version in group.versions:
            if version.types:
                path = f"{FOLDER}/{name}/{version.name}.md"
                yield text_file(path, version_page(group, version, compilation))


def version_page(group: Group, version: Version, compilation: Compilation) -> str:
    """The page as Markdown."""
    api = compilation.api
    found = [api.types[id_] for id_ in version.types if id_ in api.types]
    return render(
        "docs/version.md.jinja",
        title=text(group.api_version(version.name)),
        summary=_summary(version, api),
        types=[_type(type_, version) for type_ in found if not _is_list(type_)],
    )


def _is_list(type_: TypeDef) -> bool:
    """Return whether a type is the list of a kind, which is not documented separately."""
    return isinstance(type_, Struct) and type_.list_of is not None


def _summary(version: Version, api: Api) -> str:
    life = life_of_version(version, api)
    words = ["Served." if version.served else "Not served."]
    if version.storage:
        words.append("This is the storage version.")
    return " ".join([*words, life_words(life)]).strip()


def life_words(life: Lifecycle) -> str:
    """A lifecycle as a sentence in Markdown; empty if nothing is declared."""
    parts = [
        f"{word} {value}"
        for word, value in (
            ("introduced in", life.introduced),
            ("returned in", life.returned),
            ("deprecated in", life.deprecated),
            ("removed in", life.removed),
        )
        if value is not None
    ]
    replacement = life.replacement
    if replacement is not None:
        kind = code(f"{replacement.group}/{replacement.version} {replacement.kind}".strip(" /"))
        parts.append(f"instead: {code(replacement.path) if replacement.path else kind}")
    return f"{', '.join(parts)[:1].upper()}{', '.join(parts)[1:]}." if parts else ""


def _type(type_: TypeDef, version: Version) -> TypeText:
    about = [sentence(type_.doc)]
    match type_:
        case Struct():
            if type_.kind is not None and type_.lifecycle != version.lifecycle:
                about.append(life_words(type_.lifecycle))
            rows = [_field(field, version) for field in type_.fields]
            about.append(limits_of_struct(type_))
            header = ("field", "type", "number", "presence", "default", "limits", "gate", "lifecycle", "")
            body = table(header, rows) or "No fields."
        case Enum():
            about.append("Any other string is valid, too." if type_.open else "")
            about.append(f"Clients read an unknown value as {code(type_.unknown)}." if type_.unknown else "")
            body = table(("value", "gate", "lifecycle", ""), [_value(value) for value in type_.values]) or "No values."
        case Alias():
            limits = limits_of(type_)
            body = f"Alias of {_type_text(type_.target, version)}{f'; {limits}' if limits else ''}."
    return TypeText(text(type_.id.name), " ".join(filter(None, about)), body)


def _field(field: Field, version: Version) -> tuple[str, ...]:
    number = "" if field.number is None else str(field.number)
    if field.via:
        number = f"{number} in {code('.'.join(field.via))}"
    required = ", required" if field.required else ""
    return (
        code(field.json_name),
        _type_text(field.type, version),
        number,
        PRESENCE[field.presence] + required,
        "; ".join(default_words(case) for case in field.default),
        limits_of(field),
        gate_words(field.gate),
        life_words(field.lifecycle).rstrip("."),
        sentence(field.doc),
    )


def _value(value: EnumValue) -> tuple[str, ...]:
    roll_out = f"tolerated from {value.tolerated}" if value.tolerated else ""
    life = life_words(value.lifecycle).rstrip(".")
    text_of_value = code(value.value) if value.value else '""'
    return text_of_value, gate_words(value.gate), ", ".join(filter(None, (roll_out, life))), sentence(value.doc)


def _type_text(type_: Type, version: Version) -> str:
    """Return a type with links to the types that it refers to."""
    match type_:
        case ListType(item):
            return f"list of {_type_text(item, version)}"
        case MapType(_, value):
            return f"map of {_type_text(value, version)}"
        case StructType(id_) | EnumType(id_) | NamedType(id_):
            if (id_.group, id_.version) == (version.group, version.name):
                return f"[{text(id_.name)}](#{anchor(id_.name)})"
            return code(f"{id_.group}/{id_.version}.{id_.name}")
    return code(str(type_))


def gate_words(gate: GateSpec | None) -> str:
    """The feature gates of a field or value as Markdown; empty without one."""
    if gate is None:
        return ""
    joined = " and " if gate.join is GateJoin.ALL else " or "
    return joined.join(code(name.value) for name in gate.gates)


def default_words(case: DefaultCase) -> str:
    """A default as Markdown."""
    if case.from_path is not None:
        words = f"as {code(str(case.from_path))}"
    elif case.value is None:
        words = "cleared"
    else:
        literal = json.dumps(_plain(case.value), ensure_ascii=False)
        cropped = literal if len(literal) <= LONGEST_DEFAULT else literal[: LONGEST_DEFAULT - 1] + "…"
        words = code(cropped)
    return f"{words} (under a condition)" if case.when is not None else words


def _plain(literal: LiteralNode) -> object:
    match literal:
        case Located(value):
            return value
        case Object(members):
            return {name.value: _plain(value) for name, value in members}
        case Items(items):
            return [_plain(item) for item in items]
    raise TypeError(literal)
