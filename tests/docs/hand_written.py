"""The page on hand-written functions of Kubernetes, written from `tests/kubernetes/manual`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tests.kubernetes.hand_written import HAND_WRITTEN, KINDS, Entry, Line, entries, functions

_TITLES = {"conversions": "Conversions", "defaults": "Defaults"}
_HOWS = {
    "vanished": "not needed",
    "declared": "declared",
    "handWritten": "hand-written",
    "noApi": "not an API",
}

INTRODUCTION = """\
# Hand-written functions of Kubernetes

Kubernetes 1.36 has 126 hand-written conversion functions and 122 hand-written default functions. This page lists what replaces
each function in the specs of this project, with the number of lines.

- *not needed*: the Go function exists only because of a limit of the Go generator.
- *declared*: a lens or a default in the specs, for both directions.
- *hand-written*: a function in `handwritten/`.
- *not an API*: file formats of the API server that it does not serve.

Lines of Go are counted from the first to the last line of a function, without the functions that it calls. Lines of this project
are those in the last column: YAML from a key to the end of its value, Python with the functions that are called.
A number followed by * includes lines that another row counts too: both directions of a lens, for
example, are one declaration. Totals count each line once.
"""


def page() -> str:
    """`tests/records/hand-written-conversions.md`."""
    counted = Counter(line for entry in entries() for line in entry.our_lines())
    parts = [INTRODUCTION, *_totals()]
    for kind in KINDS:
        parts.append(f"## {_TITLES[kind]}\n")
        for group in sorted({entry.group for entry in entries() if entry.kind == kind}):
            parts.append(f"### {group}\n")
            parts.append(
                "| function | package | lines of Go | replaced by | lines | location |\n|---|---|--:|---|--:|---|"
            )
            parts += [_row(e, counted) for e in entries() if e.kind == kind and e.group == group]
            parts.append("")
    return "\n".join(parts)


def _totals() -> Iterator[str]:
    yield "| | functions | lines of Go | lines of YAML | lines of Python |\n|---|--:|--:|--:|--:|"
    for kind in KINDS:
        chosen = [entry for entry in entries() if entry.kind == kind]
        yield _total(f"**{kind}**", chosen)
        for how, words in _HOWS.items():
            some = [entry for entry in chosen if entry.how == how and not entry.rest_by_hand]
            yield from [_total(words, some)] if some else []
            if how == "declared" and (mixed := [entry for entry in chosen if entry.rest_by_hand]):
                yield _total("declared, partly hand-written", mixed)
    yield ""
    yield from _of_those_that_can_be()


def _total(words: str, chosen: Sequence[Entry]) -> str:
    lines = {line for entry in chosen for line in entry.our_lines()}
    python = sum(file.startswith(HAND_WRITTEN) for file, _ in lines)
    go = sum(entry.lines for entry in chosen)
    return f"| {words} | {len(chosen)} | {go:,} | {len(lines) - python:,} | {python:,} |"


def _of_those_that_can_be() -> Iterator[str]:
    how = {entry.key: entry.how for entry in entries()}

    def share(kind: str, results: Iterable[str], wanted: str) -> str:
        some = [f for f in functions() if f.kind == kind and f.result in results]
        return f"{sum(how.get(f.key) == wanted for f in some)} of {len(some)}"

    yield (
        "Before any function was replaced, a review of all of them expected 18 conversions to be unnecessary, 94 to be expressible\n"
        "by a lens, and 114 defaults to be expressible. Of these,"
    )
    yield f"{share('conversions', ('plumbing',), 'vanished')} are not needed,"
    yield f"{share('conversions', ('lens', 'primitive'), 'declared')} conversions are declared, and"
    literal = ("literal", "sibling", "conditional", "gate")
    yield f"{share('defaults', literal, 'declared')} defaults; {share('defaults', literal, 'vanished')} is not needed, because an empty"
    yield "map and an unset one are encoded alike.\n"


def _row(entry: Entry, counted: Counter[Line]) -> str:
    how = "declared, partly hand-written" if entry.rest_by_hand else _HOWS[entry.how]
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
