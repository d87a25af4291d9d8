"""`default:` of a field and `defaults:` of a struct.

A default is a scalar, or `{value: …}` or `{from: path}` with `when:`, or a list of those.
"""

from __future__ import annotations

from apigen.language.condition_reader import CONDITION
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys
from apigen.language.model import DefaultCase, LiteralNode, PathDefault
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.shapes import ByForm, ListOf, Shape, T_co, map_of, mapped
from apigen.language.words import FLAG, LITERAL, PATH, TEXT, read_path

VALUE = Key("value", LITERAL, "The default value; null clears the field.")
FROM = Key("from", PATH, "The path of the field whose value is copied.")
INTO = Key("into", TEXT, "The field of a new struct that gets the value of `from`.")
WHEN = Key("when", CONDITION, "The condition of this default.")
OVERWRITE = Key("overwrite", FLAG, "Overwrite the value, even if it is set.")
BY_KEY = Key("byKey", FLAG, "Default a map entry by entry.")
EMPTY_IS_SET = Key("emptyIsSet", FLAG, "Treat an empty list or map as set, here or in `from`.")

_AS_VALUE = "write a list or map as a value: `{value: …}`"

_CASE = Keys(
    "defaultCase",
    "a default",
    (VALUE, FROM, INTO, WHEN, OVERWRITE, BY_KEY, EMPTY_IS_SET),
    one_of=(VALUE, FROM),
    exclusive=((VALUE, INTO),),
    hint=_AS_VALUE,
)


def _case(found: Found, node: Node, context: Context) -> DefaultCase | None:
    value, source = found.get(VALUE), found.get(FROM)
    if (value is None and source is None) or found.is_bad(WHEN):
        return None
    return DefaultCase(
        place=node.place,
        value=value,
        from_path=source,
        when=found.get(WHEN),
        overwrite=found.is_true(OVERWRITE),
        by_key=found.is_true(BY_KEY),
        empty_is_set=found.is_true(EMPTY_IS_SET),
        into=found.get(INTO),
    )


def _plain(value: LiteralNode, node: Node, _: Context) -> tuple[DefaultCase, ...]:
    return (DefaultCase(node.place, value, None, None),)


class CaseList(ListOf[T_co]):
    """A list of cases, and not a list that is meant as a value."""

    def __init__(self, case: Shape[T_co]) -> None:
        super().__init__(case, "a list of cases with at least one element", least=1)

    def read(self, node: Node, context: Context) -> tuple[T_co, ...] | None:
        if isinstance(node, Sequence) and node.items and not any(isinstance(item, Mapping) for item in node.items):
            context.error("AG0202", node.place, "expected a list of cases, found a list of values", hint=_AS_VALUE)
            return None
        return super().read(node, context)


_ONE_CASE = mapped(_CASE, _case)

DEFAULT_CASES = ByForm(
    "a value, `{value: …}` or `{from: path}`, or a list of those",
    scalar=mapped(LITERAL, _plain),
    mapping=mapped(_ONE_CASE, lambda case, *_: (case,)),
    sequence=CaseList(_ONE_CASE),
    empty="remove it: a field without a default is unset, or has its zero value",
)
"""The cases of a default, in order."""


def _path_default(name: Scalar, cases: tuple[DefaultCase, ...], context: Context) -> PathDefault | None:
    path = read_path(name, context)
    return None if path is None else PathDefault(path, cases)


PATH_DEFAULTS = map_of(DEFAULT_CASES, _path_default, "a mapping of paths to defaults")
"""The `defaults:` of a struct, in order."""
