"""Slots: the type, the constraints and the nested schemas of values, from their schema.

A nested schema (an alternative, a condition, a pattern of names) is a branch. It is identified by its content, or by the
part that distinguishes it from others, never by its position. If a looser branch makes the whole schema stricter (`not`,
`if`, alternatives that may overlap), what it refers to belongs to its content, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.inputs.schemas import constraints as bounds
from apigen.inputs.schemas.bases import Bases
from apigen.inputs.schemas.constraints import report_misshapen
from apigen.inputs.schemas.disjoint import Resolved, distinction, is_object, label_of, one_type
from apigen.inputs.schemas.flattening import flattened
from apigen.inputs.schemas.scope import References, Scope, member_path
from apigen.inputs.schemas.words import (
    Words,
    entries_of,
    is_false,
    is_null,
    is_schema,
    is_true,
    items_of,
    text,
    text_node,
    text_of,
    texts,
    words_of,
)
from apigen.ir.model import NO_LIFECYCLE, Lifecycle
from apigen.ir.surface import (
    Alias,
    Branch,
    Constraint,
    Constraints,
    Default,
    Discriminator,
    Enum,
    EnumValue,
    Field,
    Keyword,
    ListOf,
    MapOf,
    Merge,
    Named,
    Scalar,
    Scalars,
    Several,
    Slot,
    Struct,
    Type,
    TypeDef,
    TypeName,
    UnknownFields,
)
from apigen.language.nodes import Mapping, Node, Sequence
from apigen.language.nodes import Scalar as ScalarNode
from apigen.runtime.structural.nodes import EMBEDDED, INT_OR_STRING, PRESERVE

_STRING = Scalar(Scalars.STRING)
_DEPRECATED = Lifecycle(is_deprecated=True)


def _needs(words: Words) -> dict[str, Constraint]:
    """Return the properties that each property requires, by `dependentRequired` and lists in `dependencies`; known properties
    only.
    """
    entries = (*entries_of(words, "dependentRequired"), *entries_of(words, "dependencies"))
    if not entries:
        return {}
    known = {entry.key.text for entry in entries_of(words, "properties")}
    needed: dict[str, Constraint] = {}
    for key, node in entries:
        if key.text in known and isinstance(node, Sequence):
            names = {item.value for item in node.items if isinstance(item, ScalarNode) and isinstance(item.value, str)}
            if names:
                needed[key.text] = Constraint(tuple(sorted(names)), key.place)
    return needed


MAY_OVERLAP = "oneOf (may overlap)"
"""The keyword of the alternatives of `oneOf` where a value might match two of them, and is rejected then."""

_NEXT_TO_REFERENCES = (
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "items",
    "prefixItems",
    "enum",
)
_CONDITION = ("if", "then", "else")
_CONTAINS = ("contains", "minContains", "maxContains")
_OF_VALUES = (
    "title",
    "description",
    "$comment",
    "examples",
    "example",
    "externalDocs",
    "deprecated",
    "xml",
    "discriminator",
)
_OF_DOCUMENTS = ("$schema", "$id", "id", "$anchor", "$defs", "$vocabulary", "$dynamicAnchor", "$recursiveAnchor")
_WITHOUT_CONDITIONS = frozenset((*_OF_VALUES, *_OF_DOCUMENTS, "definitions", "default"))
"""Keywords that do not affect which values the schema around them accepts."""

_READ = frozenset(
    (
        *("type", "nullable", "enum", "default", "properties", "required", "items", "additionalItems", "prefixItems"),
        *("additionalProperties", "patternProperties", "propertyNames", "dependencies", "dependentRequired"),
        *("dependentSchemas", "allOf", "anyOf", "oneOf", "not", "definitions", "$ref", "x-kubernetes-int-or-string"),
        *(PRESERVE, EMBEDDED, bounds.RULES),
        *(*_CONDITION, *_CONTAINS, *_OF_VALUES, *_OF_DOCUMENTS, *bounds.OF_MERGING, *bounds.WORDS),
    )
)


def branches_of(words: Words, path: str, slots: Slots, type_: Type) -> Iterator[Branch]:
    """The branches of a schema, without those that its type has taken up."""
    if not words.keys() <= _PLAIN:
        branches = _Branches(words, path, slots)
        yield from branches.alternatives()
        yield from branches.conditions()
        yield from branches.members()
        yield from branches.elements()
        yield from branches.others()
        named = slots.scope.types.get(type_.name.name) if isinstance(type_, Named) else None
        if "$ref" not in words and not isinstance(named, Enum):  # an `enum` that does not become a type
            items = items_of(words, "enum")
            yield from (Branch("enum", label_of(text_of(item)), Slot(ANYTHING, item.place)) for item in items)


_PLAIN = _READ - {
    *("items", "additionalItems", "prefixItems", "additionalProperties", "patternProperties", "propertyNames"),
    *("dependencies", "dependentRequired", "dependentSchemas", "allOf", "anyOf", "oneOf", "not", "definitions", "$ref"),
    *(*_CONDITION, *_CONTAINS, "enum"),
}
"""Words that never make a branch."""


class _Branches:
    def __init__(self, words: Words, path: str, slots: Slots) -> None:
        self._words = words
        self._has_fields = path in slots.scope.bases and slots.bases.are_inlined(words)
        self._path = path
        self._slots = slots

    def alternatives(self) -> Iterator[Branch]:
        for item in items_of(self._words, "allOf"):
            branch = self._opaque("allOf", item)
            yield replace(branch, is_inlined=True) if self._has_fields and "$ref" in words_of(item) else branch
        for keyword in ("anyOf", "oneOf"):
            items = items_of(self._words, keyword)
            is_certain, names = distinction(items, self._slots.references)
            if keyword == "oneOf" and items and not is_certain:
                yield from _numbered(self._opaque(MAY_OVERLAP, item, resolved=True) for item in items)
            elif names:  # the property that distinguishes an alternative is its label, so that its content is compared
                for name, item in zip(names, items, strict=True):
                    path = f"{self._path}({keyword}[{name}])"
                    yield Branch(keyword, name, self._slots.slot(item, path, item.place))
            else:
                yield from (self._opaque(keyword, item) for item in items)

    def conditions(self) -> Iterator[Branch]:
        if "not" in self._words:
            yield self._opaque("not", self._words["not"], resolved=True)
        for names in (_CONDITION, _CONTAINS):
            found = [name for name in names if name in self._words]
            if names[0] in found:
                for name in found:
                    if name in _CONDITION or name == "contains":
                        self._check(self._words[name])
                parts = [self._slots.resolved.content_of(self._words[name]) for name in found]
                content = ", ".join(
                    (parts[0], *(f"{name}: {part}" for name, part in zip(found[1:], parts[1:], strict=True)))
                )
                yield self._branch(names[0], content, tuple(self._words[name] for name in found))

    def members(self) -> Iterator[Branch]:
        additional = self._words.get("additionalProperties")
        properties, patterns = (entries_of(self._words, name) for name in ("properties", "patternProperties"))
        is_map = not _has_members(self._words)
        for key, node in patterns:
            slot = self._slots.slot(node, f"{self._path}(patternProperties[{key.text}])", key.place)
            yield Branch("patternProperties", key.text, slot)
        if isinstance(additional, Mapping) and additional.entries:
            if not is_map:
                slot = self._slots.slot(additional, f"{self._path}{{}}", additional.place)
                # with another declared property, it is another condition
                names = ", ".join(sorted(key.text for key, _ in (*properties, *patterns)))
                yield Branch("additionalProperties", label_of(f"of all but {names}") if names else "", slot)
        else:
            is_map = False
        if "propertyNames" in self._words and not is_map:
            yield self._opaque("propertyNames", self._words["propertyNames"])
        yield from self._dependencies()

    def _dependencies(self) -> Iterator[Branch]:
        known = {entry.key.text for entry in entries_of(self._words, "properties")}
        for keyword in ("dependencies", "dependentRequired", "dependentSchemas"):
            for key, node in entries_of(self._words, keyword):
                if not (isinstance(node, Sequence) and key.text in known):
                    if not isinstance(node, Sequence):
                        self._check(node)
                    yield self._branch(
                        keyword, f"{key.text}: {self._slots.resolved.content_of(node, always=False)}", (node,)
                    )

    def elements(self) -> Iterator[Branch]:
        for keyword in ("prefixItems", "items"):
            for index, item in enumerate(items_of(self._words, keyword)):
                yield Branch("items", str(index), self._slots.slot(item, f"{self._path}[{index}]", item.place))

    def others(self) -> Iterator[Branch]:
        if "$ref" in self._words and any(name in self._words for name in _NEXT_TO_REFERENCES):
            siblings = {name: self._words[name] for name in _NEXT_TO_REFERENCES if name in self._words}
            yield Branch("allOf", "", self._slots.slot_of(siblings, f"{self._path}(allOf)", self._words["$ref"].place))
        reference, references = text(self._words, "$ref"), self._slots.references
        if reference and references.has_any and references.name(reference, self._words["$ref"]) is None:
            yield Branch("$ref", reference, Slot(ANYTHING, self._words["$ref"].place))
        for key, node in entries_of(self._words, "definitions"):
            if not self._slots.references.has_any:
                yield self._branch(
                    "definitions", f"{key.text}: {self._slots.resolved.content_of(node, always=False)}", (node,)
                )
        for keyword, node in self._words.items():
            if keyword.startswith("unevaluated"):
                self._check(node)
                yield Branch(keyword, label_of(self._content()), Slot(ANYTHING, node.place))
            elif keyword not in _READ:
                yield Branch(keyword, label_of(text_of(node)), Slot(ANYTHING, node.place))

    def _content(self) -> str:
        """Return the content of the whole schema: unevaluated properties and items depend on all of it."""
        names = (name for name in sorted(self._words) if name not in _WITHOUT_CONDITIONS)
        return ", ".join(f"{name}: {self._slots.resolved.content_of(self._words[name])}" for name in names)

    def _check(self, node: Node) -> None:
        """Report a node that is not a schema; it is compared as written."""
        if not is_schema(node):
            self._slots.scope.complain(node, "this is not a schema")

    def _opaque(self, keyword: str, node: Node, *, resolved: bool = False) -> Branch:
        self._check(node)
        return self._branch(keyword, self._slots.resolved.content_of(node, always=resolved), (node,))

    def _branch(self, keyword: str, content: str, nodes: tuple[Node, ...]) -> Branch:
        """A branch whose inside is not compared, but for the types that it refers to."""
        names = sorted({name for node in nodes for name in self._slots.resolved.names(node)})
        types = tuple(Named(self._slots.scope.name(name)) for name in names)
        is_one = len(types) == 1 and isinstance(nodes[0], Mapping) and len(nodes[0].entries) == 1
        type_ = types[0] if is_one else Several((ANYTHING, *types)) if types else ANYTHING
        return Branch(keyword, label_of(content), Slot(type_, nodes[0].place))


def _numbered(branches: Iterator[Branch]) -> Iterator[Branch]:
    """Return branches with distinct labels: a schema that `oneOf` lists twice never matches exactly once."""
    seen: dict[str, int] = {}
    for branch in branches:
        seen[branch.label] = seen.get(branch.label, 0) + 1
        count = seen[branch.label]
        yield branch if count == 1 else Branch(branch.keyword, f"{branch.label} #{count}", branch.slot)


ANYTHING = Scalar(Scalars.ANYTHING)
_INTEGERS = {"int32": Scalars.INT32, "int64": Scalars.INT64}
_NUMBERS = {"float": Scalars.FLOAT32, "double": Scalars.FLOAT64}
_TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
_OF_OBJECTS = ("properties", "required", "patternProperties", "additionalProperties")


class Slots:
    """Makes places for values of schemas; the types that these need go to the scope."""

    def __init__(self, scope: Scope, references: References) -> None:
        self.scope = scope
        self.references = references
        self.resolved = Resolved(references)
        self.bases = Bases(references)

    def slot(self, node: Node, path: str, place: Place) -> Slot:
        """Return the slot of a schema. `path` is the name of its type, if it needs one."""
        self.scope.keep(path, node)
        if not isinstance(node, Mapping):
            return self._boolean(node, place)
        words = flattened(node)
        report_misshapen(words, self.scope.complain)
        return self.slot_of(self._typed(words), path, place)

    def slot_of(self, words: Words, path: str, place: Place) -> Slot:
        """Return the slot for the keywords of a schema, after normalization."""
        nullable = self._nullable(words)
        type_ = self._type(words, path, place, nullable=nullable)
        if type_ == ANYTHING and self.scope.dialect.is_null_anything and not items_of(words, "enum"):
            nullable = "const" not in words or is_null(words["const"])
        return Slot(
            type=type_,
            place=place,
            nullable=nullable,
            default=self._default(words),
            constraints=self._constraints(words, type_),
            rules=bounds.rules_of(words, self.scope.complain),
            merge=bounds.merge_of(words),
            branches=tuple(branches_of(words, path, self, type_)),
            doc=_doc(words),
            discriminator=_discriminator(words),
        )

    def _typed(self, words: Words) -> Words:
        """The words, with the type of a schema that names none, where its alternatives leave but one."""
        if words.keys() & {"type", "$ref", "enum", "const"}:
            return words
        if any(is_object(each, self.references) for each in items_of(words, "allOf")):
            return {**words, "type": text_node("object", words["allOf"])}
        for keyword in ("anyOf", "oneOf"):
            items = items_of(words, keyword)
            name = one_type(items, self.references) if len(items) > 1 else None  # a single one is reported as a branch
            if name is not None:
                return {**words, "type": text_node(name, words[keyword])}
        return words

    def _boolean(self, node: Node, place: Place) -> Slot:
        if isinstance(node, ScalarNode) and node.value is False:
            return Slot(ANYTHING, place, constraints={Keyword.FORBIDDEN: Constraint(True, place)})
        if not is_schema(node):
            self.scope.complain(node, "this is not a schema; any value counts as valid")
        return self.scope.anything(place)

    def _nullable(self, words: Words) -> bool:
        """Return whether `null` is accepted in addition to the values of the type."""
        names = _type_names(words)
        is_named = is_true(words, "nullable") or ("null" in names and len(names) > 1)
        if "enum" not in words and "const" not in words:
            return is_named
        if is_scalar_enum(words) and "$ref" not in words:
            is_anything = self.scope.dialect.is_null_anything and (not names or "null" in names)
            return any(map(is_null, items_of(words, "enum"))) and (is_named or is_anything)
        if "const" in words and self.scope.dialect.is_null_anything and "$ref" not in words:
            return is_named and is_null(words["const"])
        return is_named

    def _type(self, words: Words, path: str, place: Place, *, nullable: bool) -> Type:
        reference = text(words, "$ref")
        if reference is not None:
            name = self.references.name(reference, words["$ref"])
            return ANYTHING if name is None else Named(self.scope.name(name))
        type_ = self._written_type(words, path, place)
        if is_scalar_enum(words) and _is_scalar(type_) and _type_names(words) != ("null",):
            enum = enum_of(words, type_, self.scope.name(path), place, nullable=nullable)
            if enum is None:
                return ANYTHING
            self.scope.types[path] = enum
            return Named(enum.name)
        return type_

    def _written_type(self, words: Words, path: str, place: Place) -> Type:
        if is_true(words, INT_OR_STRING):
            return Scalar(Scalars.INT_OR_STRING)
        type_names = _type_names(words)
        if len(type_names) == 1:
            return self._single(type_names[0], words, path, place)
        names = [name for name in type_names if name != "null"] or list(type_names[:1])
        inner = path if len(names) == 1 else f"{path}(object)"  # the name of the whole is that of all types together
        types = tuple(self._single(name, words, inner, place) for name in names) or tuple(
            self._untyped(words, path, place)
        )
        if len(types) == 1:
            return types[0]
        return Several(tuple(sorted(types, key=str))) if types else ANYTHING

    def _untyped(self, words: Words, path: str, place: Place) -> Iterator[Type]:
        """Return the types of a schema without `type`: all types, if it constrains objects or lists."""
        is_object = any(name in words for name in _OF_OBJECTS)
        is_list = "items" in words or "prefixItems" in words
        if not is_object and not is_list:
            yield ANYTHING
            return
        yield from (Scalar(name) for name in (Scalars.BOOL, Scalars.NULL, Scalars.NUMBER, Scalars.STRING))
        yield self._list(words, path, place) if is_list else ListOf(self.scope.anything(place))
        yield self._object(words, f"{path}(object)", place)

    def _single(self, name: str, words: Words, path: str, place: Place) -> Type:
        format_ = text(words, "format") or ""
        match name:
            case "object":
                return self._object(words, path, place)
            case "array":
                return self._list(words, path, place)
            case "string":
                return Scalar(self.scope.dialect.formats.get(format_, Scalars.STRING))
            case "integer":
                return Scalar(_INTEGERS.get(format_, Scalars.INTEGER))
            case "number":
                return Scalar(_NUMBERS.get(format_, Scalars.NUMBER))
            case "boolean":
                return Scalar(Scalars.BOOL)
            case "null":
                return ANYTHING
        self.scope.complain(words["type"], f"`{name}` is not a type ({', '.join(_TYPES)}); any value counts as valid")
        return ANYTHING

    def _object(self, words: Words, path: str, place: Place) -> Type:
        additional = words.get("additionalProperties")
        if isinstance(additional, Mapping) and additional.entries and not _has_members(words):
            value = self.slot(additional, f"{path}{{}}", additional.place)
            return MapOf(self._key(words, path, place), value)
        return self._struct(words, path, place)

    def _struct(self, words: Words, path: str, place: Place) -> Type:
        """The struct of an object's words; it is added to the scope."""
        required = {item.value: item for item in items_of(words, "required") if isinstance(item, ScalarNode)}
        fields = {field.name: field for field in self._fields(words, path, frozenset(map(str, required)))}
        for name, item in required.items():
            if isinstance(name, str) and name not in fields:
                any_value = self.scope.anything(item.place)
                fields[name] = Field(name, any_value, item.place, required=True, is_defined=False)
        if is_true(words, EMBEDDED):
            self.add_object_fields(fields, path, place, required=True)
        name_ = self.scope.name(path)
        patterns = tuple(key.text for key, _ in entries_of(words, "patternProperties"))
        slot = Slot(Named(name_), place)
        struct = Struct(name_, fields, slot, place, unknown=self._unknown(words), patterns=patterns)
        self.scope.types[path] = struct
        if bases := tuple(self.bases.of(words)):
            self.scope.bases[path] = bases
        return Named(name_)

    def add_object_fields(self, fields: dict[str, Field], path: str, place: Place, *, required: bool) -> None:
        """Add `apiVersion`, `kind` and `metadata`, which every object has even if its schema does not declare them."""
        for name in ("apiVersion", "kind"):
            fields.setdefault(name, Field(name, Slot(_STRING, place), place, required=required))
        metadata = fields.get("metadata")
        inner = f"{path}.metadata"
        known = self.scope.types.get(inner)
        members = dict(known.fields) if isinstance(known, Struct) else {}
        for name in ("name", "generateName"):
            members.setdefault(name, Field(name, Slot(_STRING, place), place))
        name_ = self.scope.name(inner)
        at = metadata.place if metadata is not None else place
        self.scope.types[inner] = Struct(name_, members, Slot(Named(name_), at), at, unknown=UnknownFields.KEPT)
        if metadata is None:
            fields["metadata"] = Field("metadata", Slot(Named(name_), place), place)

    def _fields(self, words: Words, path: str, required: frozenset[str]) -> Iterator[Field]:
        needs = _needs(words)
        for key, node in entries_of(words, "properties"):
            slot = self.slot(node, member_path(path, key.text), key.place)
            if key.text in needs:
                slot = replace(slot, constraints={**slot.constraints, Keyword.REQUIRES: needs[key.text]})
            yield Field(
                name=key.text,
                slot=slot,
                place=key.place,
                required=key.text in required,
                lifecycle=_DEPRECATED if is_true(words_of(node), "deprecated") else NO_LIFECYCLE,
            )

    def _unknown(self, words: Words) -> UnknownFields:
        additional = words.get("additionalProperties")
        if is_false(words, "additionalProperties"):
            return UnknownFields.REJECTED
        if is_true(words, PRESERVE):
            return UnknownFields.KEPT
        if additional is not None:
            is_emptied = self.scope.dialect.unknown is UnknownFields.DROPPED and is_true(words, "additionalProperties")
            return UnknownFields.EMPTIED if is_emptied else UnknownFields.KEPT
        return self.scope.dialect.unknown

    def _key(self, words: Words, path: str, place: Place) -> Slot:
        names = words.get("propertyNames")
        if isinstance(names, Mapping):
            key = self.slot(names, f"{path}{{key}}", names.place)
            return key if key.type != ANYTHING else Slot(Scalar(Scalars.STRING), key.place, constraints=key.constraints)
        return Slot(Scalar(Scalars.STRING), place)

    def _list(self, words: Words, path: str, place: Place) -> Type:
        node = words.get("items")
        if isinstance(node, Sequence):
            node = words.get("additionalItems")
        if node is None:
            return ListOf(self.scope.anything(place))
        return ListOf(self.slot(node, f"{path}[]", node.place))

    def _constraints(self, words: Words, type_: Type) -> Constraints:
        constraints = dict(bounds.constraints_of(words, self.scope.complain))
        if "string" in _type_names(words) and self.scope.dialect.ignores(text(words, "format") or ""):
            constraints.pop(Keyword.FORMAT, None)
        if type_ == ANYTHING:
            constraints |= self._only(words)
        if (
            self.scope.dialect.keeps_empty_enum
            and isinstance(words.get("enum"), Sequence)
            and not items_of(words, "enum")
        ):
            constraints[Keyword.FORBIDDEN] = Constraint(True, words["enum"].place)
        if not constraints:
            return constraints
        fitting = _fitting(type_, _type_names(words), is_enum=is_scalar_enum(words))
        wrong = [keyword for keyword in constraints if keyword in _TYPED and keyword not in fitting]
        for keyword in wrong:
            if not (
                keyword is Keyword.FORMAT
                and text(words, "format") in (*_INTEGERS, *_NUMBERS, *self.scope.dialect.formats)
            ):
                self.scope.complain(
                    words.get(keyword.value, words["type"]), f"`{keyword.value}` has no effect on {type_}"
                )
        return {keyword: value for keyword, value in constraints.items() if keyword not in wrong}

    def _only(self, words: Words) -> Constraints:
        """Return whether the type and the `enum` together allow only `null` or no value."""
        place = next(iter(words.values()), None)
        if place is None or "$ref" in words:
            return {}
        if is_scalar_enum(words):
            is_one = self._nullable(words)
        elif _type_names(words) == ("null",):
            is_one = True
        else:
            return {}
        if is_one:
            return {Keyword.CONST: Constraint("null", place.place)}
        return {Keyword.FORBIDDEN: Constraint(True, place.place)}

    def _default(self, words: Words) -> Default | None:
        node = words.get("default")
        if node is None:
            return None
        return Default(text_of(node), node.place, is_read_time=self.scope.dialect.fills_defaults)


