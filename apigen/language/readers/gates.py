"""`featureGate:` of a field or enum value, and the `gates:` of a hub type."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.language.condition_reader import CONDITION
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet, Part
from apigen.language.model import GateJoin, GateRuleSpec, GateSpec, Located
from apigen.language.nodes import Node
from apigen.language.paths import Condition
from apigen.language.shapes import ByForm, ListOf, mapped
from apigen.language.words import LITERAL, PATH, PLAIN_FLAG, SOME_TEXTS, TEXT, TEXTS, Choice

_CLOSED = "closed"
"""The value of a rule in place of a gate, for fields that are no longer accepted."""

Joined = tuple[GateJoin, tuple[Located[str], ...]]

_ALL = Key("all", SOME_TEXTS, "Gates that must all be enabled.")
_ANY = Key("any", SOME_TEXTS, "Gates of which at least one must be enabled.")


def _joined(found: Found, *_: object) -> Joined | None:
    every, some = found.get(_ALL), found.get(_ANY)
    if every is not None:
        return GateJoin.ALL, every
    return None if some is None else (GateJoin.ANY, some)


_GATES = ByForm(
    "the name of a gate, or `{all: […]}` or `{any: […]}`",
    scalar=mapped(TEXT, lambda name, *_: (GateJoin.ALL, (name,))),
    mapping=mapped(Keys("joinedGates", "several gates", (_ALL, _ANY), one_of=(_ALL, _ANY)), _joined),
)


_IN_USE = ByForm[str | Condition](
    "`gate`, `field`, `place`, `never` or a condition on the old object",
    scalar=mapped(Choice("gate", "field", "place", "never"), lambda word, *_: word.value),
    mapping=CONDITION,
)


_DROPPED = ByForm(
    "a path, or a list of paths",
    scalar=mapped(PATH, lambda path, *_: (path,)),
    sequence=ListOf(PATH, "a list of paths with at least one element", least=1),
)

GATE = Key("gate", _GATES, "The gate, or `{all: […]}` or `{any: […]}` of several.")
IN_USE = Key(
    "inUse",
    _IN_USE,
    "When the old object uses the element: `gate` (default), `field`, `place`, `never`, or a condition.",
)
WHEN = Key("when", CONDITION, "The condition on the object under which they are dropped.")
_HOW = Part(
    GateSpec,
    (
        IN_USE,
        Key("to", LITERAL, "The value while the gate is disabled, instead of unset."),
        Key(
            "during",
            mapped(TEXTS, lambda operations, *_: tuple(operation.value for operation in operations)),
            "The operations that drop the element; an empty list: it is never dropped.",
        ),
        Key("prune", PLAIN_FLAG, "Also drop a parent that becomes empty."),
    ),
)
_NAMES: KeySet = (GATE, _ALL, _ANY)


def _mark(found: Found, node: Node, _: Context) -> GateSpec | None:
    joined = found.get(GATE) or _joined(found)
    if joined is None or found.is_bad(IN_USE):
        return None
    return _HOW.of(found, join=joined[0], gates=joined[1], place=node.place)


FEATURE_GATE = ByForm(
    "the name of a gate, or `{gate: Name, …}`",
    scalar=mapped(TEXT, lambda name, node, _: GateSpec((name,), GateJoin.ALL, node.place)),
    mapping=mapped(Keys("gateMark", "the gate of an element", (*_NAMES, *_HOW.keys), one_of=_NAMES), _mark),
)
"""The `featureGate:` of a field or enum value."""


_DROP = Key("drop", _DROPPED, "The paths that are dropped.", required=True)


def _rule(found: Found, node: Node, context: Context) -> GateRuleSpec | None:
    gate, drop = _mark(found, node, context), found.get(_DROP)
    if gate is None or drop is None or found.is_bad(WHEN):
        return None
    if [name.value for name in gate.gates] == [_CLOSED]:
        gate = replace(gate, gates=(), join=GateJoin.ANY)
    return GateRuleSpec(gate, drop, found.get(WHEN))


_RULE_NAMES: KeySet = (
    Key(
        "gate", _GATES, "The gate, or `{all: […]}` or `{any: […]}` of several, or `closed` if it is no longer accepted."
    ),
    *(_ALL, _ANY),
)
_RULE = Keys(
    "gateRule",
    "a rule of `gates`",
    (*_RULE_NAMES, *_HOW.keys, _DROP, WHEN),
    one_of=_RULE_NAMES,
)

GATE_RULES = ListOf(mapped(_RULE, _rule), "a list of rules")
"""The `gates:` of a hub type."""
