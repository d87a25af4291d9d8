"""A kind's `strategy:`: generation, fields that operations keep and reset, hooks."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.language.condition_reader import CONDITION
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet, Part
from apigen.language.model import (
    ExceptionSpec,
    GateSpec,
    GenerationSpec,
    Items,
    LiteralNode,
    Located,
    OperationSpec,
    StrategySpec,
)
from apigen.language.nodes import Entry, Mapping, Node, Scalar
from apigen.language.paths import Path
from apigen.language.readers.gates import GATE
from apigen.language.shapes import ByForm, Definitions, ListOf, Schema, Shape, map_of, mapped
from apigen.language.words import COUNT, LITERAL, PATH, PATHS, TEXTS, Choice, read_path

_NONE = "none"


class StartShape(Shape[Located[int | None]]):
    """A number, or `none`."""

    expected = "`none` or an integer of at least 0"

    def read(self, node: Node, context: Context) -> Located[int | None] | None:
        if isinstance(node, Scalar) and node.value == _NONE:
            return Located(None, node.place)
        if not isinstance(node, Scalar) or not isinstance(node.value, int):
            context.mismatch(node, self.expected)
            return None
        number = COUNT.read(node, context)
        return None if number is None else Located(number.value, number.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [COUNT.schema(definitions), {"enum": [_NONE]}]}


def _declared(word: str) -> Shape[bool]:
    """Return the shape of an option that is declared by a word."""
    return mapped(Choice(word), lambda *_: True)


_START = Key("start", StartShape(), "The generation of a new object; `none` keeps the submitted one.")
_AT_LEAST = Key("atLeast", COUNT, "The minimum for a new object, instead of `start`.")
_CHANGES = Part(
    GenerationSpec,
    (
        Key("bump", PATHS, "A change below one of these paths increases the generation."),
        Key("before", _declared("drop"), "Compare before gated fields are dropped.", to="before_drop"),
        Key("equality", _declared("exact"), "Treat unset and empty as different.", to="exact"),
        Key("from", _declared("new"), "Increase the number of the submitted object.", to="from_new"),
    ),
)
_GENERATION = Keys("generation", "the generation", (_START, _AT_LEAST, *_CHANGES.keys))


def _generation(found: Found, _: object, context: Context) -> GenerationSpec:
    if found.is_written(_START) and found.is_written(_AT_LEAST):
        context.error("AG0212", found.place_of(_AT_LEAST), "a new object has `start` or `atLeast`, not both")
    start, at_least = found.get(_START), found.get(_AT_LEAST)
    first = at_least.value if at_least is not None else 1 if start is None else start.value
    return _CHANGES.of(found, start=first, at_least=at_least is not None)


def _at(path: Scalar, value: LiteralNode, context: Context) -> tuple[Path, LiteralNode] | None:
    read = read_path(path, context)
    return None if read is None else (read, value)


def _items_at(path: Scalar, value: LiteralNode, context: Context) -> tuple[Path, LiteralNode] | None:
    if not isinstance(value, Items) or not value.items:
        context.error("AG0210", value.place, "expected a list of values with at least one element")
        return None
    return _at(path, value, context)


_RESET = Key("reset", PATHS, "The fields that are cleared.")
_KEEP = Key("keep", PATHS, "The fields that keep their value from the old object.")
_EXCEPT_PATH = Key("path", PATH, "What changes.", required=True)
_EXCEPTION = Keys("exception", "an exception", (_EXCEPT_PATH, GATE))


def _exception(found: Found, node: Node, _: Context) -> ExceptionSpec | None:
    path, joined = found.get(_EXCEPT_PATH), found.get(GATE)
    if path is None:
        return None
    return ExceptionSpec(path, None if joined is None else GateSpec(joined[1], joined[0], node.place))


_EXCEPTIONS = ListOf(
    ByForm(
        "a path or `{path: …, gate: Name}`",
        scalar=mapped(PATH, lambda path, *_: ExceptionSpec(path)),
        mapping=mapped(_EXCEPTION, _exception),
    ),
    "a list of paths",
)
_EXCEPT = Key("except", _EXCEPTIONS, "Exceptions below `keep`; on create, exceptions below `reset`.", to="except_")
_FILL = Key("fill", PATHS, "The fields that are copied from the old object if they are omitted.")
_SET = Key(
    "set",
    map_of(LITERAL, _at, "a mapping from paths to values"),
    "The fields that are always set to a value.",
    to="sets",
)
_ADD = Key(
    "add",
    map_of(LITERAL, _items_at, "a mapping from paths to lists"),
    "The elements that are added to lists if they are missing.",
    to="adds",
)
_WHEN = Key("when", CONDITION, "The condition of all of this, on the submitted object and gates.")
_NO_OLD = "there is no old object"
_CREATE = Keys(
    "createOperation",
    "`create`",
    (_RESET, _EXCEPT, _SET, _ADD, _WHEN),
    elsewhere={key.name: _NO_OLD for key in (_KEEP, _FILL)},
)
_CHANGE = Keys("operation", "an operation", (_KEEP, _EXCEPT, _RESET, _FILL, _SET, _ADD, _WHEN))


_OPERATION = Part(OperationSpec, _CHANGE.keys)


def _change(name: Scalar, found: Found, context: Context) -> tuple[str, OperationSpec]:
    if found.is_written(_EXCEPT) and not found.is_written(_KEEP):
        context.error("AG0212", found.place_of(_EXCEPT), "`except` needs `keep`")
    return name.text, _OPERATION.of(found, place=name.place)


GENERATION = Key(
    "generation",
    ByForm(
        "`none` or a mapping",
        scalar=mapped(Choice("none"), lambda *_: GenerationSpec(none=True, start=None)),
        mapping=mapped(_GENERATION, _generation),
    ),
    "When `metadata.generation` increases.",
)


def _counter(path: Scalar, counter: GenerationSpec, context: Context) -> tuple[Path, GenerationSpec] | None:
    read = read_path(path, context)
    if read is not None and counter.bump is None:
        context.error("AG0212", path.place, f"`{path.text}` counts changes: declare the counted paths with `bump`")
        return None
    return None if read is None else (read, counter)


COUNTERS = Key(
    "counters",
    map_of(mapped(_GENERATION, _generation), _counter, "a mapping of paths to counters"),
    "Other counters of changes that clients cannot set.",
)
HOOKS = Key("hooks", TEXTS, "Operations after whose generated steps a function of the server runs.")
CREATE = Key("create", _CREATE, "The steps of create; without `reset`, status is cleared.")

_FIXED_KEYS: KeySet = (GENERATION, COUNTERS, HOOKS, CREATE)
_FIXED_NAMES = tuple(key.name for key in _FIXED_KEYS)
_STRATEGY = Part(StrategySpec, (GENERATION, COUNTERS, HOOKS))
_FIXED = Keys("strategy", "a strategy", _FIXED_KEYS)
_OPERATIONS = map_of(_CHANGE, _change, "a mapping of operations")


def _is_operation(name: str, context: Context) -> bool:
    """Return whether a key names an operation and is not one of the fixed keys, or a misspelled one."""
    if name in _FIXED_NAMES:
        return False
    return context.nearest(name, (*_FIXED_NAMES, "update")) in (None, "update")


def _partition(entries: Iterable[Entry], context: Context) -> tuple[list[Entry], list[Entry]]:
    """The entries with fixed keys, and those of operations."""
    parts: tuple[list[Entry], list[Entry]] = ([], [])
    for entry in entries:
        parts[_is_operation(entry.key.text, context)].append(entry)
    return parts


class StrategyShape(Shape[StrategySpec]):
    """A strategy. Keys other than the fixed ones are operations: `update`, `status` and each other subresource."""

    expected = "a mapping"

    def read(self, node: Node, context: Context) -> StrategySpec | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected)
            return None
        fixed, operations = _partition(node.entries, context)
        found = _FIXED.read(node._replace(entries=fixed), context)
        changes = _OPERATIONS.read(node._replace(entries=operations), context)
        if found is None or changes is None:
            return None
        create = found.get(CREATE)
        if create is not None:
            changes = (("create", _OPERATION.of(create, place=found.place_of(CREATE))), *changes)
        return _STRATEGY.of(found, operations=changes)

    def schema(self, definitions: Definitions) -> Schema:
        _FIXED.schema(definitions)
        definitions[_FIXED.name]["additionalProperties"] = _CHANGE.schema(definitions)
        return {"$ref": f"#/$defs/{_FIXED.name}"}


STRATEGY = StrategyShape()
"""A kind's `strategy:`."""