_TYPED = bounds.NUMBERS | bounds.TEXTS | bounds.LISTS | bounds.OBJECTS
_OF_TYPES = {
    "object": bounds.OBJECTS,
    "array": bounds.LISTS,
    "string": bounds.TEXTS,
    "integer": bounds.NUMBERS | {Keyword.FORMAT},
    "number": bounds.NUMBERS | {Keyword.FORMAT},
}


def _fitting(type_: Type, names: tuple[str, ...], *, is_enum: bool) -> frozenset[Keyword]:
    """Return the keywords that constrain the values of a type."""
    if type_ == Scalar(Scalars.INT_OR_STRING):
        return bounds.NUMBERS | bounds.TEXTS
    if not names:
        return _TYPED
    fitting = frozenset[Keyword]().union(*(_OF_TYPES.get(name, frozenset()) for name in names))
    known = isinstance(type_, Scalar) and type_.name not in (Scalars.STRING, Scalars.INTEGER, Scalars.NUMBER)
    return fitting - {Keyword.FORMAT} if known and not is_enum else fitting


def _is_scalar(type_: Type) -> bool:
    return all(map(_is_scalar, type_.types)) if isinstance(type_, Several) else isinstance(type_, Scalar)


def _type_names(words: Words) -> tuple[str, ...]:
    name = text(words, "type")
    return (name,) if name is not None else texts(words, "type")


