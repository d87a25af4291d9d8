"""Writes how versions and hubs convert by their layouts: `<group>/<version>/conversion_layouts.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

from apigen.codegen.backend_input import BackendInput, borrowed_classes
from apigen.codegen.conversions.backend import plans_of_versions
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, literal, text_literal, tuple_literal
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass
from apigen.hub.lenses.alias import Alias
from apigen.hub.lenses.annotation import Carried, ClampedFromAbove, Marked
from apigen.hub.lenses.constant import OneSided
from apigen.hub.lenses.drop import ByHand, Dropped, MappedAbove
from apigen.hub.lenses.flatten import OptionalParent
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.singular import Singular
from apigen.hub.steps import Parent, Side, Step, TypePlan
from apigen.ir.expressions import (
    Choice,
    Compared,
    Convert,
    Converted,
    Expression,
    IsNone,
    IsTrue,
    Literal,
    Member,
    Not,
    Typed,
    Zero,
    innermost,
)
from apigen.ir.hand_written import Role
from apigen.ir.model import (
    FieldPath,
    ListType,
    MapType,
    Struct,
    TypeId,
    WellKnown,
    WellKnownType,
    json_names,
    optional_parents,
    struct_of,
    underlying,
)
from apigen.ir.names import Module, package_name
from apigen.ir.places import BoundStep, FieldStep, KeyStep

_PARSED = (WellKnownType(WellKnown.QUANTITY), WellKnownType(WellKnown.DURATION))
"""Types whose values are created from strings."""


class NotInTables(Exception):
    """A step that only the generated function can do."""


@dataclass(frozen=True, slots=True)
class Written:
    """The words of one step; `target` is the field of the target that it sets, if any.

    `pair` are the places of a move; moves with equal `guards` and `parents` belong together; `is_always`: parents are
    created even if no field is set.
    """

    words: str = ""
    target: str = ""
    pair: str = ""
    guards: tuple[FieldPath, ...] = ()
    parents: tuple[FieldPath, ...] = ()
    is_always: bool = False


def written_steps(plan: TypePlan, source: Struct, target: Struct, *, to_hub: bool) -> list[str]:
    """Return the steps of one direction, each a tuple in Python. Raises NotInTables if tables cannot express them."""
    written = [each for step in plan.steps for each in _written(step, to_hub)]
    targets = {each.target for each in written}
    source_names = {field.json_name for field in source.fields}
    unassigned = [
        field.json_name for field in target.fields if field.json_name in source_names and field.json_name not in targets
    ]
    return [
        *(_tuple('"left"', text_literal(name)) for name in unassigned),
        *(each.words for each in written if each.words and each.target),
        *_moves(each for each in written if each.pair),
        *(each.words for each in written if each.words and not each.target),
    ]


def _moves(moves: Iterable[Written]) -> list[str]:
    """Return the moves, grouped by the structs that they read from and write to."""
    groups: dict[tuple[tuple[FieldPath, ...], tuple[FieldPath, ...]], list[Written]] = {}
    for move in moves:
        groups.setdefault((move.guards, move.parents), []).append(move)
    return [
        _tuple('"moved"', str(any(move.is_always for move in group)), tuple_literal([move.pair for move in group]))
        for group in groups.values()
    ]


@singledispatch
def _written(step: Step, to_hub: bool) -> Iterable[Written]:
    raise NotInTables


@_written.register(ByHand)
@_written.register(MappedAbove)
@_written.register(OptionalParent)
def _no_steps(step: Step, to_hub: bool) -> Iterable[Written]:
    """Return nothing, for steps that only matter for the proof, or that a function of a containing type performs."""
    return ()


@_written.register
def _move(step: Move, to_hub: bool) -> Iterable[Written]:
    if any(step.statements(to_hub)):
        raise NotInTables
    (assign,) = step.assignments(to_hub)
    source, target = (step.version, step.hub) if to_hub else (step.hub, step.version)
    if len(source) == len(target) == 1:
        return (Written(_member_words(assign.value, source[0].json_name, target[0].json_name), target[0].json_name),)
    if not _is_plain(assign.value) or step.absent is not None:  # the codec's parents know no value that means absence
        raise NotInTables
    parents = optional_parents(target)
    is_always = assign.parent is Parent.ALWAYS or not parents
    pair = f"({_names(source)}, {_names(target)})"
    return (Written(pair=pair, guards=assign.guards, parents=parents, is_always=is_always),)


def _member_words(value: Expression, from_: str, to: str) -> str:
    """Return the entry for a field that gets the value of one field of the source; empty if it is copied by its name."""
    names = (text_literal(to), text_literal(from_))
    match value:
        case _ if _is_plain(value):
            return _tuple('"from"', *names) if from_ != to else ""
        case Choice(IsNone(), otherwise, there) if _is_plain(there):
            return _tuple('"filled"', *names, _constant_words(otherwise))
        case Choice(Not(IsTrue()), Literal(None), there) if _is_plain(there):
            return _tuple('"emptied"', *names, "None")
        case Choice(Compared(_, "==", Typed() as zero), Literal(None), there) if _is_plain(there):
            return _tuple('"emptied"', *names, _constant_words(zero))
    raise NotInTables


def _is_plain(value: Expression) -> bool:
    """Return whether a value is that of a field, unchanged or converted by its type; `None` stays `None`."""
    match value:
        case Member() | Convert(Member()):
            return True
        case Choice(IsNone(Member() as same), Literal(None), Convert(there)):
            return same == there
    return False


def _constant_words(value: Expression) -> str:
    """A value that is not of the source: `None` for an empty list, map or struct."""
    match value:
        case Zero():
            return "None"
        case Typed(plain, type_) if plain is not None and underlying(type_) not in _PARSED:
            return literal(plain)
    raise NotInTables


@_written.register
def _alias(step: Alias, to_hub: bool) -> Iterable[Written]:
    if step.value is None or len(step.version) != 1 or len(step.hub) != 1:
        raise NotInTables
    if to_hub:
        return (Written(_tuple('"alias"', _names(step.version), _names(step.hub), str(step.wins))),)
    name = step.version[0].json_name
    return (Written(_tuple('"from"', text_literal(name), text_literal(step.hub[0].json_name)), name),)


@_written.register
def _singular(step: Singular, to_hub: bool) -> Iterable[Written]:
    if len(step.version) != 1 or len(step.hub) != 1:
        raise NotInTables
    member = "None" if step.member is None else text_literal(step.member.json_name)
    if not to_hub:
        name = step.version[0].json_name
        return (
            Written(_tuple('"left"', text_literal(name)), name),
            Written(_tuple('"first"', _names(step.hub), _names(step.version), member)),
        )
    words = _tuple('"singular"', _names(step.version), _names(step.hub), member, str(step.singular_wins))
    return (Written(words),)


@_written.register
def _dropped(step: Dropped, to_hub: bool) -> Iterable[Written]:
    if step.other is None:
        return ()
    *map_, last = step.place(Side.HUB if to_hub else Side.VERSION).steps
    assert isinstance(last, KeyStep)
    return (_keyless(tuple(map_), last.key),)


@_written.register
def _carried(step: Carried, to_hub: bool) -> Iterable[Written]:
    annotations = '("metadata", "annotations")'
    if to_hub:
        return (Written(_tuple('"keyless"', "False", annotations, text_literal(step.key))),)
    last, is_below = step.hub[-1], bool(optional_parents(step.hub))
    is_container = isinstance(underlying(last.type), ListType | MapType)
    if not (last.can_be_none or is_container or is_below):
        raise NotInTables
    unset = Written(_tuple('"unset"', "False", _names(step.hub)))
    if step.keep_stale:
        return (unset,)
    return (unset, Written(_tuple('"keyless"', "True", annotations, text_literal(step.key))))


@_written.register
def _marked(step: Marked, to_hub: bool) -> Iterable[Written]:
    if not to_hub:
        raise NotInTables
    return (Written(_tuple('"keyless"', "True", '("metadata", "annotations")', text_literal(step.key))),)


@_written.register
def _clamped(step: ClampedFromAbove, to_hub: bool) -> Iterable[Written]:
    bound = step.hub if to_hub else step.version
    if not isinstance(step.below, int):
        raise NotInTables
    return (Written(_tuple('"at least"', "True", _fields(bound.steps), str(step.below))),)


@_written.register
def _one_sided(step: OneSided, to_hub: bool) -> Iterable[Written]:
    """Yield nothing in conversion from its own side, where the field is dropped; raise NotInTables in the other
    direction.
    """
    if step.is_set(to_hub):
        raise NotInTables
    return ()


def _keyless(steps: tuple[BoundStep, ...], key: str) -> Written:
    return Written(_tuple('"keyless"', "True", _fields(steps), text_literal(key)))


def _fields(steps: tuple[BoundStep, ...]) -> str:
    if not all(isinstance(step, FieldStep) for step in steps):
        raise NotInTables
    return literal(tuple(step.field.json_name for step in steps if isinstance(step, FieldStep)))


def _names(path: FieldPath) -> str:
    return literal(json_names(path))


def _tuple(*parts: str) -> str:
    return tuple_literal(parts)


MODULE = "conversion_layouts"


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module per version that has a hub."""
    borrowed = backend_input.once(borrowed_classes)
    for group, version, plans in backend_input.once(plans_of_versions):
        own = [p for p in plans if borrowed.get(p.hub) != p.version and p.version not in backend_input.hub.views]
        module = Module.of(group, version, MODULE)
        imports = Imports(module, taken=frozenset({"CONVERSIONS", "CONVERTS", "NEEDS"}))
        text = render(
            "conversion_layouts/module.py.jinja",
            header=HEADER,
            title=f"{group}/{version}",
            conversions=tuple_literal([_entry(backend_input, plan, imports) for plan in own]) if own else "",
            conversion=imports.from_runtime("native", "Conversion"),
            imports=imports.render(),
            needs=_packages([id_ for plan in own for id_ in (plan.version, plan.hub)]),
            converts=_packages(_converted(own)),
        )
        yield text_file(module.path, text)


