"""Whether all texts of one set are texts of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from apigen.compat.inclusion.regex.dialect import Dialect, others
from apigen.compat.inclusion.regex.undecidable import Undecidable
from apigen.compat.inclusion.regex.work import kept
from apigen.compat.inclusion.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.compat.inclusion.texts import Texts
from apigen.dataclass import replace

_EVERYTHING = Texts()
_MOST_TRIED = 40
_WIDEST = 4
"""The bytes that a character has at most."""

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
"""Texts that one format or another refuses, or accepts."""


@kept(512)
def texts_included(inner: Texts, outer: Texts) -> Inclusion:
    """Whether every text of `inner` is one of `outer`; if not, a text that shows it, of those at hand the shortest that is not empty.

    Who judges the texts is not known here: what holds in one language of patterns and not in the others is not proven.
    """
    found = _in_one_dialect(inner, outer)
    if isinstance(found, NotProven):
        return found
    for dialect in others((*inner.patterns, *inner.without, *outer.patterns, *outer.without)):
        again = _in_one_dialect(replace(inner, dialect=dialect), replace(outer, dialect=dialect))
        if type(again) is not type(found):
            return NotProven("`\\s` and `.` mean different things to RE2 and to JSON Schema")
    return found


def _in_one_dialect(inner: Texts, outer: Texts) -> Inclusion:
    inner, outer = spelled_out(inner), spelled_out(outer)
    wanted = _left_to_show(inner, outer)
    if replace(wanted, dialect=Dialect.RE2) == _EVERYTHING:
        return INCLUDED
    try:
        found = _found(inner, wanted)
        if found is not None:
            return NotIncluded(found)
        return _answer_without_example(inner, wanted)
    except Undecidable as reason:
        return NotProven(str(reason))


def _left_to_show(inner: Texts, outer: Texts) -> Texts:
    """What of the outer set does not follow at once from the inner one."""
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


def _most_bytes(inner: Texts, asked: int | None) -> int | None:
    """The most bytes that a text can have, as far as it takes to know whether these are more than is asked for."""
    if inner.most_bytes is not None or inner.most is None:
        return inner.most_bytes
    widest = _WIDEST
    if inner.patterns and asked is not None and inner.most <= asked < _WIDEST * inner.most:
        with suppress(Undecidable):
            from apigen.compat.inclusion.text_search import widest_character

            widest = widest_character(inner)
    return widest * inner.most


def _unless_below(bound: int | None, known: int | None) -> int | None:
    return None if bound is None or (known is not None and known <= bound) else bound


def _found(inner: Texts, outer: Texts) -> str | None:
    """A text of the inner set and not of the outer one. None: there is none, or formats are all that is left to ask."""
    is_outside = _judge_of(outer)
    is_good = _formats_hold(inner)
    if is_good is None:
        return None
    candidates = _candidates(inner, outer)
    good = (text for text in candidates if not inner.refuses(text) and is_good(text) and is_outside(text))
    found = list(islice(good, 2))
    return next((text for text in found if text), found[0] if found else None)


def accepted(of: Texts, text: str) -> bool:
    """Whether a text is one of a set, so far as that is known for sure."""
    try:
        return not of.refuses(text) and all((judge := _judge(each)) is not None and judge(text) for each in of.formats)
    except Undecidable:
        return False


def _judge(format_: str) -> Callable[[str], bool] | None:
    """What says whether a text has a format; None where it is not known."""
    from apigen.ir.formats import FORMATS  # few places have a format, and the code that judges them is large

    return FORMATS.get(format_)


def _judge_of(outer: Texts) -> Callable[[str], bool]:
    known = [judge for each in outer.formats if (judge := _judge(each)) is not None]
    return lambda text: bool(outer.refuses(text)) or any(not judge(text) for judge in known)


def _formats_hold(inner: Texts) -> Callable[[str], bool] | None:
    """What says whether a text has the formats of a set; None where one is not known."""
    known = [judge for each in inner.formats if (judge := _judge(each)) is not None]
    if len(known) < len(inner.formats):
        return None
    return lambda text: all(judge(text) for judge in known)


def _candidates(inner: Texts, outer: Texts) -> Iterator[str]:
    if inner.allowed is not None:
        yield from sorted(inner.allowed)
        return
    yield from sorted(outer.excluded)
    if not _only_sized(inner) or not _only_sized(replace(outer, formats=())):
        yield from islice(_outside(replace(inner, formats=()), replace(outer, formats=())), _MOST_TRIED)
    else:
        from apigen.compat.inclusion.text_inclusion import text_of

        made = (text_of(*sizes) for sizes in _sizes_outside(inner, outer))
        yield from (text for text in made if text is not None)
    if outer.formats or inner.formats:
        yield from SAMPLES
        yield from islice(_outside(replace(inner, formats=()), Texts(most=0)), _MOST_TRIED)


def _outside(inner: Texts, outer: Texts) -> Iterator[str]:
    """Texts of one set that are none of the other one."""
    from apigen.compat.inclusion.text_search import texts_outside  # most questions are answered without a search

    return texts_outside(inner, outer)


def _sizes_outside(inner: Texts, outer: Texts) -> Iterator[tuple[int, int]]:
    """The sizes of such texts, in characters and bytes."""
    from apigen.compat.inclusion.text_inclusion import sizes_outside

    return sizes_outside(inner, outer)


def _only_sized(of: Texts) -> bool:
    return replace(of, least=0, most=None, least_bytes=0, most_bytes=None, dialect=Dialect.RE2) == _EVERYTHING


def _answer_without_example(inner: Texts, outer: Texts) -> Inclusion:
    """No text was found that shows it: whether that is a proof."""
    if outer.formats and inner.allowed is None:
        return NotProven(f"nothing is known of the format {outer.formats[0]} but its name")
    if inner.formats and inner.allowed is None and next(_outside(_plain(inner), _plain(outer)), None) is not None:
        return NotProven(f"nothing is known of the format {inner.formats[0]} but its name")
    if any(_judge(each) is None for each in (*inner.formats, *outer.formats)):
        return NotProven("a format is not known here")
    if _only_sized(_plain(inner)) and _only_sized(_plain(outer)) and any(True for _ in _sizes_outside(inner, outer)):
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
"""By the name of the format, exactly the texts that have it. A test holds that against what validation calls."""


def spelled_out(of: Texts) -> Texts:
    """A set with its formats as patterns and lengths where they are just that."""
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
"""Characters by the bytes that they have more than one."""


def text_of(length: int, size: int) -> str | None:
    """A text of so many characters and bytes; None where there is none, or it is too long to be shown."""
    more = size - length
    if length > _LONGEST or not 0 <= more <= 3 * length:
        return None
    wide, rest = divmod(more, 3)
    tail = _WIDTHS[rest] if rest else ""
    return "a" * (length - wide - len(tail)) + tail + _WIDTHS[3] * wide


def sizes_outside(inner: Texts, outer: Texts) -> Iterator[tuple[int, int]]:
    """Lengths and bytes that `inner` has and `outer` has not, next to each bound of `outer`. None: there are none."""
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