def _has_members(words: Words) -> bool:
    members = (*entries_of(words, "properties"), *items_of(words, "required"), *entries_of(words, "patternProperties"))
    return bool(members)


def _doc(words: Words) -> str | None:
    title, description = text(words, "title"), text(words, "description")
    return f"{title}\n\n{description}" if title and description else title or description or None


_SCHEMAS = "#/components/schemas/"
_COMPONENT = re.compile(r"[A-Za-z0-9._-]+")
"""A key of `components` (OpenAPI 3.1, Components Object), which a mapping may use in place of a reference."""


def _discriminator(words: Words) -> Discriminator | None:
    """Return the discriminator of a schema. Entries that map the name of a schema to itself are implied."""
    if "discriminator" not in words:
        return None
    own = words_of(words["discriminator"])
    name = text(own, "propertyName")
    mapping = words_of(own.get("mapping"))
    written = ((value, text(mapping, value) or "") for value in sorted(mapping))
    references = ((value, f"{_SCHEMAS}{to}" if _COMPONENT.fullmatch(to) else to) for value, to in written)
    others = tuple((value, to) for value, to in references if to != f"{_SCHEMAS}{value}")
    return None if name is None else Discriminator(name, others)


def define(name: str, node: Node, place: Place, slots: Slots) -> TypeDef:
    """Add the type of a schema to the scope: a struct or an enum if it is one, else an alias."""
    slot = slots.slot(node, name, place)
    type_name = slots.scope.name(name)
    own = slots.scope.types.get(name) if slot.type == Named(type_name) else None
    if isinstance(own, Struct):
        defined: TypeDef = replace(own, slot=slot)
    elif isinstance(own, Enum) and _says_nothing(slot):
        defined = replace(own, doc=slot.doc)
    elif isinstance(own, Enum):
        values = slots.scope.name(f"{name}(enum)")
        slots.scope.types[values.name] = replace(own, name=values)
        defined = Alias(type_name, replace(slot, type=Named(values)), place)
    else:
        defined = Alias(type_name, slot, place)
    slots.scope.types[name] = defined
    return defined


