"""Makes a pair of schemas smaller of which a review says too little."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

from apigen.review.counterexamples.running import RejectedError
from apigen.review.counterexamples.trying import Trial
from apigen.review.review import review
from apigen.review.rules.rule import Rule
from tests.review.model.batch import BEFORE, NOW, at, batch_of
from tests.review.model.families import Spec
from tests.review.model.trials import Unsound, kind_of

MOST = 60
"""Smaller pairs that are tried."""

Pair = tuple[Spec, Spec]


def minimised(found: Unsound, rules: tuple[Rule, ...], most: int = MOST) -> Pair:
    """The pair without versions, types, fields and words that it does not need to show the same; `most` smaller ones are tried."""
    pair = found.specs
    tried = 0
    progress = all(pair)  # of a group that is on one side only there is nothing to omit on both
    while progress and tried < most:
        progress = False
        for smaller in _smaller(pair):
            tried += 1
            if _is_unsound(smaller, found, rules):
                pair, progress = smaller, True
                break
            if tried >= most:
                break
    return pair


def _is_unsound(pair: Pair, found: Unsound, rules: tuple[Rule, ...]) -> bool:
    group = found.group
    with tempfile.TemporaryDirectory() as folder:
        try:
            batch = batch_of([({group: spec}, {group: []}) for spec in pair], Path(folder))
        except (AssertionError, StopIteration, ValueError):
            return False
        old, new = batch.variants
        if group not in old.specs or group not in new.specs:
            return False
        findings = review(at(old.surface, BEFORE), at(new.surface, NOW), rules=rules).findings
        if any(found.direction in finding.effects for finding in findings):
            return False
        spec = pair[0] if found.written_by == "old" else pair[1]
        kind = kind_of(group, spec, found.value)
        try:
            return Trial((old.before, new.now), kind, found.value, found.written_by).outcome(found.direction).shows
        except RejectedError:
            return False


def _smaller(pair: Pair) -> Iterator[Pair]:
    """Pairs that lack something on both sides."""
    for version in [name for name in pair[0]["versions"] if name != "v1"]:
        smaller = deepcopy(pair)
        for spec in smaller:
            gone = spec["versions"].pop(version, {})
            if gone.get("storage"):
                next(iter(spec["versions"].values()))["storage"] = True
        yield smaller
    for path in _paths(pair):
        smaller = deepcopy(pair)
        for spec in smaller:
            for types in (version["types"] for version in spec["versions"].values()):
                _remove(types, path)
        yield smaller


def _paths(pair: Pair) -> list[tuple[str, ...]]:
    found: dict[tuple[str, ...], None] = {}
    for types in (version["types"] for spec in pair for version in spec["versions"].values()):
        for name, type_ in types.items():
            found[(name,)] = None
            found.update({(name, word): None for word in type_ if word not in ("fields", "enum", "is")})
            for field, said in type_.get("fields", {}).items():
                found[(name, "fields", field)] = None
                found.update({(name, "fields", field, word): None for word in said if word not in ("type", "protobuf")})
    return sorted(found, key=len)


def _remove(types: Spec, path: tuple[str, ...]) -> None:
    for name in path[:-1]:
        if name not in types:
            return
        types = types[name]
    types.pop(path[-1], None)
