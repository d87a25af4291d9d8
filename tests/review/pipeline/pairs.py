"""Random pairs of CRD schemas with objects: what the engine rejects at the revision, and accepts at the base, is no safe change for a review."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from apigen.diagnostics import Report
from apigen.inputs.crd.source import CrdSource
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.results import Severity
from apigen.review.review import review
from apigen.runtime.structural.engine import Structural
from apigen.runtime.validation import ErrorType
from tests.review.pipeline.crds import GROUP, KIND, VERSION, definition, root
from tests.runtime.structural import randomized

Schema = dict[str, Any]

OBJECTS = 24
BATCH = 100
_WORDS = ("a", "b", "c", "mode", "fresh")
_RULES = ("!has(self.mode) || !has(self.a)", "has(self.a) || has(self.b)", "!has(self.fresh) || has(self.a)")


@dataclass
class Result:
    """What came of pairs: `unsound` are the numbers of those that are called safe, and are not; `strict` counts by rule."""

    pairs: int = 0
    objects: int = 0
    rejecting: int = 0
    unsound: list[int] = field(default_factory=list)
    reported: Counter[str] = field(default_factory=Counter)
    strict: Counter[str] = field(default_factory=Counter)

    def add(self, other: Result) -> None:
        """Add what came of other pairs."""
        self.pairs += other.pairs
        self.objects += other.objects
        self.rejecting += other.rejecting
        self.unsound += other.unsound
        self.reported += other.reported
        self.strict += other.strict


def pair(number: int) -> tuple[Schema, Schema, Random]:
    """Two schemas of `spec`, of which the second is the first one with some edits."""
    random = Random(number)
    old = randomized._object(random, 3)
    new = deepcopy(old)
    for _ in range(random.randint(1, 3)):
        _edit(random, random.choice(list(_schemas(new))))
    return old, new, random


def _schemas(schema: Schema) -> Iterator[Schema]:
    """A schema and those in it that have values of their own."""
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from _schemas(inner)
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from _schemas(schema[word])


def _edit(random: Random, schema: Schema) -> None:
    fields = schema.get("properties")
    edits = [lambda: _toggle(random, schema, "nullable", True)]
    if fields:
        name = random.choice([*fields])
        fresh = random.choice(_WORDS)
        edits += [lambda: _default(random, fields[name])] * 3
        edits += [lambda: fields.setdefault(fresh, _with_default(random, randomized._schema(random, 1)))] * 3
        edits += [
            lambda: schema.update(required=sorted({*schema.get("required", []), name})),
            lambda: fields.pop(name),
            lambda: fields.update({name: randomized._schema(random, 1)}),
            lambda: _toggle(random, schema, "maxProperties", random.randint(1, 3)),
            lambda: _toggle(random, schema, "minProperties", random.randint(1, 2)),
            lambda: _toggle(random, schema, "x-kubernetes-validations", [{"rule": random.choice(_RULES)}]),
            lambda: _toggle(random, schema, random.choice(("oneOf", "anyOf")), _branches(random)),
            lambda: _toggle(random, schema, "not", {"required": [random.choice(_WORDS)]}),
        ]
    if schema.get("type") == "string":
        edits += [lambda: _toggle(random, schema, "maxLength", 2), lambda: _toggle(random, schema, "enum", ["a", "b"])]
    if schema.get("type") == "integer":
        edits += [lambda: _toggle(random, schema, "maximum", 3), lambda: _toggle(random, schema, "minimum", 2)]
    random.choice(edits)()


def _branches(random: Random) -> list[Schema]:
    return [{"required": [name]} for name in random.sample(_WORDS, 2)]


def _toggle(random: Random, schema: Schema, word: str, value: Any) -> None:
    if word in schema and random.random() < 0.5:
        del schema[word]
    else:
        schema[word] = value


def _default(random: Random, schema: Schema) -> None:
    if "default" in schema and random.random() < 0.5:
        del schema["default"]
    else:
        _with_default(random, schema)


def _with_default(random: Random, schema: Schema) -> Schema:
    value = randomized._value(random, schema, exact=True)
    if value is not None and not Structural(schema).checked(value):
        schema["default"] = value
    return schema


def tried(numbers: range, folder: Path) -> Result:
    """Review pairs, and hold the result against objects."""
    found = Result()
    for number in numbers:
        found.add(_tried(number, folder))
    return found


def batch(number: int) -> Result:
    """Try the pairs of a batch."""
    with tempfile.TemporaryDirectory() as folder:
        return tried(range(number * BATCH, (number + 1) * BATCH), Path(folder))


def _tried(number: int, folder: Path) -> Result:
    old, new, random = pair(number)
    objects = [_object(random, random.choice((old, new))) for _ in range(OBJECTS)]
    base, revision = Structural(root(old)), Structural(root(new))
    accepted = [each for each in objects if not base.evaluate(each).violations and _is_known(base, each)]
    rejected = [each for each in accepted if _is_rejected(revision, each)]
    changed = [each for each in accepted if _text(revision.completed(each)) != _text(base.completed(each))]
    sides = [_surface(schema, folder, name) for schema, name in ((old, "old"), (new, "new"))]
    findings = review(sides[0], sides[1]).findings
    told = {each.rule for each in findings if each.severity in (Severity.ERROR, Severity.UNVERIFIED)}
    result = Result(1, len(accepted), bool(rejected), [number] if rejected and not told else [], Counter(told))
    if accepted and not rejected and not changed:
        result.strict.update(told)
    return result


def _object(random: Random, schema: Schema) -> dict[str, Any]:
    value = randomized._value(random, schema, exact=random.random() < 0.7)
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": KIND, "metadata": {"name": "a"}, "spec": value}


def _is_known(schema: Structural, value: Any) -> bool:
    """Whether a schema describes all fields of an object: a request with others is rejected by strict field validation, and not stored as it is."""
    return _text(schema.pruned(value)) == _text(value)


def _is_rejected(schema: Structural, value: Any) -> bool:
    return any(each.error.type is not ErrorType.INTERNAL for each in schema.evaluate(value).violations)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _surface(schema: Schema, folder: Path, name: str) -> Surface:
    (folder / f"{name}.json").write_text(json.dumps(definition(root(schema))), encoding="utf-8")
    report = Report()
    found = CrdSource().load(f"{name}.json", Setting(folder), report)
    assert found is not None, report.diagnostics
    return found