def _says_nothing(slot: Slot) -> bool:
    """Return whether a slot declares only its type."""
    declarations = (slot.nullable, slot.default, slot.constraints, slot.rules, slot.branches)
    return not any(declarations) and slot.merge == Merge()


_INTEGRAL = frozenset({Scalars.INTEGER, Scalars.INT32, Scalars.INT64})
_TEXT = frozenset({Scalars.STRING, Scalars.BYTES, Scalars.TIME})


def enum_of(words: Words, base: Type, name: TypeName, place: Place, *, nullable: bool) -> Enum | None:
    """Return the enum of a schema whose type is `base`; None if it has no value of this type.

    `null` is not one of its values if the slot is `nullable`. Values other than strings are written as JSON.
    """
    items = [item for item in items_of(words, "enum") if isinstance(item, ScalarNode)]
    items = [item for item in items if not (is_null(item) and nullable) and _fits(item, base)]
    if not items:
        return None
    if base == ANYTHING:
        kinds = {_kind(item) for item in items}
        base = Scalar(kinds.pop()) if len(kinds) == 1 else ANYTHING
    is_text = isinstance(base, Scalar) and base.name in _TEXT
    values: dict[str, EnumValue] = {}
    for item in items:
        written = item.value if is_text and isinstance(item.value, str) else text_of(item)
        values.setdefault(written, EnumValue(written, item.place))
    return Enum(name, values, place, base)


