"""Kinds: their types, scope, names, subresources and lifecycles. A lifecycle is declared on the version if all its kinds
share it, otherwise on each kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.inputs.go.model import GoKind, GoPackage, GoTypeDeclaration, Marker
from apigen.inputs.go.specs.fields import Reader, json_name, read_field
from apigen.inputs.go.specs.markers import Markers, OmittedKind, Tag, listed_values, pairs_of, unquoted
from apigen.inputs.merging import Block, Entries
from apigen.ir.api_names import resource_problem
from apigen.ir.names import free_name
from apigen.ir.stability import WINDOW, Stability, releases_later, stability
from apigen.language.releases import parse_release

META_GROUP = "meta.k8s.io"
"""The package of types that all groups share; it has no kinds."""

_LIST_FIELDS: Mapping[str, Entries] = {
    "metadata": {"type": "meta/v1.ListMeta", "required": False, "protobuf": 1},
    "items": {"type": "[]", "nullable": True, "protobuf": 2},
}


@dataclass(slots=True)
class FoundColumn:
    """A column of `kubectl get`, alike in some versions."""

    name: str
    entries: Entries
    versions: list[str]


@dataclass(slots=True)
class FoundKind:
    """The declarations of a kind in all versions of a group."""

    name: str
    scope: str = ""
    is_scope_declared: bool = False
    plural: str = ""
    is_plural_declared: bool = False
    entries: Entries = field(default_factory=dict)
    subresources: Entries = field(default_factory=dict)
    selectable: Entries = field(default_factory=dict)
    columns: list[FoundColumn] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    has_list: bool = True

    def as_entries(self) -> Entries:
        """The kind's entry in group.yaml."""
        entries: Entries = {"scope": self.scope, **({"plural": self.plural} if self.plural else {}), **self.entries}
        if self.subresources:
            entries["subresources"] = self.subresources
        if self.selectable:
            entries["selectableFields"] = self.selectable
        if self.columns:
            columns: dict[str, Entries] = {}
            oldest_last = sorted(self.columns, key=lambda each: self.versions.index(each.versions[0]), reverse=True)
            first = {column.name: column for column in oldest_last}
            used_names: set[object] = {*first}
            for column in self.columns:
                is_first = first[column.name] is column
                key = column.name if is_first else free_name(f"{column.name} of {column.versions[0]}", used_names)
                used_names.add(key)
                name = {} if is_first else {"name": column.name}
                versions = {} if column.versions == self.versions else {"versions": column.versions}
                columns[key] = {**column.entries, **name, **versions}
            entries["printerColumns"] = Block(columns)
        if not self.has_list:
            entries["list"] = False
        return entries


def kinds_of(package: GoPackage) -> list[GoTypeDeclaration]:
    """Return the types of a package that are kinds: those with `kind` and `apiVersion` that it registers."""
    if package.group == META_GROUP:
        return []
    registered = {name for name in package.registered if "." not in name}
    return [type_ for type_ in package.types if _is_kind(type_, registered) and not is_list_name(type_.go, package)]


def _is_kind(declared: GoTypeDeclaration, registered: set[str]) -> bool:
    """Return whether a registered type has `kind` and `apiVersion`, or is an alias of a type that has them."""
    if declared.root:
        return not registered or declared.go in registered
    is_known = declared.go in registered if registered else any(map(_marks_kind, declared.markers))
    return declared.kind is GoKind.NAMED and is_known


def _marks_kind(marker: Marker) -> bool:
    """Return whether a marker declares that a type is an object of its own, in packages whose registration code is
    generated.
    """
    return marker.text == "+kubebuilder:object:root=true" or (
        marker.name == "+k8s:deepcopy-gen:interfaces" and marker.text.endswith("/runtime.Object")
    )


def is_kind_or_list(declared: GoTypeDeclaration, reader: Reader) -> bool:
    """Return whether a type with `kind` and `apiVersion` is a kind, its list, or the type behind an alias that is a
    kind.
    """
    package = reader.package
    if package.group == META_GROUP or is_list_name(declared.go, package):
        return True
    if any(kind is declared for kind in kinds_of(package)):
        return True
    return any(
        name.rpartition(".")[2] == declared.go and "." in name
        for other in reader.packages.packages.values()
        for name in (*other.registered, *(one.underlying.resolved for one in other.types if one.underlying is not None))
    ) or any(one.underlying is not None and one.underlying.resolved == declared.go for one in package.types)


def is_list_name(name: str, package: GoPackage) -> bool:
    """Return whether a type is the list of a kind of the package."""
    single = name.removesuffix("List")
    if single == name or package.group == META_GROUP:
        return False
    registered = {one for one in package.registered if "." not in one}
    is_kind = any(one.go == single and _is_kind(one, registered) for one in package.types)
    return is_kind and any(one.go == name and one.root for one in package.types)


