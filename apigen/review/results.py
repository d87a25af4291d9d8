"""The results of rules and mitigations for a change: its severities, its effects in the four directions, and examples of affected values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum, StrEnum

from apigen.dataclass import dataclass, field
from apigen.ir.stability import Stability
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import AnyChange


class Severity(IntEnum):
    """The severity of a finding, from changes without effect to changes that must not be merged.

    `UNVERIFIED` is an error that is neither proven nor shown by a counterexample.
    """

    SILENT = 0
    INFO = 1
    WARNING = 2
    UNVERIFIED = 3
    ERROR = 4

    @property
    def word(self) -> str:
        """The name in reports."""
        return self.name.lower()


_LETTERS = {"–": Severity.SILENT, "-": Severity.SILENT, "I": Severity.INFO, "W": Severity.WARNING, "E": Severity.ERROR}


@dataclass(frozen=True, slots=True)
class Severities:
    """The severities of a rule for alpha, beta and stable elements."""

    alpha: Severity
    beta: Severity
    stable: Severity

    @classmethod
    def of(cls, letters: str) -> Severities:
        """Parse `I/W/E`; `-` means silent."""
        alpha, beta, stable = (_LETTERS[letter] for letter in letters.split("/"))
        return cls(alpha, beta, stable)

    @property
    def letters(self) -> str:
        """The severities as `of` parses them."""
        letters = {severity: letter for letter, severity in _LETTERS.items()}
        return "/".join(letters[severity] for severity in (self.alpha, self.beta, self.stable))

    def at(self, stability: Stability) -> Severity:
        """Return the severity for a stability."""
        return {Stability.ALPHA: self.alpha, Stability.BETA: self.beta, Stability.STABLE: self.stable}[stability]

    def capped(self, most: Severity) -> Severities:
        """Return the severities, each at most `most`."""
        return Severities(*(min(each, most) for each in (self.alpha, self.beta, self.stable)))


class Direction(StrEnum):
    """Writer and reader. The order is that of reports."""

    OLD_CLIENT = "oldClient"  # an older client uses the newer server
    NEW_CLIENT = "newClient"  # a newer client uses an older server
    STORED = "stored"  # the newer release reads stored objects
    ROLLBACK = "rollback"  # the previous release reads objects of the newer one


CLIENTS = (Direction.OLD_CLIENT, Direction.NEW_CLIENT)
"""The directions in which a client uses a server."""


class Impact(StrEnum):
    """The impact of a change in a direction."""

    SAFE = "safe"  # no effect has it; the published schema of reviews has it
    DEPENDS = "depends"  # on what clients do with it
    BREAKS = "breaks"


@dataclass(frozen=True, slots=True)
class Effect:
    """An impact, and one sentence about the affected client or server."""

    impact: Impact
    text: str


Effects = Mapping[Direction, Effect]
"""The effects by direction; a missing direction is safe."""


def breaks(text: str) -> Effect:
    """Return an effect that breaks the client or server in the text."""
    return Effect(Impact.BREAKS, text)


def depends(text: str) -> Effect:
    """Return an effect that may break, depending on the condition in the text."""
    return Effect(Impact.DEPENDS, text)


class Preset(StrEnum):
    """The promise of compatibility: the protobuf encoding, also JSON, the API in all four directions, or also
    generated code.
    """

    BYTES = "bytes"
    WIRE = "wire"
    API = "api"
    SOURCE = "source"


WIRE = frozenset(Preset)
"""Rules about the encoding: they apply in every preset."""

JSON = WIRE - {Preset.BYTES}
"""Rules about the encoding in JSON, but not in protobuf."""

API = frozenset({Preset.API, Preset.SOURCE})
"""Rules about the API beyond its encoding."""

SOURCE = frozenset({Preset.SOURCE})
"""Rules about code that is generated from the API."""


class Side(StrEnum):
    """One side of the comparison."""

    OLD = "old"
    NEW = "new"

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.NEW if self is Side.OLD else Side.OLD


class Missing:
    """No value: the field is omitted."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __reduce__(self) -> str:
        return "ABSENT"  # unpickled as the only instance


ABSENT = Missing()


