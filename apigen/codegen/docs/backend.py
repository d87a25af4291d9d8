"""Writes a page for each group, docs/<group>.md: its versions, kinds, gates, removed elements, losses of conversions and timeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from math import ceil

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.features import runtime_gate
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass, replace
from apigen.history.model import History
from apigen.hub.proof import TypeProof, prove
from apigen.ir.model import Api, Enum, Feature, Group, Lifecycle, Release, Struct, TypeDef, TypeId, Version
from apigen.ir.names import package_name
from apigen.ir.stability import next_release, one_before
from apigen.language.model import GateJoin, GateSpec, NumberRange, Tombstone
from apigen.runtime.features import FeatureGate, Features

FOLDER = "docs"
"""The folder of all pages."""


def group_page(group: Group, backend_input: BackendInput, folder: str, picture: str) -> str:
    """The page as Markdown. `folder` has the pages of versions, `picture` is the file of the timeline, or empty."""
    api = backend_input.api
    return render(
        "docs/group.md.jinja",
        title=group.name or group.folder,
        folder=folder,
        picture=picture,
        group=group,
        versions=[(version, life_of_version(version, api)) for version in group.versions],
        gates=gates_of(group, api),
        shrunk_types=list(_shrunk_types(group, api)),
        lost=list(_lost(group, backend_input)),
    )


def gates_of(group: Group, api: Api) -> tuple[Feature, ...]:
    """The gates that fields and values of a group name, in the order of their definition."""
    named = {gate.value for spec in _marks(group, api) for gate in spec.gates}
    return tuple(feature for feature in api.features if feature.name in named)


def _marks(group: Group, api: Api) -> Iterator[GateSpec]:
    for version in group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            members = type_.own_fields if isinstance(type_, Struct) else type_.values if isinstance(type_, Enum) else ()
            yield from (member.gate for member in members if member.gate is not None)


def _shrunk_types(group: Group, api: Api) -> Iterator[tuple[str, tuple[Tombstone, ...], tuple[NumberRange, ...]]]:
    """Yield the types with removed fields or values: their names, the tombstones, and the other reserved numbers."""
    for version in group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            tombstones = type_.tombstones if isinstance(type_, Struct | Enum) else ()
            reserved = type_.reserved if isinstance(type_, Struct) else ()
            if tombstones or reserved:
                yield f"{version.name} {id_.name}", tombstones, reserved


def _lost(group: Group, backend_input: BackendInput) -> Iterator[tuple[str, str, str]]:
    """Yield the values that conversions do not preserve: their type, their side, and a sentence about them."""
    for proof in backend_input.once(_proofs).get(group.folder, ()):
        for side, places in (("", proof.fields), ("hub", proof.hub_places)):
            for sentence in dict.fromkeys(sentence for found in places.values() for sentence in found):
                yield f"{proof.version.version} {proof.version.name}", side, sentence


def _proofs(backend_input: BackendInput) -> Mapping[str, list[TypeProof]]:
    """The proofs of all types, by the folder of their version's group."""
    proofs: dict[str, list[TypeProof]] = {}
    for proof in prove(backend_input.hub, backend_input.types):
        proofs.setdefault(proof.version.group, []).append(proof)
    return proofs


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The page of each group, and the timeline of each group with known releases."""
    for group in backend_input.api.groups:
        name = package_name(group.folder)
        history = History() if group.series else backend_input.history
        drawing = timeline(group, backend_input.api, gates_of(group, backend_input.api), history)
        has_picture = bool(drawing.releases)
        if has_picture:
            image = picture(group.name or group.folder, drawing)
            yield text_file(f"{FOLDER}/{name}-timeline.svg", image)
        page = group_page(group, backend_input, name, f"{name}-timeline.svg" if has_picture else "")
        yield text_file(f"{FOLDER}/{name}.md", page)


MemberKey = tuple[TypeId, str]
"""A type and the name of a field or value of it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The first release with a member, and the first later one without it.

    `first` is None for members that were added with their type, or before the first record.
    """

    first: Release | None = None
    end: Release | None = None


def seen(group: Group, history: History) -> Mapping[MemberKey, Seen]:
    """Every member that a recorded release of the group has had."""
    members: dict[MemberKey, Seen] = {}
    known: dict[TypeId, frozenset[str]] = {}
    for release, api in history.steps():
        types = _types(group.folder, api)
        for id_, names in types.items():
            for name in names:
                if (id_, name) not in members or members[id_, name].end is not None:
                    members[id_, name] = Seen(release if id_ in known else None)
            for name in known.get(id_, frozenset()) - names:
                members[id_, name] = Seen(members[id_, name].first, release)
        known |= types
    return members


def _types(folder: str, api: Api) -> dict[TypeId, frozenset[str]]:
    """The types of the versions of a group with the names of their members."""
    found: dict[TypeId, frozenset[str]] = {}
    group = next((group for group in api.groups if group.folder == folder), None)
    for version in () if group is None else group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            if isinstance(type_, Struct | Enum):
                found[id_] = frozenset(name for name, *_ in _living(id_.name, type_))
    return found


MOST_ROWS = 40
"""Maximum number of fields and values in a picture."""


class Look(StrEnum):
    """The state of an element during a part of its row."""

    SERVED = "served"
    UNSERVED = "unserved"
    DEPRECATED = "deprecated"
    ALPHA = "alpha"
    BETA = "beta"
    GA = "ga"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a row, from a release (None: from the beginning) to another one (None: open), with its look and label.

    `is_enabled`: whether a gate, or all that a member depends on, is enabled by default.
    """

    start: Release | None
    end: Release | None
    look: Look
    label: str = ""
    is_enabled: bool = True
    is_locked: bool = False

    def label_within(self, width: float) -> str:
        """Return as much of the label as fits; it may be empty."""
        if len(self.label) * 5.6 + 10 <= width:
            return self.label
        short = self.label.partition(",")[0]
        return short if len(short) * 5.6 + 8 <= width else ""