def is_usual_list(declared: GoTypeDeclaration, reader: Reader) -> bool:
    """Return whether a list type is the default one of its kind, which specs do not declare."""
    quiet = Reader(reader.packages, reader.package, reader.settings, type(reader.findings)())
    element = f"{reader.version}.{declared.go}"
    found = dict(read for field in declared.fields if (read := read_field(field, element, quiet)) is not None)
    single = declared.go.removesuffix("List")
    expected = {name: dict(entries) for name, entries in _LIST_FIELDS.items()}
    expected["items"]["type"] = f"[]{single}"
    return found.keys() == expected.keys() and all(
        _on_the_wire(found[name]) == _on_the_wire(entries, numbered="protobuf" in found[name])
        for name, entries in expected.items()
    )


def _on_the_wire(field: Entries, *, numbered: bool = True) -> Entries:
    """Return the keys of a field that affect its encoding."""
    words = ("type", "optional", "nullable", "omitEmpty", "inline", *(("protobuf",) if numbered else ()))
    return {word: field[word] for word in words if word in field}


def read_kind(declared: GoTypeDeclaration, found: FoundKind, reader: Reader) -> None:
    """Add the declarations of one version of a kind."""
    markers = reader.markers(f"{reader.version}.{declared.go}", declared)
    struct = _struct_of(declared, reader)
    names = {json_name(one) for one in struct.fields}
    _scope(struct, markers, names, found)
    _resource(declared, markers, found, reader)
    found.plural = found.plural or plural_of(declared.go)
    if not any(type_.go == f"{declared.go}List" for type_ in reader.package.types):
        found.has_list = False
    _subresources(declared, markers, names, found, reader)
    found.versions.append(reader.package.version)
    paths = (dict(pairs_of(tag)).get("JSONPath", "") for tag in markers.take("kubebuilder:selectablefield"))
    selectable: Entries = {path: path for path in (path.removeprefix(".") for path in paths) if path}
    found.selectable = selectable or found.selectable  # paths of the hub: its version is the last one
    _columns(declared, markers, found, reader)


def _columns(declared: GoTypeDeclaration, markers: Markers, kind: FoundKind, reader: Reader) -> None:
    """Add the columns of `kubectl get` of one version, between those of other versions, so that each version has its own
    order. One that differs from that of the same name in another version is a column of its own; a second one of that
    name in the version is a finding.
    """
    start = 0
    more: list[FoundColumn] = []
    for tag in markers.take("kubebuilder:printcolumn"):
        options = dict(pairs_of(tag))
        column: Entries = {"type": options.get("type", ""), "path": options.get("JSONPath", "")}
        column |= {word: options[word] for word in ("description", "format") if word in options}
        if options.get("priority", "").isdigit():
            column["priority"] = int(options["priority"])
        name, version = options.get("name", ""), reader.package.version
        is_second = any(each.name == name and version in each.versions for each in (*kind.columns, *more))
        if not name or not column["path"] or is_second:
            reason = "the version has another column of that name" if is_second else "it has no name or path"
            reader.findings.add_tag(OmittedKind.MARKER, f"{reader.version}.{declared.go}", tag, reason)
            continue
        left = enumerate(kind.columns[start:], start)
        same = next((index for index, each in left if (each.name, each.entries) == (name, column)), None)
        if same is None:
            more.append(FoundColumn(name, column, [version]))
            continue
        kind.columns[same].versions.append(version)
        kind.columns[same:same] = more
        start = same + len(more) + 1
        more = []
    kind.columns += more


def _struct_of(declared: GoTypeDeclaration, reader: Reader) -> GoTypeDeclaration:
    """Return the struct of a kind, or of the type for which it is an alias; the kind itself if it was not read."""
    found = None if declared.underlying is None else reader.packages.struct(declared.underlying, reader.package)
    return declared if found is None else found[0]


def _scope(declared: GoTypeDeclaration, markers: Markers, names: set[str], kind: FoundKind) -> None:
    """Return the scope of a kind: that of its client marker, or of the kind whose subresource it is; otherwise namespaced if it
    has metadata.
    """
    resource = markers.take_one("kubebuilder:resource")
    scope = dict(pairs_of(resource)).get("scope", "Namespaced") if resource is not None else None
    if scope not in ("Cluster", "Namespaced") and markers.has("genclient:nonNamespaced"):
        scope = "Cluster"
    elif scope not in ("Cluster", "Namespaced") and markers.has("genclient"):
        scope = "Namespaced"
    if scope is not None:
        kind.scope, kind.is_scope_declared = scope, True
    elif not kind.scope:
        kind.scope = "Namespaced" if "metadata" in names and _is_object(declared) else "Cluster"


