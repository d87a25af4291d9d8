"""The page on strategies of Kubernetes, made of the tables that `make kubernetes-evolution ARGS=--write` keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.kubernetes.whole.strategy_causes import CAUSES
from tests.kubernetes.whole.strategy_pairs import Pair
from tests.kubernetes.whole.strategy_table import Result, Row, read, totals

INTRODUCTION = """\
# Strategies of Kubernetes

A strategy is what an API server does to an object before it stores it: it resets and keeps parts of it, counts the generation,
and drops fields whose feature gate is off. In Kubernetes each resource has one that a person wrote. Here they are data: marks
of fields, rules in `hub.yaml`, and the `strategy:` of a kind in `group.yaml`
([language](../../docs/reference/spec-language.md#strategies)).

Each record is one object before and after a strategy of Kubernetes v1.36.3, with the gates that were set: 4,388 of 36
resources that came with the vectors, and the rest of the resources that these leave out, made up and run through the same
code. A record agrees if the generated strategy makes exactly the same of the object. Doing nothing agrees with every record
that Kubernetes leaves as it is, so those that it changes are counted by themselves.

`make kubernetes-evolution` compiles all of Kubernetes' API, runs the records and exits with 1 if one that must agree does
not; the tests run the same.
"""
BY_RESOURCE = """\
## Resource by resource
"""
HEADER = """\
| resource | records | agree | by doing nothing | that change anything | of these agree | left by cause |
|---|--:|--:|--:|--:|--:|---|"""
WHAT_IS_LEFT = """\
## What is left

Where a record differs, it differs at the places below only, and for a cause that no data can say. A server adds these with
hooks, which run after the generated steps. The tests have such hooks, in `tests/kubernetes/whole/hooks_*.py`: with them every
record of these resources agrees in full, but for resizes of pods whose containers come or go.

| resource | operations | places | cause | |
|---|---|---|---|---|"""
BY_FIELD = """\
## Field by field

The standard rule: with the gate off, a marked field goes on creation, and on an update unless the old object has it. A pair is a
resource and a marked field whose gate can be switched off; a pair agrees in full if every record about it does, gates on and
off. The others differ at places of the table above, in other fields."""


def page() -> str:
    """`tests/records/strategies-of-kubernetes.md`."""
    found = read()
    vectors, made_up, every = totals(found.rows)
    parts = [INTRODUCTION, HEADER, *(_row(row) for row in (vectors, made_up, every)), ""]
    parts += [BY_RESOURCE, "Of the vectors:\n", HEADER, *(_row(row) for row in found.rows if not row.made_up), ""]
    parts += ["Made up besides:\n", HEADER, *(_row(row) for row in found.rows if row.made_up), ""]
    parts += [WHAT_IS_LEFT, *_causes(found), ""]
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
    yield "| resource | field | where Kubernetes does otherwise | records | agree |\n|---|---|---|--:|--:|"
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
