"""Generates objects of generated classes from their layouts: every member of every type, in all forms of absence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from generated.runtime.layouts import Members
from generated.runtime.quantity import Quantity
from generated.runtime.raw import FieldsV1, RawExtension
from generated.runtime.times import Duration, MicroTime, Time

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ["", "a", "<&>", "\u2028x\u2029", '"\\', "\x00\x1f\x7f", "é", "😀"]
)
RAWS = st.sampled_from([b"{}", b'{"a":[1,2.5,null,"\xe2\x80\xa8<"]}', b'"x"', b"[ 1 , 2 ]", b'{"f:a" : {}}'])
SECONDS = st.integers(-62135596799, 253402300799)
NUMBERS = {
    "int32": st.integers(-(2**31), 2**31 - 1),
    "int64": st.integers(-(2**63), 2**63 - 1),
    "uint32": st.integers(0, 2**32 - 1),
    "uint64": st.integers(0, 2**64 - 1),
}
NAMED: Mapping[str, st.SearchStrategy[Any]] = NUMBERS | {
    "string": TEXTS,
    "bool": st.booleans(),
    "float32": st.sampled_from([0.0, 1.5, -2.0]),
    "float64": st.floats(allow_nan=False, allow_infinity=False),
    "bytes": st.binary(max_size=8),
    "IntOrString": NUMBERS["int32"] | TEXTS,
    "Time": SECONDS.filter(lambda seconds: seconds != -62135596800).map(Time),
    "MicroTime": st.integers(-(10**15), 10**15).map(MicroTime),
    "Duration": st.integers(-(2**62), 2**62).map(Duration),
    "Quantity": st.sampled_from(["0", "1", "500m", "2Gi", "1e3", "-3"]).map(Quantity),
    "RawExtension": RAWS.map(RawExtension),
    "FieldsV1": RAWS.map(FieldsV1),
}
ZERO_IS_NONE = {"Time", "MicroTime", "RawExtension", "FieldsV1"}
MOST_ITEMS = 3
DEPTH = 5


class Maker:
    """Draws objects of classes whose layouts are known."""

    def __init__(self, layouts: Mapping[type, Members], draw: st.DrawFn) -> None:
        self._layouts = layouts
        self._draw = draw

    def object(self, cls: type, depth: int = 0) -> Any:
        """An object of a class. From some depth on, what may be absent is."""
        made = cls()
        for _, attribute, type_, presence, _ in self._layouts[cls]:
            if attribute in ("api_version", "kind") and depth == 0:
                continue
            setattr(made, attribute, self._member(type_, presence, depth))
        return made

    def _member(self, type_: Any, presence: str, depth: int) -> Any:
        can_be_none = presence in ("nullable", "optional") or type_ in ZERO_IS_NONE
        if presence == "omitEmpty" and (type_ == "bytes" or (isinstance(type_, tuple) and type_[0] != "nullable")):
            can_be_none = True
        if can_be_none and (depth >= DEPTH or self._draw(st.booleans())):
            return None
        return self._value(type_, depth)

    def _value(self, type_: Any, depth: int) -> Any:
        if isinstance(type_, str):
            return self._draw(NAMED[type_])
        if isinstance(type_, type):
            return self.object(type_, depth + 1)
        word, inner = type_
        if word == "nullable" and self._draw(st.booleans()):
            return None
        if word in ("nullable", "message"):
            return self._value(inner, depth)
        size = 0 if depth >= DEPTH else self._draw(st.integers(0, MOST_ITEMS))
        if word == "list":
            return [self._value(inner, depth + 1) for _ in range(size)]
        return {self._draw(TEXTS): self._value(inner, depth + 1) for _ in range(size)}


@st.composite
def objects(draw: st.DrawFn, layouts: Mapping[type, Members], cls: type) -> Any:
    """Objects of a class."""
    return Maker(layouts, draw).object(cls)
