"""Writes functions that return the places of an object that a conversion does not preserve, according to the proof.

`frobber_losses(obj, other, back)` compares a version's object, the hub object converted from it, and the object
converted back; `hub_frobber_losses` does so in the other direction. Generated property tests compare their results
with actual conversions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.backend_input import BackendInput, borrowed_classes
from apigen.codegen.conversions.backend import plans_of_versions
from apigen.codegen.conversions.bodies import ValueConverter
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.expressions import PythonExpressions
from apigen.codegen.python.source_text import HEADER, Imports, literal, path_literal
from apigen.codegen.python.walking import Level, attribute, guards, present
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.proof import KnownLosses, nested_type, place_of, with_holders
from apigen.hub.steps import Loss, Side, TypePlan
from apigen.ir.expressions import (
    Converted,
    EachItem,
    EachValue,
    Sharing,
    UnlessNone,
    ValueConversion,
)
from apigen.ir.model import FieldPath, TypeId, optional_parents, spell, struct_of
from apigen.ir.names import Module
from apigen.runtime.errors import with_article


def known_losses(backend_input: BackendInput) -> KnownLosses:
    """The losses of all types, for `BackendInput.once`."""
    return KnownLosses()


def lossy_types(backend_input: BackendInput) -> Mapping[Side, frozenset[TypeId]]:
    """Return, by side, the version types that lose something, directly or below; for `BackendInput.once`."""
    losses = backend_input.once(known_losses)
    return {side: losses.lossy_types(backend_input.hub.plans, side) for side in Side}


def rejecting_types(backend_input: BackendInput) -> frozenset[TypeId]:
    """The version types of which some values are rejected by conversions; for `BackendInput.once`."""
    plans = backend_input.hub.plans
    losses = backend_input.once(known_losses)
    found = {id_ for id_, p in plans.items() for side in Side for loss in losses.own(p, side) if loss.rejects}
    return with_holders(found, plans)


def has_rejections(backend_input: BackendInput, type_plan: TypePlan, side: Side) -> bool:
    """Return whether the proof knows from an object of the type alone whether it is rejected: no type below it rejects
    any.
    """
    below = {nested_type(step) for step in type_plan.steps}
    return below.isdisjoint(backend_input.once(rejecting_types)) and backend_input.once(known_losses).has_rejections(
        type_plan, side
    )


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Yield one module per version that loses something, directly or in nested types."""
    lossy = backend_input.once(lossy_types)
    for group, version, plans in backend_input.once(plans_of_versions):
        if any(p.version in lossy[side] for p in plans for side in Side):
            imports = Imports(Module.of(group, version, "losses"), short=True)
            summary = f"Losses of conversions of {group}/{version}."
            yield text_file(imports.module.path, _LossesModule(backend_input, lossy, imports).text(plans, summary))


