"""Writes functions that return the places of an object that a conversion does not preserve, according to the proof.

`frobber_losses(obj, other, back)` compares a version's object, the hub object converted from it, and the object
converted back; `hub_frobber_losses` does so in the other direction. Generated property tests compare their results
with actual conversions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.compilation import Compilation, borrowed_classes
from apigen.codegen.conversions.backend import plans_of_versions
from apigen.codegen.conversions.bodies import ValueConverter
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.expressions import PythonExpressions
from apigen.codegen.python.source_text import Code, Imports, function, literal, path_literal
from apigen.codegen.python.walking import attribute, present
from apigen.codegen.rendering import functions_module
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


def known_losses(compilation: Compilation) -> KnownLosses:
    """The losses of the compilation's types, for `compilation.once`."""
    return KnownLosses()


def lossy_types(compilation: Compilation) -> Mapping[Side, frozenset[TypeId]]:
    """Return, by side, the version types that lose something, directly or below; for `compilation.once`."""
    losses = compilation.once(known_losses)
    return {side: losses.lossy_types(compilation.hub.plans, side) for side in Side}


def rejecting_types(compilation: Compilation) -> frozenset[TypeId]:
    """The version types of which some values are rejected by conversions; for `compilation.once`."""
    plans = compilation.hub.plans
    losses = compilation.once(known_losses)
    found = {id_ for id_, p in plans.items() for side in Side for loss in losses.own(p, side) if loss.rejects}
    return with_holders(found, plans)


def has_rejections(compilation: Compilation, type_plan: TypePlan, side: Side) -> bool:
    """Return whether the proof knows from an object of the type alone whether it is rejected: no type below it rejects
    any.
    """
    below = {nested_type(step) for step in type_plan.steps}
    return below.isdisjoint(compilation.once(rejecting_types)) and compilation.once(known_losses).has_rejections(
        type_plan, side
    )


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """Yield one module per version that loses something, directly or in nested types."""
    lossy = compilation.once(lossy_types)
    for group, version, plans in compilation.once(plans_of_versions):
        if any(p.version in lossy[side] for p in plans for side in Side):
            imports = Imports(Module.of(group, version, "losses"), short=True)
            summary = f"Losses of conversions of {group}/{version}."
            yield text_file(imports.module.path, _LossesModule(compilation, lossy, imports).text(plans, summary))


