"""Validation tags as constraints, as far as the language has words for them and the release enforces them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field

from apigen.dataclass import dataclass
from apigen.importers.go.specs.by_hand import TAGS_BY_HAND, with_by_hand
from apigen.importers.go.specs.expressions import Base
from apigen.importers.go.specs.findings import Findings, What
from apigen.importers.go.specs.markers import Markers, Tag, unquoted
from apigen.importers.merging import Entries, Value
from apigen.ir.formats import FORMATS

ENFORCED_SINCE = (1, 36)
"""The release from which on Kubernetes refuses what its declarative validation finds: tags without wrapper and beta ones."""

_WORDS: Mapping[str, str] = {
    **{f"k8s:{word}": word for word in ("minimum", "maximum", "minLength", "maxLength", "maxBytes", "minItems")},
    **{f"k8s:{word}": word for word in ("maxItems", "minProperties", "maxProperties")},
    **{f"kubebuilder:validation:{word[0].upper()}{word[1:]}": word for word in ("minimum", "maximum", "multipleOf")},
    **{f"kubebuilder:validation:{word[0].upper()}{word[1:]}": word for word in ("minLength", "maxLength", "minItems")},
    **{f"kubebuilder:validation:{word[0].upper()}{word[1:]}": word for word in ("maxItems", "minProperties")},
    "kubebuilder:validation:MaxProperties": "maxProperties",
}
_LISTS = {"minItems", "maxItems", "uniqueItems"}
_MAPS = {"minProperties", "maxProperties"}
_TEXTS = {"minLength", "maxLength", "pattern", "format"}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_GATED = {"k8s:ifEnabled": "ifEnabled", "k8s:ifDisabled": "ifDisabled"}
_BOUNDS = ("k8s:minimum", "k8s:maximum")
_SET_OR_NOT = {"k8s:required": "required", "k8s:forbidden": "forbidden"}
_INNER = {"k8s:eachVal": ("items", "values"), "k8s:eachKey": ("", "keys")}
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
_PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|`[^`]*`|true|false)')
_RULE_WORDS = ("message", "messageExpression", "reason", "fieldPath")
_PREFIX = ("k8s:", "kubebuilder:validation:")

NOT_ENFORCED = "not enforced by default: Kubernetes accepts what it would refuse"
NO_WORD = "the language has no word for it"


@dataclass(frozen=True, slots=True)
class Subject:
    """What constraints are about: the element that has them, its type as an expression and what it is to JSON."""

    element: str
    expression: str
    base: Base


@dataclass(slots=True)
class Constraining:
    """Takes the validation tags of one element and collects `constraints`."""

    subject: Subject
    markers: Markers
    findings: Findings
    release: tuple[int, int] | None
    gates: frozenset[str] | None = None
    """The gates that there are; None where an option may be any."""
    constraints: Entries = field(default_factory=dict)
    required: bool | None = None
    """What tags in force say of being required."""
    _bounds: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    """Bounds that depend on gates that are none here: by gate and word, the bound for each of its states."""
    by_hand: Entries = field(default_factory=dict)
    """What tags say that are not in force: Kubernetes has code by hand for each, and compares the two."""
    unique_keys: tuple[str, ...] = ()
    """The keys of an atomic list whose elements differ in them."""

    def run(self) -> Entries:
        """All constraints of the element; what is no constraint here is a finding."""
        for tag in [tag for tag in self.markers.tags if self._is_validation(tag)]:
            if tag in self.markers.rest():
                self.markers.mark(tag)
                self._take(tag)
        self._join_exclusive()
        self._take_weaker_bounds()
        found = {key: value for key, value in self.constraints.items() if value != {}}
        return with_by_hand(found, self.by_hand)

    def is_in_force(self, tag: Tag) -> bool:
        """Whether a tag is enforced by default in the release that is imported."""
        if tag.name.startswith("kubebuilder:"):
            return True
        if any(part.name == "k8s:alpha" for part in tag.chain()):
            return False
        return self.release is None or self.release >= ENFORCED_SINCE

    def _is_validation(self, tag: Tag) -> bool:
        return tag.name.startswith(_PREFIX) and tag.name not in ("k8s:deprecated",) and "-gen" not in tag.name

    def _take(self, tag: Tag) -> None:
        if not self.is_in_force(tag):
            reason = self._take_by_hand(tag.unwrapped)
            if reason:
                self._leave(tag, NOT_ENFORCED)
            return
        reason = self._apply(tag.unwrapped, self.constraints, self.subject)
        if reason:
            self._leave(tag, reason)

    def _take_by_hand(self, tag: Tag) -> str:
        """Keep what a tag that is not in force says of the value; gives why it cannot be."""
        said = tag.inner if tag.name in _INNER and tag.inner is not None else tag
        if said.name not in TAGS_BY_HAND:
            return NO_WORD
        trial = Constraining(self.subject, self.markers, self.findings, self.release, self.gates)
        trial.constraints, trial.unique_keys = dict(self.by_hand), self.unique_keys
        reason = trial._apply(tag, trial.constraints, self.subject)
        self.by_hand = self.by_hand if reason else trial.constraints
        return reason

    def _apply(self, tag: Tag, into: Entries, subject: Subject) -> str:
        """Write what a tag says into constraints; gives why it cannot be."""
        if tag.name in _INNER and tag.inner is not None:
            return self._inside(tag, tag.inner, into, subject)
        if tag.name in _GATED and tag.inner is not None and into is self.constraints:
            return self._gated(tag, tag.inner, subject)
        if tag.name == "k8s:subfield" and tag.inner is not None and into is self.constraints:
            return self._subfield(tag, tag.inner)
        if tag.name.startswith("kubebuilder:validation:items:"):
            inner = Tag(tag.name.replace("items:", ""), tag.args, tag.value, tag.inner, tag.text, tag.place)
            return self._inside(Tag("k8s:eachVal", (), "", inner, tag.text, tag.place), inner, into, subject)
        handler = _HANDLERS.get(tag.name)
        if handler is not None:
            return handler(self, tag, into)
        word = _WORDS.get(tag.name)
        if word is None:
            return NO_WORD
        return self._limit(word, tag, into, subject)

    def _inside(self, tag: Tag, inner: Tag, into: Entries, subject: Subject) -> str:
        of_list, of_map = _INNER[tag.name]
        where = of_list if subject.base is Base.LIST else of_map if subject.base is Base.MAP else ""
        if not where or into is not self.constraints:
            return "it is about elements, and here are none"
        element = subject.expression.removeprefix("[]")
        if subject.base is Base.MAP:
            key, _, value = subject.expression.removeprefix("map[").partition("]")
            element = key if where == "keys" else value
        base = Base.LIST if element.startswith("[]") else Base.MAP if element.startswith("map[") else Base.SCALAR
        constraints = dict(_entries(into.get(where)))
        reason = self._apply(inner, constraints, Subject(subject.element, element, base))
        into[where] = constraints
        return reason

    def _gated(self, tag: Tag, inner: Tag, subject: Subject) -> str:
        """What holds in one state of a gate."""
        gate = unquoted(tag.first)
        if self.gates is not None and gate not in self.gates:
            return self._unknown_gate(tag, inner, gate)
        return self._case(_GATED[tag.name], gate, inner, subject)

    def _unknown_gate(self, tag: Tag, inner: Tag, gate: str) -> str:
        """A bound in a state that nobody can ask for: of both states, the weaker one always holds."""
        text = unquoted(inner.value)
        if inner.name in _BOUNDS and _NUMBER.fullmatch(text) and "." not in text:
            self._bounds.setdefault((gate, _WORDS[inner.name]), {})[tag.name] = int(text)
            return "there is no such feature gate; where both of its states have a bound, the weaker one is imported"
        return "there is no such feature gate"

    def _take_weaker_bounds(self) -> None:
        for (_, word), bounds in self._bounds.items():
            if len(bounds) == len(_GATED):
                weaker = min if word == "minimum" else max
                self.constraints.setdefault(word, weaker(bounds.values()))

    def _subfield(self, tag: Tag, inner: Tag) -> str:
        """What holds of a field of the struct, which is taken for text: Kubernetes says so of names only."""
        if self.subject.base is not Base.STRUCT:
            return "it is about a field of a struct, and this is none"
        return self._case("subfields", unquoted(tag.first), inner, Subject(self.subject.element, "string", Base.SCALAR))

    def _case(self, word: str, name: str, inner: Tag, subject: Subject) -> str:
        cases = dict(_entries(self.constraints.get(word)))
        case = dict(_entries(cases.get(name)))
        if inner.name in _SET_OR_NOT:
            case[_SET_OR_NOT[inner.name]] = True
        elif inner.name != "k8s:optional":
            wrong = _misplaced("format", subject) if inner.name == "k8s:format" else ""
            reason = wrong or self._apply(inner, case, subject)
            if reason:
                return reason
        if case:
            self.constraints[word] = {**cases, name: case}
        return ""

    def is_unique_by_keys(self) -> bool:
        """Whether a tag in force says that elements differ in the keys of the list."""
        tags = [tag.unwrapped for tag in self.markers.tags if self.is_in_force(tag)]
        return any(tag.name == "k8s:unique" and tag.value == "map" for tag in tags)

    def pairs_elements(self) -> bool:
        """Whether elements of the list are paired by keys, or it is a map."""
        if self.subject.base is Base.MAP or self.unique_keys:
            return True
        types = [tag.unwrapped for tag in self.markers.tags if self.is_in_force(tag)]
        return any(tag.name in ("listType", "k8s:listType") and tag.value == "map" for tag in types)

    def _limit(self, word: str, tag: Tag, into: Entries, subject: Subject) -> str:
        text = unquoted(tag.value)
        if not _NUMBER.fullmatch(text):
            return f"`{text}` is no number"
        wrong = _misplaced(word, subject)
        if wrong:
            return wrong
        into[word] = float(text) if "." in text else int(text)
        return ""

    def _leave(self, tag: Tag, reason: str) -> None:
        group = f"+{tag.name}" if tag.inner is None else f"+{tag.name}=+{tag.inner.name}"
        self.findings.add(What.VALIDATION, self.subject.element, tag.text, tag.place, reason, group)

    def _join_exclusive(self) -> None:
        """`ExclusiveMinimum=true` says how `Minimum` is meant."""
        for word, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if self.constraints.get(exclusive) is True:
                del self.constraints[exclusive]
                if word in self.constraints:
                    self.constraints[exclusive] = self.constraints.pop(word)


def _entries(value: Value) -> Mapping[str, Value]:
    return value if isinstance(value, Mapping) else {}


def _misplaced(word: str, subject: Subject) -> str:
    """Why a word cannot stand on a value of a type."""
    if (word in _LISTS) != (subject.base is Base.LIST and subject.expression != "bytes") and word in _LISTS:
        return "it is about a list, and this is none"
    if word in _MAPS and subject.base is not Base.MAP:
        return "it is about a map, and this is none"
    if word in _TEXTS | _NUMBERS and subject.base in (Base.LIST, Base.MAP):
        return "it is about a single value, and this is none"
    if word in _NUMBERS and subject.expression in ("string", "bool", "bytes"):
        return "it is about a number, and this is none"
    if word in _TEXTS and subject.expression in _NOT_TEXT:
        return "it is about text, and this is none"
    return ""


_NOT_TEXT = {"bool", "int32", "int64", "uint32", "uint64", "float32", "float64", "Time", "MicroTime", "IntOrString"}


def _format(self: Constraining, tag: Tag, into: Entries) -> str:
    name = unquoted(tag.value)
    if name not in FORMATS:
        return f"there is no format `{name}`"
    if _misplaced("format", self.subject) and into is self.constraints:
        return _misplaced("format", self.subject)
    into["format"] = name
    return ""


def _pattern(self: Constraining, tag: Tag, into: Entries) -> str:
    if into is self.constraints and _misplaced("pattern", self.subject):
        return _misplaced("pattern", self.subject)
    text = unquoted(tag.value)
    try:
        re.compile(text)
    except re.error as error:
        return f"a pattern that cannot be read: {error}"
    into["pattern"] = text
    return ""


def _immutable(self: Constraining, tag: Tag, into: Entries) -> str:
    if _is_of_elements(self, into) and not self.pairs_elements():
        return _NOT_PAIRED
    into["immutable"] = True
    return ""


def _is_of_elements(self: Constraining, into: Entries) -> bool:
    """Whether constraints are of elements, not of the field or of it in one state of a gate."""
    return into is not self.constraints and self.subject.base in (Base.LIST, Base.MAP)


_NOT_PAIRED = "its elements are not paired with old ones"
_UPDATES = {name.lower(): name for name in ("noSet", "noUnset", "noModify", "noAddItem", "noRemoveItem")}


def _update(self: Constraining, tag: Tag, into: Entries) -> str:
    word = _UPDATES.get(unquoted(tag.value).lower())
    if word is None:
        return NO_WORD
    if _is_of_elements(self, into) and not self.pairs_elements():
        return _NOT_PAIRED
    there = into.get("update")
    into["update"] = [*(list(there) if isinstance(there, list) else []), word]
    return ""


def _forbidden(self: Constraining, tag: Tag, into: Entries) -> str:
    if into is not self.constraints:
        return NO_WORD
    into["forbidden"] = True
    return ""


def _monotonic(self: Constraining, tag: Tag, into: Entries) -> str:
    if _is_of_elements(self, into):
        return NO_WORD
    into["monotonic"] = True
    return _misplaced("minimum", self.subject)


def _not(self: Constraining, tag: Tag, into: Entries) -> str:
    text = unquoted(tag.value)
    expression = self.subject.expression
    if _is_of_elements(self, into) or expression in ("float32", "float64", "bytes") or self.subject.base is Base.STRUCT:
        return NO_WORD
    if expression == "bool":
        into["not"] = text == "true"
    elif expression in _NOT_TEXT:
        if not _NUMBER.fullmatch(text) or "." in text:
            return f"`{text}` is no whole number"
        into["not"] = int(text)
    else:
        into["not"] = text
    return ""


def _custom_unique(self: Constraining, tag: Tag, into: Entries) -> str:
    into["uniqueItems"] = False
    return _misplaced("uniqueItems", self.subject) if into is self.constraints else NO_WORD


def _unique(self: Constraining, tag: Tag, into: Entries) -> str:
    if tag.name == "k8s:unique" and tag.value == "map" and into is self.constraints:
        if not self.unique_keys:
            return "it has no `listMapKey`"
        into["uniqueBy"] = list(self.unique_keys)
        return ""
    if tag.name == "k8s:unique" and tag.value != "set":
        return NO_WORD
    if tag.name.startswith("kubebuilder") and tag.value != "true":
        return "" if tag.value == "false" else NO_WORD
    into["uniqueItems"] = True
    return _misplaced("uniqueItems", self.subject) if into is self.constraints else ""


def _exclusive(self: Constraining, tag: Tag, into: Entries) -> str:
    word = tag.name.rpartition(":")[2]
    if tag.value == "true":
        into[word[0].lower() + word[1:]] = True
    return ""


def _siblings(self: Constraining, tag: Tag, into: Entries) -> str:
    if into is not self.constraints or not tag.first:
        return NO_WORD
    word = "requires" if tag.name == "k8s:dependentRequired" else "forbids"
    there = into.get(word)
    names = list(there) if isinstance(there, list) else []
    into[word] = [*names, tag.first]
    return ""


def _required(self: Constraining, tag: Tag, into: Entries) -> str:
    if into is not self.constraints:
        return NO_WORD
    self.required = tag.name.rpartition(":")[2].lower() == "required"
    return ""


def _rule(self: Constraining, tag: Tag, into: Entries) -> str:
    parts = dict(_PAIR.findall(tag.text.partition("XValidation")[2]))
    if "rule" not in parts:
        return NO_WORD
    rule: Entries = {"rule": _text(parts["rule"])}
    for word in _RULE_WORDS:
        if word in parts:
            rule[word] = _text(parts[word])
    if parts.get("optionalOldSelf") == "true":
        rule["optionalOldSelf"] = True
    there = into.get("rules")
    into["rules"] = [*(list(there) if isinstance(there, list) else []), rule]
    others = sorted(parts.keys() - {"rule", "optionalOldSelf", *_RULE_WORDS})
    return f"of it, {', '.join(f'`{name}`' for name in others)}: {NO_WORD}" if others else ""


def _text(quoted: str) -> str:
    if quoted.startswith('"'):
        try:
            return str(json.loads(quoted))
        except ValueError:
            return unquoted(quoted)
    return unquoted(quoted)


_Handler = Callable[[Constraining, Tag, Entries], str]
_HANDLERS: Mapping[str, _Handler] = {
    "k8s:format": _format,
    "kubebuilder:validation:Format": _format,
    "kubebuilder:validation:Pattern": _pattern,
    "k8s:immutable": _immutable,
    "k8s:update": _update,
    "k8s:forbidden": _forbidden,
    "k8s:monotonic": _monotonic,
    "k8s:neq": _not,
    "k8s:customUnique": _custom_unique,
    "k8s:unique": _unique,
    "kubebuilder:validation:UniqueItems": _unique,
    "kubebuilder:validation:ExclusiveMinimum": _exclusive,
    "kubebuilder:validation:ExclusiveMaximum": _exclusive,
    "k8s:dependentRequired": _siblings,
    "k8s:dependentForbidden": _siblings,
    "k8s:required": _required,
    "k8s:optional": _required,
    "kubebuilder:validation:Required": _required,
    "kubebuilder:validation:Optional": _required,
    "kubebuilder:validation:XValidation": _rule,
}
