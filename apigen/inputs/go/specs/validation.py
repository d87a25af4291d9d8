"""Converts validation tags to constraints, if the spec language has them and the release enforces them.

Tags that are not enforced become `enforcedByHand`: Kubernetes has hand-written code for them until they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from apigen.dataclass import dataclass, field
from apigen.inputs.go.specs.expressions import Form, ValueForm
from apigen.inputs.go.specs.markers import Findings, Markers, OmittedKind, Tag, listed_values, pairs_of, unquoted
from apigen.inputs.merging import REMOVE, Entries, Value
from apigen.ir.formats import EMBEDDED_RESOURCE, FORMATS
from apigen.ir.patterns import pattern_problem

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


NO_WORD = "the spec language does not support it"
_RULE_WORDS = ("message", "messageExpression", "reason", "fieldPath")
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")

_ENFORCED_SINCE = (1, 36)
"""The first release in which Kubernetes enforces declarative validation by tags without a wrapper and by beta tags."""

_FITTING = (
    ({"minItems", "maxItems", "uniqueItems"}, (Form.LIST,), "it applies to lists only"),
    ({"minProperties", "maxProperties"}, (Form.MAP,), "it applies to maps only"),
    ({"minLength", "maxLength", "pattern", "format"}, (Form.TEXT,), "it applies to strings only"),
    ({"maxBytes"}, (Form.TEXT, Form.BYTES), "it applies to strings and bytes only"),
    (
        {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
        (Form.WHOLE, Form.FLOAT),
        "it applies to numbers only",
    ),
)
"""Keywords, the forms of values that they can constrain, and the message for other forms."""


def misplaced(word: str, form: Form) -> str:
    """Return why a constraint does not apply to values of a form; empty if it does."""
    return next((wrong for words, forms, wrong in _FITTING if word in words and form not in forms), "")


def is_enforced(tag: Tag, release: tuple[int, int] | None) -> bool:
    """Return whether a release (None: any) enforces a tag by default."""
    if tag.name.startswith("kubebuilder:"):
        return True
    is_alpha = any(part.name == "k8s:alpha" for part in tag.chain())
    return not is_alpha and (release is None or release >= _ENFORCED_SINCE)


def _format(of: Constraining, tag: Tag, into: Entries) -> str:
    name = unquoted(tag.value)
    if name not in FORMATS:
        return f"unknown format `{name}`"
    wrong = misplaced("format", of.about.form)
    if not wrong:
        into["format"] = name
    return wrong


def _embedded_resource(of: Constraining, _: Tag, into: Entries) -> str:
    if of.about.form is not Form.RAW:
        return "it applies to raw JSON only"
    into["format"] = EMBEDDED_RESOURCE
    return ""


def _pattern(of: Constraining, tag: Tag, into: Entries) -> str:
    text, wrong = unquoted(tag.value), misplaced("pattern", of.about.form)
    problem = None if wrong else pattern_problem(text)
    if not wrong and problem is None:
        into["pattern"] = text
    return wrong or ("" if problem is None else f"invalid pattern: {problem}")


def _immutable(of: Constraining, tag: Tag, into: Entries) -> str:
    if of.is_of_elements(into) and not of.pairs_elements():
        return _NOT_PAIRED
    into["immutable"] = True
    return ""


_NOT_PAIRED = "its elements have no corresponding old value"
_UPDATES = {name.lower(): name for name in ("noSet", "noUnset", "noModify", "noAddItem", "noRemoveItem")}


def _update(of: Constraining, tag: Tag, into: Entries) -> str:
    word = _UPDATES.get(unquoted(tag.value).lower())
    if word is None:
        return NO_WORD
    if of.is_of_elements(into) and not of.pairs_elements():
        return _NOT_PAIRED
    _append(into, "update", word)
    return ""


def _forbidden(of: Constraining, tag: Tag, into: Entries) -> str:
    if into is not of.constraints:
        return NO_WORD
    into["forbidden"] = True
    return ""


def _monotonic(of: Constraining, tag: Tag, into: Entries) -> str:
    if of.is_of_elements(into):
        return NO_WORD
    into["monotonic"] = True
    return misplaced("minimum", of.about.form)


def _not(of: Constraining, tag: Tag, into: Entries) -> str:
    text, form = unquoted(tag.value), of.about.form
    if of.is_of_elements(into) or form not in (Form.TEXT, Form.WHOLE, Form.FLAG):
        return NO_WORD
    if form is Form.FLAG:
        into["not"] = text == "true"
    elif form is Form.WHOLE:
        if not NUMBER.fullmatch(text) or "." in text:
            return f"`{text}` is not an integer"
        into["not"] = int(text)
    else:
        into["not"] = text
    return ""


def _custom_unique(of: Constraining, tag: Tag, into: Entries) -> str:
    into["uniqueItems"] = False
    return misplaced("uniqueItems", of.about.form) if into is of.constraints else NO_WORD


def _unique(of: Constraining, tag: Tag, into: Entries) -> str:
    if tag.name == "k8s:unique" and tag.value == "map" and into is of.constraints:
        if not of.unique_keys:
            return "it has no `listMapKey`"
        into["uniqueBy"] = list(of.unique_keys)
        return ""
    if tag.name == "k8s:unique" and tag.value != "set":
        return NO_WORD
    if tag.name.startswith("kubebuilder") and tag.value != "true":
        return "" if tag.value == "false" else NO_WORD
    into["uniqueItems"] = True
    return misplaced("uniqueItems", of.about.form)


def _exclusive(of: Constraining, tag: Tag, into: Entries) -> str:
    word = tag.name.rpartition(":")[2]
    if tag.value == "true":
        into[word[0].lower() + word[1:]] = True
    return ""


def _siblings(of: Constraining, tag: Tag, into: Entries) -> str:
    if into is not of.constraints or not tag.first:
        return NO_WORD
    _append(into, "requires" if tag.name == "k8s:dependentRequired" else "forbids", tag.first)
    return ""


def _required(of: Constraining, tag: Tag, into: Entries) -> str:
    if into is not of.constraints:
        return NO_WORD
    of.required = tag.name.rpartition(":")[2].lower() == "required"
    return ""


def _rule(of: Constraining, tag: Tag, into: Entries) -> str:
    parts = dict(pairs_of(tag))
    if "rule" not in parts:
        return NO_WORD
    rule: Entries = {"rule": parts["rule"]}
    for word in _RULE_WORDS:
        if word in parts:
            rule[word] = parts[word]
    if parts.get("optionalOldSelf") == "true":
        rule["optionalOldSelf"] = True
    _append(into, "rules", rule)
    others = sorted(parts.keys() - {"rule", "optionalOldSelf", *_RULE_WORDS})
    return f"parts of it, {', '.join(f'`{name}`' for name in others)}: {NO_WORD}" if others else ""


def _one_of(of: Constraining, tag: Tag, into: Entries) -> str:
    """Import the allowed values of numbers and elements as a rule, because only string types can be enums."""
    form = of.about.form
    texts = listed_values(tag.value)
    if form is Form.TEXT:
        values = [json.dumps(text, ensure_ascii=False) for text in texts]
    elif form in (Form.WHOLE, Form.FLOAT) and all(NUMBER.fullmatch(text) for text in texts):
        values = texts if form is Form.WHOLE else [f"{float(text)}" for text in texts]
    elif form is Form.FLAG and {"true", "false"}.issuperset(texts):
        values = texts
    else:
        return NO_WORD
    shown = ", ".join(text or '""' for text in texts)
    rule: Entries = {"rule": f"self in [{', '.join(values)}]", "message": f"must be one of {shown}"}
    _append(into, "rules", rule)
    return ""


def _append(into: Entries, word: str, value: Value) -> None:
    """Add a value to the list of a constraint."""
    existing = into.get(word)
    into[word] = [*(existing if isinstance(existing, list) else ()), value]


Handler = Callable[["Constraining", Tag, Entries], str]
WORDS_OF_TAGS: Mapping[str, Handler] = {
    "k8s:format": _format,
    "kubebuilder:validation:Format": _format,
    **dict.fromkeys(
        ("kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource"), _embedded_resource
    ),
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
    "kubebuilder:validation:Enum": _one_of,
}


_WORDS: Mapping[str, str] = {
    **{f"k8s:{word}": word for word in ("minimum", "maximum", "minLength", "maxLength", "maxBytes", "minItems")},
    **{f"k8s:{word}": word for word in ("maxItems", "minProperties", "maxProperties")},
    **{f"kubebuilder:validation:{word[0].upper()}{word[1:]}": word for word in ("minimum", "maximum", "multipleOf")},
    **{f"kubebuilder:validation:{word[0].upper()}{word[1:]}": word for word in ("minLength", "maxLength", "minItems")},
    **{f"kubebuilder:validation:{word[0].upper()}{word[1:]}": word for word in ("maxItems", "minProperties")},
    "kubebuilder:validation:MaxProperties": "maxProperties",
}
_GATED = {"k8s:ifEnabled": "ifEnabled", "k8s:ifDisabled": "ifDisabled"}
_BOUNDS = ("k8s:minimum", "k8s:maximum")
_LIST_TYPES = ("listType", "k8s:listType")
_SET_OR_NOT = {"k8s:required": "required", "k8s:forbidden": "forbidden"}
_INNER = {"k8s:eachVal": ("items", "values"), "k8s:eachKey": ("", "keys")}
_PREFIX = ("k8s:", "kubebuilder:validation:")

NOT_ENFORCED = "not enforced by default: Kubernetes accepts values that it would reject"


@dataclass(slots=True)
class Constraining:
    """Reads the validation tags of one element and collects `constraints`."""

    element: str
    value_form: ValueForm
    markers: Markers
    findings: Findings
    release: tuple[int, int] | None
    constraints: Entries = field(default_factory=dict)
    about: ValueForm = field(init=False)
    """The values that the current tag constrains: those of the element, or their items or keys."""
    required: bool | None = None
    """Whether tags in force declare it required; None if they do not declare it."""
    unique_keys: tuple[str, ...] = ()
    """The keys with unique values in an atomic list."""
    gates: frozenset[str] | None = None
    """The known gates; None if options may name any gate."""
    _bounds: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    """Bounds that depend on unknown gates: by gate and constraint, the bound for each state of the gate."""
    by_hand: Entries = field(default_factory=dict)
    """Constraints of tags that are not in force: Kubernetes enforces them with hand-written code, and compares the two.
    """

    def __post_init__(self) -> None:
        self.about = self.value_form

    def in_force(self) -> list[Tag]:
        """Return the tags that the imported release enforces by default, without the wrappers of their stages."""
        return [tag.unwrapped for tag in self.markers.tags if is_enforced(tag, self.release)]

    def is_unique_by_keys(self) -> bool:
        """Return whether an enforced tag requires that elements differ in the list map keys."""
        return any(tag.name == "k8s:unique" and tag.value == "map" for tag in self.in_force())

    def pairs_elements(self) -> bool:
        """Return whether elements of the list are paired by keys, or it is a map."""
        is_paired = self.value_form.form is Form.MAP or bool(self.unique_keys)
        return is_paired or any(tag.name in _LIST_TYPES and tag.value == "map" for tag in self.in_force())

    def is_of_elements(self, into: Entries) -> bool:
        """Return whether constraints apply to elements, instead of the field or the field in one state of a gate."""
        return into is not self.constraints and self.value_form.form in (Form.LIST, Form.MAP)

    def run(self) -> Entries:
        """Return the constraints of the element; each tag without a corresponding constraint is a finding."""
        for tag in [tag for tag in self.markers.tags if self._is_validation(tag)]:
            if tag in self.markers.rest():
                self.markers.mark(tag)
                self._take(tag)
        self._join_exclusive()
        self._take_weaker_bounds()
        found = {key: value for key, value in self.constraints.items() if value != {}}
        return with_by_hand(found, self.by_hand)

    def _is_validation(self, tag: Tag) -> bool:
        return tag.name.startswith(_PREFIX) and tag.name not in ("k8s:deprecated",) and "-gen" not in tag.name

    def _take(self, tag: Tag) -> None:
        if is_enforced(tag, self.release):
            reason = self._apply(tag.unwrapped, self.constraints, self.value_form)
        else:
            reason = NOT_ENFORCED if self._take_by_hand(tag.unwrapped) else ""
        if reason:
            self._leave(tag, reason)

    def _take_by_hand(self, tag: Tag) -> str:
        """Import a tag that is not enforced; return why it cannot be imported, empty if it was."""
        constraint_tag = tag.inner if tag.name in _INNER and tag.inner is not None else tag
        if constraint_tag.name not in TAGS_BY_HAND:
            return NO_WORD
        trial = Constraining(self.element, self.value_form, self.markers, self.findings, self.release, gates=self.gates)
        trial.constraints, trial.unique_keys = dict(self.by_hand), self.unique_keys
        reason = trial._apply(tag, trial.constraints, self.value_form)
        self.by_hand = self.by_hand if reason else trial.constraints
        return reason

    def _apply(self, tag: Tag, into: Entries, value_form: ValueForm) -> str:
        """Add the constraint of a tag; return why it cannot be imported, empty if it was."""
        if tag.name in _INNER and tag.inner is not None:
            return self._inside(tag, tag.inner, into, value_form)
        if tag.name in _GATED and tag.inner is not None and into is self.constraints:
            return self._gated(tag, tag.inner, value_form)
        if tag.name == "k8s:subfield" and tag.inner is not None and into is self.constraints:
            return self._subfield(tag, tag.inner)
        if tag.name.startswith("kubebuilder:validation:items:"):
            inner = Tag(tag.name.replace("items:", ""), tag.args, tag.value, tag.inner, tag.text, tag.place)
            return self._inside(Tag("k8s:eachVal", (), "", inner, tag.text, tag.place), inner, into, value_form)
        self.about = value_form
        handler, word = WORDS_OF_TAGS.get(tag.name), _WORDS.get(tag.name)
        if handler is not None:
            return handler(self, tag, into)
        return NO_WORD if word is None else self._limit(word, tag, into)

    def _inside(self, tag: Tag, inner: Tag, into: Entries, value_form: ValueForm) -> str:
        of_list, of_map = _INNER[tag.name]
        where = of_list if value_form.form is Form.LIST else of_map if value_form.form is Form.MAP else ""
        inner_form = ValueForm(Form.TEXT) if where == "keys" else value_form.item
        if not where or inner_form is None or into is not self.constraints:
            return "it applies to elements, but the type has none"
        constraints = dict(mapping(into.get(where)))
        reason = self._apply(inner, constraints, inner_form)
        into[where] = constraints
        return reason

    def _gated(self, tag: Tag, inner: Tag, value_form: ValueForm) -> str:
        """Read a constraint that applies in one state of a gate; return why it cannot be imported, or an empty text."""
        gate = unquoted(tag.first)
        if self.gates is not None and gate not in self.gates:
            return self._unknown_gate(tag, inner, gate)
        return self._case(_GATED[tag.name], gate, inner, value_form)

    def _unknown_gate(self, tag: Tag, inner: Tag, gate: str) -> str:
        """Record a bound for one state of an unknown gate: the weaker bound of both states applies always."""
        text = unquoted(inner.value)
        if inner.name in _BOUNDS and NUMBER.fullmatch(text) and "." not in text:
            self._bounds.setdefault((gate, _WORDS[inner.name]), {})[tag.name] = int(text)
            return "unknown feature gate; if both of its states have a bound, the weaker one is imported"
        return "unknown feature gate"

    def _take_weaker_bounds(self) -> None:
        for (_, word), bounds in self._bounds.items():
            if len(bounds) == len(_GATED):
                weaker = min if word == "minimum" else max
                self.constraints.setdefault(word, weaker(bounds.values()))

    def _subfield(self, tag: Tag, inner: Tag) -> str:
        """Read a constraint on a field of the struct, which is treated as a string, as Kubernetes only has them on
        names; return why it cannot be imported, or an empty text.
        """
        if self.value_form.form is not Form.STRUCT:
            return "it applies to fields of a struct only"
        return self._case("subfields", unquoted(tag.first), inner, ValueForm(Form.TEXT))

    def _case(self, word: str, name: str, inner: Tag, value_form: ValueForm) -> str:
        cases = dict(mapping(self.constraints.get(word)))
        case = dict(mapping(cases.get(name)))
        if inner.name in _SET_OR_NOT:
            case[_SET_OR_NOT[inner.name]] = True
        elif inner.name != "k8s:optional":
            wrong = misplaced("format", value_form.form) if inner.name == "k8s:format" else ""
            reason = wrong or self._apply(inner, case, value_form)
            if reason:
                return reason
        if case:
            self.constraints[word] = {**cases, name: case}
        return ""

    def _limit(self, word: str, tag: Tag, into: Entries) -> str:
        text = unquoted(tag.value)
        if not NUMBER.fullmatch(text):
            return f"`{text}` is not a number"
        if word == "maxLength" and self.about.form is Form.BYTES and tag.name.startswith("kubebuilder:"):
            into["maxBytes"] = int(text) // 4 * 3  # so many fit into text of that length in Base64
            return ""
        wrong = misplaced(word, self.about.form)
        if not wrong:
            into[word] = float(text) if "." in text else int(text)
        return wrong

    def _leave(self, tag: Tag, reason: str) -> None:
        group = f"+{tag.name}" if tag.inner is None else f"+{tag.name}=+{tag.inner.name}"
        self.findings.add(OmittedKind.VALIDATION, self.element, tag.text, tag.place, reason, group)

    def _join_exclusive(self) -> None:
        """Join `ExclusiveMinimum=true` with `Minimum` to an exclusive bound."""
        for word, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if self.constraints.get(exclusive) is True:
                del self.constraints[exclusive]
                if word in self.constraints:
                    self.constraints[exclusive] = self.constraints.pop(word)
