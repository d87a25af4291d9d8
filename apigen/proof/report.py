"""The proof as plain data: a matrix for each kind, and the losses, field by field. The printers format it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import counted
from apigen.hub.proof import KindProof, Lost, label
from apigen.hub.steps import Side
from apigen.ir.model import TypeId
from apigen.language.json_values import JsonValue
from apigen.proof.examples import TRIES, Example, Found

SAME = "The diagonal is the round trip to the hub and back, as of an object that is stored in its own version."
UNLESS = "(n) and (+n): n conditions, listed below, under which a value is not preserved."


@dataclass(frozen=True, slots=True)
class Item:
    """One loss: the path in the objects that lose it, the same place in the hub if that differs, and the sentence about it.

    `others` counts further paths to the same type. Without an `example`, `no_example` says why.
    """

    path: str
    hub_path: str
    type: str
    sentence: str
    others: int
    example: Example | None
    no_example: str


@dataclass(frozen=True, slots=True)
class Section:
    """The losses of objects of some versions in a round trip through another one."""

    of: tuple[str, ...]
    through: str
    items: tuple[Item, ...]

    @property
    def title(self) -> str:
        """The way, as a phrase."""
        return f"objects of {', '.join(self.of)}, converted to {self.through or 'the hub'} and back"


@dataclass(frozen=True, slots=True)
class KindReport:
    """A kind: a row of the matrix per version, in the order of its columns, and the losses behind it."""

    kind: str
    group: str
    versions: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class ProofReport:
    """All kinds that have several versions: those with losses, those without, and how many versions and losses there
    are.
    """

    lossy: tuple[KindReport, ...]
    lossless: tuple[KindReport, ...]
    summary: str

    @property
    def lossless_kinds(self) -> str:
        """The sentence about the kinds without losses; empty without such kinds."""
        kinds = ", ".join(f"{kind.kind} ({', '.join(kind.versions)})" for kind in self.lossless)
        return kinds and f"Lossless between all versions: {kinds}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes that explain the matrices."""
        cells = [cell for kind in self.lossy for row in kind.rows for cell in row]
        return (SAME, *((UNLESS,) if any("(" in cell for cell in cells) else ())) if cells else ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The selected part of a proof: names of kinds, groups, versions and types, all of which must fit."""

    names: Sequence[str] = ()

    def losses(self, proof: KindProof) -> tuple[Lost, ...] | None:
        """Return the selected losses of a kind; None if the kind is not selected."""
        rest = [name for name in self.names if name not in names_of_kind(proof)]
        found = tuple(each for each in proof.lost if all(name in names_of_loss(each) for name in rest))
        versions = {name for id_ in proof.versions for name in (label(id_), id_.version)}
        return found if found or set(rest) <= versions else None

    def unknown(self, proofs: Iterable[KindProof]) -> tuple[str, list[str]] | None:
        """Return the first unknown name, and all known names; None if all are known."""
        known = {
            name
            for proof in proofs
            for names in (names_of_kind(proof), *map(names_of_loss, proof.lost))
            for name in names
        } | {name for proof in proofs for id_ in proof.versions for name in (label(id_), id_.version)}
        return next(((name, sorted(known)) for name in self.names if name not in known), None)


def names_of_kind(proof: KindProof) -> frozenset[str]:
    """The names that mean a whole kind."""
    groups = {id_.group for id_ in proof.versions}
    return frozenset({proof.hub.name, *groups, *(f"{proof.hub.name}.{group}" for group in groups)})


def names_of_loss(lost: Lost) -> frozenset[str]:
    """Return the names that select a loss, in addition to those of its kind: versions and the type."""
    ids = (lost.version, *(each.version for each in lost.affected))
    return frozenset({lost.type_plan.version.name, *map(label, ids), *(id_.version for id_ in ids)})


def proof_report(proofs: Iterable[KindProof], choice: Choice, examples_of: Found | None) -> ProofReport:
    """Return the report for the proofs of kinds that have several versions. `examples_of` is None if none were run."""
    kinds = []
    for proof in proofs:
        losses = choice.losses(proof)
        if losses is not None and (len(proof.versions) > 1 or losses):
            kinds.append(_kind(proof, losses, examples_of))
    lossy = tuple(kind for kind in kinds if any(cell != "lossless" for row in kind.rows for cell in row))
    lossless = tuple(kind for kind in kinds if kind not in lossy)
    items = [item for kind in lossy for section in kind.sections for item in section.items]
    with_example = sum(item.example is not None for item in items)
    summary = (
        f"{counted(len(kinds), 'kind')}: {len(lossless)} lossless, {len(lossy)} with losses"
        f" ({counted(len(items), 'entry', 'entries')}{'' if examples_of is None else f', {with_example} with an example'})"
    )
    return ProofReport(lossy, lossless, summary)


def _kind(proof: KindProof, losses: Iterable[Lost], examples_of: Found | None) -> KindReport:
    labels = _labels(proof)
    ways: dict[tuple[tuple[str, ...], str], list[Item]] = {}
    for lost in losses:
        through = labels(lost.version) if lost.side is Side.HUB else ""
        by_path: dict[str, list[str]] = {}
        for each in lost.affected:
            by_path.setdefault(each.path, []).append(labels(each.version))
        for path, versions in by_path.items():
            ways.setdefault((tuple(versions), through), []).append(_item(lost, path, examples_of))
    rows = tuple(tuple(proof.cell(one, other).text for other in proof.versions) for one in proof.versions)
    return KindReport(
        proof.hub.name,
        proof.hub.group,
        tuple(map(labels, proof.versions)),
        rows,
        tuple(Section(of, through, tuple(items)) for (of, through), items in ways.items()),
    )


def _item(lost: Lost, path: str, examples_of: Found | None) -> Item:
    example = (examples_of or {}).get((lost, path))
    why = ""
    if example is None and examples_of is not None:
        why = (
            f"none of {TRIES} random objects shows it; the version may not be able to express such values"
            if lost.loss is not None
            else "hand-written conversions are not run"
        )
    is_hub = lost.side is Side.HUB and lost.path != path
    hub_path = lost.path if is_hub else ""
    return Item(path, hub_path, lost.type_plan.version.name, lost.sentence(), lost.others, example, why)


def _labels(proof: KindProof) -> Callable[[TypeId], str]:
    """Return the function that labels the versions of a kind: without the group if all have the same."""
    is_alone = len({id_.group for id_ in proof.versions}) == 1 and not any(id_.seen_as for id_ in proof.versions)
    return lambda id_: id_.version if is_alone else label(id_)


def relevant_parts(before: JsonValue, after: JsonValue) -> tuple[JsonValue, JsonValue]:
    """Return both objects without their type, and without parts that are empty or zero in both."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return before, after
    one, other = dict(before), dict(after)
    for name in {*before, *after}:
        first, second = relevant_parts(before.get(name), after.get(name))
        if name in before:
            one[name] = first
        if name in after:
            other[name] = second
        if name in ("apiVersion", "kind") or (not first and not second and before.get(name) == after.get(name)):
            one.pop(name, None)
            other.pop(name, None)
    return one, other


def lines_of(example: Example) -> Iterator[tuple[str, str]]:
    """Return the object before, and the object after or the error, each in one line of YAML behind a word."""
    version = example.before.get("apiVersion") if isinstance(example.before, dict) else None
    before, after = relevant_parts(example.before, example.before if example.error else example.after)
    yield f"before ({version})", _yaml(before)
    yield "after", f"rejected: {example.error}" if example.error else _yaml(after)


def _yaml(value: JsonValue) -> str:
    import yaml

    return " ".join(
        yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True).split()
    )