@dataclass(frozen=True, slots=True)
class Report:
    """What is reported below `levels`: a path, or the paths that a nested type's `function` returns for `arguments`.

    `maps` are variables for these, with the elements of lists by their keys.
    """

    levels: tuple[Level, ...]
    path: str
    function: str = ""
    arguments: str = ""
    maps: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _LossesModule:
    backend_input: BackendInput
    lossy: Mapping[Side, frozenset[TypeId]]
    imports: Imports

    def text(self, plans: list[TypePlan], summary: str) -> str:
        """Return the text of the module."""
        self.imports.standard("collections.abc", "Iterator")
        functions = [self._functions(type_plan, side) for type_plan in plans for side in Side]
        names = [each[what] for each in functions for what in ("losses", "rejections")]
        return render(
            "losses/module.py.jinja",
            header=HEADER,
            summary=summary,
            imports=self.imports.render(),
            exported=sorted(literal(str(name)) for name in names if name),
            functions=functions,
        )

    def _functions(self, type_plan: TypePlan, side: Side) -> dict[str, object]:
        """Return the values of the template for one side of a type: the names of its functions, empty without them."""
        version = type_plan.version
        values: dict[str, object] = {"name": with_article(version.name), "losses": "", "rejections": ""}
        if version in self.lossy[side]:
            values |= self._losses(type_plan, side)
        if has_rejections(self.backend_input, type_plan, side):
            values["rejections"] = function_name(self.backend_input, version, side, "rejections")
            values["rejected"] = self._rejected(type_plan, side)
        if values["losses"] or values["rejections"]:
            types = [self.imports.type_name(id_) for id_ in (version, type_plan.hub)]
            values["type"], values["other"] = types if side is Side.VERSION else reversed(types)
        return values

    def _rejected(self, type_plan: TypePlan, side: Side) -> list[Report]:
        expressions = _expressions(self.backend_input, type_plan, self.imports)
        losses = (loss for step in type_plan.steps for loss in step.losses())
        return [
            Report((Level(expressions.text(loss.test)),), literal(loss.place))
            for loss in losses
            if loss.side is side and loss.rejects
        ]

    def _losses(self, type_plan: TypePlan, side: Side) -> dict[str, object]:
        """The values for the losses: the type's `own`, and those of `nested` types apart from `restored` places."""
        expressions = _expressions(self.backend_input, type_plan, self.imports)
        restored = type_plan.restored_fields() if side is Side.VERSION else ()
        own: list[Report] = []
        nested: list[Report] = [] if restored else own
        for step in type_plan.steps:
            for loss in step.losses():
                if loss.side is side and not type_plan.is_restored(side, step, loss.place):
                    report = Report((Level(expressions.text(loss.test)),), path_literal(loss.place))
                    own += [report] if report not in own else []
            if not type_plan.is_restored(side, step, place_of(step, side)):
                nested += self._nested(step, side)
        version = type_plan.version.version
        return {
            "losses": function_name(self.backend_input, type_plan.version, side),
            "way": f"hub -> {version} -> hub" if side is Side.HUB else f"{version} -> hub -> {version}",
            "own": own,
            "nested": nested if restored else (),
            "restored": [path_literal(each, end) for each in restored for end in (".", "[")],
        }

    def _nested(self, step: object, side: Side) -> Iterator[Report]:
        inner = nested_type(step)
        if inner is None or inner not in self.lossy[side]:
            return
        name = self.imports.function(inner, "losses", function_name(self.backend_input, inner, side))
        if isinstance(step, NamedList):
            yield _named_items(step, side, name)
        elif isinstance(step, Move):
            own_path, other_path = (step.version, step.hub) if side is Side.VERSION else (step.hub, step.version)
            yield _moved(step, own_path, other_path, name)


def _expressions(backend_input: BackendInput, type_plan: TypePlan, imports: Imports) -> PythonExpressions:
    types = backend_input.types
    version = struct_of(type_plan.version, types)
    converter = ValueConverter(True, imports, types, backend_input.once(borrowed_classes), Sharing.NOTHING)
    return PythonExpressions(Scope.of("obj", version, types, imports), converter)


TESTS = Module(("loss_tests",))
"""The module of `tests_of_losses`."""


def tests_of_losses(backend_input: BackendInput, losses: Iterable[tuple[TypePlan, Loss]]) -> OutputFile:
    """A module with a list `TESTS` of functions of `obj`, `other` and `back`: whether each of these losses happens."""
    imports = Imports(TESTS)
    tests = [_expressions(backend_input, type_plan, imports).text(loss.test) for type_plan, loss in losses]
    return text_file(TESTS.path, render("losses/tests.py.jinja", imports=imports.render(), tests=tests))


def function_name(backend_input: BackendInput, version: TypeId, side: Side, what: str = "losses") -> str:
    """`frobber_losses` or `hub_frobber_losses`, after the version's type; likewise for `rejections`."""
    name = f"{backend_input.types[version].snake_name}_{what}"
    return name if side is Side.VERSION else f"hub_{name}"