def _is_object(declared: GoTypeDeclaration) -> bool:
    return any(field.type.resolved.endswith("ObjectMeta") for field in declared.fields)


def _resource(declared: GoTypeDeclaration, markers: Markers, kind: FoundKind, reader: Reader) -> None:
    for tag in markers.take("kubebuilder:resource"):
        pairs = dict(pairs_of(tag))

        def valid(name_kind: str, names: Iterable[str], tag: Tag = tag) -> list[str]:
            """Return the valid resource names; each invalid one is a finding."""
            return [name for name in names if name and _is_resource_name(name_kind, name, declared, tag.place, reader)]

        for name in valid("plural", [pairs.get("path", "")]):
            kind.plural, kind.is_plural_declared = name, True
        for name in valid("singular", [pairs.get("singular", "")]):
            kind.entries["singular"] = name
        for key, word, name_kind in (
            ("shortName", "shortNames", "short name"),
            ("categories", "categories", "category"),
        ):
            names = valid(name_kind, listed_values(pairs.get(key, "")))
            if names:
                kind.entries[word] = names


def _is_resource_name(name_kind: str, name: str, declared: GoTypeDeclaration, place: Place, reader: Reader) -> bool:
    """Return whether Kubernetes accepts the name in a marker; other names are findings."""
    problem = resource_problem(name_kind, name, declared.go.lower())
    if problem is not None:
        reader.findings.add(OmittedKind.MARKER, f"{reader.version}.{declared.go}", name, place, problem.message, name)
    return problem is None


def _subresources(
    declared: GoTypeDeclaration, markers: Markers, names: set[str], kind: FoundKind, reader: Reader
) -> None:
    named = [unquoted(tag.value).strip("/") for tag in markers.take("k8s:supportsSubresource")]
    named += [
        part.removeprefix("subresource=")
        for tag in markers.tags
        if tag.name.startswith("genclient:method")
        for part in tag.text.split(",")
        if part.startswith("subresource=")
    ]
    is_crd = any(tag.name.startswith("kubebuilder:") for tag in markers.tags)
    has_client = markers.has("genclient") and not markers.has("genclient:noStatus") and kind.has_list and not is_crd
    if "status" in names and (has_client or "status" in named or _kubebuilder(markers, "status") is not None):
        kind.subresources["status"] = {}
    scale = _kubebuilder(markers, "scale")
    if scale is not None or "scale" in named:
        paths = _scale_paths(declared, scale, reader)
        if paths:
            kind.subresources["scale"] = paths
        else:
            reason = "its `scale` has no `replicas` in spec and status"
            reader.findings.add(OmittedKind.KIND, f"{reader.version}.{declared.go}", "scale", declared.place, reason)
    for name in named:
        if name in ("status", "scale", ""):
            continue
        if _is_resource_name("subresource", name, declared, declared.place, reader):
            kind.subresources.setdefault(name, {})


def _kubebuilder(markers: Markers, name: str) -> Tag | None:
    tags = [tag for tag in markers.tags if tag.name.startswith(f"kubebuilder:subresource:{name}")]
    for tag in tags:
        markers.mark(tag)
    return tags[-1] if tags else None


def _scale_paths(declared: GoTypeDeclaration, tag: Tag | None, reader: Reader) -> Entries:
    if tag is not None:
        paths_of_marker = dict(re.findall(r"(specpath|statuspath|selectorpath)=\.?([\w.\[\]]+)", tag.text))
        if "specpath" in paths_of_marker and "statuspath" in paths_of_marker:
            paths: Entries = {
                "specReplicasPath": paths_of_marker["specpath"],
                "statusReplicasPath": paths_of_marker["statuspath"],
            }
            return paths | (
                {"labelSelectorPath": paths_of_marker["selectorpath"]} if "selectorpath" in paths_of_marker else {}
            )
    fields = {part: _fields_below(declared, part, reader) for part in ("spec", "status")}
    if any("replicas" not in names for names in fields.values()):
        return {}
    return {"specReplicasPath": "spec.replicas", "statusReplicasPath": "status.replicas"}


def _fields_below(declared: GoTypeDeclaration, name: str, reader: Reader) -> set[str]:
    field = next((one for one in declared.fields if json_name(one) == name), None)
    found = None if field is None else reader.packages.resolve(field.type, reader.package)
    return set() if found is None else {json_name(one) for one in found[0].fields}


