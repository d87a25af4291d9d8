"""A kind's `strategy:`: generation, what operations keep and reset, hooks."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.spec.context import Context
from apigen.spec.keys import Found, Key, Keys, KeySet
from apigen.spec.model import GenerationSpec, OperationSpec, StrategySpec
from apigen.spec.nodes import Entry, Mapping, Node, Scalar
from apigen.spec.shapes import ByForm, Definitions, Schema, Shape, made, map_of
from apigen.spec.words import COUNT, PATHS, TEXTS, Choice

_START = Key("start", COUNT, "The generation of a new object.")
_BUMP = Key("bump", PATHS, "A change below one of these moves the generation on.")
_BEFORE = Key("before", Choice("drop"), "The comparison comes before gated fields are dropped.")
_EQUALITY = Key("equality", Choice("exact"), "Absent and empty are different.")
_GENERATION = Keys("generation", "the generation", (_START, _BUMP, _BEFORE, _EQUALITY))


def _generation(found: Found, *_: object) -> GenerationSpec:
    start = found.get(_START)
    return GenerationSpec(
        start=1 if start is None else start.value,
        bump=found.get(_BUMP),
        before_drop=found.get(_BEFORE) is not None,
        exact=found.get(_EQUALITY) is not None,
    )


def _no_generation(*_: object) -> GenerationSpec:
    return GenerationSpec(none=True, start=None)


_RESET = Key("reset", PATHS, "What is cleared.")
_KEEP = Key("keep", PATHS, "What stays as in the old object.")
_EXCEPT = Key("except", PATHS, "What changes all the same, below what is kept.")
_CREATE = Keys("createOperation", "`create`", (_RESET,), elsewhere={_KEEP.name: "there is no old object"})
_CHANGE = Keys("operation", "an operation", (_KEEP, _EXCEPT), elsewhere={_RESET.name: "it belongs to `create`"})


def _change(name: Scalar, found: Found, context: Context) -> tuple[str, OperationSpec]:
    if found.is_written(_EXCEPT) and not found.is_written(_KEEP):
        context.error("AG0212", found.place_of(_EXCEPT), "`except` needs `keep`")
    return name.text, OperationSpec(place=name.place, keep=found.get(_KEEP), except_=found.some(_EXCEPT))


GENERATION = Key(
    "generation",
    ByForm("`none` or a mapping", scalar=made(Choice("none"), _no_generation), mapping=made(_GENERATION, _generation)),
    "When `metadata.generation` moves.",
)
HOOKS = Key("hooks", TEXTS, "Operations after whose generated steps a function of the server runs.")
CREATE = Key("create", _CREATE, "What is reset on create, besides status.")

_FIXED_KEYS: KeySet = (GENERATION, HOOKS, CREATE)
_FIXED_NAMES = tuple(key.name for key in _FIXED_KEYS)
_FIXED = Keys("strategy", "a strategy", _FIXED_KEYS)
_OPERATIONS = map_of(_CHANGE, _change, "a mapping of operations")


def _is_operation(name: str, context: Context) -> bool:
    """Whether a key names an operation and is not one of the fixed ones, be it misspelt."""
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
            changes = (("create", OperationSpec(place=found.place_of(CREATE), reset=create.get(_RESET))), *changes)
        return StrategySpec(generation=found.get(GENERATION), operations=changes, hooks=found.some(HOOKS))

    def schema(self, definitions: Definitions) -> Schema:
        _FIXED.schema(definitions)
        definitions[_FIXED.name]["additionalProperties"] = _CHANGE.schema(definitions)
        return {"$ref": f"#/$defs/{_FIXED.name}"}


STRATEGY = StrategyShape()
"""A kind's `strategy:`."""
