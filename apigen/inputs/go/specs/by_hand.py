"""Validation tags that are not enforced become `enforcedByHand`: Kubernetes has hand-written code for them until they
are.
"""

from __future__ import annotations

from collections.abc import Mapping

from apigen.inputs.merging import REMOVE, Entries, Value

TAGS_BY_HAND = frozenset(
    {
        *(
            f"k8s:{word}"
            for word in ("minimum", "maximum", "minLength", "maxLength", "maxBytes", "minItems", "maxItems")
        ),
        *("k8s:minProperties", "k8s:maxProperties", "k8s:format", "k8s:immutable", "k8s:update", "k8s:forbidden"),
        *("k8s:monotonic", "k8s:neq", "k8s:unique", "k8s:dependentRequired", "k8s:dependentForbidden"),
    }
)
"""The tags that `enforcedByHand` has words for."""

_PARTS = ("items", "keys", "values")


def with_by_hand(constraints: Entries, by_hand: Mapping[str, Value]) -> Entries:
    """Return constraints with `enforcedByHand` for those that hand-written code enforces; it is removed if there are
    none.
    """
    combined = dict(constraints)
    own = {word: value for word, value in by_hand.items() if word not in _PARTS and combined.get(word) != value}
    if own or any(word not in _PARTS for word in combined):
        combined["enforcedByHand"] = own or REMOVE
    for part in _PARTS:
        inner = mapping(combined.get(part))
        part_values = {word: value for word, value in mapping(by_hand.get(part)).items() if inner.get(word) != value}
        if inner or part_values:
            combined[part] = {**inner, "enforcedByHand": part_values or REMOVE}
    return combined


def left_to_hand_written(written: Mapping[str, object], imported: Value) -> Value:
    """Return the value of `enforcedByHand` without constraints that a person has already written as generated ones."""
    remaining = {word: value for word, value in mapping(imported).items() if written.get(word) != value}
    return remaining or REMOVE


def mapping(value: Value) -> Mapping[str, Value]:
    """Return a value if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}