@dataclass(frozen=True, slots=True)
class Row:
    """One version, gate or member: its title, and the parts of its life."""

    title: str
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The rows of a group under their headings, and the releases that they tell of, in order; `shipped` are on record."""

    sections: tuple[tuple[str, tuple[Row, ...]], ...]
    releases: tuple[Release, ...]
    left_out: int = 0
    shipped: frozenset[Release] = frozenset()


def timeline(group: Group, api: Api, gates: tuple[Feature, ...], history: History) -> Timeline:
    """Return the timeline of a group and its gates. Releases that lifecycles do not declare are read from the history."""
    versions = tuple(_version(version, api) for version in group.versions)
    features = tuple(_gate(feature) for feature in gates)
    members = tuple(_members(group, api, history))
    sections = (("Versions", versions), ("Feature gates", features), ("Fields and values", members[:MOST_ROWS]))
    nonempty = tuple((title, rows) for title, rows in sections if rows)
    stretches = [stretch for _, rows in nonempty for row in rows for stretch in row.stretches]
    shipped = frozenset(history.releases)
    named = sorted({*shipped, *(each for s in stretches for each in (s.start, s.end) if each is not None)})
    releases = tuple(named)
    if named and named[0].major == named[-1].major:  # of several major versions, only those that are named
        releases = tuple(Release(named[0].major, minor) for minor in range(named[0].minor, named[-1].minor + 1))
    return Timeline(nonempty, releases, max(0, len(members) - MOST_ROWS), shipped)


def life_of_version(version: Version, api: Api) -> Lifecycle:
    """Return the lifecycle of a version; without one, from the first to the last release of its kinds."""
    own = version.lifecycle
    kinds = [s.lifecycle for s in api.structs(version.group, version.name) if s.kind is not None and s.list_of is None]
    introduced = [life.introduced for life in kinds if life.introduced is not None]
    deprecated = [life.deprecated for life in kinds if life.deprecated is not None]
    removed = [life.removed for life in kinds if life.removed is not None]
    return Lifecycle(
        own.introduced or min(introduced, default=None),
        own.deprecated or (max(deprecated) if kinds and len(deprecated) == len(kinds) else None),
        own.removed or (max(removed) if kinds and len(removed) == len(kinds) else None),
        own.replacement,
    )


def _version(version: Version, api: Api) -> Row:
    life = life_of_version(version, api)
    look = Look.SERVED if version.served else Look.UNSERVED
    label = "storage" if version.storage else "" if version.served else "not served"
    return Row(version.name, _life(life, look, label))


def _life(life: Lifecycle, look: Look, label: str = "") -> tuple[Stretch, ...]:
    """Return the stretches of a lifecycle: introduced, deprecated, removed."""
    start = life.returned or life.introduced
    if life.deprecated is None:
        return (Stretch(start, life.removed, look, label),)
    late = Stretch(life.deprecated, life.removed, Look.DEPRECATED, "deprecated")
    if start is not None and start >= life.deprecated:
        return (late,)
    return (Stretch(start, life.deprecated, look, label), late)


def _gate(feature: Feature) -> Row:
    """A gate as the generated package has it at each release: until it is removed, and each stage from when it counts."""
    looks = {"alpha": Look.ALPHA, "beta": Look.BETA, "ga": Look.GA, "deprecated": Look.DEPRECATED}
    releases = _changes((feature,))
    stretches: list[Stretch] = []
    for start, end in zip(releases, [*releases[1:], None], strict=True):
        features = _features_at((runtime_gate(feature),), start)
        stage, is_enabled = features.stage(feature.name), features.enabled(feature.name)
        if stage is None:  # not yet, or no more
            continue
        is_locked = not features.settable(feature.name)
        label = f"{stage}, {'on' if is_enabled else 'off'}{', locked' if is_locked else ''}"
        _append(stretches, Stretch(start, end, looks[stage], label, is_enabled, is_locked))
    return Row(feature.name, tuple(stretches))


def _append(stretches: list[Stretch], stretch: Stretch) -> None:
    """Add a stretch; if it only continues the last one, the two are one."""
    last = stretches[-1] if stretches else None
    if last is not None and last.end == stretch.start and replace(last, start=last.end, end=stretch.end) == stretch:
        stretch = replace(stretch, start=stretches.pop().start)
    stretches.append(stretch)


def _features_at(gates: Sequence[FeatureGate], release: Release) -> Features:
    """The states of the gates of a group at a release of its series, to which these gates belong."""
    return Features(gates, str(release), series={gate.series: str(release) for gate in gates if gate.series})


def _changes(features: tuple[Feature, ...]) -> list[Release]:
    """The releases at which gates may have another state: a stage begins, begins to count, or the gate is removed."""
    stages = [stage for feature in features for stage in feature.stages]
    found = {stage.release for stage in stages}
    # By default, servers may be one minor release older than the emulated one.
    found |= {next_release(stage.min_compatibility) for stage in stages if stage.min_compatibility is not None}
    return sorted(found | {feature.removed for feature in features if feature.removed is not None})


def _gated(stretches: tuple[Stretch, ...], gate: GateSpec | None, api: Api) -> tuple[Stretch, ...]:
    """The stretches of a member, divided where its gates change from disabled to enabled by default or back."""
    names = () if gate is None else tuple(name.value for name in gate.gates)
    features = tuple(feature for feature in api.features if feature.name in names)
    if gate is None or not features:
        return stretches
    gates = [runtime_gate(feature) for feature in features]
    together = all if gate.join is GateJoin.ALL else any
    words = (" and " if gate.join is GateJoin.ALL else " or ").join(names)

    def is_enabled(release: Release) -> bool:
        enabled = dict(_features_at(gates, release))
        return together(enabled.get(name, False) for name in names)

    changes = _changes(features)
    joined: list[Stretch] = []
    for stretch in stretches:
        inside = [
            release
            for release in changes
            if (stretch.start is None or release > stretch.start) and (stretch.end is None or release < stretch.end)
        ]
        for start, end in zip([stretch.start, *inside], [*inside, stretch.end], strict=True):
            on = is_enabled(one_before(changes[0]) if start is None else start)
            part = replace(stretch, start=start, end=end)
            if not on:
                part = replace(part, label=f"off, behind {words}", is_enabled=False)
            _append(joined, part)
    return tuple(joined)


def _members(group: Group, api: Api, history: History) -> Iterator[Row]:
    """Fields and values that came, went or will go, once where several versions agree."""
    rows: dict[tuple[str, tuple[Stretch, ...]], list[str]] = {}
    on_record = seen(group, history)
    for version in group.versions:
        for id_ in version.types:
            for name, stretches in _of_type(id_, api, on_record):
                rows.setdefault((name, stretches), []).append(version.name)
    return (Row(f"{name} ({', '.join(versions)})", stretches) for (name, stretches), versions in rows.items())


def _of_type(id_: TypeId, api: Api, on_record: Mapping[MemberKey, Seen]) -> Iterator[tuple[str, tuple[Stretch, ...]]]:
    type_ = api.types.get(id_)
    for name, label, life, gate in _living(id_.name, type_):
        known = on_record.get((id_, name), Seen())
        life = replace(life, introduced=life.introduced or known.first)
        if any((life.introduced, life.deprecated, life.removed, life.returned)):
            yield label, _gated(_life(life, Look.SERVED), gate, api)
    for tombstone in type_.tombstones if isinstance(type_, Struct | Enum) else ():
        known = on_record.get((id_, tombstone.name), Seen())
        removed = tombstone.removed or known.end
        if removed is not None:
            after_removal = Stretch(removed, None, Look.GONE, "gone")
            yield f"{id_.name}.{tombstone.name}", (Stretch(known.first, removed, Look.SERVED), after_removal)


def _living(type_name: str, type_: TypeDef | None) -> Iterator[tuple[str, str, Lifecycle, GateSpec | None]]:
    """Yield the fields or values of a type: name, label of the row, lifecycle and gates."""
    if isinstance(type_, Struct):
        yield from ((f.json_name, f"{type_name}.{f.json_name}", f.lifecycle, f.gate) for f in type_.own_fields)
    elif isinstance(type_, Enum):
        yield from ((v.value, f"{type_name} {v.value}", v.lifecycle, v.gate) for v in type_.values)


LEFT, RIGHT, TOP, BOTTOM = 24, 24, 84, 44
ROW, BAR, HEADING = 26, 16, 34
LETTER = 6.4
"""The width of a letter of the names on the left, about."""
LONGEST_NAME = 44
WIDEST, NARROWEST, WHOLE = 72, 26, 1100
CLOSEST = 38
"""Maximum and minimum width of a release, target width of all releases, and minimum distance of two printed release
numbers.
"""
LEGEND = (
    ("served", "served, or available"),
    ("deprecated", "deprecated"),
    ("alpha", "alpha"),
    ("beta", "beta"),
    ("ga", "GA"),
    ("locked", "locked"),
    ("off", "disabled by default"),
    ("gone", "removed, name reserved"),
)


@dataclass(slots=True)
class _Axis:
    """The horizontal positions of releases."""

    releases: tuple[Release, ...]
    left: float
    step: float

    def at(self, release: Release) -> float:
        return self.left + (self.releases.index(release) + 1) * self.step

    def extent(self, stretch: Stretch) -> tuple[float, float]:
        """Return the start and the width of the rectangle of a stretch."""
        start = self.left if stretch.start is None else self.at(stretch.start)
        end = self.right if stretch.end is None else self.at(stretch.end)
        return round(start, 1), round(max(end - start, 6), 1)

    @property
    def right(self) -> float:
        """The end of the column after the last release, in which current elements continue."""
        return self.left + (len(self.releases) + 2) * self.step


def picture(title: str, drawing: Timeline) -> str:
    """The SVG of a timeline that has releases."""
    rows = [row for _, rows in drawing.sections for row in rows]
    longest = max(min(len(row.title), LONGEST_NAME) for row in rows)
    left_edge = LEFT + longest * LETTER + 16
    step = max(NARROWEST, min(WIDEST, WHOLE / (len(drawing.releases) + 2)))
    axis = _Axis(drawing.releases, left_edge, step)
    placed_rows: list[tuple[int, Row]] = []
    headings: list[tuple[int, str]] = []
    y = TOP
    for heading, of_section in drawing.sections:
        headings.append((y + 20, heading))
        y += HEADING
        for row in of_section:
            placed_rows.append((y, row))
            y += ROW
    return render(
        "docs/timeline.svg.jinja",
        title=title,
        description=_description(title, drawing),
        axis=axis,
        width=round(axis.right + RIGHT),
        height=y + BOTTOM,
        bar_height=BAR,
        left=round(left_edge, 1),
        top=TOP,
        bottom=y + 6,
        columns=list(_columns(axis, drawing.shipped)),
        headings=headings,
        rows=placed_rows,
        longest_name=LONGEST_NAME,
        legend=list(_legend(drawing)),
        legend_y=y + 20,
        legend_x=LEFT,
        more=f"… and {drawing.left_out} more fields and values" if drawing.left_out else "",
    )


def _columns(axis: _Axis, shipped: frozenset[Release]) -> Iterator[tuple[float, str, str]]:
    """Yield for each release its position, its number and its style; most numbers are omitted if releases are close
    together.
    """
    every = ceil(CLOSEST / axis.step)
    last = len(axis.releases) - 1
    for number, release in enumerate(axis.releases):
        label = str(release) if (last - number) % every == 0 else ""
        yield round(axis.at(release), 1), label, "release shipped" if release in shipped else "release"


def _legend(drawing: Timeline) -> Iterator[tuple[int, str, str]]:
    """Yield the legend of the looks that occur: x, class, words."""
    stretches = [stretch for _, rows in drawing.sections for row in rows for stretch in row.stretches]
    used = {stretch.look.value for stretch in stretches}
    used |= {"off" for stretch in stretches if not stretch.is_enabled}
    used |= {"locked" for stretch in stretches if stretch.is_locked}
    x = LEFT
    for look, words in LEGEND:
        if look in used:
            yield x, f"ga {look}" if look in ("off", "locked") else look, words
            x += round(26 + len(words) * LETTER + 14)


def _description(title: str, drawing: Timeline) -> str:
    """Return the description of the picture for screen readers."""
    counts: Mapping[str, int] = {heading.lower(): len(rows) for heading, rows in drawing.sections}
    parts = ", ".join(f"{heading}: {count}" for heading, count in counts.items())
    first, last = drawing.releases[0], drawing.releases[-1]
    return f"{title} from release {first} to {last}: {parts}. Each row is a bar from the release that brings it."
