"""Random specs with constraints of every kind, and random valid and invalid objects of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.validation.case_files import CaseFile

Json = dict[str, Any]

SMALL = st.integers(min_value=-2, max_value=12)
TEXT = st.sampled_from(["", "a", "b", "ab", "long", "a.b"])
WORDS = st.lists(TEXT, max_size=4)
DIFFERENT_WORDS = st.lists(TEXT, max_size=4, unique=True)
TEXTS = st.dictionaries(st.sampled_from(["a", "b", "long"]), TEXT, max_size=3)
PART = st.fixed_dictionaries({}, optional={"size": SMALL, "note": TEXT})
PARTS = st.dictionaries(st.sampled_from(["a", "b", "long"]), PART, max_size=3)
ROW = st.fixed_dictionaries({"name": st.sampled_from("abc")}, optional={"size": SMALL, "fixed": SMALL, "mode": TEXT})
ROWS = st.lists(ROW, max_size=3, unique_by=lambda row: row["name"])
MODE = st.sampled_from(["On", "Off", "New", "Unheard"])


@dataclass(frozen=True)
class Made:
    """A field: its spec, the words that are taken away where it is loosened, its values, and the fields it depends on."""

    spec: str
    words: str
    values: st.SearchStrategy[Any]
    beside: tuple[str, ...] = ()
    may_be_reordered: bool = False

    def line(self, name: str, number: int, *, strict: bool) -> str:
        """The field in the spec."""
        words = f", {self.words}" if strict and self.words else ""
        return f"{name}: {{{self.spec}{words}, protobuf: {number}}}"


KEYED = 'type: "[]Row", omitEmpty: true, listType: map, listMapKeys: [name]'
SET = 'type: "[]string", omitEmpty: true, listType: set'
FIELDS: dict[str, Made] = {
    "number": Made("type: int32, required: false", "minimum: 0, maximum: 9, not: 7", SMALL),
    "optional": Made("type: int32, optional: true", "minimum: 1", SMALL),
    "growing": Made("type: int64, required: false", "monotonic: true, maximum: 9", SMALL),
    "text": Made("type: string, omitEmpty: true", "maxLength: 2, pattern: '^[a-z]*$'", TEXT),
    "fixed": Made("type: string, omitEmpty: true", "immutable: true, format: k8s-short-name", TEXT),
    "once": Made("type: int32, optional: true", "update: [noModify, noUnset], maximum: 9", SMALL),
    "early": Made("type: string, omitEmpty: true", "update: [noSet]", TEXT),
    "never": Made("type: string, omitEmpty: true", "forbidden: true", TEXT),
    "gated": Made("type: int32, optional: true", "ifDisabled: {Off: {maximum: 5, immutable: true}}", SMALL),
    "mode": Made("type: Mode, omitEmpty: true", "", MODE),
    "modes": Made('type: "[]Mode", omitEmpty: true, listType: atomic', "maxItems: 2", st.lists(MODE, max_size=3)),
    "words": Made('type: "[]string", omitEmpty: true, listType: atomic', "maxItems: 2, items: {maxLength: 2}", WORDS),
    "set": Made(SET, "items: {maxLength: 2}", DIFFERENT_WORDS, may_be_reordered=True),
    "kept": Made(SET, "update: [noRemoveItem]", DIFFERENT_WORDS, may_be_reordered=True),
    "rows": Made(KEYED, "update: [noAddItem]", ROWS, may_be_reordered=True),
    "frozen": Made(KEYED, "items: {immutable: true}", ROWS, may_be_reordered=True),
    "unique": Made('type: "[]Row", omitEmpty: true, listType: atomic', "uniqueBy: [name]", ROWS, may_be_reordered=True),
    "texts": Made('type: "map[string]string", omitEmpty: true', "keys: {maxLength: 2}, values: {maxLength: 2}", TEXTS),
    "parts": Made('type: "map[string]Part", omitEmpty: true', "maxProperties: 2, values: {update: [noModify]}", PARTS),
    "part": Made("type: Part, optional: true", "subfields: {size: {maximum: 7}, note: {immutable: true}}", PART),
    "plain": Made("type: Part, required: false", "update: [noModify]", PART),
    "needs": Made("type: int32, optional: true", "requires: [other], forbids: [text]", SMALL, ("other", "text")),
    "other": Made("type: int32, optional: true", "", SMALL, ("needs",)),
    "chosen": Made("type: int32, optional: true", "ifMode: {mode: {On: {required: true}, Off: {}}}", SMALL, ("mode",)),
}
ALWAYS = ("text", "mode", "other", "free")
FREE = Made("type: string, omitEmpty: true", "", st.sampled_from(["x", "y"]))

TYPES = {
    True: """
    Row:
      fields:
        name: {type: string, protobuf: 1}
        size: {type: int32, omitEmpty: true, maximum: 9, protobuf: 2}
        fixed: {type: int32, optional: true, immutable: true, protobuf: 3}
        mode: {type: Mode, omitEmpty: true, protobuf: 4}
    Part:
      fields:
        size: {type: int32, omitEmpty: true, maximum: 9, protobuf: 1}
        note: {type: string, omitEmpty: true, maxLength: 2, protobuf: 2}
    Mode: {unknown: Off, enum: {On: {}, Off: {}, New: {featureGate: Off}}}
    """,
    False: """
    Row:
      fields:
        name: {type: string, protobuf: 1}
        size: {type: int32, omitEmpty: true, protobuf: 2}
        fixed: {type: int32, optional: true, protobuf: 3}
        mode: {type: string, omitEmpty: true, protobuf: 4}
    Part:
      fields:
        size: {type: int32, omitEmpty: true, protobuf: 1}
        note: {type: string, omitEmpty: true, protobuf: 2}
    Mode: {open: true, enum: {On: {}, Off: {}, New: {}}}
    """,
}

names = st.sets(st.sampled_from(sorted(FIELDS)), min_size=6, max_size=14).map(
    lambda some: tuple(sorted({*some, *ALWAYS}))
)
"""The fields of a random spec."""


def made(name: str) -> Made:
    """A field by name."""
    return FREE if name == "free" else FIELDS[name]


def spec_of(fields: tuple[str, ...], *, strict: bool = True) -> CaseFile:
    """A spec with some fields; without their constraints if it is not `strict`."""
    lines = (made(name).line(name, number, strict=strict) for number, name in enumerate(fields, 1))
    a_union = "[{members: [optional, once], optional: true}]" if strict and {"optional", "once"} <= set(fields) else ""
    return CaseFile("", "", "", "", "", "", "", "\n".join(lines), TYPES[strict], a_union, "", ())


def objects(fields: tuple[str, ...]) -> st.SearchStrategy[Json]:
    """Objects of such a spec, most of them with errors."""
    return st.fixed_dictionaries({}, optional={name: made(name).values for name in fields})


def touched(name: str) -> set[str]:
    """The first names of the paths that a change of a field may lead to errors at."""
    related = {name, *made(name).beside, *(n for n, field in FIELDS.items() if name in field.beside)}
    return related | ({""} if name in ("optional", "once") else set())