def plural_of(kind: str) -> str:
    """Return the plural, by the rules of Kubernetes' client generator."""
    word = kind.lower()
    if word == "endpoints":
        return word
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "i", "o", "u"):
        return f"{word[:-1]}ies"
    return f"{word}s"


MACHINERY_KINDS = (
    "APIGroup",
    "APIVersions",
    "CreateOptions",
    "DeleteOptions",
    "GetOptions",
    "ListOptions",
    "PatchOptions",
    "UpdateOptions",
    "WatchEvent",
)
"""Kinds of meta/v1 that AddToGroupVersion registers in every version of every group, except for Status."""


def registered_elsewhere(package: GoPackage) -> list[str]:
    """Return the kinds that a package registers and another one declares.

    Kinds that all groups share (such as WatchEvent) are returned for the core group only, as in Kubernetes' own
    compatibility test.
    """
    found = [name for name in package.registered if "." in name]
    if package.registers_machinery and package.group == "":
        found += [f"metav1.{kind}" for kind in MACHINERY_KINDS if f"metav1.{kind}" not in found]
    return found


_PREFIX = "k8s:prerelease-lifecycle-gen:"
_RELEASE = re.compile(r"\d{1,9}\.\d{1,9}")


@dataclass(frozen=True, slots=True)
class Life:
    """Releases as text, by `introduced`, `deprecated` and `removed`; `replacement` as `group,version,Kind`."""

    releases: Mapping[str, str] = field(default_factory=dict)
    replacement: tuple[str, str, str] | None = None
    place: Place | None = None
    text: str = ""


_RELEASES = ("introduced", "deprecated", "removed")
_MARKERS = tuple(f"{_PREFIX}{word}" for word in (*_RELEASES, "replacement"))


def take_life(markers: Markers, version: str) -> Life:
    """Return the lifecycle that the markers of a type declare, or imply."""
    tags = {tag.name.removeprefix(_PREFIX): tag for tag in markers.take(*_MARKERS)}
    releases = {word: tags[word].value for word in _RELEASES if word in tags and _RELEASE.fullmatch(tags[word].value)}
    if stability(version) is not Stability.STABLE:
        for before, word in pairwise(_RELEASES):
            if before in releases and word not in releases:  # as in Kubernetes' generator
                releases[word] = str(releases_later(parse_release(releases[before]), WINDOW))
    if "replacement" not in tags:
        return Life(releases)
    tag = tags["replacement"]
    parts = [part.strip() for part in tag.value.split(",")]
    return Life(releases, (parts[0], parts[1], parts[2]) if len(parts) == 3 else None, tag.place, tag.text)


def bad_life(markers: Markers) -> list[Tag]:
    """Return invalid lifecycle markers."""
    return [
        tag
        for tag in markers.take(*_MARKERS)
        if not (tag.value.count(",") == 2 if tag.name.endswith("replacement") else _RELEASE.fullmatch(tag.value))
    ]


def shared_life(lives: Mapping[str, Life], group: str) -> Life:
    """Return the lifecycle of a version: the first release, and all other values that its kinds share."""
    introduced = [life.releases["introduced"] for life in lives.values() if "introduced" in life.releases]
    if not introduced:
        return Life()
    releases = {"introduced": min(introduced, key=_ordered)}
    for word in ("deprecated", "removed"):
        different = {life.releases.get(word) for life in lives.values()}
        release = different.pop()
        if release is not None and not different:
            releases[word] = release
    return Life(releases, _shared_replacement(lives, group))


def _ordered(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _shared_replacement(lives: Mapping[str, Life], group: str) -> tuple[str, str, str] | None:
    """A version's replacement is another version of the group, with kinds of the same names."""
    versions = {
        life.replacement[1] if life.replacement and (life.replacement[0], life.replacement[2]) == (group, kind) else ""
        for kind, life in lives.items()
    }
    version = versions.pop() if len(versions) == 1 else ""
    return (group, version, "") if version else None


def own_life(life: Life, shared: Life) -> Life:
    """Return the lifecycle of a type without the values of its version."""
    releases = {word: release for word, release in life.releases.items() if shared.releases.get(word) != release}
    return replace(life, releases=releases, replacement=None if shared.replacement is not None else life.replacement)


def life_entries(life: Life, folder: str) -> Entries:
    """Return a lifecycle as entries. `folder` is the name of the replacement's group in specs; a replacement without a
    kind is a version of this group.
    """
    found: Entries = {word: life.releases[word] for word in _RELEASES if word in life.releases}
    if life.replacement is not None:
        _, version, name = life.replacement
        found["replacement"] = f"{folder}/{version}.{name}" if name else version
    return found