def _entry(backend_input: BackendInput, plan: TypePlan, imports: Imports) -> str:
    """Return the entry of a plan: the classes of version and hub, and the steps in both directions."""
    version, hub = struct_of(plan.version, backend_input.types), struct_of(plan.hub, backend_input.types)
    directions = []
    for role, source, target in ((Role.TO_HUB, version, hub), (Role.FROM_HUB, hub, version)):
        function = text_literal(f"{version.snake_name}_{role}")
        if backend_input.hand_written.get(plan.version, role) is not None:
            directions.append(function)
            continue
        try:
            steps = written_steps(plan, source, target, to_hub=role is Role.TO_HUB)
        except NotInTables:
            directions.append(function)
        else:
            directions.append(tuple_literal(steps))
    return tuple_literal([imports.type_name(plan.version), imports.type_name(plan.hub), *directions])


def _converted(plans: Iterable[TypePlan]) -> list[TypeId]:
    """The structs of other versions that are converted within those of this one."""
    values = (step.value for plan in plans for step in plan.steps if isinstance(step, Move))
    found = (value.version for value in map(innermost, values) if isinstance(value, Converted))
    own = {(plan.version.group, plan.version.version) for plan in plans}
    return [id_ for id_ in found if (id_.group, id_.version) not in own]


def _packages(ids: Iterable[TypeId]) -> str:
    return literal(tuple(sorted({f"{package_name(id_.group)}.{id_.version}" for id_ in ids})))