def _moved(step: Move, own_path: FieldPath, other_path: FieldPath, name: str) -> Report:
    tests = []
    for root, path in (("obj", own_path), ("other", other_path), ("back", own_path)):
        tests += present(root, [*optional_parents(path), *([path] if path[-1].can_be_none else [])])
    obj, other, back = three = attribute("obj", own_path), attribute("other", other_path), attribute("back", own_path)
    levels, place = guards(tests), spell(own_path)
    match step.value:
        case EachItem(Converted()):
            # a name for each field: type checkers reject a variable with the elements of several lists
            each = f"each_{obj.partition('.')[2].replace('.', '_')}"
            return Report((*levels, _zipped("i", each, three)), path_literal(place, "[{i}]."), name, f"*{each}")
        case EachValue(Converted()):
            at_key = f"{obj}[key], {other}[key], {back}[key]"
            return Report((*levels, _common_keys("key", three)), path_literal(place, "[{key}]."), name, at_key)
    inner, after, three = _levels_within(step.value, three, "", 1)
    return Report((*levels, *inner), path_literal(place, f"{after}."), name, ", ".join(three))


_Three = tuple[str, str, str]
"""The values of `obj`, `other` and `back` at a place."""


def _zipped(index: str, variable: str, three: _Three, bound: tuple[tuple[str, str], ...] = ()) -> Level:
    return Level(
        variable=f"{index}, {variable}", items=f"enumerate(zip({', '.join(three)}, strict=False))", bound=bound
    )


def _common_keys(variable: str, three: _Three, bound: tuple[tuple[str, str], ...] = ()) -> Level:
    return Level(variable=variable, items=" & ".join(f"{each}.keys()" for each in three), bound=bound)


def _levels_within(
    value: ValueConversion, three: _Three, after: str, depth: int
) -> tuple[tuple[Level, ...], str, _Three]:
    """Return the levels to the elements of lists and maps in lists and maps, of which some may be `None`, what follows
    the place in their path, and the elements.
    """
    variables = (f"obj{depth}", f"other{depth}", f"back{depth}")
    match value:
        case UnlessNone(inner):
            level = Level(" and ".join(f"{each} is not None" for each in three))
            levels, after, three = _levels_within(inner, three, after, depth)
        case EachItem(inner):
            level = _zipped(f"i{depth}", f"items{depth}", three, ((", ".join(variables), f"items{depth}"),))
            levels, after, three = _levels_within(inner, variables, f"{after}[{{i{depth}}}]", depth + 1)
        case EachValue(inner):
            bound = tuple((variable, f"{each}[key{depth}]") for variable, each in zip(variables, three, strict=True))
            level = _common_keys(f"key{depth}", three, bound)
            levels, after, three = _levels_within(inner, variables, f"{after}[{{key{depth}}}]", depth + 1)
        case _:
            return (), after, three
    return (level, *levels), after, three


def _named_items(step: NamedList, side: Side, name: str) -> Report:
    own_path, other_path = (step.version, step.hub) if side is Side.VERSION else (step.hub, step.version)
    maps = []
    for root, path in (("obj", own_path), ("other", other_path), ("back", own_path)):
        value = attribute(root, path)
        if path is not step.list:
            entries = f"{value} or {{}}" if path[-1].can_be_none else value
        else:
            items = f"{value} or ()" if path[-1].can_be_none else value
            held = "item" if step.member is None else f"item.{step.member.py_name}"
            is_set = f" if {held} is not None" if step.member is not None and step.member.can_be_none else ""
            entries = f"{{item.{step.key.py_name}: {held} for item in {items}{is_set}}}"
        maps.append((f"{root}_{step.version[-1].py_name}", entries))
    obj, other, back = (variable for variable, _ in maps)
    after = "[{key}]."
    if own_path is step.list and step.member is not None:
        after += f"{step.member.json_name}."
    at_key = f"{obj}[key], {other}[key], {back}[key]"
    levels = (_common_keys("key", (obj, other, back)),)
    return Report(levels, path_literal(spell(own_path), after), name, at_key, tuple(maps))
