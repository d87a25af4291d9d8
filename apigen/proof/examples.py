"""Finds objects that show the losses of a proof, and runs them through the generated conversions."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from apigen.build.generated_package.package import import_scheme
from apigen.codegen.backend_input import BackendInput
from apigen.codegen.losses import TESTS, tests_of_losses
from apigen.codegen.pipeline import generate
from apigen.dataclass import dataclass
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.proof import Affected, Lost, Types
from apigen.hub.steps import Loss, Side, Step
from apigen.ir.expressions import EachItem, EachValue, Literal, UnlessNone, unwrapped, variables
from apigen.ir.model import (
    INTEGER_RANGES,
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    enum_of,
    struct_of,
    underlying,
)
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.trial_run import shrunk

TRIES = 600
"""Maximum number of objects that are tried for each loss."""

_OF_FUNCTIONS = (ValueError, ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, RuntimeError)
"""The errors of conversions: errors of the package, which are ValueErrors, and those of hand-written functions on
random objects.
"""

_TOKEN = re.compile(r"[^.\[\]]+|\[[^\]]*\]")
_NEAR, _DEEP = 2, 2
_OF_PATH, _OF_OTHERS = 0.85, 0.35
"""The probabilities that a field on the path to the value is set, and that any other field is."""


@dataclass(frozen=True, slots=True)
class Example:
    """An object of one version before and after the round trip; `error` is why the conversion rejects it instead."""

    before: JsonValue
    after: JsonValue
    error: str = ""


Found = Mapping[tuple[Lost, str], Example]
"""The examples of losses, by the path that the value has in the objects that lose it."""


def examples(backend_input: BackendInput, lost: Sequence[Lost], package: str, handwritten: Path) -> Found:
    """Return an example for each loss, and each path that the value has in a version, that one of some hundred objects shows.

    The conversions are generated into a temporary folder, imported as `package`, the name that
    hand-written functions import, and run, with these functions from the folder `handwritten`. Losses through a second
    hub, and fields that hand-written functions convert, have no example.

    Raises NotImportable or ImportError if a hand-written function imports what does not exist.
    """
    tried = [each for each in lost if each.loss is not None and not each.version.seen_as]
    if not tried:
        return {}
    with tempfile.TemporaryDirectory() as folder, _imported_apart(package, handwritten.name):
        output = Path(folder, "output")
        tests = tests_of_losses(backend_input, ((each.type_plan, each.loss) for each in tried if each.loss is not None))
        for file in (*generate(backend_input, backends=("json", "conversions")), tests):
            path = output / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        scheme, api_error = import_scheme(output, package, handwritten)
        by_loss: dict[tuple[Lost, str], Example] = {}
        for each, test in zip(tried, import_module(f"{package}.{'.'.join(TESTS.parts)}").TESTS, strict=True):
            for affected in each.affected:
                if (each, affected.path) not in by_loss and not affected.version.seen_as:
                    example = _Trial(scheme, api_error, backend_input, each, affected, test).example()
                    if example is not None:
                        by_loss[each, affected.path] = example
    return by_loss


@contextmanager
def _imported_apart(*packages: str) -> Iterator[None]:
    """Import packages temporarily; loaded packages of the same names are restored afterwards."""
    finders = list(sys.meta_path)
    before = _unloaded(packages)
    try:
        yield
    finally:
        _unloaded(packages)
        sys.modules.update(before)
        sys.meta_path[:] = finders


def _unloaded(packages: tuple[str, ...]) -> dict[str, ModuleType]:
    """Unload the modules of some packages, and return them."""
    names = [
        name for name in sys.modules if name.startswith(tuple(f"{each}." for each in packages)) or name in packages
    ]
    return {name: sys.modules.pop(name) for name in names}


class _Trial:
    """The search for an object that shows one loss."""

    def __init__(
        self,
        scheme: Any,
        api_error: type[Exception],
        backend_input: BackendInput,
        lost: Lost,
        affected: Affected,
        test: Callable[[object, object, object], bool],
    ) -> None:
        assert lost.loss is not None
        self._scheme, self._api_error, self._lost, self._loss, self._test = scheme, api_error, lost, lost.loss, test
        self._of = affected
        groups = {group.folder: group for group in backend_input.api.groups}
        ids = (self._of.version, lost.version)
        self._names = {id_: groups[id_.group].api_version(id_.version) for id_ in ids}
        self._objects = _Objects(backend_input.types, lost.loss, Random(0))

    def example(self) -> Example | None:
        """The smallest object that was found; None if no object shows the loss."""
        tokens = _TOKEN.findall(self._of.path)
        head = {"apiVersion": self._names[self._of.version], "kind": self._of.version.name}
        for _ in range(TRIES):
            body = self._objects.holding(StructType(self._of.version), tokens)
            obj: JsonValue = {**(body if isinstance(body, dict) else {}), **head}
            if self._run(obj) is not None:
                return self._run(shrunk(obj, lambda smaller: self._run(smaller) is not None))
        return None

    def _run(self, value: JsonValue) -> Example | None:
        """Return the example for an object; None if it does not show the loss, or has the same loss in conversion to
        the hub alone.
        """
        scheme, to = self._scheme, self._names[self._of.version]
        with suppress(*_OF_FUNCTIONS):
            obj = scheme.from_dict(value, default=False)
            before = scheme.to_dict(obj)
            hub = scheme.convert(obj, "hub") if self._lost.side is Side.HUB else None
            try:
                three = self._three(obj, hub)
                after = scheme.to_dict(scheme.convert(three[-1], to))
            except self._api_error as error:
                return Example(before, None, str(error)) if self._rejects(error, hub or obj) else None
            direct = before if hub is None else scheme.to_dict(scheme.convert(hub, to))
            tokens = _TOKEN.findall(self._of.path)
            if list(_values_at(direct, tokens)) != list(_values_at(after, tokens)) and self._holds(*three):
                return Example(before, after)
        return None

    def _rejects(self, error: Exception, obj: object) -> bool:
        """Return whether a conversion rejects an object for this loss: by its test or, if that needs the result, by
        the path.
        """
        if not self._loss.rejects:
            return False
        if variables(self._loss.test).isdisjoint(("other", "back")):
            return self._holds(obj, None, None)
        return str(getattr(error, "path", "")).endswith(self._lost.place)

    def _three(self, obj: object, hub: object) -> tuple[Any, Any, Any]:
        """Return the object of the test, the object converted from it, and the one converted back."""
        scheme = self._scheme
        if self._lost.side is Side.VERSION:
            hub = scheme.convert(obj, "hub")
            return obj, hub, scheme.convert(hub, self._names[self._of.version])
        converted = scheme.convert(hub, self._names[self._lost.version])
        return hub, converted, scheme.convert(converted, "hub")

    def _holds(self, obj: Any, other: Any, back: Any) -> bool:
        is_version = self._lost.side is Side.VERSION
        roots = ((obj, is_version), (other, not is_version), (back, is_version))
        return bool(
            self._test(
                *(None if root is None else _followed(root, self._lost.chain, in_version) for root, in_version in roots)
            )
        )


def _values_at(tree: JsonValue, tokens: Sequence[str]) -> Iterator[JsonValue]:
    """Yield the values at a path, in all elements of the lists on it."""
    if not tokens:
        yield tree
    elif isinstance(tree, list):
        for item in tree:
            yield from _values_at(item, tokens[1:] if tokens[0].startswith("[") else tokens)
    elif isinstance(tree, dict):
        key = tokens[0].strip("[]")
        for value in [tree[key]] if key in tree else [] if key else tree.values():
            yield from _values_at(value, tokens[1:])


def _followed(root: Any, chain: tuple[Step, ...], in_version: bool) -> Any:
    """Return the value at the end of steps, by the first elements of lists and maps. Raises an error if there is no
    such value.
    """
    for step in chain:
        assert isinstance(step, Move | NamedList)
        for field in step.version if in_version else step.hub:
            root = getattr(root, field.py_name)
        value = EachItem(step.value) if isinstance(step, NamedList) else step.value
        while isinstance(value, EachItem | EachValue | UnlessNone):
            if not isinstance(value, UnlessNone):
                root = next(iter(root.values() if isinstance(root, dict) else root))
            value = unwrapped(value)
    return root


class _Objects:
    """Generates JSON values: the constants of a loss and values close to them are most frequent."""

    def __init__(self, types: Types, loss: Loss, random: Random) -> None:
        self._types, self._random = types, random
        constants = set(_constants(loss.test))
        texts = sorted(each for each in constants if isinstance(each, str))
        numbers = sorted(each for each in constants if isinstance(each, int) and not isinstance(each, bool))
        self._texts = ("", "a", "b", *texts, *texts)
        self._numbers = (0, 1, 2, -1, 1500, 2**31 - 1, *numbers, *(each + n for each in numbers for n in (-1, 1)))
        self._keys = ("a", "b", *texts)

    def holding(self, type_: Type, tokens: Sequence[str]) -> JsonValue:
        """A value of a type that often has a value at the end of a path."""
        behind = underlying(type_)
        if not tokens:
            return self._value(behind, _DEEP)
        if isinstance(behind, StructType):
            return self._struct(behind.id, tokens, _DEEP)
        if isinstance(behind, ListType):
            more = self._random.randint(0, 1) if len(tokens) < _NEAR else 0
            return [self.holding(behind.item, tokens[1:]) for _ in range(1 + more)]
        if isinstance(behind, MapType):
            key = tokens[0].strip("[]") or "a"
            return {key: self.holding(behind.value, tokens[1:])}
        return self._value(behind, _DEEP)

    def _struct(self, id_: TypeId, tokens: Sequence[str], depth: int) -> JsonValue:
        struct = struct_of(id_, self._types)
        found: dict[str, JsonValue] = {}
        near = sum(not token.startswith("[") for token in tokens) <= _NEAR
        for field in struct.fields:
            is_way = bool(tokens) and field.json_name == tokens[0]
            share = _OF_PATH if is_way else _OF_OTHERS if near else 0
            if self._random.random() < share:
                found[field.json_name] = (
                    self.holding(field.type, tokens[1:]) if is_way else self._value(field.type, depth - 1)
                )
        return found

    def _value(self, type_: Type, depth: int) -> JsonValue:
        choice, behind = self._random.choice, underlying(type_)
        match behind:
            case ListType(item):
                return [self._value(item, depth - 1) for _ in range(choice((0, 1, 1, 2)) if depth > 0 else 0)]
            case MapType(_, value):
                keys = [choice(self._keys) for _ in range(choice((0, 1, 1, 2)) if depth > 0 else 0)]
                return {key: self._value(value, depth - 1) for key in keys}
            case StructType(id_):
                return self._struct(id_, (), depth) if depth > 0 else {}
            case EnumType(id_):
                return choice((*(value.value for value in enum_of(id_, self._types).values), *self._texts))
            case WellKnownType(known):
                return choice((*_SAMPLES[known], *(self._texts if known is WellKnown.INT_OR_STRING else ())))
            case ScalarType(scalar) if scalar in INTEGER_RANGES:
                low, high = INTEGER_RANGES[scalar]
                return choice([each for each in (*self._numbers, low, high) if low <= each <= high])
            case ScalarType(Scalar.BOOL):
                return choice((False, True))
            case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64):
                return choice((0, 1.5))
            case ScalarType(Scalar.BYTES):
                return choice(("", "YQ=="))
        return choice(self._texts)


_SAMPLES: Mapping[WellKnown, tuple[JsonValue, ...]] = {
    WellKnown.TIME: ("2026-01-02T03:04:05Z",),
    WellKnown.MICRO_TIME: ("2026-01-02T03:04:05.000006Z",),
    WellKnown.DURATION: ("0s", "90s", "1500ms", "100000h"),
    WellKnown.QUANTITY: ("0", "1", "1500m"),
    WellKnown.INT_OR_STRING: (0, 1, "a", "", "80%"),
    WellKnown.RAW_EXTENSION: ({"a": 1},),
    WellKnown.FIELDS_V1: ({"a": 1},),
}


_CONSTANTS = frozenset({"value", "key", "texts", "low", "high"})
"""The attributes of expressions that contain plain values of an API; others contain names of functions and variables."""


def _constants(tree: object, *, is_plain: bool = False) -> Iterator[str | int]:
    """The plain values in an expression."""
    if isinstance(tree, str | int) and is_plain:
        yield tree
    elif isinstance(tree, tuple):
        for each in tree:
            yield from _constants(each, is_plain=is_plain)
    elif is_dataclass(tree) and type(tree).__module__ == Literal.__module__:
        for field in fields(tree):
            yield from _constants(getattr(tree, field.name), is_plain=field.name in _CONSTANTS)
