"""Convert a schema, or its negation, to alternatives of atoms on the values of one type.

Both are supersets: an unsupported keyword is omitted from the conversion, and its negation is any value. So a proof
that no value remains is valid, whatever the unsupported keywords mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from apigen.language.json_values import JsonValue
from apigen.review.prover.schemas import of_lists, of_objects, of_scalars
from apigen.review.prover.schemas.atoms import ANYTHING, NOTHING, Atom, Form
from apigen.review.prover.schemas.limits import Steps, TooMuchError
from apigen.review.prover.schemas.schema import Schema, is_opaque

Words = Mapping[str, JsonValue]


class Forms:
    """Converts schemas to forms."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._known: dict[tuple[Schema, bool, str], Form] = {}

    def of(self, schema: Schema, holds: bool, type_: str, depth: int = 0) -> Form:
        """Return the form of the values of a type that match a schema, or do not. Raises TooMuchError."""
        key = (schema, holds, type_)
        if key not in self._known:
            if depth > Steps.DEEPEST:
                raise TooMuchError
            self._steps.take()
            self._known[key] = self._built(schema, holds, type_, depth)
        return self._known[key]

    def all_of(self, forms: Iterable[Form]) -> Form:
        """Return the conjunction of some forms."""
        result: list[dict[Atom, None]] = [{}]
        for form in forms:
            if len(result) == len(form) == 1:
                result[0].update(dict.fromkeys(form[0]))
            else:
                result = [one | dict.fromkeys(other) for one in result for other in form]
            self._steps.take(len(result))
            if len(result) > Steps.MOST_CLAUSES:
                raise TooMuchError
        return [tuple(clause) for clause in result]

    def _built(self, schema: Schema, holds: bool, type_: str, depth: int) -> Form:
        words = schema.value
        if isinstance(words, bool):
            return ANYTHING if words is holds else NOTHING
        if not isinstance(words, dict):
            return ANYTHING
        parts = self._parts(words, schema, holds, type_, depth)
        if holds:
            return self.all_of(parts)
        return [clause for part in parts for clause in part]

    def _parts(self, words: Words, schema: Schema, holds: bool, type_: str, depth: int) -> Iterable[Form]:
        """Yield the forms of each keyword of a schema, or their negations."""
        if "$ref" in words:
            yield self._reference(words["$ref"], schema, holds, type_, depth)
            if holds:  # drafts before 2019 ignore keywords next to it
                return
        words = _plain(words)
        if any(map(is_opaque, words)):
            yield ANYTHING
        yield of_scalars.typed(words, holds, type_)
        yield from of_scalars.parts(words, schema, holds, type_)
        if type_ == "array":
            yield from of_lists.parts(words, schema, holds)
        elif type_ == "object":
            yield from of_objects.parts(words, schema, holds)
        yield from self._nested(words, schema, holds, type_, depth)

    def _reference(self, reference: JsonValue, schema: Schema, holds: bool, type_: str, depth: int) -> Form:
        target = schema.document.target(reference) if isinstance(reference, str) else None
        return ANYTHING if target is None else self.of(target, holds, type_, depth + 1)

    def _nested(self, words: Words, schema: Schema, holds: bool, type_: str, depth: int) -> Iterable[Form]:
        """Yield the forms of nested schemas that apply to the value itself."""

        def form(value: JsonValue, is_matched: bool) -> Form:
            return self.of(schema.document.schema(value), is_matched, type_, depth + 1)

        every, some = (self.all_of, _any_of) if holds else (_any_of, self.all_of)
        if isinstance(schemas := words.get("allOf"), list):
            yield every([form(each, holds) for each in schemas])
        if isinstance(schemas := words.get("anyOf"), list):
            yield some([form(each, holds) for each in schemas])
        if isinstance(schemas := words.get("oneOf"), list):
            yield self._one_of(schemas, holds, form)
        if "not" in words:
            yield form(words["not"], not holds)
        if "if" in words:
            yield self._condition(words, holds, form)
        yield from self._dependent(words, holds, type_, form)

    def _one_of(self, alternatives: list[JsonValue], holds: bool, form: Callable[[JsonValue, bool], Form]) -> Form:
        found: list[Form] = [] if holds else [self.all_of(form(each, False) for each in alternatives)]
        for index, each in enumerate(alternatives):
            if holds:
                found.append(
                    self.all_of(form(other, other_index == index) for other_index, other in enumerate(alternatives))
                )
            else:
                found.extend(self.all_of((form(each, True), form(other, True))) for other in alternatives[index + 1 :])
        return _any_of(found)

    def _condition(self, words: Words, holds: bool, form: Callable[[JsonValue, bool], Form]) -> Form:
        then, otherwise = words.get("then", True), words.get("else", True)
        return _any_of(
            (
                self.all_of((form(words["if"], True), form(then, holds))),
                self.all_of((form(words["if"], False), form(otherwise, holds))),
            )
        )

    def _dependent(
        self, words: Words, holds: bool, type_: str, form: Callable[[JsonValue, bool], Form]
    ) -> Iterable[Form]:
        """Yield the forms of schemas that apply to an object with a property."""
        if type_ != "object":
            return
        for keyword in ("dependentSchemas", "dependencies"):
            by_name = words.get(keyword)
            for name, value in by_name.items() if isinstance(by_name, dict) else ():
                if isinstance(value, list):
                    continue
                if holds:
                    yield [(of_objects.absent(name),), *form(value, True)]
                else:
                    yield self.all_of(([(of_objects.present(name),)], form(value, False)))


_BESIDE = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "dependencies", "contains"})
"""Keywords whose schemas may evaluate parts of the value, too."""


def _plain(words: Words) -> Words:
    """Return the keywords with `unevaluated…` replaced by the equivalent keyword, if no other schema evaluates parts
    of the value.
    """
    if _BESIDE.isdisjoint(words):
        found = dict(words)
        for name, plain in (("unevaluatedProperties", "additionalProperties"), ("unevaluatedItems", "items")):
            is_list = plain == "items" and isinstance(found.get("items"), list)
            if name in found and (plain not in found and not is_list):
                found[plain] = found.pop(name)
        return found
    return words


def _any_of(forms: Iterable[Form]) -> Form:
    return [clause for form in forms for clause in form]
