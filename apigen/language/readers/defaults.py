"""`default:` of a field and `defaults:` of a struct.

A default is a scalar, or `{value: …}` or `{from: path}` with `when:`, or a list of those.
"""

from __future__ import annotations

from apigen.language.condition_reader import CONDITION
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, Part
from apigen.language.model import DefaultCase, LiteralNode, PathDefault
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.shapes import ByForm, ListOf, Shape, T_co, map_of, mapped
from apigen.language.words import LITERAL, PATH, PLAIN_FLAG, TEXT, read_path

WHEN = Key("when", CONDITION, "The condition of this default.")
_VALUE = Key("value", LITERAL, "The default value; null clears the field.")
_FROM = Key("from", PATH, "The path of the field whose value is copied.", to="from_path")
_INTO = Key("into", TEXT, "The field of a new struct that gets the value of `from`.")

_AS_VALUE = "write a list or map as a value: `{value: …}`"

_CASE_KEYS = Keys(
    "defaultCase",
    "a default",
    (
        *(_VALUE, _FROM, _INTO, WHEN),
        Key("overwrite", PLAIN_FLAG, "Overwrite the value, even if it is set."),
        Key("byKey", PLAIN_FLAG, "Default a map entry by entry."),
        Key("emptyIsSet", PLAIN_FLAG, "Treat an empty list or map as set, here or in `from`."),
    ),
    one_of=(_VALUE, _FROM),
    exclusive=((_VALUE, _INTO),),
    hint=_AS_VALUE,
)
_CASE = Part(DefaultCase, _CASE_KEYS.keys)


def _case(found: Found, node: Node, _: Context) -> DefaultCase | None:
    has_value = found.get(_VALUE) is not None or found.get(_FROM) is not None
    return _CASE.of(found, place=node.place) if has_value and not found.is_bad(WHEN) else None


def _plain(value: LiteralNode, node: Node, _: Context) -> tuple[DefaultCase, ...]:
    return (DefaultCase(node.place, value),)


class CaseList(ListOf[T_co]):
    """A list of cases, and not a list that is meant as a value."""

    def __init__(self, case: Shape[T_co]) -> None:
        super().__init__(case, "a list of cases with at least one element", least=1)

    def read(self, node: Node, context: Context) -> tuple[T_co, ...] | None:
        if isinstance(node, Sequence) and node.items and not any(isinstance(item, Mapping) for item in node.items):
            context.error("AG0202", node.place, "expected a list of cases, found a list of values", hint=_AS_VALUE)
            return None
        return super().read(node, context)


_ONE_CASE = mapped(_CASE_KEYS, _case)

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
