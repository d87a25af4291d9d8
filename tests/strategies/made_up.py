"""Gated specs and their objects, made up by Hypothesis, and what is known about them without any generated code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

GATES = ("Alpha", "Beta", "Gamma")
FEATURES = "".join(f'{gate}: {{owner: sig-frob, stages: [{{release: "1.12", stage: alpha}}]}}\n' for gate in GATES)
GROUP = """\
group: things.example.com
versions:
  v1: {introduced: "1.8", storage: true}
hub: v1
kinds:
  Frobber: {scope: Namespaced, plural: frobbers, subresources: {status: {}}}
"""
_TYPES = {
    "int": "type: int32, optional: true",
    "text": "type: string, omitEmpty: true",
    "one": "type: {0}, optional: true",
    "plain": "type: {0}, required: false",
    "list": 'type: "[]{0}", omitEmpty: true, listType: atomic',
    "map": 'type: "map[string]{0}", omitEmpty: true',
}
_DEEPEST = 4

Document = dict[str, Any]


@dataclass(frozen=True)
class MadeField:
    """A field: one of `_TYPES`, of the struct with the number `struct`; behind a gate, or none."""

    name: str
    form: str
    struct: int
    gate: str
    in_use: str


@dataclass(frozen=True)
class Gated:
    """A value that is set, behind a gate: `path` as warnings show it, `owner` the number of the struct that has it."""

    path: str
    steps: tuple[str | int, ...]
    owner: int
    field: MadeField


@dataclass(frozen=True)
class MadeSpec:
    """Structs by number; the first is the spec of the kind."""

    structs: tuple[tuple[MadeField, ...], ...]

    def files(self) -> Mapping[str, str]:
        """The texts of the spec by path."""
        lines = ["types:", "  Frobber:", "    fields:"]
        for number, (name, type_) in enumerate(
            [("metadata", "meta/v1.ObjectMeta"), ("spec", "S0"), ("status", "FrobberStatus")], start=1
        ):
            lines.append(f"      {name}: {{type: {type_}, required: false, protobuf: {number}}}")
        lines += ["  FrobberStatus:", "    fields:", "      count: {type: int32, omitEmpty: true, protobuf: 1}"]
        for number, fields in enumerate(self.structs):
            lines += [f"  S{number}:", "    fields:"]
            lines += [f"      {f.name}: {{{_type_of(f)}, protobuf: {i}}}" for i, f in enumerate(fields, start=1)]
        version = "\n".join(lines) + "\n"
        return {
            "features.yaml": FEATURES,
            "things.example.com/group.yaml": GROUP,
            "things.example.com/v1.yaml": version,
        }

    def documents(self) -> st.SearchStrategy[Document]:
        """The `spec` of an object, without empty lists and maps."""
        return self._struct(0, 0)

    def _struct(self, number: int, depth: int) -> st.SearchStrategy[Document]:
        fields = [f for f in self.structs[number] if depth < _DEEPEST or f.form in ("int", "text", "plain")]
        absent: dict[str, Any] = {f.name: st.just(None) for f in fields}
        present: dict[str, Any] = {f.name: self._value(f, depth + 1) for f in fields}
        some = {name: st.one_of(absent[name], present[name]) for name in present}
        return st.fixed_dictionaries(some).map(lambda found: {k: v for k, v in found.items() if v is not None})

    def _value(self, field: MadeField, depth: int) -> st.SearchStrategy[Any]:
        match field.form:
            case "int":
                return st.integers(0, 2)
            case "text":
                return st.sampled_from(["a", "b"])
        inner = st.deferred(lambda: self._struct(field.struct, depth))
        match field.form:
            case "list":
                return st.lists(inner, min_size=1, max_size=2)
            case "map":
                return st.dictionaries(st.sampled_from(["x", "y/z"]), inner, min_size=1, max_size=2)
        return inner

    def gated(self, document: Document) -> Iterator[Gated]:
        """All values of a document's spec that are set and behind a gate, also those below others."""
        yield from self._gated(0, document, "spec", ())

    def _gated(self, number: int, document: Document, path: str, steps: tuple[str | int, ...]) -> Iterator[Gated]:
        for field in self.structs[number]:
            if field.name not in document:
                continue
            value, at, way = document[field.name], f"{path}.{field.name}", (*steps, field.name)
            if field.gate:
                yield Gated(at, way, number, field)
            match field.form:
                case "list":
                    for index, item in enumerate(value):
                        yield from self._gated(field.struct, item, f"{at}[{index}]", (*way, index))
                case "map":
                    for key, item in value.items():
                        yield from self._gated(field.struct, item, f"{at}[{key}]", (*way, key))
                case "one" | "plain":
                    yield from self._gated(field.struct, value, at, way)


def _type_of(field: MadeField) -> str:
    text = _TYPES[field.form].format(f"S{field.struct}")
    if not field.gate:
        return text
    use = "" if field.in_use == "gate" else f", inUse: {field.in_use}"
    return f"{text}, featureGate: {{gate: {field.gate}{use}}}"


@st.composite
def made_specs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> MadeSpec:
    """A spec of up to four structs that hold each other."""
    count = draw(st.integers(1, 4))
    structs = []
    for number in range(count):
        fields = [_field(draw, number, index, count) for index in range(draw(st.integers(1, 4)))]
        structs.append(tuple(fields))
    return MadeSpec(tuple(structs))


def _field(draw: Callable[[st.SearchStrategy[Any]], Any], number: int, index: int, count: int) -> MadeField:
    forms = ["int", "text", "one", "list", "map"] + (["plain"] if number + 1 < count else [])
    form = draw(st.sampled_from(forms))
    inside = st.integers(number + 1, count - 1) if form == "plain" else st.integers(0, count - 1)
    gate = "" if form == "plain" else draw(st.sampled_from(("", *GATES)))
    in_use = draw(st.sampled_from(["gate", "gate", "field", "never"]))
    return MadeField(f"f{index}", form, draw(inside), gate, in_use)


def without(document: Document, places: list[tuple[str | int, ...]]) -> Document:
    """A copy of a document with what stands at some places taken out of it."""
    copied: Document = _copied(document)
    for steps in places:
        *above, last = steps
        holder: Any = copied
        for step in above:
            holder = holder.get(step) if isinstance(holder, dict) else holder[step] if holder is not None else None
        if holder is not None:
            holder.pop(last, None)
    return copied


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value
