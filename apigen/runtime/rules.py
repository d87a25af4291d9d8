"""CEL rules: report those that an object violates, with the messages of Kubernetes.

Rules are evaluated on the object's JSON form in the version that has them. A rule that uses `oldSelf` is evaluated
only on updates of a value that has an old value: the same field, the element of a list map with the same keys, the
entry of a map with the same key. Any other rule is not evaluated for unchanged values. A rule that cannot be evaluated is reported.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from functools import cache

from .cel import LIBRARY, Cel, CelError, Program, find_cel
from .cel_text import STRING_OR_COMMENT
from .dataclasses import dataclass, field
from .errors import ApiError
from .field_paths import ROOT, FieldPath
from .validation import (
    ErrorType,
    FieldError,
    Shown,
    internal_error,
    invalid,
)

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final, TypeVar

    T = TypeVar("T")


_PATH_STEP = re.compile(r"\.([^.\[\]']+)|\['((?:\\.|[^'\\])*)'\]")
_ESCAPE = re.compile(r"\\(.)")


def below(path: FieldPath, field_path: str) -> FieldPath:
    """The place that a rule's `fieldPath` names."""
    for name, key in path_steps(field_path):
        path = path.child(name) if name else path.key(key)
    return path


def path_steps(field_path: str) -> Iterator[tuple[str, str]]:
    """The steps of a `fieldPath`: a name (`.name`) or a key (`['key']`). ValueError for anything else."""
    at = 0
    while at < len(field_path):
        step = _PATH_STEP.match(field_path, at)
        if step is None:
            raise ValueError(f"expected `.name` or `['key']` at {field_path[at:]!r}")
        at = step.end()
        yield (step[1] or "", _ESCAPE.sub(r"\1", step[2] or ""))


RESERVED: Final = frozenset(
    "true false null in as break const continue else for function if import let loop"
    " package namespace return var void while".split()
)
"""The words of CEL that no variable can be called by."""
_LITERALS: Final = frozenset(("true", "false", "null", "in"))
"""Those that no field can be called by, either."""
_ESCAPES: Final = {
    "__": "__underscores__",
    ".": "__dot__",
    "-": "__dash__",
    "/": "__slash__",
}


@cache
def escaped(name: str) -> str:
    """Return the name of a field in rules: `self.__namespace__`, `self.x__dash__y`."""
    if name in RESERVED:
        return f"__{name}__"
    return re.sub(r"__|[.\-/]", lambda found: _ESCAPES[found[0]], name)


@cache
def names_in_rules(name: str) -> tuple[str, ...]:
    """Return the names of a field in rules: the escaped one, and a reserved word itself, as in `self.namespace`.

    kube-apiserver accepts the latter from 1.31 on.
    """
    is_plain = name in RESERVED - _LITERALS
    return (escaped(name), name) if is_plain else (escaped(name),)


