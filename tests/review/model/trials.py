"""The pairs of variants of a batch: each is reviewed, and can be tried with random objects in every direction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from apigen.ir.surface import Element, ElementKind, Struct, Surface
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.candidates import Candidates
from apigen.review.counterexamples.outcome import Outcome
from apigen.review.counterexamples.running import Kind, RejectedError
from apigen.review.counterexamples.trial_run import shrunk
from apigen.review.counterexamples.trying import Trial
from apigen.review.finding import Finding
from apigen.review.results import Direction, Side
from apigen.review.review import review
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import Rule
from tests.review.model.batch import BEFORE, NOW, Batch, Variant, at
from tests.review.model.families import Spec

MOST_VALUES = 6
"""Objects of a side that are accepted, for an element."""

MOST_ELEMENTS = 3
"""Elements that changed, of which objects are made."""

COUNTED = 0.25
"""Number of pairs in which a finding that reports a break is tried."""


@dataclass
class Unsound:
    """A direction that was called safe, and an object that shows that it is not."""

    group: str
    direction: Direction
    written_by: Side
    value: JsonValue
    outcome: Outcome
    changes: tuple[list[str], list[str]]
    rules: list[str]
    parts: tuple[Spec, Spec]
    specs: tuple[Spec, Spec]


@dataclass
class Result:
    """The results. By rule and direction: pairs in which only it reports a break, and those of them in which an object
    shows it. `directions` of the counted pairs: whether a finding reports them, and whether an object breaks.
    """

    pairs: int = 0
    objects: int = 0
    trials: int = 0
    safe: int = 0
    unsound: list[Unsound] = field(default_factory=list)
    said: Counter[tuple[str, Direction]] = field(default_factory=Counter)
    shown: Counter[tuple[str, Direction]] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    mutations: Counter[str] = field(default_factory=Counter)
    directions: Counter[tuple[bool, bool]] = field(default_factory=Counter)

    def add(self, other: Result) -> None:
        """Add another result to this one."""
        self.pairs += other.pairs
        self.objects += other.objects
        self.trials += other.trials
        self.safe += other.safe
        self.unsound += other.unsound
        for mine, theirs in (
            (self.said, other.said),
            (self.shown, other.shown),
        ):
            mine.update(theirs)
        self.directions.update(other.directions)
        self.rules.update(other.rules)
        self.mutations.update(other.mutations)


def pairs_of(batch: Batch, rules: tuple[Rule, ...] = RULES) -> Iterator[Pair]:
    """Review every two variants; a pair for every group of them."""
    for old, new in batch.pairs():
        before, now = at(old.surface, BEFORE), at(new.surface, NOW)
        by_group: dict[str, list[Finding]] = {}
        for finding in review(before, now, rules=rules).findings:
            by_group.setdefault(_group_of(finding.element), []).append(finding)
        sides = Candidates(old.sampling, new.sampling), Candidates(new.sampling, old.sampling)
        for group in dict.fromkeys((*before.groups, *now.groups)):
            if old.knows(group) and new.knows(group):
                yield Pair(group, old, new, before, now, by_group.get(group, []), sides)


def _group_of(element: Element) -> str:
    if element.kind is ElementKind.GATE:
        match = re.match(r"g\d+", element.path)
        return f"{match[0]}.example.com" if match else ""
    return element.group


@dataclass
class Pair:
    """A group in two variants, with the findings of its review."""

    group: str
    old: Variant
    new: Variant
    before: Surface
    now: Surface
    findings: list[Finding]
    sides: tuple[Candidates, Candidates]

    def run(self, random: Random, result: Result) -> None:
        """Try every direction that is called safe with objects, and some that are not; the result grows."""
        result.rules.update({each.rule for each in self.findings})
        result.mutations.update({*self.old.changes[self.group], *self.new.changes[self.group]})
        if not all("hub" in spec for spec in (self._spec(Side.OLD), self._spec(Side.NEW)) if spec):
            return  # what converts its versions is not generated: there is no server to try
        result.pairs += 1
        effects: dict[Direction, set[str]] = {}
        for finding in self.findings:
            for direction in finding.effects:
                effects.setdefault(direction, set()).add(finding.rule)
        is_counted = random.random() < COUNTED
        wanted = [direction for direction in Direction if is_counted or direction not in effects]
        shown = self._tried(random, effects, wanted, result) if wanted else set()
        result.safe += sum(direction not in effects for direction in Direction)
        if is_counted:
            result.directions.update((direction in effects, direction in shown) for direction in Direction)
        for direction, rules in effects.items():
            if len(rules) == 1 and is_counted:
                key = (next(iter(rules)), direction)
                result.said[key] += 1
                result.shown[key] += direction in shown

    def _tried(
        self, random: Random, effects: dict[Direction, set[str]], wanted: list[Direction], result: Result
    ) -> set[Direction]:
        shown: set[Direction] = set()
        for side in Side:
            trials = self._trials(side, random)
            result.objects += len(trials)
            for direction in wanted:
                outcomes: Iterable[tuple[Trial, Outcome]] = ((trial, trial.outcome(direction)) for trial in trials)
                if direction in (Direction.OLD_CLIENT if side is Side.OLD else Direction.NEW_CLIENT,):
                    outcomes = (*outcomes, *((two, one.updated(two)) for one, two in pairwise(trials[:8])))
                for trial, outcome in outcomes:
                    result.trials += 1
                    if outcome.shows:
                        if direction not in effects and direction not in shown:
                            result.unsound.append(self._unsound(direction, side, trial, outcome))
                        shown.add(direction)
                        break
        return shown

    def _trials(self, side: Side, random: Random) -> list[Trial]:
        """Objects that a side accepts, of what changed and of something else."""
        if not self._spec(side):
            return []
        candidates = self.sides[0 if side is Side.OLD else 1]
        elements = list(dict.fromkeys(finding.element for finding in self.findings))
        random.shuffle(elements)
        elements = [*elements[:MOST_ELEMENTS], *self._others(side, random)]
        servers = (self.old.before, self.new.now)
        found: list[Trial] = []
        for element in elements:
            values = list(candidates.objects(element, most=30))
            random.shuffle(values)
            taken = 0
            for value in values[:12]:
                try:
                    found.append(Trial(servers, kind_of(self.group, self._spec(side), value), value, side))
                except RejectedError:
                    continue
                taken += 1
                if taken == MOST_VALUES:
                    break
        return found

    def _others(self, side: Side, random: Random) -> list[Element]:
        """One field, whatever became of it."""
        surface = self.before if side is Side.OLD else self.now
        version = random.choice(list(surface.groups[self.group].versions.values()))
        struct = random.choice([each for each in version.types.values() if isinstance(each, Struct)])
        if not struct.fields:
            return []
        name = random.choice(list(struct.fields))
        return [Element(ElementKind.FIELD, self.group, version.name, struct.name.name, name)]

    def _spec(self, side: Side) -> Spec:
        """What a side says of the group; nothing where it has none."""
        return (self.old if side is Side.OLD else self.new).specs.get(self.group, {})

    def _unsound(self, direction: Direction, side: Side, trial: Trial, outcome: Outcome) -> Unsound:
        last = outcome

        def shows(value: JsonValue) -> bool:
            nonlocal last
            try:
                found = Trial((self.old.before, self.new.now), trial.kind, value, side).outcome(direction)
            except RejectedError:
                return False
            last = found if found.shows else last
            return found.shows

        value = shrunk(trial.value, shows)
        changes = self.old.changes[self.group], self.new.changes[self.group]
        rules = [f"{each.rule}: {each.result.message}" for each in self.findings]
        elements = [each.element for each in self.findings]
        specs = self._spec(Side.OLD), self._spec(Side.NEW)
        parts = _parts(specs[0], elements), _parts(specs[1], elements)
        return Unsound(self.group, direction, side, value, last, changes, rules, parts, specs)


def kind_of(group: str, spec: Spec, value: JsonValue) -> Kind:
    """The kind of an object of a group."""
    assert isinstance(value, dict)
    name = str(value["kind"])
    return Kind(group, name, "status" in spec["kinds"].get(name, {}).get("subresources", {}))


def _parts(spec: Spec, elements: list[Element]) -> Spec:
    """What a spec says of elements."""
    found: Spec = {}
    for element in elements:
        types = spec.get("versions", {}).get(element.version, {}).get("types", {})
        type_ = types.get(element.type)
        if type_ is not None:
            name = element.path.split("[")[0].split("{")[0].split("(")[0]
            inner = type_.get("fields", {}).get(name)
            found[f"{element.version}.{element.type}{'.' if inner else ''}{name if inner else ''}"] = inner or type_
        if element.kind is ElementKind.GATE:
            found[element.path] = spec.get("features", {}).get(element.path)
    return found
