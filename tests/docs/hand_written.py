"""The page on what Kubernetes writes by hand, made of `tests/kubernetes/manual`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tests.kubernetes.hand_written import HAND_WRITTEN, KINDS, Entry, Line, entries, functions

_TITLES = {"conversions": "Conversions", "defaults": "Defaults"}
_HOWS = {
    "vanished": "vanished",
    "declared": "declared",
    "handWritten": "by hand",
    "noApi": "no API here",
}

INTRODUCTION = """\
# What Kubernetes writes by hand

Kubernetes 1.36 has 126 conversion functions and 122 default functions that a person wrote beside the generated ones. This
page tells of each what there is here in its stead, and how many lines that takes.

- *vanished*: nothing is needed. The Go function exists only because of how the Go generator works.
- *declared*: a lens or a default in the specs says it, for both directions.
- *by hand*: a function in `handwritten/` does it.
- *no API here*: the API server's own file formats, which are no API that is served.

Go lines are those from the first to the last line of the function, without what it calls. Lines here are those of the places
named: in the specs from a key to the end of its value, in Python those of the functions or of the files, with what these call.
A number followed by * has lines that another row counts as well: both directions of a lens are one declaration, for
instance. Totals count each line once.
"""


def page() -> str:
    """`tests/records/hand-written-conversions.md`."""
    counted = Counter(line for entry in entries() for line in entry.our_lines())
    parts = [INTRODUCTION, *_totals()]
    for kind in KINDS:
        parts.append(f"## {_TITLES[kind]}\n")
        for group in sorted({entry.group for entry in entries() if entry.kind == kind}):
            parts.append(f"### {group}\n")
            parts.append("| function | package | Go lines | here | lines here | where |\n|---|---|--:|---|--:|---|")
            parts += [_row(e, counted) for e in entries() if e.kind == kind and e.group == group]
            parts.append("")
    return "\n".join(parts)


def _totals() -> Iterator[str]:
    yield "| | functions | Go lines | lines of YAML here | lines of Python here |\n|---|--:|--:|--:|--:|"
    for kind in KINDS:
        chosen = [entry for entry in entries() if entry.kind == kind]
        yield _total(f"**{kind}**", chosen)
        for how, words in _HOWS.items():
            some = [entry for entry in chosen if entry.how == how and not entry.rest_by_hand]
            yield from [_total(words, some)] if some else []
            if how == "declared" and (mixed := [entry for entry in chosen if entry.rest_by_hand]):
                yield _total("declared, with a rest by hand", mixed)
    yield ""
    yield from _of_those_that_can_be()


def _total(words: str, chosen: Sequence[Entry]) -> str:
    lines = {line for entry in chosen for line in entry.our_lines()}
    python = sum(file.startswith(HAND_WRITTEN) for file, _ in lines)
    go = sum(entry.lines for entry in chosen)
    return f"| {words} | {len(chosen)} | {go:,} | {len(lines) - python:,} | {python:,} |"


def _of_those_that_can_be() -> Iterator[str]:
    how = {entry.key: entry.how for entry in entries()}

    def share(kind: str, verdicts: Iterable[str], wanted: str) -> str:
        some = [f for f in functions() if f.kind == kind and f.verdict in verdicts]
        return f"{sum(how.get(f.key) == wanted for f in some)} of {len(some)}"

    yield (
        "A reading of all functions, before any was declared, called 18 conversions plumbing and 94 expressible by a lens, and\n"
        "114 defaults expressible. Of these,"
    )
    yield f"{share('conversions', ('plumbing',), 'vanished')} vanished,"
    yield f"{share('conversions', ('lens', 'primitive'), 'declared')} conversions are declared, and"
    literal = ("literal", "sibling", "conditional", "gate")
    yield f"{share('defaults', literal, 'declared')} defaults; {share('defaults', literal, 'vanished')} vanished, since an empty"
    yield "map and none are written alike.\n"


def _row(entry: Entry, counted: Counter[Line]) -> str:
    how = "declared, a rest by hand" if entry.rest_by_hand else _HOWS[entry.how]
    ours = entry.our_lines()
    shared = "\\*" if any(counted[line] > 1 for line in ours) else ""
    number = f"{len(ours)}{shared}" if ours else "0"
    return f"| {entry.name} | {entry.package} | {entry.lines} | {how} | {number} | {'<br>'.join(_where(entry))} |"


def _where(entry: Entry) -> Iterator[str]:
    """File and type, with what is declared there; or file and function."""
    found: dict[tuple[str, ...], list[str]] = {}
    for file, *keys in entry.places:
        words = [str(key) for key in keys if key not in ("fields", "hub", "default", "lenses", "defaults", "hubOnly")]
        found.setdefault((str(file), *words[:1]), []).extend([" ".join(words[1:])] if words[1:] else [])
    for start, rest in found.items():
        yield " ".join([*start, ", ".join(f"`{each}`" for each in rest)]).strip()