MOST_EVALUATIONS: Final = 10_000
"""Maximum number of evaluations of a rule for one object. (The library also limits the steps of each evaluation.)"""
LONGEST_MESSAGE: Final = 5 * 1024
"""Maximum bytes of the result of a `messageExpression`."""
ABSENT: Final = object()
"""The old value of a value that has none."""
_OLD_SELF = re.compile(r"\boldSelf\b")
_TEXT = re.compile(STRING_OR_COMMENT)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. The words are those of `x-kubernetes-validations`."""

    rule: str
    message: str = ""
    message_expression: str = ""
    reason: ErrorType = ErrorType.INVALID
    field_path: str = ""
    optional_old_self: bool = False


@dataclass(frozen=True, slots=True)
class Ruled:
    """A value with rules, or with parts that have rules.

    `fields` of a struct, `items` of a list, `keys` and `values` of a map are other such values, or names of types; a
    value that is of a type with rules and has rules of its own names it in `struct`. `list_keys` identify the elements of
    a list map; in a set (`is_set`), equal elements are identical. `old`: nested values have old values. `form` is the type
    of the JSON value in CEL: `timestamp`, `bytes`, `double`.
    """

    rules: tuple[Rule, ...] = ()
    struct: str = ""
    fields: Mapping[str, Ruled | str] = field(default_factory=dict)
    items: Ruled | str | None = None
    keys: Ruled | str | None = None
    values: Ruled | str | None = None
    list_keys: tuple[str, ...] = ()
    is_set: bool = False
    atomic: bool = False
    form: str = ""


RuledTypes = Mapping[str, Ruled]
"""The structs with rules, by name; recursive types name each other."""


def evaluate_rules(
    types: RuledTypes,
    root: str,
    encode: Callable[[T], object],
    obj: T,
    old: T | None,
    *,
    later: tuple[str, ...] = (),
) -> list[FieldError]:
    """Return the errors of the rules for an object, or for its update from `old`.

    `encode` returns the JSON tree, `root` names the type. Rules of fields in `later`, which are empty during creation,
    are not evaluated then. If a rule cannot be evaluated, the error has the type INTERNAL.
    """
    try:
        value = _json(encode(obj))
        before = ABSENT if old is None else _json(encode(old))
    except ApiError as error:
        problem = f"the rules cannot be evaluated: {error}"
        return [internal_error(ROOT, problem)]
    evaluator = RuleEvaluator(types)
    skipped = frozenset(later) if old is None else frozenset()
    evaluator.walk(types[root], value, before, ROOT, unchanged=False, skipped=skipped)
    return evaluator.errors


def _json(tree: object) -> object:
    """Return the encoded tree as a client reads it."""
    # imports orjson, which takes 25 ms; those who evaluate trees that they have read do not need it
    from .json_writer import json_bytes

    return json.loads(json_bytes(tree, floats_encoded=True))


class RuleEvaluator:
    """Evaluates the rules of one object, or of its update: `walk` adds to `errors`. `left` counts evaluations down."""

    def __init__(self, types: RuledTypes) -> None:
        self.errors: list[FieldError] = []
        self.left = MOST_EVALUATIONS
        self._types = types
        self._cel = find_cel()

    def walk(
        self,
        ruled: Ruled,
        value: object,
        old: object,
        path: FieldPath,
        *,
        unchanged: bool,
        skipped: frozenset[str] = frozenset(),
    ) -> None:
        """Evaluate the rules of a value and of the values in it. `unchanged`: it is part of an unchanged value."""
        if value is None or value is ABSENT:
            return
        old = ABSENT if old is None else old
        unchanged = unchanged or (old is not ABSENT and value == old)
        self._evaluate_all(ruled, value, old, path, unchanged)
        if ruled.struct:
            type_ = self._types[ruled.struct]
            self.walk(type_, value, old, path, unchanged=unchanged, skipped=skipped)
            return
        before = ABSENT if ruled.atomic else old
        for part, each, its_old, at, is_old in _parts(
            ruled, value, before, path, skipped
        ):
            is_part_unchanged = unchanged or is_old
            self.walk(self._type(part), each, its_old, at, unchanged=is_part_unchanged)

    def _evaluate_all(
        self, ruled: Ruled, value: object, old: object, path: FieldPath, unchanged: bool
    ) -> None:
        variables: dict[str, object] = {}
        for rule in ruled.rules:
            if uses_old_self(rule.rule):
                if old is ABSENT and not rule.optional_old_self:
                    continue
            elif unchanged:
                continue
            if self._cel is None:
                problem = (
                    f"the rule cannot be evaluated without {LIBRARY}: {_name(rule)}"
                )
                self.errors.append(internal_error(path, problem))
                continue
            if self.left <= 0:
                return
            self.left -= 1
            if not self.left:
                self.errors.append(invalid(path, _shown_value(value), _OUT_OF_BUDGET))
                return
            self.evaluate_rule(ruled, rule, value, old, path, variables)

    def evaluate_rule(
        self,
        ruled: Ruled,
        rule: Rule,
        value: object,
        old: object,
        path: FieldPath,
        variables: dict[str, object],
    ) -> None:
        """Evaluate one rule of a value. `variables` is filled in for the first rule of the value."""
        cel, shown_value = self._cel, _shown_value(value)
        assert cel is not None
        if not variables:
            variables |= self._variables(ruled, value, old)
        try:
            program = _compiled(cel, rule.rule, rule.optional_old_self)
        except CelError as error:
            problem = f"rule compile error: {error.problem}: {rule.rule.strip()}"
            self.errors.append(internal_error(path, problem))
            return
        try:
            holds = program.evaluate(variables)
        except CelError as error:
            problem = f"{error.problem} evaluating rule: {_name(rule)}"
            self.errors.append(invalid(path, shown_value, problem))
            return
        if holds is True:
            return
        if holds is not False:
            problem = f"a rule must evaluate to true or false: {_name(rule)}"
            self.errors.append(invalid(path, shown_value, problem))
            return
        detail = _message(cel, rule, variables)
        place = below(path, rule.field_path)
        self.errors.append(_error(rule, place, shown_value, detail))

    def _variables(self, ruled: Ruled, value: object, old: object) -> dict[str, object]:
        variables = {
            "self": self._bound(ruled, value),
            "oldSelf_": None,
            "hasOldSelf_": False,
        }
        if old is not ABSENT:
            before = self._bound(ruled, old)
            variables |= {"oldSelf": before, "oldSelf_": before, "hasOldSelf_": True}
        return variables

    def _type(self, ruled: Ruled | str) -> Ruled:
        return self._types[ruled] if isinstance(ruled, str) else ruled

    def _bound(self, ruled: Ruled | str, value: object) -> object:
        """The value as CEL sees it."""
        assert self._cel is not None
        ruled = self._type(ruled)
        if ruled.struct:
            return self._bound(ruled.struct, value)
        if ruled.form and value is not None:
            return _in_form(self._cel, ruled.form, value)
        if isinstance(value, dict) and ruled.values is not None:
            return {k: self._bound(ruled.values, v) for k, v in value.items()}
        if isinstance(value, dict) and ruled.fields:
            return {
                spelled: self._bound(ruled.fields.get(name, _NOTHING), item)
                for name, item in value.items()
                for spelled in names_in_rules(name)
            }
        if isinstance(value, list) and ruled.items is not None:
            return [self._bound(ruled.items, item) for item in value]
        return value


_NOTHING: Final = Ruled()
_OUT_OF_BUDGET: Final = (
    "validation failed due to running out of cost budget, no further validation rules will be run"
)


@cache
def uses_old_self(expression: str) -> bool:
    """Return whether a rule is a transition rule: it uses `oldSelf` outside of strings and comments."""
    return _OLD_SELF.search(bare_expression(expression)) is not None


def bare_expression(expression: str) -> str:
    """Return an expression with empty strings and without comments."""
    return _TEXT.sub("''", expression)


@cache
def _compiled(cel: Cel, expression: str, optional_old: bool) -> Program:
    return cel.compile(
        expression, variables=("self", "oldSelf"), optional_old=optional_old
    )


def _in_form(cel: Cel, form: str, value: object) -> object:
    match form:
        case "timestamp":
            return cel.timestamp(str(value))
        case "bytes":
            return base64.b64decode(str(value))
        case _:
            return float(str(value))


def _message(cel: Cel, rule: Rule, variables: dict[str, object]) -> str:
    """Return the message of a violated rule: `message` or the rule itself if `messageExpression` fails."""
    if rule.message_expression:
        try:
            program = _compiled(cel, rule.message_expression, False)
            result = program.evaluate(variables)
        except CelError:
            result = None
        text = result.strip() if isinstance(result, str) else ""
        if text and "\n" not in text and len(text.encode()) <= LONGEST_MESSAGE:
            return text
    return rule.message.strip() or f"failed rule: {rule.rule.strip()}"


def _error(rule: Rule, path: FieldPath, value: Shown, detail: str) -> FieldError:
    """Return the error of a failed rule, with what Kubernetes shows for its reason."""
    if rule.reason in (ErrorType.REQUIRED, ErrorType.FORBIDDEN):
        value = None
    elif rule.reason is ErrorType.DUPLICATE:
        detail = ""
    return FieldError(rule.reason, str(path), value, detail, "rules")


def _name(rule: Rule) -> str:
    """Return the name of the rule in errors."""
    return rule.message.strip() or rule.rule.strip()


def _shown_value(value: object) -> Shown:
    """Return the name of the type of a structure; other values unchanged."""
    match value:
        case dict():
            return "object"
        case list():
            return "array"
        case None | bool() | int() | float() | str():
            return value
        case _:
            return str(value)


def _parts(
    ruled: Ruled, value: object, old: object, path: FieldPath, skipped: frozenset[str]
) -> Iterator[tuple[Ruled | str, object, object, FieldPath, bool]]:
    """Yield the parts of a value that have rules, with their old values and paths, and whether they are unchanged elements
    of a set.
    """
    if isinstance(value, dict):
        known = old if isinstance(old, dict) else {}
        for name, member in ruled.fields.items():
            if name in value and name not in skipped:
                before = known.get(name, ABSENT)
                yield member, value[name], before, path.child(name), False
        if ruled.keys is not None:
            for key in value:
                yield ruled.keys, key, key if key in known else ABSENT, path, False
        if ruled.values is not None:
            for key, item in value.items():
                yield ruled.values, item, known.get(key, ABSENT), path.key(key), False
    elif isinstance(value, list) and ruled.items is not None:
        by_key = _by_key(old if isinstance(old, list) else [], ruled)
        for index, item in enumerate(value):
            before = by_key.get(_key(item, ruled), ABSENT)
            is_old = ruled.is_set and before is not ABSENT
            before = ABSENT if ruled.is_set else before
            yield ruled.items, item, before, path.index(index), is_old


def _by_key(items: list[object], ruled: Ruled) -> dict[object, object]:
    known: dict[object, object] = {}
    for item in items:
        key = _key(item, ruled)
        if key is not None:
            known.setdefault(key, item)
    return known


def _key(item: object, ruled: Ruled) -> object:
    """Return the identity of an element; None if elements have none."""
    if ruled.list_keys and isinstance(item, dict):
        return tuple(json.dumps(item.get(key)) for key in ruled.list_keys)
    if ruled.is_set:
        return json.dumps(item, sort_keys=True)
    return None
