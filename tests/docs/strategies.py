"""The page on strategies of Kubernetes, written from the tables that `make kubernetes-evolution ARGS=--write` stores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.kubernetes.whole.strategy_causes import CAUSES
from tests.kubernetes.whole.strategy_pairs import Pair
from tests.kubernetes.whole.strategy_table import Result, Row, read, totals

INTRODUCTION = """\
# Strategies of Kubernetes

An API server runs the strategy of a kind before it stores an object: the strategy resets or keeps fields, increments the generation,
and drops fields whose feature gate is disabled. In Kubernetes, each resource has a hand-written strategy. In apigen, strategies are
declared: by options of fields, rules in `hub.yaml`, and the `strategy:` of a kind in `group.yaml`
([language](../../docs/reference/spec-language.md#strategies)).

Each record is an object before and after a strategy of Kubernetes v1.36.3, with the state of the feature gates: 4,388 records of 36
resources come from the test vectors of Kubernetes; for the other resources, random objects were run through the same Go
code. A record agrees if the generated strategy returns exactly the same object. A strategy that does nothing agrees with every record
that Kubernetes does not change, so the records that it changes are counted separately.

`make kubernetes-evolution` compiles the whole Kubernetes API, runs the records, and exits with 1 if a record differs without a
listed cause; the tests run the same records.
"""
BY_RESOURCE = """\
## By resource
"""
HEADER = """\
| resource | records | agree | agree without a strategy | changed by Kubernetes | of these agree | differ, by cause |
|---|--:|--:|--:|--:|--:|---|"""
DIFFERENCES = """\
## Differences

The remaining records differ only in the fields of this table, for causes that a declaration cannot express. A server adds this
behavior in hooks, which run after the generated steps. The tests have such hooks in `tests/kubernetes/whole/hooks_*.py`: with them,
all records of these resources agree, except resizes of pods that add or remove containers.

| resource | operations | fields | cause | behavior of Kubernetes |
|---|---|---|---|---|"""
BY_FIELD = """\
## By field

The standard rule: if the feature gate is disabled, a field with `featureGate:` is dropped from new objects, and from updates unless
the old object has it. A pair is a resource and such a field; a pair agrees in full if every record about it agrees, with the gate
enabled and disabled. Records of the other pairs differ only in fields of the previous table."""


def page() -> str:
    """`tests/records/strategies-of-kubernetes.md`."""
    found = read()
    vectors, random, every = totals(found.rows)
    parts = [INTRODUCTION, HEADER, *(_row(row) for row in (vectors, random, every)), ""]
    parts += [
        BY_RESOURCE,
        "Vectors of Kubernetes:\n",
        HEADER,
        *(_row(row) for row in found.rows if not row.randomized),
        "",
    ]
    parts += ["Random objects:\n", HEADER, *(_row(row) for row in found.rows if row.randomized), ""]
    parts += [DIFFERENCES, *_causes(found), ""]
    parts += [BY_FIELD, "", *_pairs(found.pairs)]
    return "\n".join(parts)


def _row(row: Row) -> str:
    left = ", ".join(f"{count} {cause}" for cause, count in row.causes.items())
    counts = " | ".join(
        f"{count:,}" for count in (row.records, row.agree, row.by_nothing, row.changing, row.changing_agree)
    )
    return f"| {row.resource} | {counts} | {left} |"


def _causes(found: Result) -> Iterator[str]:
    for cause in CAUSES:
        for row in found.causes:
            if row.cause == cause:
                places = ", ".join(f"`{path}`" for path in row.paths)
                yield f"| {row.resource} | {', '.join(row.operations)} | {places} | {cause} | {row.why} |"


def _pairs(pairs: Iterable[Pair]) -> Iterator[str]:
    every = list(pairs)
    yield "| in Kubernetes | pairs | agree in full | agree at the field itself |\n|---|--:|--:|--:|"
    for words, some in (
        ("the standard rule", [pair for pair in every if pair.is_standard]),
        ("another rule", [pair for pair in every if not pair.is_standard]),
        ("**all**", every),
    ):
        there = sum(pair.agrees_there for pair in some)
        yield f"| {words} | {len(some)} | {sum(pair.agrees for pair in some)} | {there} |"
    yield "\n### Fields with another rule\n"
    yield "| resource | field | behavior of Kubernetes | records | agree |\n|---|---|---|--:|--:|"
    for pair in every:
        if not pair.is_standard:
            yield f"| {pair.resource} | `{pair.field}` | {pair.off_rule} | {pair.records} | {pair.agree} |"
    yield "\n### Pairs that do not agree in full\n"
    yield "| resource | field | records | agree | the others differ at | cause |\n|---|---|--:|--:|---|---|"
    for pair in every:
        if not pair.agrees:
            places = ", ".join(f"`{place}`" for place in pair.differs_at)
            yield (
                f"| {pair.resource} | `{pair.field}` | {pair.records} | {pair.agree} | {places} |"
                f" {', '.join(pair.causes)} |"
            )
    yield ""
