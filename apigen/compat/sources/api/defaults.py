"""Defaults: plain values as they are, rules that compute one in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.compat.sources.api.words import canonical, condition_said, condition_words, gates_in, literal
from apigen.compat.surface.types import Default
from apigen.ir.literal_reader import plain
from apigen.ir.model import Struct, TypeDef
from apigen.ir.places import PathProblem, bind_path
from apigen.ir.types import Type, TypeId
from apigen.spec.model import DefaultCase
from apigen.spec.path_parser import path_text


def default_of(cases: tuple[DefaultCase, ...], *, is_read_time: bool) -> Default | None:
    """What the cases of a default say. One that always gives one value is that value."""
    if not cases:
        return None
    first = cases[0]
    gates = frozenset[str]().union(*(gates_in(case.when) for case in cases if case.when is not None))
    if len(cases) == 1 and first.value is not None and not _has_words(first):
        return Default(literal(first.value), first.place, is_read_time=is_read_time)
    text = "; else ".join(map(_case, cases))
    return Default(
        text,
        first.place,
        is_computed=True,
        gates=tuple(sorted(gates)),
        is_read_time=is_read_time,
        cases=canonical([_said(case) for case in cases]),
        overwrites=any(case.overwrite or case.by_key for case in cases),
        empty_is_set=any(case.empty_is_set for case in cases),
    )


def path_defaults(
    struct: Struct, types: Mapping[TypeId, TypeDef], *, is_read_time: bool
) -> Iterator[tuple[str, Default, Type | None]]:
    """The defaults that a struct gives to places inside it, by path, with the types of these where they are known.

    Those of the structs that stand inline in it are left to them. Where a path has several, they run one after the other.
    """
    inlined = {id(each) for inline in struct.inlines for each in _defaults(types.get(inline.type.id))}
    by_path: dict[str, list[tuple[Default, Type | None]]] = {}
    for each in struct.defaults:
        default = default_of(each.cases, is_read_time=is_read_time)
        if id(each) not in inlined and default is not None:
            bound = bind_path(each.path, struct, types)
            type_ = None if isinstance(bound, PathProblem) else bound.type
            by_path.setdefault(path_text(each.path.steps), []).append((default, type_))
    for path, found in by_path.items():
        default, type_ = found[0]
        yield path, _joined(tuple(each for each, _ in found)) if len(found) > 1 else default, type_


def _joined(defaults: tuple[Default, ...]) -> Default:
    gates = frozenset[str]().union(*(each.gates for each in defaults))
    text = "; then ".join(each.text for each in defaults)
    first = defaults[0]
    return Default(
        text,
        first.place,
        is_computed=True,
        gates=tuple(sorted(gates)),
        is_read_time=first.is_read_time,
        overwrites=any(each.overwrites for each in defaults),
        empty_is_set=any(each.empty_is_set for each in defaults),
    )


def _defaults(type_: TypeDef | None) -> tuple[object, ...]:
    return type_.defaults if isinstance(type_, Struct) else ()


def _has_words(case: DefaultCase) -> bool:
    return case.when is not None or case.overwrite or case.by_key or case.empty_is_set or case.into is not None


def _said(case: DefaultCase) -> dict[str, object]:
    """A case in the spec language."""
    found: dict[str, object] = {} if case.when is None else {"when": condition_said(case.when)}
    if case.from_path is not None:
        found["from"] = case.from_path.text
    elif case.value is not None:
        found["value"] = plain(case.value)
    if case.into is not None:
        found["into"] = case.into.value
    words = (("byKey", case.by_key), ("overwrite", case.overwrite), ("emptyIsSet", case.empty_is_set))
    return {**found, **{word: True for word, is_on in words if is_on}}


def _case(case: DefaultCase) -> str:
    words = "what stands at " + case.from_path.text if case.from_path is not None else ""
    words = literal(case.value) if case.value is not None else words or "nothing"
    if case.into is not None:
        words += f" as {case.into.value}"
    if case.by_key:
        words += ", entry by entry"
    if case.overwrite:
        words += ", whatever is there"
    if case.empty_is_set:
        words += ", unless empty"
    return words if case.when is None else f"{words} when {condition_words(case.when)}"