@dataclass(slots=True)
class _LossesModule:
    compilation: Compilation
    lossy: Mapping[Side, frozenset[TypeId]]
    imports: Imports

    def text(self, plans: list[TypePlan], summary: str) -> str:
        """Return the text of the module."""
        functions, names = [], []
        for type_plan in plans:
            for side in Side:
                if type_plan.version in self.lossy[side]:
                    functions.append(self._function(type_plan, side))
                    names.append(function_name(self.compilation, type_plan.version, side))
                if has_rejections(self.compilation, type_plan, side):
                    functions.append(self._rejections(type_plan, side))
                    names.append(function_name(self.compilation, type_plan.version, side, "rejections"))
        return functions_module(summary, self.imports, functions, exported=names)

    def _rejections(self, type_plan: TypePlan, side: Side) -> Code:
        imports = self.imports
        expressions = _expressions(self.compilation, type_plan, imports)
        class_name = imports.type_name(type_plan.version if side is Side.VERSION else type_plan.hub)
        iterator = imports.standard("collections.abc", "Iterator")
        code = Code()
        for loss in (loss for step in type_plan.steps for loss in step.losses()):
            if loss.side is side and loss.rejects:
                with code.block(f"if {expressions.text(loss.test)}:"):
                    code.line(f"yield {literal(loss.place)}")
        name = function_name(self.compilation, type_plan.version, side, "rejections")
        doc = f"Yield the paths for which {article(type_plan.version.name)} may be rejected."
        return function(f"def {name}(obj: {class_name}) -> {iterator}[str]:", doc, code)

    def _function(self, type_plan: TypePlan, side: Side) -> Code:
        imports = self.imports
        expressions = _expressions(self.compilation, type_plan, imports)
        version = type_plan.version
        class_name, other_class = imports.type_name(version), imports.type_name(type_plan.hub)
        if side is Side.HUB:
            class_name, other_class = other_class, class_name
        iterator = imports.standard("collections.abc", "Iterator")
        code = Code()
        restored = type_plan.restored_fields() if side is Side.VERSION else ()
        nested = Code() if restored else code
        reported: set[tuple[str, str]] = set()
        for step in type_plan.steps:
            for loss in step.losses():
                if loss.side is not side or type_plan.is_restored(side, step, loss.place):
                    continue
                test = expressions.text(loss.test)
                if (test, loss.place) not in reported:
                    reported.add((test, loss.place))
                    with code.block(f"if {test}:"):
                        code.line(f"yield {path_literal(loss.place)}")
            if not type_plan.is_restored(side, step, place_of(step, side)):
                self._nested(step, side, nested)
        if (
            restored and not nested.is_empty
        ):  # the losses of nested types, without those of places that the type restores
            code.line()
            code.nest(f"def nested() -> {iterator}[str]:", nested)
            code.line()
            places = ", ".join(path_literal(each, end) for each in restored for end in (".", "["))
            code.line(f'yield from (lost for lost in nested() if not f"{{lost}}.".startswith(({places})))')
        name, own = function_name(self.compilation, version, side), version.version
        way = f"hub -> {own} -> hub" if side is Side.HUB else f"{own} -> hub -> {own}"
        return function(
            f'def {name}(obj: {class_name}, other: {other_class}, back: {class_name}, path: str = "") -> {iterator}[str]:',
            f"Yield the paths of {article(version.name)} that {way} does not preserve.",
            code,
        )

    def _nested(self, step: object, side: Side, code: Code) -> None:
        inner = nested_type(step)
        if inner is None or inner not in self.lossy[side]:
            return
        name = self.imports.function(inner, "losses", function_name(self.compilation, inner, side))
        if isinstance(step, NamedList):
            _named_items(step, side, code, name)
        elif isinstance(step, Move):
            own_path, other_path = (step.version, step.hub) if side is Side.VERSION else (step.hub, step.version)
            _write_nested(step, own_path, other_path, code, name)


def _expressions(compilation: Compilation, type_plan: TypePlan, imports: Imports) -> PythonExpressions:
    types = compilation.types
    version = struct_of(type_plan.version, types)
    converter = ValueConverter(True, imports, types, compilation.once(borrowed_classes), Sharing.NOTHING)
    return PythonExpressions(Scope.of("obj", version, types, imports), converter)


TESTS = Module(("loss_tests",))
"""The module of `tests_of_losses`."""


def tests_of_losses(compilation: Compilation, losses: Iterable[tuple[TypePlan, Loss]]) -> OutputFile:
    """A module with a list `TESTS` of functions of `obj`, `other` and `back`: whether each of these losses happens."""
    imports, names = Imports(TESTS), []
    code = Code()
    for number, (type_plan, loss) in enumerate(losses):
        names.append(f"test_{number}")
        with code.block(f"def test_{number}(obj, other, back):"):
            code.line(f"return {_expressions(compilation, type_plan, imports).text(loss.test)}")
    lines = (*imports.render(), code.text(), f"TESTS = [{', '.join(names)}]\n")
    return text_file(TESTS.path, "\n".join(lines))


def function_name(compilation: Compilation, version: TypeId, side: Side, what: str = "losses") -> str:
    """`frobber_losses` or `hub_frobber_losses`, after the version's type; likewise for `rejections`."""
    name = f"{compilation.types[version].snake_name}_{what}"
    return name if side is Side.VERSION else f"hub_{name}"


