"""A CustomResourceDefinition as it is written, in both of its versions."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.schemas.words import Words, is_true, items_of, text, texts, words_of
from apigen.ir.model import Lifecycle, Replacement
from apigen.ir.surface import Kind, KindVersion, TypeName
from apigen.language.nodes import Mapping as MappingNode
from apigen.language.nodes import Node

API = "apiextensions.k8s.io"
FORM = "crd"
"""The name of this form of input."""

KIND = "CustomResourceDefinition"

_SCHEMA = "openAPIV3Schema"


@dataclass(frozen=True, slots=True)
class DefinedVersion:
    """A version of a CRD: its kind in it, and its schema, if it has one."""

    name: str
    kind: KindVersion
    schema: Node | None


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition. Omitted names of its kind are filled in as the API server does; an empty conversion is not known."""

    group: str
    kind: Kind
    keeps_unknown: bool
    versions: tuple[DefinedVersion, ...]


def read_definition(node: MappingNode, report: Report) -> Definition | None:
    """Return a CRD; None, with an error, if it is too incomplete to be compared."""
    words = words_of(node)
    api = text(words, "apiVersion") or ""
    if api not in (f"{API}/v1", f"{API}/v1beta1"):
        message = f"unknown API version {quote(api)} of this {KIND}"
        report.error(
            "AG1431", words.get("apiVersion", node).place, message, hint=f"`{API}/v1` and `{API}/v1beta1` are supported"
        )
        return None
    spec = _mapping(words, "spec", node, report)
    names = _mapping(spec, "names", node, report) if spec is not None else None
    if spec is None or names is None:
        return None
    group, kind = (_needed(inner, name, words["spec"], report) for inner, name in ((spec, "group"), (names, "kind")))
    scope = text(spec, "scope") or ("Namespaced" if api.endswith("v1beta1") else "")
    if scope not in ("Namespaced", "Cluster"):
        place = spec["scope"].place if "scope" in spec else words["spec"].place
        report.error("AG1431", place, "`scope` is neither `Namespaced` nor `Cluster`", hint="write one of the two")
        return None
    stored = texts(words_of(words.get("status")), "storedVersions")
    versions = tuple(_versions(spec, words["spec"], TypeName(group or "", "", kind or ""), stored, report))
    if group is None or kind is None or not versions:
        return None
    defined = Kind(
        name=kind,
        place=node.place,
        plural=text(names, "plural") or "",
        singular=text(names, "singular") or kind.lower(),
        list_kind=text(names, "listKind") or f"{kind}List",
        namespaced=scope == "Namespaced",
        short_names=texts(names, "shortNames"),
        categories=texts(names, "categories"),
        conversion=text(words_of(spec.get("conversion")), "strategy") or "",
    )
    is_kept_by_default = api.endswith("v1beta1") and "preserveUnknownFields" not in spec
    return Definition(group, defined, is_true(spec, "preserveUnknownFields") or is_kept_by_default, versions)


def _versions(
    spec: Words, node: Node, root: TypeName, stored: tuple[str, ...], report: Report
) -> Iterator[DefinedVersion]:
    items = items_of(spec, "versions")
    if not items and text(spec, "version"):
        yield _version(spec, {**spec, "name": spec["version"]}, spec["version"].place, root, stored, is_only=True)
        return
    if not items:
        report.error(
            "AG1431", spec.get("versions", node).place, "no `versions:`", hint="list at least one, with its `schema:`"
        )
    seen: set[str] = set()
    for item in items:
        words = words_of(item)
        name = text(words, "name")
        if name is None:
            report.error("AG1431", item.place, "a version without `name:`", hint="write its name: `v1alpha1`, `v1`")
        elif name in seen:
            report.error(
                "AG1432",
                words["name"].place,
                f"the version {quote(name)} is listed twice",
                hint="remove one of the two",
            )
        else:
            seen.add(name)
            if "served" not in words:  # API servers reject it
                message = f"the version {quote(name)} does not declare `served:`"
                report.error("AG1431", item.place, message, hint="write `served: true`, or `served: false`")
            yield _version(spec, words, item.place, root, stored, is_only=False)


def _version(
    spec: Words, words: Words, place: Place, root: TypeName, stored: tuple[str, ...], *, is_only: bool
) -> DefinedVersion:
    """Return a version; values that it omits are those for all versions in v1beta1. `root` is the type of its kind."""
    schema = words_of(words.get("schema")) or words_of(spec.get("validation"))
    columns = items_of(words, "additionalPrinterColumns") or items_of(spec, "additionalPrinterColumns")
    subresources = words_of(words.get("subresources")) or words_of(spec.get("subresources"))
    name, warning = text(words, "name") or "", text(words, "deprecationWarning")
    kind = KindVersion(
        kind=root.name,
        root=root._replace(version=name),
        place=place,
        served=is_only or is_true(words, "served"),
        storage=is_only or is_true(words, "storage"),
        stored=name in stored,
        subresources=tuple(each for each in ("scale", "status") if each in subresources),
        scale=_scale(words_of(subresources.get("scale"))),
        selectable_fields=tuple(sorted(_inner_text(item, "jsonPath") for item in items_of(words, "selectableFields"))),
        printer_columns=tuple(map(_column, columns)),
        lifecycle=Lifecycle(
            is_deprecated=is_true(words, "deprecated"),
            replacement=Replacement("", "", "", warning) if warning else None,
        ),
    )
    return DefinedVersion(name, kind, schema.get(_SCHEMA))


def _scale(scale: Words) -> str:
    """The paths of the scale subresource; empty without one."""
    names = ("specReplicasPath", "statusReplicasPath", "labelSelectorPath")
    return ", ".join(f"{name}: {value}" for name in names if (value := text(scale, name)))


def _column(item: Node) -> str:
    path = _inner_text(item, "jsonPath") or _inner_text(item, "JSONPath")
    return f"{_inner_text(item, 'name')} ({_inner_text(item, 'type')}): {path}"


def _inner_text(item: Node, name: str) -> str:
    return text(words_of(item), name) or ""


def _mapping(words: Words, name: str, node: Node, report: Report) -> Words | None:
    found = words.get(name)
    if isinstance(found, MappingNode):
        return words_of(found)
    place = node.place if found is None else found.place
    report.error(
        "AG1431",
        place,
        f"this {KIND} has no mapping `{name}:`",
        hint="add it; an incomplete definition cannot be compared",
    )
    return None


def _needed(words: Words, name: str, node: Node, report: Report) -> str | None:
    found = text(words, name)
    if not found:
        place = words[name].place if name in words else node.place
        report.error(
            "AG1431", place, f"this {KIND} has no `{name}:`", hint="add it; an incomplete definition cannot be compared"
        )
    return found or None
