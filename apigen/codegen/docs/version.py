"""Writes a page for each version, `docs/<group>/<version>.md`: a table of fields with their limits for each type."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.docs.backend import FOLDER, life_of_version
from apigen.codegen.markdown import anchor, code, sentence, table, text
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.rendering import render
from apigen.ir.model import (
    Alias,
    Api,
    Enum,
    EnumType,
    EnumValue,
    Field,
    Group,
    Lifecycle,
    ListType,
    MapType,
    NamedType,
    Presence,
    Struct,
    StructType,
    Type,
    TypeDef,
    Union,
    Version,
)
from apigen.ir.names import package_name
from apigen.language.model import (
    BOUNDS,
    Constraints,
    DefaultCase,
    GateJoin,
    GateSpec,
    Items,
    LiteralNode,
    Located,
    MergeSpec,
    Object,
    RuleSpec,
)

LONGEST_DEFAULT = 60

PRESENCE = {
    Presence.PLAIN: "always written",
    Presence.NULLABLE: "nullable",
    Presence.OPTIONAL: "optional",
    Presence.OMIT_EMPTY: "omitted if empty",
}


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The page of each version that has types."""
    for group in backend_input.api.groups:
        name = package_name(group.folder)
        for version in group.versions:
            if version.types:
                path = f"{FOLDER}/{name}/{version.name}.md"
                yield text_file(path, version_page(group, version, backend_input))


def version_page(group: Group, version: Version, backend_input: BackendInput) -> str:
    """The page as Markdown."""
    api = backend_input.api
    found = [api.types[id_] for id_ in version.types if id_ in api.types]
    return render(
        "docs/version.md.jinja",
        title=text(group.api_version(version.name)),
        summary=_summary(version, api),
        types=[_type(type_, version) for type_ in found if not (isinstance(type_, Struct) and type_.list_of)],
    )


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


def _type(type_: TypeDef, version: Version) -> dict[str, str]:
    """Return the values of the template for a type, all of them Markdown."""
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
    return {"name": text(type_.id.name), "about": " ".join(filter(None, about)), "table": body}


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


_WORDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusive_minimum": "exclusiveMinimum",
    "exclusive_maximum": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "max_bytes": "maxBytes",
    "pattern": "pattern",
    "format": "format",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
}
"""The bounds by the keys of the spec language, which are those of JSON Schema."""


def limits_of(declared: Field | Alias) -> str:
    """All limits of a field or a named type: its own, and those of its items, keys and values."""
    return "; ".join((*_list_words(declared.merge), *_all(declared)))


def limits_of_struct(struct: Struct) -> str:
    """The limits of a struct as a whole and its unions, each a sentence."""
    parts = [f"Limits: {'; '.join(found)}." for found in [list(_words(struct.constraints))] if found]
    return " ".join([*parts, *map(_union, struct.unions)])


def _all(declared: Field | Alias) -> Iterator[str]:
    yield from _words(declared.constraints)
    for which, constraints in (
        ("items", declared.item_constraints),
        ("keys", declared.key_constraints),
        ("values", declared.value_constraints),
    ):
        yield from (f"{which}: {words}" for words in _words(constraints))


def _words(constraints: Constraints) -> Iterator[str]:
    """Yield the limits that always apply; those that depend on a gate or a mode have their condition."""
    for attribute in BOUNDS:
        bound = getattr(constraints, attribute)
        if bound is not None:
            yield f"{_WORDS[attribute]} {_literal(bound.value)}"
    for words, flag in (
        ("items are unique", constraints.unique_items),
        ("immutable", constraints.immutable),
        ("never decreases", constraints.monotonic),
        ("must not be set", constraints.forbidden),
        ("required", constraints.required),
    ):
        if flag is not None and flag.value:
            yield words
    if isinstance(constraints.not_value, Located):
        yield f"not {_literal(constraints.not_value.value)}"
    if constraints.unique_by:
        yield f"items are unique by {_names(constraints.unique_by)}"
    if constraints.update:
        yield f"on update: {_names(constraints.update)}"
    if constraints.requires:
        yield f"requires {_names(constraints.requires)}"
    if constraints.forbids:
        yield f"excludes {_names(constraints.forbids)}"
    yield from map(_rule, constraints.rules)
    for condition, nested in (
        ("if {} is enabled", constraints.if_enabled),
        ("if {} is disabled", constraints.if_disabled),
    ):
        for each in nested:
            when = condition.format(code(each.name.value))
            yield from (f"{when}: {words}" for words in _words(each.constraints))
    for each in constraints.subfields:
        yield from (f"{code(each.name.value)}: {words}" for words in _words(each.constraints))
    for mode in constraints.if_mode:
        for each in mode.modes:
            when = f"if {code(mode.discriminator.value)} is {_literal(each.name.value)}"
            yield from (f"{when}: {words}" for words in list(_words(each.constraints)) or ["allowed"])
    if constraints.enforced_by_hand is not None:
        yield from (f"{words} (enforced by hand-written validation)" for words in _words(constraints.enforced_by_hand))


def _list_words(merge: MergeSpec) -> Iterator[str]:
    """Yield the merge strategies of lists and maps, which also determine the identity of items."""
    if merge.list_type is not None:
        keys = f" with {'keys' if len(merge.list_map_keys) > 1 else 'key'} {_names(merge.list_map_keys)}"
        yield f"list type {code(merge.list_type.value)}{keys if merge.list_map_keys else ''}"
    map_type = merge.map_type or merge.struct_type
    if map_type is not None:
        yield f"map type {code(map_type.value)}"


def _union(union: Union) -> str:
    """A union as a sentence."""
    count = "At most one" if union.optional or union.empty else "Exactly one"
    members = ", ".join(
        code(member.json_name)
        + (f" ({_literal(member.value)})" if union.discriminator is not None and member.value is not None else "")
        for member in union.members
    )
    chosen = f", chosen by {code(union.discriminator)}" if union.discriminator is not None else ""
    empty = f"; none if it is {', '.join(map(_literal, union.empty))}" if union.empty else ""
    return f"{count} of {members} is set{chosen}{empty}."


def _rule(rule: RuleSpec) -> str:
    """A CEL rule, by its message if it has one."""
    expression = _literal(rule.rule.value)
    return f"rule {expression}" if rule.message is None else f"rule {expression} ({text(rule.message.value)})"


def _literal(value: object) -> str:
    """Return a literal as code: strings without quotes, except for the empty one."""
    return code(value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False))


def _names(names: Iterable[Located[str]]) -> str:
    return ", ".join(code(name.value) for name in names)