def _fits(item: ScalarNode, base: Type) -> bool:
    """Return whether the values of an enum belong to a type."""
    if isinstance(base, Several):
        return any(_fits(item, each) for each in base.types)
    if not isinstance(base, Scalar) or base.name in (Scalars.ANYTHING, Scalars.INT_OR_STRING):
        return True
    kind = _kind(item)
    if kind is Scalars.NUMBER and isinstance(item.value, float) and item.value.is_integer():
        kind = Scalars.INTEGER
    if kind is Scalars.INTEGER:
        return base.name in _INTEGRAL | {Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64}
    if kind is Scalars.NUMBER:
        return base.name in (Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64)
    return kind is base.name or (kind is Scalars.STRING and base.name in _TEXT)


def is_scalar_enum(words: Words) -> bool:
    """Return whether `enum` lists scalars alone."""
    items = items_of(words, "enum")
    return bool(items) and all(isinstance(item, ScalarNode) for item in items)


def _kind(item: Node) -> Scalars:
    value = item.value if isinstance(item, ScalarNode) else None
    if isinstance(value, bool):
        return Scalars.BOOL
    if isinstance(value, str):
        return Scalars.STRING
    return Scalars.INTEGER if isinstance(value, int) else Scalars.NUMBER if value is not None else Scalars.NULL
