"""Sets of strings, and whether one contains the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice, pairwise
from typing import NamedTuple

from apigen.dataclass import dataclass, replace
from apigen.review.prover.regex import (
    DONE,
    START,
    Budget,
    Dialect,
    Letter,
    Machine,
    Undecidable,
    Walker,
    cached,
    letters,
    literals,
    others,
    parse,
)
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven

_SHORT = 64
"""Maximum length of strings whose matches are cached."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Strings in which all patterns match and none of `without`, with numbers of characters and bytes within limits,
    in `allowed` (None: any) and not in `excluded`.

    `formats` are known by name only; `dialect` is that of the patterns.
    """

    patterns: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    least_bytes: int = 0
    most_bytes: int | None = None
    allowed: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    formats: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    dialect: Dialect = Dialect.RE2

    def rejects(self, text: str) -> str:
        """Return the condition that a string violates, apart from formats; empty if it violates none. Raises
        Undecidable.
        """
        if self.allowed is not None and text not in self.allowed:
            return "allowed"
        if text in self.excluded:
            return "excluded"
        if len(text) < self.least or (self.most is not None and len(text) > self.most):
            return "length"
        if self.least_bytes or self.most_bytes is not None:
            size = len(text.encode("utf-8", "surrogatepass"))
            if size < self.least_bytes or (self.most_bytes is not None and size > self.most_bytes):
                return "bytes"
        finds = _cached_finds if len(text) <= _SHORT else _finds
        missing = next((pattern for pattern in self.patterns if not finds(pattern, self.dialect, text)), "")
        return missing or next((pattern for pattern in self.without if finds(pattern, self.dialect, text)), "")

    def unwanted(self) -> tuple[Machine, ...]:
        """Return the machines of the strings that must not match. Raises Undecidable."""
        excluded = (machine_of(self.excluded),) if self.excluded else ()
        return (*excluded, *(machine(pattern, self.dialect) for pattern in self.without))

    def machines(self) -> tuple[Machine, ...]:
        """Return the machines of the patterns and of the allowed strings. Raises Undecidable."""
        finite = () if self.allowed is None else (machine_of(self.allowed),)
        return (*(machine(pattern, self.dialect) for pattern in self.patterns), *finite)


def machine(pattern: str, dialect: Dialect = Dialect.RE2) -> Machine:
    """Return the machine of a pattern. Raises Undecidable."""
    found = _machine(pattern, dialect)
    if isinstance(found, str):
        raise Undecidable(found)
    return found


def _finds(pattern: str, dialect: Dialect, text: str) -> bool:
    """Return whether a pattern matches in a string; cached, because all fields with a pattern try the same strings.
    Raises Undecidable.
    """
    return machine(pattern, dialect).finds(text)


_cached_finds: Callable[[str, Dialect, str], bool] = cached(65_536)(_finds)


@cached(256)
def _machine(pattern: str, dialect: Dialect) -> Machine | str:
    """Return the machine, or the reason for its absence, cached because either takes equally long."""
    try:
        return Machine(parse(pattern, dialect))
    except Undecidable as error:
        return str(error)


@cached(32)
def machine_of(texts: frozenset[str]) -> Machine:
    """Return a machine for a finite set of strings. Raises Undecidable if there are too many."""
    if sum(map(len, texts)) > 4_000:
        raise Undecidable("there are too many values to compare them with a pattern")
    return Machine(literals(sorted(texts)))


_EVERYTHING = Texts()
_MOST_TRIED = 40
_WIDEST = 4
"""Maximum number of bytes of a character."""

SAMPLES = (
    "a",
    "A",
    "a b",
    "-",
    "a_b",
    "a.b",
    "example.com/a",
    "é",
    "a" * 64,
    "00000000-0000-0000-0000-000000000000",
)
"""Strings that some formats reject, and others accept."""


@cached(512)
def texts_included(inner: Texts, outer: Texts) -> Inclusion:
    """Return whether every string of `inner` is in `outer`; if not, with a counterexample, preferably a short one that
    is not empty.

    The validator of the strings is unknown here: a result that depends on the pattern dialect is not proven.
    """
    inclusion = _in_one_dialect(inner, outer)
    if isinstance(inclusion, NotProven):
        return inclusion
    for dialect in others((*inner.patterns, *inner.without, *outer.patterns, *outer.without)):
        in_dialect = _in_one_dialect(replace(inner, dialect=dialect), replace(outer, dialect=dialect))
        if type(in_dialect) is not type(inclusion):
            return NotProven("`\\s` and `.` have different meanings in RE2 and JSON Schema")
    return inclusion


def _in_one_dialect(inner: Texts, outer: Texts) -> Inclusion:
    inner, outer = spelled_out(inner), spelled_out(outer)
    outside = _not_covered(inner, outer)
    if replace(outside, dialect=Dialect.RE2) == _EVERYTHING:
        return INCLUDED
    try:
        found = _found(inner, outside)
        if found is not None:
            return NotIncluded(found)
        return _answer_without_example(inner, outside)
    except Undecidable as reason:
        return NotProven(str(reason))


def _not_covered(inner: Texts, outer: Texts) -> Texts:
    """Return the conditions of the outer set that the inner one does not trivially imply."""
    most = inner.most if inner.most is not None else inner.most_bytes
    return replace(
        outer,
        patterns=tuple(dict.fromkeys(each for each in outer.patterns if each not in inner.patterns)),
        formats=tuple(each for each in outer.formats if each not in inner.formats),
        least=0 if outer.least <= inner.least else outer.least,
        most=None if outer.most is None or (most is not None and most <= outer.most) else outer.most,
        least_bytes=0 if outer.least_bytes <= max(inner.least_bytes, inner.least) else outer.least_bytes,
        most_bytes=_unless_below(outer.most_bytes, _most_bytes(inner, outer.most_bytes)),
        excluded=outer.excluded - inner.excluded,
        without=tuple(each for each in outer.without if each not in inner.without),
        allowed=(
            None if inner.allowed is not None and inner.allowed <= (outer.allowed or frozenset()) else outer.allowed
        ),
    )


def _most_bytes(inner: Texts, limit: int | None) -> int | None:
    """Return the maximum number of bytes of a string, computed exactly only if the comparison with `limit` depends on
    it.
    """
    if inner.most_bytes is not None or inner.most is None:
        return inner.most_bytes
    widest = _WIDEST
    if inner.patterns and limit is not None and inner.most <= limit < _WIDEST * inner.most:
        with suppress(Undecidable):
            widest = widest_character(inner)
    return widest * inner.most


def _unless_below(bound: int | None, known: int | None) -> int | None:
    return None if bound is None or (known is not None and known <= bound) else bound


def _found(inner: Texts, outer: Texts) -> str | None:
    """Return a string in `inner` but not in `outer`, or `None` if there is no such string or only formats differ."""
    own, others = (list(filter(None, map(_format_check, side.formats))) for side in (inner, outer))
    if len(own) < len(inner.formats):
        return None
    accepted_texts = (text for text in _candidates(inner, outer) if not inner.rejects(text))
    good = (text for text in accepted_texts if all(has_format(text) for has_format in own))
    outside = (text for text in good if outer.rejects(text) or not all(has_format(text) for has_format in others))
    found = list(islice(outside, 2))
    return next((text for text in found if text), found[0] if found else None)


def accepted(of: Texts, text: str) -> bool:
    """Return whether a string is certainly in a set."""
    try:
        return not of.rejects(text) and all(
            (has_format := _format_check(each)) is not None and has_format(text) for each in of.formats
        )
    except Undecidable:
        return False


def _format_check(format_: str) -> Callable[[str], bool] | None:
    """Return the function that checks a format; None for an unknown format."""
    from apigen.ir.formats import FORMATS  # few slots have a format, and the code that validates formats is large

    return FORMATS.get(format_)


def _candidates(inner: Texts, outer: Texts) -> Iterator[str]:
    if inner.allowed is not None:
        yield from sorted(inner.allowed)
        return
    yield from sorted(outer.excluded)
    if not _only_sized(inner) or not _only_sized(replace(outer, formats=())):
        several = bool(inner.formats or outer.formats)
        outside = texts_outside(replace(inner, formats=()), replace(outer, formats=()), several=several)
        yield from islice(outside, _MOST_TRIED)
    else:
        sized = (text_of(*sizes) for sizes in sizes_outside(inner, outer))
        yield from (text for text in sized if text is not None)
    if outer.formats or inner.formats:
        yield from SAMPLES
        yield from islice(texts_outside(replace(inner, formats=()), Texts(most=0)), _MOST_TRIED)


def _only_sized(of: Texts) -> bool:
    return replace(of, least=0, most=None, least_bytes=0, most_bytes=None, dialect=Dialect.RE2) == _EVERYTHING


def _answer_without_example(inner: Texts, outer: Texts) -> Inclusion:
    """Return the result if no counterexample was found: included, unless formats are unknown."""
    if outer.formats and inner.allowed is None:
        return NotProven(f"apigen does not implement the format {outer.formats[0]}")
    if inner.formats and inner.allowed is None and next(texts_outside(_plain(inner), _plain(outer)), None) is not None:
        return NotProven(f"apigen does not implement the format {inner.formats[0]}")
    if any(_format_check(each) is None for each in (*inner.formats, *outer.formats)):
        return NotProven("apigen does not implement one of the formats")
    if _only_sized(_plain(inner)) and _only_sized(_plain(outer)) and any(True for _ in sizes_outside(inner, outer)):
        return NotIncluded()
    return INCLUDED


def _plain(of: Texts) -> Texts:
    return replace(of, formats=())


_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_VALUE = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_HEX = "[0-9a-f]"

KNOWN: Mapping[str, Texts] = {
    "k8s-short-name": Texts(patterns=(f"^{_LABEL}$",), most_bytes=63),
    "k8s-long-name": Texts(patterns=(rf"^{_LABEL}(\.{_LABEL})*$",), most_bytes=253),
    "k8s-label-value": Texts(patterns=(f"^({_VALUE})?$",), most_bytes=63),
    "k8s-uuid": Texts(patterns=(f"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$",)),
}
"""For each format, exactly the strings that have it. A test compares them with the validation of formats."""


def spelled_out(of: Texts) -> Texts:
    """Return a set with its formats replaced by patterns and lengths, where these are equivalent."""
    found = replace(of, formats=tuple(name for name in of.formats if name not in KNOWN))
    for name in of.formats:
        known = KNOWN.get(name)
        if known is not None:
            bounds = [bound for bound in (found.most_bytes, known.most_bytes) if bound is not None]
            most_bytes = min(bounds) if bounds else None
            found = replace(found, patterns=(*found.patterns, *known.patterns), most_bytes=most_bytes)
    return found


_LONGEST = 100_000
_ENDLESS = 2**62
_WIDTHS = {1: "é", 2: "€", 3: "😀"}
"""Characters by their number of bytes beyond the first."""


def text_of(length: int, size: int) -> str | None:
    """Return a string with these numbers of characters and bytes, or `None` if impossible or too long to print."""
    more = size - length
    if length > _LONGEST or not 0 <= more <= 3 * length:
        return None
    wide, rest = divmod(more, 3)
    tail = _WIDTHS[rest] if rest else ""
    return "a" * (length - wide - len(tail)) + tail + _WIDTHS[3] * wide


def sizes_outside(inner: Texts, outer: Texts) -> Iterator[tuple[int, int]]:
    """Yield pairs of length and size that `inner` allows and `outer` does not, next to each bound of `outer`."""
    most = _ENDLESS if inner.most is None else inner.most
    most_bytes = _ENDLESS if inner.most_bytes is None else inner.most_bytes
    shortest, longest = max(inner.least, -(-inner.least_bytes // 4)), min(most, most_bytes)
    smallest, largest = max(inner.least_bytes, inner.least), min(most_bytes, 4 * most)
    if shortest > longest or smallest > largest:
        return
    if shortest < outer.least:
        length = min(longest, outer.least - 1)
        yield length, max(length, inner.least_bytes)
    if outer.most is not None and outer.most < longest:
        length = max(shortest, outer.most + 1)
        yield length, max(length, inner.least_bytes)
    if smallest < outer.least_bytes:
        size = min(largest, outer.least_bytes - 1)
        yield min(size, most), size
    if outer.most_bytes is not None and outer.most_bytes < largest:
        size = max(smallest, outer.most_bytes + 1)
        yield min(size, most), size


_WORK = 150_000


class _Node(NamedTuple):
    """The state after a prefix of a string: the state of each machine, and the lengths as far as they matter."""

    steps: tuple[int, ...]
    length: int
    size: int


@dataclass(frozen=True, slots=True)
class _Trail:
    """The characters that lead to a prefix, and how many they are."""

    before: _Trail | None
    character: str
    length: int

    def text(self) -> str:
        """Return the prefix."""
        parts, trail = [], self
        while trail.before is not None:
            parts.append(trail.character)
            trail = trail.before
        return "".join(reversed(parts))


def texts_outside(inner: Texts, outer: Texts, budget: Budget | None = None, *, several: bool = True) -> Iterator[str]:
    """Yield strings of `inner` that are not in `outer` (which has no formats), one of each kind, the shortest first.

    Without `several`, strings that differ in lengths which only the maximum of `inner` counts are of one kind. Raises
    Undecidable if the budget does not suffice.
    """
    yield from _Search(inner, outer, budget or Budget(_WORK), several=several).texts()


def widest_character(of: Texts) -> int:
    """Return the maximum number of bytes of a character in strings that match the patterns of a set. Raises
    Undecidable.
    """
    budget, machines = Budget(_WORK), of.machines()
    walkers = tuple(Walker(machine, budget) for machine in machines)
    sets = (characters for machine in machines for characters in machine.sets)
    alphabet = letters(sets, budget, by_size=True)
    first = tuple(START for _ in walkers)
    waiting, seen, widest = [first], {first}, 0
    while waiting:
        steps = waiting.pop()
        for letter in alphabet:
            budget.spend(1)
            after = tuple(walker.step(step, letter.code) for walker, step in zip(walkers, steps, strict=True))
            if any(walker.is_dead(step) for walker, step in zip(walkers, after, strict=True)):
                continue
            widest = max(widest, letter.size)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return widest


class _Search:
    """Runs all machines of both sides together, breadth first."""

    def __init__(self, inner: Texts, outer: Texts, budget: Budget, *, several: bool = True) -> None:
        inner_machines, outer_machines = inner.machines(), outer.machines()
        self._inner, self._outer, self._budget = inner, outer, budget
        groups: tuple[tuple[Machine, ...], ...] = (inner_machines, inner.unwanted(), outer_machines, outer.unwanted())
        self._walkers = tuple(Walker(each, budget) for group in groups for each in group)
        ends = [0]
        for group in groups:
            ends.append(ends[-1] + len(group))
        self._wanted, self._without, self._unwanted, self._anyway = (range(start, end) for start, end in pairwise(ends))
        limits = (inner, outer) if several else (replace(inner, most=None), outer)
        self._counts_bytes = any(each.least_bytes or each.most_bytes is not None for each in limits)
        self._counts = any(each.least or each.most is not None for each in limits)
        self._longest = max(max(each.least, 0 if each.most is None else each.most + 1) for each in limits)
        self._largest = max(
            max(each.least_bytes, 0 if each.most_bytes is None else each.most_bytes + 1) for each in limits
        )
        sets = (characters for group in groups for machine in group for characters in machine.sets)
        self._letters = letters(sets, budget, by_size=self._counts_bytes)
        budget.spend(sum(machine.size for group in groups for machine in group))

    def texts(self) -> Iterator[str]:
        """Yield the strings that are found."""
        first = _Node(tuple(START for _ in self._walkers), 0, 0)
        waiting: deque[tuple[_Node, _Trail]] = deque([(first, _Trail(None, "", 0))])
        seen = {first}
        while waiting:
            node, trail = waiting.popleft()
            if self._is_inside(node) and self._is_outside(node):
                yield trail.text()
            for letter in self._letters:
                after = self._after(node, letter)
                length = trail.length + 1
                if after is not None and after not in seen and self._goes_on(after, length):
                    self._budget.spend(2)
                    seen.add(after)
                    waiting.append((after, _Trail(trail, letter.character, length)))

    def _after(self, node: _Node, letter: Letter) -> _Node | None:
        """Return the state after a letter; None if no continuation is in the inner set."""
        self._budget.spend(1)
        steps = []
        for index, (walker, step) in enumerate(zip(self._walkers, node.steps, strict=True)):
            after = walker.step(step, letter.code)
            if index in self._wanted and walker.is_dead(after):
                return None
            steps.append(after)
        return _Node(
            tuple(steps),
            min(node.length + 1, self._longest) if self._counts else 0,
            min(node.size + letter.size, self._largest) if self._counts_bytes else 0,
        )

    def _goes_on(self, node: _Node, length: int) -> bool:
        """Return whether a continuation of a prefix can be in the inner set and outside of the other.

        The first prefix that leads to a state is a shortest one, so that its length suffices for all of them.
        """
        inner, outer = self._inner, self._outer
        if (inner.most is not None and length > inner.most) or (
            inner.most_bytes is not None and node.size > inner.most_bytes
        ):
            return False
        is_settled = all(node.steps[i] == DONE for i in self._unwanted)
        has_end = outer.most is not None or outer.most_bytes is not None or self._anyway
        return not (is_settled and not has_end and node.length >= outer.least and node.size >= outer.least_bytes)

    def _is_inside(self, node: _Node) -> bool:
        inner = self._inner
        return (
            node.length >= inner.least
            and node.size >= inner.least_bytes
            and all(self._accepts(node, i) for i in self._wanted)
            and not any(self._accepts(node, i) for i in self._without)
        )

    def _is_outside(self, node: _Node) -> bool:
        outer = self._outer
        return (
            (self._counts and node.length < outer.least)
            or (outer.most is not None and node.length > outer.most)
            or (self._counts_bytes and node.size < outer.least_bytes)
            or (outer.most_bytes is not None and node.size > outer.most_bytes)
            or not all(self._accepts(node, i) for i in self._unwanted)
            or any(self._accepts(node, i) for i in self._anyway)
        )

    def _accepts(self, node: _Node, index: int) -> bool:
        return self._walkers[index].accepts(node.steps[index])
