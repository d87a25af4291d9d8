"""Slots: the type and the constraints of values, from their schema."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.language.nodes import Mapping, Node, Sequence
from apigen.language.nodes import Scalar as ScalarNode
from apigen.review.sources.schemas import branches as branching
from apigen.review.sources.schemas import constraints as bounds
from apigen.review.sources.schemas.constraints import report_misshapen
from apigen.review.sources.schemas.disjoint import Resolved, one_type
from apigen.review.sources.schemas.enums import enum_of, is_null, is_scalar_enum, lists_null
from apigen.review.sources.schemas.flattening import INT_OR_STRING, flattened
from apigen.review.sources.schemas.merging import merge_of
from apigen.review.sources.schemas.scope import References, Scope
from apigen.review.sources.schemas.structs import Structs
from apigen.review.sources.schemas.words import Words, entries_of, is_true, items_of, text, text_of, texts
from apigen.review.surface import (
    Alias,
    Constraint,
    Constraints,
    Default,
    Enum,
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
)

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
        self.structs = Structs(scope, self.slot)

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
            merge=merge_of(words),
            branches=tuple(branching.branches_of(words, path, self, type_)),
            doc=_doc(words),
        )

    def _typed(self, words: Words) -> Words:
        """The words, with the type of a schema that names none, where its alternatives leave but one."""
        if words.keys() & {"type", "$ref", "enum", "const"}:
            return words
        for keyword in ("anyOf", "oneOf"):
            items = items_of(words, keyword)
            name = one_type(items, self.references) if len(items) > 1 else None  # a single one is reported as a branch
            if name is not None:
                at = words[keyword]
                return {**words, "type": ScalarNode(name, name, True, at.file, at.line, at.column, 0)}
        return words

    def _boolean(self, node: Node, place: Place) -> Slot:
        if isinstance(node, ScalarNode) and node.value is False:
            return Slot(ANYTHING, place, constraints={Keyword.FORBIDDEN: Constraint(True, place)})
        if not (isinstance(node, ScalarNode) and node.value is True):
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
            return lists_null(words) and (is_named or is_anything)
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
        said = _type_names(words)
        if len(said) == 1:
            return self._single(said[0], words, path, place)
        names = [name for name in said if name != "null"] or list(said[:1])
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
        return self.structs.struct(words, path, place)

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
        found = dict(bounds.constraints_of(words, self.scope.complain))
        if "string" in _type_names(words) and self.scope.dialect.ignores(text(words, "format") or ""):
            found.pop(Keyword.FORMAT, None)
        if type_ == ANYTHING:
            found |= self._only(words)
        if (
            self.scope.dialect.is_empty_enum_said
            and isinstance(words.get("enum"), Sequence)
            and not items_of(words, "enum")
        ):
            found[Keyword.FORBIDDEN] = Constraint(True, words["enum"].place)
        if not found:
            return found
        fitting = _fitting(type_, _type_names(words), is_enum=is_scalar_enum(words))
        wrong = [keyword for keyword in found if keyword in _TYPED and keyword not in fitting]
        for keyword in wrong:
            if not (
                keyword is Keyword.FORMAT
                and text(words, "format") in (*_INTEGERS, *_NUMBERS, *self.scope.dialect.formats)
            ):
                self.scope.complain(
                    words.get(keyword.value, words["type"]), f"`{keyword.value}` has no effect on {type_}"
                )
        return {keyword: value for keyword, value in found.items() if keyword not in wrong}

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
    said = (slot.nullable, slot.default, slot.constraints, slot.rules, slot.branches)
    return not any(said) and slot.merge == Merge()
