"""Searches counterexamples for the findings of a review, with the generated code of both sides. The rejections that show a
finding are those by its own rule, and not by another one at the same place.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, replace
from apigen.ir.graphs import reached
from apigen.ir.surface import Element, ElementKind, Enum, Group, Struct, Surface, TypeName, slot_at
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Trait
from apigen.review.counterexamples.by_pipeline import ByPipeline
from apigen.review.counterexamples.candidates import TOO_MUCH, Allowance, Candidates, Sampling, behind_gate
from apigen.review.counterexamples.crd_server import CrdServer, has_schemas
from apigen.review.counterexamples.holders import (
    is_numbered,
    kind_of,
    unheld,
    unwrapped_text,
    with_holders,
    wrapped_type,
    wrapped_value,
)
from apigen.review.counterexamples.outcome import KEEPERS, NO_KIND, SENDERS, UNKNOWN_FIELD, Rejections
from apigen.review.counterexamples.running import Answer, Built, Kind, Task, group_name, run_tasks, version_name
from apigen.review.counterexamples.specs_of_types import NotConvertibleError
from apigen.review.counterexamples.trial_run import Patience, run_task
from apigen.review.finding import CEL, WITHOUT_CEL, Counterexample, Finding, Review
from apigen.review.links import Links, no_longer_served
from apigen.review.prover.regex import one_account
from apigen.review.results import Impact, Severity, Side
from apigen.runtime.structural.engine import RULES
from apigen.runtime.structural.nodes import EMBEDDED, LIST_TYPE, Schema, Shared

if TYPE_CHECKING:

    from apigen.review.counterexamples.compiled_sides import SideCompiler


_SAME_BOUND = (
    frozenset({"maxLength", "maxBytes"}),
    frozenset({"minLength", "minBytes"}),
    frozenset({"maxItems", "maxProperties"}),
    frozenset({"minItems", "minProperties"}),
    frozenset({"minimum", "exclusiveMinimum"}),
    frozenset({"maximum", "exclusiveMaximum"}),
)
"""Keywords that bound the same measure of a value."""

_OF_WHOLES = frozenset({ElementKind.GROUP, ElementKind.VERSION, ElementKind.KIND})
_ALTERNATIVES = ("allOf", "anyOf", "oneOf", "not")
_OF_ZERO_VALUES = (
    "enum",
    "format",
    "pattern",
    "minLength",
    "minItems",
    "minProperties",
    "minimum",
    "exclusiveMinimum",
    RULES,
)
_OWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("became-optional", "became-required", "status-became-required"), ("required",)),
    **dict.fromkeys(("default-added", "default-changed", "default-removed", "default-switched"), ("required",)),
    **dict.fromkeys(("enum-constraint-added", "enum-constraint-removed"), ("enum",)),
    **dict.fromkeys(("field-added", "field-removed", "field-removed-with-tombstone"), (UNKNOWN_FIELD,)),
    # an object without the field has its zero value, which other constraints of it may reject
    "field-added-required": (UNKNOWN_FIELD, "required", EMBEDDED, *_OF_ZERO_VALUES),
    **dict.fromkeys(("list-type-associative", "list-type-atomic"), (LIST_TYPE, "required")),
    **dict.fromkeys(("pattern-added", "pattern-changed", "pattern-removed", "pattern-widened"), ("pattern",)),
    **dict.fromkeys(("uniqueness-added", "uniqueness-removed"), ("uniqueItems", LIST_TYPE)),
}
"""The keywords whose rejections show a finding of a rule. Findings of other rules may be shown by any rejection."""


def rejections_of(finding: Finding, sides: tuple[Surface, Surface]) -> Rejections:
    """Return the rejections that show a finding."""
    element = finding.element
    if element.kind is ElementKind.RULE:
        return Rejections(frozenset({RULES}), tuple(dict.fromkeys(_rule_errors(finding, sides))))
    if finding.result.number_of:  # an unknown name in JSON is a finding of its own
        return Rejections(others=frozenset({UNKNOWN_FIELD}))
    if finding.rule == "null-rejects-objects":  # a client that cannot read null is a finding of its own
        return Rejections(others=frozenset({UNKNOWN_FIELD, NO_KIND, "type"}))
    if element.kind is ElementKind.BRANCH:
        return Rejections(frozenset(_ALTERNATIVES))
    if finding.rule in ("bound-tightened", "bound-loosened") and finding.keyword is not None:
        same = (each for each in _SAME_BOUND if finding.keyword in each)
        return Rejections(next(same, frozenset({finding.keyword.value})))
    own = (NO_KIND,) if element.kind in _OF_WHOLES else _OWN.get(finding.rule, ())
    return Rejections(frozenset(own) or None)


def _rule_errors(finding: Finding, sides: tuple[Surface, Surface]) -> Iterator[str]:
    """Yield the error messages of the CEL rules that a finding is about: its element, and the rule that it replaces."""
    for side in sides:
        slot = slot_at(side, finding.element)
        for rule in () if slot is None else slot.rules:
            if finding.element.path.endswith(f"({rule.name})") or rule.name == finding.result.replaced_rule:
                yield (rule.message or "").strip() or f" rule: {rule.text.strip()}"  # failed, or failed to evaluate


_VALUES = 4
"""Number of enum values that count as one field."""


class Choosing:
    """Limits the kinds of a group that are compiled, by the number of fields of their types on both sides; each type
    counts once.
    """

    def __init__(self, sides: Iterable[tuple[Surface, Group]], allowance: Allowance) -> None:
        self._sides = [(surface, group, set[TypeName]()) for surface, group in sides]
        self._allowance = allowance
        self._known: dict[str, bool] = {}

    def affords(self, kinds: set[str]) -> bool:
        """Return whether kinds can be compiled within the limit; if so, they are added."""
        for kind in sorted(kinds - self._known.keys()):
            fresh, count = [], 0
            for surface, group, included in self._sides:
                roots = (version.kinds[kind].root for version in group.versions.values() if kind in version.kinds)
                names = reached(roots, Links(surface).of) - included
                types = [surface.type(name) for name in names]
                values = sum(len(type_.values) for type_ in types if isinstance(type_, Enum))
                count += values // _VALUES + sum(len(type_.fields) for type_ in types if isinstance(type_, Struct))
                fresh.append((included, names))
            self._known[kind] = self._allowance.takes_fields(count)
            for included, names in fresh if self._known[kind] else ():
                included |= names
        return all(self._known[kind] for kind in kinds)


MOST = 200
"""Maximum number of findings for which counterexamples are searched, the worst first."""

SECONDS = 60.0
"""Time limit of the whole search, as CPU time: on a machine with other work, a review finds the same."""

_REJECTED_BY_OTHER = {side: frozenset({SENDERS[side], KEEPERS[side]}) for side in Side}
"""The directions in which the other side receives objects of a side."""

_OBJECTS_AFTER_SEARCH = 16
"""Number of objects that are generated for a finding of CRDs, in addition to the search by the schemas."""

_OBJECTS = 60
_PACKAGES = ("counterexample_old", "counterexample_new")
_NO_VALUE = "no value was found that only one of the schemas accepts"


@dataclass(frozen=True, slots=True)
class _Target:
    """A finding with its index in the review, the objects of both sides to try, and the paths of the element in them."""

    number: int
    finding: Finding
    objects: tuple[tuple[JsonValue, ...], tuple[JsonValue, ...]]
    paths: tuple[tuple[str, ...], tuple[str, ...]]
    gates: tuple[str, ...]
    is_too_much: bool = False

    @property
    def kinds(self) -> set[str]:
        """Return the kinds of its objects."""
        return {str(value["kind"]) for part in self.objects for value in part if isinstance(value, dict)}


def with_counterexamples(review: Review, most: int = MOST, seconds: float = SECONDS) -> Review:
    """Return the review with counterexamples for its findings, or the reason why a finding has none in a direction."""
    unserved = no_longer_served(review.old, review.new)
    numbered = [(i, each) for i, each in enumerate(review.findings) if _is_wanted(each, unserved)]
    numbered.sort(key=lambda pair: -pair[1].severity)
    search = _Search(review, time.process_time() + seconds)
    with one_account():
        tried = dict(search.run(numbered[:most]))
    for number, finding in numbered[most:]:
        tried[number] = _not_tried(
            finding, f"no search was made, because a review searches for at most {most} findings"
        )
    findings = tuple(tried.get(i, each) for i, each in enumerate(review.findings))
    return replace(review, findings=findings)


def _is_wanted(finding: Finding, unserved: frozenset[str]) -> bool:
    """Return whether to search for counterexamples; `unserved` are kinds that the revision does not serve, which is the
    finding that an object would show.
    """
    is_moot = bool(finding.kinds) and finding.trait is not Trait.SERVED and unserved.issuperset(finding.kinds)
    return (
        bool(finding.effects) and not finding.no_counterexample and finding.severity > Severity.SILENT and not is_moot
    )


class _Search:
    """The search of one review."""

    def __init__(self, review: Review, deadline: float) -> None:
        self._review = review
        self._deadline = deadline
        self._allowance = Allowance()
        self._compilers: tuple[SideCompiler, SideCompiler] | None = None

    def run(self, numbered: list[tuple[int, Finding]]) -> Iterator[tuple[int, Finding]]:
        """Yield each finding that was tried, with its counterexamples."""
        sides = self._review.old, self._review.new
        # JSON Schema documents: no server drops undeclared fields, or requires `kind`
        if all(side.schemas and all(each.is_all for each in side.schemas.values()) for side in sides):
            from apigen.review.counterexamples.by_schemas import BySchemas  # only documents need it

            by_schemas = BySchemas(*sides)
            for number, finding in numbered:
                finding = replace(finding, no_counterexample=_NO_VALUE)
                yield number, _verified(finding if self._is_over() else by_schemas.completed(finding))
        else:
            yield from ((number, _verified(finding)) for number, finding in self._tried(numbered))

    def _tried(self, numbered: list[tuple[int, Finding]]) -> Iterator[tuple[int, Finding]]:
        by_group: dict[str, list[tuple[int, Finding]]] = {}
        for number, finding in numbered:
            groups = self._groups(finding.element)
            for group in groups:
                by_group.setdefault(group, []).append((number, finding))
            if not groups:
                yield number, replace(finding, no_counterexample="no object contains it")
        for name, found in by_group.items():
            yield from self._of_group(name, found)

    def _is_over(self) -> bool:
        return time.process_time() >= self._deadline

    def _groups(self, element: Element) -> list[str]:
        if element.kind is ElementKind.GATE:
            sides = (self._review.new, self._review.old)
            return list(dict.fromkeys(each.group for side in sides for each in behind_gate(side, element.path)))[:1]
        return [element.group] if element.kind is not ElementKind.FILE else []

    def _of_group(self, name: str, numbered: list[tuple[int, Finding]]) -> Iterator[tuple[int, Finding]]:
        names = [finding.element.type_name for _, finding in numbered if finding.element.type]
        sides = self._review.old, self._review.new
        alone = unheld(sides, names)
        old, new = (with_holders(side, alone) for side in sides)
        samplings = Sampling(old, self._allowance), Sampling(new, self._allowance)
        candidates = Candidates(*samplings), Candidates(samplings[1], samplings[0])
        before, after = _group(old, name), _group(new, name)
        if before is None or after is None:
            side = "old" if before is None else "new"
            reason = f"the {side} side has no kind that accepts objects, in {name or 'this group'} or another group"
            yield from ((number, replace(finding, no_counterexample=reason)) for number, finding in numbered)
            return
        groups = before, after
        versions = set(before.versions) | set(after.versions)
        if has_schemas(before, old.schemas) and has_schemas(after, new.schemas):
            evaluation = _Evaluation((old, new), groups, versions)
            for number, finding in numbered:
                bare = _Target(number, finding, ((), ()), *_places(finding, candidates))
                make = partial(
                    _target_of, number, finding, candidates, self._is_over, self._allowance, _OBJECTS_AFTER_SEARCH
                )
                answer = None if self._is_over() else evaluation.answer(bare, make)
                yield number, _with_answer(bare, answer, is_over=self._is_over())
            return
        targets = [_target_of(*each, candidates, self._is_over, self._allowance) for each in numbered]
        choosing = Choosing(zip((old, new), groups, strict=True), self._allowance)
        skipped = [each for each in targets if each.is_too_much or not choosing.affords(each.kinds)]
        yield from ((each.number, _not_tried(each.finding, TOO_MUCH)) for each in skipped)
        left_out = {each.number for each in skipped}
        targets = [each for each in targets if each.number not in left_out]
        try:
            answers = self._answers(targets, (old, new), groups, versions)
        except NotConvertibleError as error:
            yield from self._each_version(targets, (old, new), groups, str(error))
            return
        yield from self._answered(targets, answers)

    def _each_version(
        self, targets: list[_Target], sides: tuple[Surface, Surface], groups: tuple[Group, Group], reason: str
    ) -> Iterator[tuple[int, Finding]]:
        """Try each version alone, if the versions cannot be compiled together."""
        by_version: dict[str, list[_Target]] = {}
        for each in targets:
            by_version.setdefault(each.finding.element.version, []).append(each)
        for version, part in by_version.items():
            try:
                if not all(version in group.versions for group in groups):
                    raise NotConvertibleError(reason)
                answers = self._answers(part, sides, groups, {version}, version)
            except NotConvertibleError as error:
                yield from ((each.number, replace(each.finding, no_counterexample=str(error))) for each in part)
            else:
                yield from self._answered(part, answers)

    def _answered(self, targets: list[_Target], answers: dict[int, Answer]) -> Iterator[tuple[int, Finding]]:
        is_over = self._is_over()
        return ((each.number, _with_answer(each, answers.get(each.number), is_over=is_over)) for each in targets)

    def _answers(
        self,
        targets: list[_Target],
        sides: tuple[Surface, Surface],
        groups: tuple[Group, Group],
        versions: set[str],
        alone: str = "",
    ) -> dict[int, Answer]:
        """Compile both sides and run the tasks; `alone` is the only version that is tried. Raises NotConvertibleError."""
        kinds = {kind for each in targets for kind in each.kinds}
        if not kinds or self._is_over():
            return {}
        from apigen.review.counterexamples.compiled_sides import (  # CRDs are tried without the compiler
            GroupSide,
            SideCompiler,
        )

        if self._compilers is None:
            self._compilers = SideCompiler(), SideCompiler()
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            for surface, group, compiler, package in zip(sides, groups, self._compilers, _PACKAGES, strict=True):
                # without one of the kinds, any other one, so that there is a server that rejects them
                tried = kinds & group.kinds.keys() or set(list(group.kinds)[:1])
                compiler.build(GroupSide(surface, group, alone), tried, folder, package)
            numbers = (side.release_in(group.name) for side, group in zip(sides, groups, strict=True))
            releases = tuple(None if number is None else str(number) for number in numbers)
            has_protobuf = all(map(is_numbered, groups))
            ratchets = sides[0].ratchets, sides[1].ratchets
            built = Built(folder, _PACKAGES, (releases[0], releases[1]), has_protobuf, ratchets)
            tasks = tuple(_task(each, sides, groups, versions) for each in targets)
            return {} if self._is_over() else run_tasks(built, tasks, self._deadline - time.process_time())


class _Evaluation:
    """Tries objects by the schemas of both sides, as servers of CRDs evaluate them."""

    def __init__(self, sides: tuple[Surface, Surface], groups: tuple[Group, Group], versions: set[str]) -> None:
        shared = Shared()
        self._sides, self._groups, self._versions = sides, groups, versions
        self._servers = CrdServer(sides[0], groups[0], shared), CrdServer(sides[1], groups[1], shared)
        self._search = ByPipeline(sides, self._servers)
        self._known: dict[tuple[object, ...], list[tuple[list[Schema], Answer]]] = {}

    def answer(self, target: _Target, make: Callable[[], _Target]) -> Answer:
        """Return the result for a finding; that of another version, if its schemas and the change are equal.

        `make` returns the finding with generated objects, which takes long.
        """
        finding, element = target.finding, target.finding.element
        version, kind = element.api_version, element.type.partition(".")[0]
        served_schemas = [server.schema(version, kind) for server in self._servers]
        schemas = [each.schema for each in served_schemas if each is not None]
        if not element.type or len(schemas) < len(served_schemas):
            return self._evaluated(target, make)
        served = [version in server.versions(Kind(element.group, kind)) for server in self._servers]
        change = replace(element, version=""), finding.rule, finding.old, finding.new
        known = self._known.setdefault((*change, frozenset(finding.effects), *served), [])
        answer = next((each for others, each in known if others == schemas), None)
        if answer is None:
            answer = self._evaluated(target, make)
            known.append((schemas, answer))
        return _in_version(answer, version)

    def _evaluated(self, target: _Target, make: Callable[[], _Target]) -> Answer:
        """Try the object found by the search, which is small; then generated ones, in the directions without a
        counterexample.
        """
        finding, patience = target.finding, Patience()
        task = self._task(target)
        answer = Answer(task.number, (), 0, 0)
        breaking = {direction for direction, effect in finding.effects.items() if effect.impact is Impact.BREAKS}
        for side, directions in _REJECTED_BY_OTHER.items():
            if not directions.isdisjoint(breaking):
                from_search = self._search.found(finding, side, task.rejections, task.paths_of(side))
                if from_search is not None:
                    found, reduced = from_search
                    objects = ((found,), ()) if side is Side.OLD else ((), (found,))
                    of_search = replace(task, objects=objects, reduced=reduced)
                    answer = answer.joined(run_task(of_search, self._servers, patience))
        for each in answer.counterexamples:
            self._search.keep(finding, each.written_by, each.outcome.before)
        shown_directions = {each.direction for each in answer.counterexamples}
        open_directions = tuple(each for each in task.directions if each not in shown_directions)
        if not open_directions:
            return answer
        generated = replace(self._task(make()), directions=open_directions)
        return answer.joined(run_task(generated, self._servers, patience))

    def _task(self, target: _Target) -> Task:
        return _task(target, self._sides, self._groups, self._versions)


def _in_version(answer: Answer, version: str) -> Answer:
    """Return the result with its objects in a version."""

    def moved(value: JsonValue) -> JsonValue:
        return {**value, "apiVersion": version} if isinstance(value, dict) else value

    counterexamples = (
        replace(each, outcome=replace(each.outcome, before=moved(each.outcome.before), after=moved(each.outcome.after)))
        for each in answer.counterexamples
    )
    return replace(answer, counterexamples=tuple(counterexamples))


def _places(
    finding: Finding, candidates: tuple[Candidates, Candidates]
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], tuple[str, ...]]:
    """Return the paths of the element of a finding in the objects of both sides, and the gates on which it depends."""
    siblings = finding.result.siblings
    of_base, of_revision = (candidates[i].paths(_element_of(finding, side), siblings) for i, side in enumerate(Side))
    paths = of_base, of_revision
    gates = (gate for of_side in candidates for gate in of_side.gates(finding.element))
    return paths, tuple(dict.fromkeys(gates))


def _target_of(
    number: int,
    finding: Finding,
    candidates: tuple[Candidates, Candidates],
    is_over: Callable[[], bool],
    allowance: Allowance,
    most: int = _OBJECTS,
) -> _Target:
    """Return the finding with the objects to try: those that can be generated within the time limit and the allowance."""
    objects = []
    is_spent, element = allowance.is_spent, finding.element
    for side, of_side in zip(Side, candidates, strict=True):
        examples = tuple((each.value, each.siblings) for each in finding.result.examples if each.written_by is side)
        generated = () if is_over() or is_spent else of_side.objects(_element_of(finding, side), examples, most)
        if element.kind is ElementKind.KIND:  # only objects of the kind show its changes
            generated = (each for each in generated if isinstance(each, dict) and each.get("kind") == element.type)
        known = finding.result.objects if side is Side.OLD else ()
        objects.append((*known, *takewhile(lambda _: not is_over() and not allowance.is_spent, generated)))
    return _Target(number, finding, (objects[0], objects[1]), *_places(finding, candidates), is_spent)


def _element_of(finding: Finding, side: Side) -> Element:
    """Return the element of a finding as a side has it."""
    number_of = finding.result.number_of if side is Side.OLD else ""
    return replace(finding.element, path=number_of) if number_of else finding.element


def _group(surface: Surface, name: str) -> Group | None:
    """Return a group of a side; without it, any other group with kinds, as a server that does not know the objects."""
    others = (group for group in surface.groups.values() if any(each.kinds for each in group.versions.values()))
    return surface.groups.get(name) or next(others, None)


def _task(target: _Target, sides: tuple[Surface, Surface], groups: tuple[Group, Group], versions: set[str]) -> Task:
    finding = target.finding
    known = {version_name(version) for group in groups for name, version in group.versions.items() if name in versions}
    old, new = (
        tuple(value for value in part if _version_of(value) in known and _can_be_tried(value, groups))
        for part in target.objects
    )
    kinds = {str(value["kind"]) for value in (*old, *new) if isinstance(value, dict)}
    later = tuple(each for each in finding.effects if each in finding.result.effects)
    written_by = {each.written_by for each in finding.result.examples}
    return Task(
        target.number,
        group_name(next(iter(groups[0].versions.values()))),
        (_has_status(groups[0], kinds), _has_status(groups[1], kinds)),
        tuple(finding.effects),
        (old, new),
        target.paths,
        afterwards=later,
        gates=target.gates,
        readers=tuple(each for each in later if finding.effects[each].impact is Impact.DEPENDS),
        # objects of the other side may show another change
        telling=written_by.pop() if len(written_by) == 1 else None,
        rejections=rejections_of(finding, sides),
        of_bytes=bool(finding.result.number_of),
    )


def _can_be_tried(value: JsonValue, groups: tuple[Group, Group]) -> bool:
    """Return whether an object can be tried on both sides: a kind that holds a value of a type must exist on both."""
    kind = str(value.get("kind", "")) if isinstance(value, dict) else ""
    return not wrapped_type(value) or all(kind in group.kinds for group in groups)


def _version_of(value: JsonValue) -> str:
    return str(value["apiVersion"]).rpartition("/")[2] if isinstance(value, dict) else ""


def _has_status(group: Group, kinds: set[str]) -> bool:
    return any(
        "status" in kind.subresources
        for version in group.versions.values()
        for name, kind in version.kinds.items()
        if name in kinds
    )


def _with_answer(target: _Target, answer: Answer | None, *, is_over: bool) -> Finding:
    finding = target.finding
    if answer is None:
        if any(target.objects) or is_over:
            return _not_tried(finding, "no search was made, because the time limit was reached")
        return replace(finding, no_counterexample="no object contains it")
    counterexamples = tuple(
        Counterexample(
            each.direction,
            kind_of(each.outcome.before),
            wrapped_value(each.outcome.before),
            unwrapped_text(each.outcome.text, each.outcome.before),
            wrapped_value(each.outcome.after),
        )
        for each in answer.counterexamples
    )
    # a counterexample that is rejected with default settings
    breaking = {
        each.direction: replace(finding.effects[each.direction], impact=Impact.BREAKS)
        for each in answer.counterexamples
        if each.breaks
    }
    finding = replace(finding, counterexamples=counterexamples, effects={**finding.effects, **breaking})
    is_shown = not finding.directions_without_counterexample
    reason = "" if is_shown else f"none of {answer.accepted} tested objects shows it"
    if not answer.accepted:
        reason = "no object was found that its own side accepts"
    if answer.failure:
        reason = WITHOUT_CEL if CEL in answer.failure else f"the test failed: {answer.failure}"
    return replace(finding, no_counterexample=reason)


def _verified(finding: Finding) -> Finding:
    """Return the finding as an error if a counterexample shows that the revision rejects what the base accepts, and it
    was not verified before.
    """
    shown_directions = {each.direction for each in finding.counterexamples} & _REJECTED_BY_OTHER[Side.OLD]
    if finding.severity is not Severity.UNVERIFIED or not any(
        finding.effects[e].impact is Impact.BREAKS for e in shown_directions
    ):
        return finding
    return replace(finding, severity=Severity.ERROR, result=replace(finding.result, not_verified=""))


def _not_tried(finding: Finding, reason: str) -> Finding:
    """Return the finding with the reason why no counterexample was searched."""
    return replace(finding, no_counterexample=reason, is_untried=True)
