"""A CustomResourceDefinition as it is written, in both of its versions."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.language.nodes import Mapping as MappingNode
from apigen.language.nodes import Node, Scalar
from apigen.review.sources.schemas.words import Words, entries_of, is_true, items_of, text, texts, words_of

API = "apiextensions.k8s.io"
KIND = "CustomResourceDefinition"

_SCHEMA = "openAPIV3Schema"


@dataclass(frozen=True, slots=True)
class DefinedVersion:
    """A version of a CRD. `schema` is `None` without a schema; `warning` is its deprecation warning."""

    name: str
    place: Place
    served: bool
    storage: bool
    deprecated: bool
    warning: str | None
    schema: Node | None
    subresources: Words
    columns: tuple[str, ...]
    selectable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition. What its names omit is filled in as the API server does; an empty `conversion` is not known."""

    group: str
    kind: str
    place: Place
    plural: str
    singular: str
    list_kind: str
    namespaced: bool
    short_names: tuple[str, ...]
    categories: tuple[str, ...]
    conversion: str
    keeps_unknown: bool
    versions: tuple[DefinedVersion, ...]
    stored: tuple[str, ...]


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
    versions = tuple(_versions(spec, words["spec"], report))
    if group is None or kind is None or not versions:
        return None
    status = words.get("status")
    stored = items_of(words_of(status), "storedVersions") if isinstance(status, MappingNode) else ()
    return Definition(
        group=group,
        kind=kind,
        place=node.place,
        plural=text(names, "plural") or "",
        singular=text(names, "singular") or kind.lower(),
        list_kind=text(names, "listKind") or f"{kind}List",
        namespaced=scope == "Namespaced",
        short_names=texts(names, "shortNames"),
        categories=texts(names, "categories"),
        conversion=_conversion(spec),
        keeps_unknown=_keeps_unknown(spec, api),
        versions=versions,
        stored=tuple(str(item.value) for item in stored if isinstance(item, Scalar)),
    )


def _keeps_unknown(spec: Words, api: str) -> bool:
    """Return whether unknown fields are preserved, which is the default of v1beta1."""
    return is_true(spec, "preserveUnknownFields") or (api.endswith("v1beta1") and "preserveUnknownFields" not in spec)


def _conversion(spec: Words) -> str:
    """The conversion strategy; empty if unset, because a released CRD may be completed at installation."""
    node = spec.get("conversion")
    return (text(words_of(node), "strategy") if isinstance(node, MappingNode) else None) or ""


def _versions(spec: Words, node: Node, report: Report) -> Iterator[DefinedVersion]:
    items = items_of(spec, "versions")
    if not items and text(spec, "version"):
        yield _version(spec, {**spec, "name": spec["version"]}, spec["version"].place, is_only=True)
        return
    if not items:
        report.error(
            "AG1431", spec.get("versions", node).place, "no `versions:`", hint="list at least one, with its `schema:`"
        )
    seen: set[str] = set()
    for item in items:
        words = words_of(item) if isinstance(item, MappingNode) else {}
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
            _report_unserved(words, name, item.place, report)
            yield _version(spec, words, item.place, is_only=False)


def _report_unserved(words: Words, name: str, place: Place, report: Report) -> None:
    """Report a version without `served`, which API servers reject."""
    if "served" not in words:
        message = f"the version {quote(name)} does not declare `served:`"
        report.error("AG1431", place, message, hint="write `served: true`, or `served: false`")


def _version(spec: Words, words: Words, place: Place, *, is_only: bool) -> DefinedVersion:
    """Return a version; values that it omits are those for all versions in v1beta1."""
    schema = _inner(words, "schema") or _inner(spec, "validation")
    columns = items_of(words, "additionalPrinterColumns") or items_of(spec, "additionalPrinterColumns")
    subresources = _inner(words, "subresources") or _inner(spec, "subresources")
    selectable = (_inner_text(item, "jsonPath") for item in items_of(words, "selectableFields"))
    return DefinedVersion(
        name=text(words, "name") or "",
        place=place,
        served=is_only or is_true(words, "served"),
        storage=is_only or is_true(words, "storage"),
        deprecated=is_true(words, "deprecated"),
        warning=text(words, "deprecationWarning"),
        schema=schema.get(_SCHEMA),
        subresources=subresources,
        columns=tuple(_column(item) for item in columns),
        selectable=tuple(sorted(selectable)),
    )


def scale_of(version: DefinedVersion) -> str:
    """The paths of the scale subresource; empty without one."""
    names = ("specReplicasPath", "statusReplicasPath", "labelSelectorPath")
    found = {entry.key.text: entry.value for entry in entries_of(version.subresources, "scale")}
    return ", ".join(f"{name}: {value}" for name in names if (value := text(found, name)))


def _column(item: Node) -> str:
    path = _inner_text(item, "jsonPath") or _inner_text(item, "JSONPath")
    return f"{_inner_text(item, 'name')} ({_inner_text(item, 'type')}): {path}"


def _inner(words: Words, name: str) -> Words:
    node = words.get(name)
    return words_of(node) if isinstance(node, MappingNode) else {}


def _inner_text(item: Node, name: str) -> str:
    return (text(words_of(item), name) if isinstance(item, MappingNode) else None) or ""


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