def article(name: str) -> str:
    """A name with its article."""
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _write_nested(step: Move, own_path: FieldPath, other_path: FieldPath, code: Code, name: str) -> None:
    guards = []
    for root, path in (("obj", own_path), ("other", other_path), ("back", own_path)):
        guards += present(root, [*optional_parents(path), *([path] if path[-1].can_be_none else [])])
    obj, other, back = attribute("obj", own_path), attribute("other", other_path), attribute("back", own_path)
    place = spell(own_path)
    with code.when(guards):
        match step.value:
            case EachItem(Converted()):
                # a name for each field: type checkers reject a variable with the elements of several lists
                each = f"each_{obj.partition('.')[2].replace('.', '_')}"
                with code.block(f"for i, {each} in enumerate(zip({obj}, {other}, {back}, strict=False)):"):
                    code.line(f"yield from {name}(*{each}, {path_literal(place, '[{i}].')})")
            case EachValue(Converted()):
                at_key = f"{obj}[key], {other}[key], {back}[key], {path_literal(place, '[{key}].')}"
                with code.block(f"for key in {obj}.keys() & {other}.keys() & {back}.keys():"):
                    code.line(f"yield from {name}({at_key})")
            case Converted():
                code.line(f"yield from {name}({obj}, {other}, {back}, {path_literal(place, '.')})")
            case _:
                _write_deep(step.value, code, name, (obj, other, back), place, "", 1)


def _write_deep(
    value: ValueConversion, code: Code, name: str, three: tuple[str, str, str], place: str, after: str, depth: int
) -> None:
    """The elements of lists and maps in lists and maps, of which some may be `None`."""
    obj, other, back = three
    variables = (f"obj{depth}", f"other{depth}", f"back{depth}")
    match value:
        case UnlessNone(inner):
            with code.block(f"if {' and '.join(f'{each} is not None' for each in three)}:"):
                _write_deep(inner, code, name, three, place, after, depth)
        case EachItem(inner):
            with code.block(f"for i{depth}, items{depth} in enumerate(zip({obj}, {other}, {back}, strict=False)):"):
                code.line(f"{', '.join(variables)} = items{depth}")
                _write_deep(inner, code, name, variables, place, f"{after}[{{i{depth}}}]", depth + 1)
        case EachValue(inner):
            with code.block(f"for key{depth} in {obj}.keys() & {other}.keys() & {back}.keys():"):
                for variable, each in zip(variables, three, strict=True):
                    code.line(f"{variable} = {each}[key{depth}]")
                _write_deep(inner, code, name, variables, place, f"{after}[{{key{depth}}}]", depth + 1)
        case Converted():
            code.line(f"yield from {name}({obj}, {other}, {back}, {path_literal(place, f'{after}.')})")


def _named_items(step: NamedList, side: Side, code: Code, name: str) -> None:
    own_path, other_path = (step.version, step.hub) if side is Side.VERSION else (step.hub, step.version)
    as_map = {}
    for root, path in (("obj", own_path), ("other", other_path), ("back", own_path)):
        value = attribute(root, path)
        if path is not step.list:
            as_map[root] = f"{value} or {{}}" if path[-1].can_be_none else value
        else:
            items = f"{value} or ()" if path[-1].can_be_none else value
            held = "item" if step.member is None else f"item.{step.member.py_name}"
            is_set = f" if {held} is not None" if step.member is not None and step.member.can_be_none else ""
            as_map[root] = f"{{item.{step.key.py_name}: {held} for item in {items}{is_set}}}"
    for root in ("obj", "other", "back"):
        code.line(f"{root}_{step.version[-1].py_name} = {as_map[root]}")
    listed = [f"{root}_{step.version[-1].py_name}" for root in ("obj", "other", "back")]
    place, after = spell(own_path), "[{key}]."
    if own_path is step.list and step.member is not None:
        after += f"{step.member.json_name}."
    with code.block(f"for key in {listed[0]}.keys() & {listed[1]}.keys() & {listed[2]}.keys():"):
        arguments = ", ".join(f"{m}[key]" for m in listed)
        code.line(f"yield from {name}({arguments}, {path_literal(place, after)})")
