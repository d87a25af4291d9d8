"""Lenses that convert a value but do not move it: part of a move, or alone on fields with the same name."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from apigen.dataclass import dataclass
from apigen.hub.lenses.request import LensRejected, LensRequest
from apigen.hub.steps import Side
from apigen.ir.expressions import (
    Arithmetic,
    Call,
    Choice,
    Compared,
    Either,
    Expression,
    IsOneOf,
    IsTrue,
    IsWithin,
    Literal,
    Not,
    Renamed,
    Test,
    Text,
)
from apigen.ir.model import (
    INTEGER_RANGES,
    Enum,
    EnumType,
    MapType,
    Scalar,
    ScalarType,
    WellKnown,
    WellKnownType,
    is_text,
    underlying,
)
from apigen.language.model import LensSpec, Located


@dataclass(frozen=True, slots=True)
class ValueLoss:
    """The condition under which a value is lost."""

    side: Side
    when: str
    test: Test
    rejects: bool = False
    becomes: str = ""


class ValueLens(ABC):
    """A conversion of a set value (never `None`)."""

    __slots__ = ()

    @abstractmethod
    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        """Return the value of the other side; `path` is that of the source, for errors."""

    @abstractmethod
    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        """Yield the conditions under which a round trip does not preserve `value`."""

    @abstractmethod
    def describe(self) -> str:
        """Return a short description."""

    def can_become(self, result: object, to_hub: bool) -> bool:
        """Return whether some value of one side may be converted to `result`."""
        return True

    def keeps_zero(self, to_hub: bool) -> bool:
        """Return whether a zero value of the source of a direction is one again after the round trip."""
        return True


@dataclass(frozen=True, slots=True)
class RenamedValues(ValueLens):
    """`{enum: {Old: New}}`: values of an enum have other names in the hub; other values are unchanged.

    `kept` are values of the hub that the version has, too, and does not rename: `Old` becomes `New`, and `New` stays `New`.
    """

    pairs: tuple[tuple[str, str], ...]
    kept: frozenset[str] = frozenset()

    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        pairs = self.pairs if to_hub else tuple((new, old) for old, new in self.pairs if new not in self.kept)
        return Renamed(value, pairs) if pairs else value

    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        old, new = {o for o, _ in self.pairs}, {n for _, n in self.pairs}
        merged = {o for o, n in self.pairs if n in self.kept}
        for side, lost in ((Side.VERSION, sorted(merged | (new - old - self.kept))), (Side.HUB, sorted(old - new))):
            if lost:
                yield ValueLoss(side, f"it is {' or '.join(lost)}", IsOneOf(value, tuple(lost)))

    def describe(self) -> str:
        pairs = (f"{old} {'becomes' if new in self.kept else 'is'} {new} in the hub" for old, new in self.pairs)
        return "values renamed: " + ", ".join(pairs)


@dataclass(frozen=True, slots=True)
class Scaled(ValueLens):
    """`{scale: 1000}`: the hub counts in smaller units; a remainder or an overflow is rejected, never rounded."""

    factor: int
    version: Scalar
    hub: Scalar

    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        factor, where = Literal(self.factor), Literal(path)
        if to_hub:
            return Call(f"checked_{self.hub}", (Arithmetic(value, "*", factor), where))
        return Call(f"checked_{self.version}", (Call("exact_quotient", (value, factor, where)), where))

    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        factor = Literal(self.factor)
        low, high = INTEGER_RANGES[self.hub]
        yield ValueLoss(
            Side.VERSION,
            f"it exceeds the range of `{self.hub}` when multiplied by {self.factor}",
            Not(IsWithin(low, Arithmetic(value, "*", factor), high)),
            rejects=True,
        )
        low_version, high_version = INTEGER_RANGES[self.version]
        is_wide = low_version * self.factor <= low and high <= high_version * self.factor
        fits_version = IsWithin(low_version, Arithmetic(value, "//", factor), high_version)
        yield ValueLoss(
            Side.HUB,
            f"it is not a multiple of {self.factor}"
            + ("" if is_wide else f", or its quotient does not fit `{self.version}`"),
            Either((Compared(Arithmetic(value, "%", factor), "!=", Literal(0)), Not(fits_version))),
            rejects=True,
        )

    def describe(self) -> str:
        return f"times {self.factor} in the hub"


@dataclass(frozen=True, slots=True)
class Seconds(ValueLens):
    """`{seconds: truncate}`: a duration on one side, integer seconds on the other.

    `fraction` is `truncate` (towards zero), `round` (halves away from zero) or `exact` (rejected). `caps`: a value that
    the other side cannot hold becomes the nearest one that it can; otherwise it is rejected.
    """

    number: Scalar
    number_in_hub: bool
    fraction: str
    caps: bool

    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        caps, where = Literal(self.caps), Literal(path)
        if to_hub == self.number_in_hub:
            return Call("whole_seconds", (value, Literal(self.fraction), Literal(self.number.value), caps, where))
        return Call("duration_of_seconds", (value, caps, where))

    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        number_side, duration_side = (Side.HUB, Side.VERSION) if self.number_in_hub else (Side.VERSION, Side.HUB)
        exact = self.fraction == "exact"
        yield ValueLoss(
            duration_side,
            "it has fractions of a second",
            Not(IsTrue(Call("is_whole_seconds", (value,)))),
            rejects=exact,
            becomes={"truncate": "truncated", "round": "rounded", "exact": ""}[self.fraction],
        )
        capped = "the nearest value that fits" if self.caps else ""
        fits = Call("seconds_fit", (value, Literal(self.fraction), Literal(self.number.value)))
        low, high = INTEGER_RANGES[self.number]
        if low > -_MOST_SECONDS or high < _MOST_SECONDS:
            yield ValueLoss(
                duration_side, f"its seconds do not fit `{self.number}`", Not(IsTrue(fits)), not self.caps, capped
            )
        if low < -_MOST_SECONDS or high > _MOST_SECONDS:
            is_duration = IsWithin(-_MOST_SECONDS, value, _MOST_SECONDS)
            yield ValueLoss(number_side, "it is longer than a duration can be", Not(is_duration), not self.caps, capped)

    def describe(self) -> str:
        how = {"truncate": "truncated", "round": "rounded", "exact": "exact"}[self.fraction]
        return f"a duration in whole seconds, {how}{', capped' if self.caps else ''}"


@dataclass(frozen=True, slots=True)
class GroupOf(ValueLens):
    """`{part: group, version: v1beta2}`: an `apiVersion` here, its group in the hub."""

    version: str

    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        return Call("group_of", (value,)) if to_hub else Call("api_version_of", (value, Literal(self.version)))

    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        back = self.convert(self.convert(value, True, ""), False, "")
        when = f"it is neither `v1` nor of the version {self.version}"
        becomes = f"`v1` without a group, or else of the version {self.version}"
        yield ValueLoss(Side.VERSION, when, Compared(value, "!=", back), becomes=becomes)

    def describe(self) -> str:
        return f"the group of an apiVersion, whose version is {self.version}"

    def can_become(self, result: object, to_hub: bool) -> bool:
        return to_hub or result == "v1" or str(result).endswith(f"/{self.version}")

    def keeps_zero(self, to_hub: bool) -> bool:
        return not to_hub


@dataclass(frozen=True, slots=True)
class Decimal(ValueLens):
    """`{format: decimal}`: a number on one side, its decimal text on the other; empty text is zero."""

    number: Scalar
    number_in_hub: bool

    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        if to_hub == self.number_in_hub:
            return Call(f"parse_{self.number}", (value, Literal(path)))
        return Text(value)

    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        low, high = INTEGER_RANGES[self.number]
        yield ValueLoss(
            Side.VERSION if self.number_in_hub else Side.HUB,
            "it is not a decimal number in its shortest form",
            Not(IsTrue(Call("is_decimal", (value, Literal(low), Literal(high))))),
            rejects=True,
        )

    def describe(self) -> str:
        return "decimal text"

    def can_become(self, result: object, to_hub: bool) -> bool:
        return to_hub == self.number_in_hub or _SHORTEST_DECIMAL.fullmatch(str(result)) is not None

    def keeps_zero(self, to_hub: bool) -> bool:
        return to_hub != self.number_in_hub


_SHORTEST_DECIMAL = re.compile(r"0|-?[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Selector(ValueLens):
    """`{format: selector}`: a map of labels on one side, label selector text on the other."""

    text_in_hub: bool

    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        if to_hub == self.text_in_hub:
            return Call("format_selector", (value,))
        return Call("parse_selector", (value, Literal(path)))

    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        map_side, text_side = (Side.VERSION, Side.HUB) if self.text_in_hub else (Side.HUB, Side.VERSION)
        yield ValueLoss(
            map_side,
            "a key or value is not a valid label",
            Not(IsTrue(Call("are_labels", (value,)))),
            rejects=True,
        )
        yield ValueLoss(
            text_side,
            "it has other requirements than `key=value`, or another spelling of them",
            Not(IsTrue(Call("is_equality_selector", (value,)))),
            rejects=True,
        )

    def describe(self) -> str:
        return "label selector text"


@dataclass(frozen=True, slots=True)
class Clamped(ValueLens):
    """`{clamp: {below: 0, to: 1}}`: a value below the bound is replaced, in both directions."""

    below: int | float
    to: int | float

    def convert(self, value: Expression, to_hub: bool, path: str) -> Expression:
        return Choice(Compared(value, "<", Literal(self.below)), Literal(self.to), value)

    def losses(self, value: Expression) -> Iterable[ValueLoss]:
        for side in Side:
            yield ValueLoss(
                side, f"it is below {self.below}", Compared(value, "<", Literal(self.below)), becomes=str(self.to)
            )

    def describe(self) -> str:
        return f"below {self.below} becomes {self.to}"


def bind_value_lenses(request: LensRequest, hub: object) -> tuple[ValueLens, ...]:
    """Return the value lenses that a request declares, in order. Raises LensRejected if one does not apply.

    `hub` is the type of the field of the hub, without names.
    """
    lenses: list[ValueLens] = []
    if request.spec.out_of_range is not None and request.spec.seconds is None:
        hint = "add `seconds: truncate`, `round` or `exact`, or remove `outOfRange`"
        raise request.rejected(
            "AG0603", "`outOfRange` requires `seconds`", place=request.spec.out_of_range.place, hint=hint
        )
    if (request.spec.version is None) != (request.spec.part is None):
        hint = "write `part: group, version: VERSION`"
        raise request.rejected("AG0603", "`part` and `version` require each other", hint=hint)
    for word, bind in _VALUE_LENSES.items():
        declared = getattr(request.spec, word)
        if declared is not None:
            lenses.append(bind(declared, request, underlying(request.field.type), hub))
    return tuple(lenses)


def changes_type(spec: LensSpec) -> bool:
    """Return whether a value lens converts between different types (`format`, `seconds`)."""
    return spec.format is not None or spec.seconds is not None


def _bind_enum(
    renames: tuple[tuple[Located[str], Located[str]], ...], request: LensRequest, version: object, hub: object
) -> ValueLens:
    version_enum = request.enum(request.field.type)
    if version_enum is None:
        raise request.rejected("AG0602", f"{request.where} is not an enum, so it has no values to rename")
    pairs = tuple((old.value, new.value) for old, new in renames)
    ok = True
    known = {v.value for v in version_enum.values}
    for old, _ in renames:
        if old.value not in known and not version_enum.open:
            request.error("AG0605", f"{version_enum.id.name} has no value {old.value}", place=old.place)
            ok = False
    hub_enum = request.types.get(hub.id) if isinstance(hub, EnumType) else None
    hub_known = {v.value for v in hub_enum.values} if isinstance(hub_enum, Enum) else set()
    any_text = isinstance(hub_enum, Enum) and hub_enum.open
    seen: dict[str, str] = {}
    kept = frozenset(new for _, new in pairs if new in known) - {old for old, _ in pairs}
    for old, new in renames:
        if new.value not in hub_known and not any_text:
            request.error("AG0605", f"the hub's enum has no value {new.value}", place=new.place)
            ok = False
        if new.value in seen and new.value not in kept:
            message = f"{seen[new.value]} and {old.value} both become {new.value}, so the value for {new.value} of the hub is ambiguous"
            hint = f"add the value `{new.value}` to `{version_enum.id.name}`, or rename them to different values"
            request.error("AG0605", message, place=new.place, hint=hint)
            ok = False
        seen[new.value] = old.value
    if not ok:
        raise LensRejected
    return RenamedValues(pairs, kept)


def _bind_scale(factor: Located[int], request: LensRequest, version: object, hub: object) -> ValueLens:
    if (
        isinstance(version, ScalarType)
        and isinstance(hub, ScalarType)
        and version.scalar in INTEGER_RANGES
        and hub.scalar in INTEGER_RANGES
    ):
        return Scaled(factor.value, version.scalar, hub.scalar)
    raise request.rejected(
        "AG0602", f"{request.where} and its hub field are not both integers, so they cannot be scaled"
    )


def _bind_seconds(word: Located[str], request: LensRequest, version: object, hub: object) -> ValueLens:
    cap = request.spec.out_of_range
    for number, duration, in_hub in ((version, hub, False), (hub, version, True)):
        is_signed = isinstance(number, ScalarType) and number.scalar in (Scalar.INT32, Scalar.INT64)
        if isinstance(number, ScalarType) and is_signed and duration == WellKnownType(WellKnown.DURATION):
            return Seconds(number.scalar, in_hub, word.value, cap is not None and cap.value == "cap")
    raise request.rejected(
        "AG0602",
        f"`seconds` converts between a Duration and an int32 or int64, but {request.where} is {request.field.type}, and its hub field {hub}",
        place=word.place,
        hint="give one of them `type: Duration`, and the other one `type: int32` or `type: int64`",
    )


def _bind_part(part: Located[str], request: LensRequest, version: object, hub: object) -> ValueLens:
    suffix = request.spec.version
    assert suffix is not None
    if not (_is_text(version) and _is_text(hub)):
        message = f"`part` converts between strings, but {request.where} and its hub field have other types"
        raise request.rejected("AG0602", message, place=part.place, hint="give both of them `type: string`")
    if not suffix.value or "/" in suffix.value:
        raise request.rejected("AG0602", f"`version: {suffix.value}` is not a version", place=suffix.place)
    return GroupOf(suffix.value)


def _bind_format(word: Located[str], request: LensRequest, version: object, hub: object) -> ValueLens:
    if word.value == "decimal":
        for number, text, in_hub in ((version, hub, False), (hub, version, True)):
            if isinstance(number, ScalarType) and number.scalar in INTEGER_RANGES and _is_text(text):
                return Decimal(number.scalar, in_hub)
        raise request.rejected(
            "AG0602",
            f"`format: decimal` converts between an integer and a string, but {request.where} and its hub field have other types",
            place=word.place,
        )
    if word.value == "selector":
        for labels, text, text_in_hub in ((version, hub, True), (hub, version, False)):
            if isinstance(labels, MapType) and is_text(labels.value) and _is_text(text):
                return Selector(text_in_hub)
        raise request.rejected(
            "AG0602",
            f"`format: selector` converts between a map of labels and a string, but {request.where} and its hub field have other types",
            place=word.place,
        )
    raise request.rejected(
        "AG0603", f"no format `{word.value}` here", place=word.place, hint="the formats are decimal and selector"
    )


def _bind_clamp(
    clamp: tuple[Located[int | float], Located[int | float]], request: LensRequest, version: object, hub: object
) -> ValueLens:
    below, to = clamp
    if not (isinstance(version, ScalarType) and version == hub and version.scalar in INTEGER_RANGES):
        raise request.rejected(
            "AG0602", f"{request.where} and its hub field are not the same integer, so they cannot be clamped"
        )
    low, high = INTEGER_RANGES[version.scalar]
    if to.value < below.value or not low <= to.value <= high:
        raise request.rejected("AG0602", f"{to.value} is itself below {below.value}, or out of range", place=to.place)
    return Clamped(below.value, to.value)


def _is_text(type_: object) -> bool:
    return type_ == ScalarType(Scalar.STRING) or isinstance(type_, EnumType)


_MOST_SECONDS = (2**63 - 1) // 10**9
"""The whole seconds of the longest duration, which has 64 bits of nanoseconds."""

_VALUE_LENSES: Mapping[str, Callable[[Any, LensRequest, object, object], ValueLens]] = {
    "enum": _bind_enum,
    "clamp": _bind_clamp,
    "scale": _bind_scale,
    "seconds": _bind_seconds,
    "part": _bind_part,
    "format": _bind_format,
}
"""Options of the spec -> the functions that bind them, in the order in which they apply in conversion to the hub.

They get the value of the option, and the types of the field and of that of the hub, without names.
"""