@dataclass(frozen=True, slots=True)
class Example:
    """A value at the element of the change, in an object that `written_by` accepts and the other side does not treat alike.

    `siblings` are values of other fields of the same struct. The rest of the object is generated from the schema. If the
    element is a struct, `value` is the whole struct.
    """

    written_by: Side
    value: JsonValue | Missing
    siblings: tuple[tuple[str, JsonValue], ...] = ()


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One sentence about the change, its effects in each direction, and the fix.

    `severities` replace those of the rule. `examples` are values for the search for a counterexample. `fix` is what to do,
    `patch` the text to write in the spec. `not_verified`: why it is unknown whether the change breaks anything, as a clause
    after "because"; empty if it is known. `siblings`: sibling fields at which a server may report the error. `objects` are
    whole objects of the base that show it. `number_of` is the field of the base whose protobuf number the element has
    now: only objects that set the element, or that field, show the finding. `replaced_rule` is the name of the CEL rule
    that the rule of the element replaces.
    """

    message: str
    effects: Effects = field(default_factory=dict)
    fix: str = ""
    patch: str = ""
    severities: Severities | None = None
    examples: tuple[Example, ...] = ()
    not_verified: str = ""
    siblings: tuple[str, ...] = ()
    objects: tuple[JsonValue, ...] = ()
    number_of: str = ""
    replaced_rule: str = ""

    @property
    def text(self) -> str:
        """The message, with the reason why it is not verified."""
        return f"{self.message}; not verified, because {self.not_verified}" if self.not_verified else self.message


@dataclass(frozen=True, slots=True)
class NestedChange:
    """A difference of two types that replace each other: a nested change, with its result after mitigations."""

    change: AnyChange
    result: RuleResult
    effects: Effects
    severities: Severities


def joined(each: Iterable[Effects]) -> dict[Direction, Effect]:
    """Return the worst effect of each direction, the first of equally bad ones; in the order of the directions."""
    found: dict[Direction, Effect] = {}
    for effects in each:
        for direction, effect in effects.items():
            known = found.get(direction)
            if known is None or (known.impact is Impact.DEPENDS and effect.impact is Impact.BREAKS):
                found[direction] = effect
    return {direction: found[direction] for direction in Direction if direction in found}


def any_breaks(effects: Effects) -> bool:
    """Return whether some direction certainly breaks."""
    return any(effect.impact is Impact.BREAKS for effect in effects.values())


def everywhere(effect: Effect) -> dict[Direction, Effect]:
    """Return the same effect in all four directions."""
    return dict.fromkeys(Direction, effect)


def alike(effect: Effect, *directions: Direction) -> dict[Direction, Effect]:
    """Return the same effect in some directions."""
    return dict.fromkeys(directions, effect)


@dataclass(frozen=True, slots=True)
class MitigationResult:
    """Result of evaluating a mitigation. If it applies (`holds`), directions in `clears` are safe, directions in `softens`
    change from `breaks` to `depends`, `instead` replaces the effect of a direction, and the severity is at most `at_most`.

    `reason` states why it applies or not, with the facts; `name` is that of the mitigation.
    """

    holds: bool
    reason: str
    clears: frozenset[Direction] = frozenset()
    softens: frozenset[Direction] = frozenset()
    instead: Effects = field(default_factory=dict)
    at_most: Severity | None = None
    name: str = ""

    @property
    def words(self) -> str:
        """The result in words: `mitigated by ratcheting: unchanged values are not validated`."""
        how, joint = ("mitigated by", ":") if self.holds else ("not mitigated by", ", because")
        return f"{how} {self.name}{joint} {self.reason}"

    def apply_to(self, effects: Effects) -> dict[Direction, Effect]:
        """Return the remaining effects: all of them if the mitigation does not apply."""
        if not self.holds:
            return dict(effects)
        softened = {each: depends(effects[each].text) for each in effects.keys() & self.softens}
        return {
            direction: self.instead.get(direction) or softened.get(direction, effect)
            for direction, effect in effects.items()
            if direction not in self.clears
        }


PAGES = "https://github.com/apigen/apigen/blob/main/docs/reference/rules"
"""The folder of the documentation with the pages of the rules, on the hosting service."""


@dataclass(frozen=True, slots=True)
class RuleText:
    """The prose of a rule that has findings. It is part of a review, so that a review from the cache needs no rules.

    `is_of_state`: the rule is about one side only. `is_of_documentation`: its findings only affect descriptions.
    `stops_from`: see `ChangeRule`.
    """

    id: str
    title: str
    severities: Severities
    explanation: str
    fix: str
    is_of_state: bool = False
    is_of_documentation: bool = False
    stops_from: Severity = Severity.ERROR

    @property
    def page(self) -> str:
        """The address of its page in the documentation."""
        return f"{PAGES}/{self.id}.md"
