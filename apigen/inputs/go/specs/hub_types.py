"""Types with the same name in several versions that no kind converts into each other: each gets a hub type of
its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product

from apigen.inputs.merging import Entries, Value
from apigen.ir.graphs import reached
from apigen.ir.names import free_name

_NAME = re.compile(r"(?:([\w.-]+)/(v\w+)\.)?\b([A-Z]\w*)")
_Type = tuple[str, str]
"""A type by its version and name."""
_Cluster = list[_Type]
"""Types of one name that kinds connect."""


def separate_hub_types(folder: str, versions: Mapping[str, Entries], kinds: Iterable[str], stored: str) -> None:
    """Write `hub:` on types that share a name, but no kind and not the declaration, with a type of another version.

    `folder` is that of the group; `versions` are the entries of the version files, the lowest version first. The type
    of the stored version keeps its name in the hub, or that of the highest version where the stored one has none of
    that name.
    """
    types = {
        (version, name): {key: value for key, value in body.items() if key != "doc"}
        for version, entries in versions.items()
        for name, body in _entries(entries["types"]).items()
    }
    uses = {one: [used for used in _names(body, folder, one[0]) if used in types] for one, body in types.items()}
    kinds_of: dict[_Type, set[str]] = {one: set() for one in types}
    for kind in kinds:
        for one in reached(((version, kind) for version in versions if (version, kind) in types), uses.__getitem__):
            kinds_of[one].add(kind)
    order = [version for version in versions if version != stored] + [stored]
    pairs: list[tuple[_Cluster, _Cluster]] = []
    for name in dict.fromkeys(name for _, name in types):
        found = [(version, name) for version in order if (version, name) in types]
        own = [one for one in found if not any(used in found and used != one for used in uses[one])]
        clusters = _clusters(own, kinds_of)
        pairs += ((cluster, clusters[-1]) for cluster in clusters[:-1])
    apart: set[_Type] = set()

    def differ(pair: tuple[_Cluster, _Cluster]) -> bool:
        nested = (used for cluster in pair for one in cluster for used in uses[one])
        return any(types[a] != types[b] for a, b in product(*pair)) or any(used in apart for used in nested)

    while more := [one for pair in pairs if differ(pair) for one in pair[0] if one not in apart]:
        apart.update(more)
    taken: set[object] = {name for _, name in types}
    for cluster, _ in pairs:
        if cluster[0] in apart:
            version, name = cluster[-1]
            hub = free_name(f"{version.capitalize()}{name}", taken)
            taken.add(hub)
            for version, name in cluster:
                body = _entries(versions[version]["types"])[name]
                words = dict(body)
                body.clear()
                body.update({"hub": hub, **words})


def _clusters(found: Iterable[_Type], kinds_of: Mapping[_Type, set[str]]) -> list[_Cluster]:
    """Group the types of one name: types that one kind contains belong together. The group with the newest type comes last."""
    clusters: list[_Cluster] = []
    for one in found:
        near = [each for each in clusters if any(not kinds_of[one].isdisjoint(kinds_of[other]) for other in each)]
        clusters = [each for each in clusters if each not in near] + [
            [*(other for each in near for other in each), one]
        ]
    return clusters


def _names(body: Entries, folder: str, version: str) -> set[_Type]:
    """The types of the group that a type of a version names."""
    expressions = [body.get("is"), *(field.get("type") for field in _entries(body.get("fields")).values())]
    names = (match.groups() for text in expressions for match in _NAME.finditer(str(text)))
    return {(other or version, name) for group, other, name in names if group in (None, folder)}


def _entries(value: Value) -> dict[str, Entries]:
    """The mappings among the values of a mapping, by key."""
    return {name: body for name, body in value.items() if isinstance(body, dict)} if isinstance(value, Mapping) else {}
