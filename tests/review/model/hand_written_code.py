"""Random APIs with hand-written validation that does what they declare: objects cannot distinguish it from generated
code.
"""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

from tests.review.model.families import Spec

BY_HAND = "enforcedByHand"
_PARTS = ("items", "keys", "values")
_LEAST = ("maximum", "maxLength", "maxItems", "maxProperties", "exclusiveMaximum")
_MOST = ("minimum", "minLength", "minItems", "minProperties", "exclusiveMinimum")


def has_code_by_hand(spec: Spec) -> bool:
    """Whether an API says anything of code by hand."""
    return any(BY_HAND in place for place in _places(spec))


def with_code_by_hand(spec: Spec) -> Spec:
    """Return a copy in which all constraints of hand-written code are generated, too; the same API without any."""
    if not has_code_by_hand(spec):
        return spec
    made = deepcopy(spec)
    for place in _places(made):
        for word, value in place.pop(BY_HAND, {}).items():
            _enforce(place, word, value)
    return made


def _places(spec: Spec) -> list[Spec]:
    """Whatever can have constraints: types, fields, and what is in lists and maps."""
    types = [type_ for version in spec["versions"].values() for type_ in version["types"].values()]
    places = [*types, *(field for type_ in types for field in type_.get("fields", {}).values())]
    return [*places, *(place[word] for place in places for word in _PARTS if word in place)]


def _enforce(place: Spec, word: str, value: Any) -> None:
    """Add a constraint to those of a place: both count."""
    known = place.get(word)
    if known is None or known == value:
        place[word] = value
    elif word in _LEAST:
        place[word] = min(known, value)
    elif word in _MOST:
        place[word] = max(known, value)
    elif word == "multipleOf":
        place[word] = math.lcm(known, value)
    elif word == "pattern":
        place.setdefault("rules", []).append({"rule": f"self.matches('{value}')"})
    else:
        place[word] = known or value
