"""`kinds:` of group.yaml."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys
from apigen.language.model import KindSpec, Located, PreserveSpec, PrinterColumnSpec, ScaleSpec, StrategySpec
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.paths import Path
from apigen.language.readers.common import HUB
from apigen.language.readers.strategies import STRATEGY
from apigen.language.shapes import Definitions, Schema, Shape, empty_hint, map_of, mapped
from apigen.language.words import ANNOTATION_KEY, FLAG, PATH, TEXT, TEXTS, WHOLE, Choice

_SPEC_REPLICAS = Key("specReplicasPath", PATH, "The path of the desired number of replicas.", required=True)
_STATUS_REPLICAS = Key("statusReplicasPath", PATH, "The path of the actual number of replicas.", required=True)
_LABEL_SELECTOR = Key("labelSelectorPath", PATH, "The path of the label selector as a string.")
_SCALE = Keys("scale", "the scale subresource", (_SPEC_REPLICAS, _STATUS_REPLICAS, _LABEL_SELECTOR))
_PLAIN = Keys("subresource", "a subresource", ())

Subresource = tuple[Located[str], ScaleSpec | None]


def _scale(found: Found) -> ScaleSpec | None:
    desired, actual, selector = found.get(_SPEC_REPLICAS), found.get(_STATUS_REPLICAS), found.get(_LABEL_SELECTOR)
    if desired is None or actual is None:
        return None
    return ScaleSpec(str(desired), str(actual), None if selector is None else str(selector))


class SubresourcesShape(Shape[tuple[Subresource, ...]]):
    """`status`, `scale` with its paths, and others by name."""

    expected = "a mapping of names to subresources"

    def read(self, node: Node, context: Context) -> tuple[Subresource, ...] | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected, empty_hint(node))
            return None
        if node.damaged or node.repeated:
            context.mark_broken()
        return tuple(
            (Located(entry.key.text, entry.key.place), self._scale_of(entry.key, entry.value, context))
            for entry in node.entries
        )

    def schema(self, definitions: Definitions) -> Schema:
        return {
            "type": "object",
            "properties": {_SCALE.name: _SCALE.schema(definitions)},
            "additionalProperties": _PLAIN.schema(definitions),
        }

    def _scale_of(self, name: Scalar, node: Node, context: Context) -> ScaleSpec | None:
        if name.text != _SCALE.name:
            _PLAIN.read(node, context)
            return None
        found = _SCALE.read(node, context)
        return None if found is None else _scale(found)


_COLUMN_TYPE = Key(
    "type",
    Choice("integer", "number", "string", "boolean", "date"),
    "The type in `kubectl`: `integer`, `number`, `string`, `boolean` or `date`.",
    required=True,
)
_COLUMN_PATH = Key("path", TEXT, "The JSONPath of the value in the version, such as `spec.replicas`.", required=True)
_HEADING = Key(
    "name", TEXT, "The heading, if several columns have the same one, for different versions (default: the key)."
)
_DESCRIPTION = Key("description", TEXT, "The description of the column.")
_FORMAT = Key("format", TEXT, "An OpenAPI format, such as `name` or `int32`.")
_PRIORITY = Key("priority", WHOLE, "If above 0, only `kubectl get -o wide` prints the column.")
_VERSIONS = Key("versions", TEXTS, "The versions with the column (default: all).")
_COLUMN = Keys(
    "printerColumn",
    "a printer column",
    (_COLUMN_TYPE, _COLUMN_PATH, _HEADING, _DESCRIPTION, _FORMAT, _PRIORITY, _VERSIONS),
)


def _column(name: Scalar, found: Found, _: Context) -> PrinterColumnSpec | None:
    type_, path = found.get(_COLUMN_TYPE), found.get(_COLUMN_PATH)
    if type_ is None or path is None:
        return None
    heading, description = found.get(_HEADING), found.get(_DESCRIPTION)
    format_, priority = found.get(_FORMAT), found.get(_PRIORITY)
    return PrinterColumnSpec(
        name=name.text if heading is None else heading.value,
        place=name.place,
        type=type_,
        path=path,
        description=None if description is None else description.value,
        format=None if format_ is None else format_.value,
        priority=0 if priority is None else priority.value,
        versions=found.some(_VERSIONS),
    )


_PRESERVE_ANNOTATION = Key("annotation", ANNOTATION_KEY, "The annotation with the object of the hub.", required=True)
_PRESERVE_WHEN = Key(
    "when",
    Choice("unchanged"),
    "Which values are restored: `unchanged`, those that the version did not change (default).",
)
_PRESERVE = Keys("preserve", "what preserves data", (_PRESERVE_ANNOTATION, _PRESERVE_WHEN))


def _preserve(found: Found, *_: object) -> PreserveSpec | None:
    annotation = found.get(_PRESERVE_ANNOTATION)
    return None if annotation is None else PreserveSpec(annotation)


def _selectable(label: Scalar, path: Path, _: Context) -> tuple[Located[str], Path]:
    return Located(label.text, label.place), path


SCOPE = Key("scope", Choice("Namespaced", "Cluster"), "Whether objects are namespaced.")
PLURAL = Key("plural", TEXT, "The plural, which is part of URLs.")
SINGULAR = Key("singular", TEXT, "The singular; default: the kind in lowercase.")
SHORT_NAMES = Key("shortNames", TEXTS, "Short names for the command line.")
CATEGORIES = Key("categories", TEXTS, "Categories of the kind, such as `all`.")
SUBRESOURCES = Key("subresources", SubresourcesShape(), "`status`, `scale` and others.")
LIST = Key("list", FLAG, "Whether the kind has a list kind (default: true).")
SELECTABLE_FIELDS = Key(
    "selectableFields",
    map_of(PATH, _selectable, "a mapping of labels to hub paths"),
    "The supported field selectors, with their hub paths.",
)
PRINTER_COLUMNS = Key(
    "printerColumns",
    map_of(_COLUMN, _column, "a mapping of names to columns"),
    "The columns of `kubectl get`, in order.",
)
TYPE_META = Key("typeMeta", FLAG, "Whether objects have `apiVersion` and `kind` (default: true).")
PRESERVE = Key(
    "preserve",
    mapped(_PRESERVE, _preserve),
    "Data that a version cannot hold, preserved in one annotation and restored where that version did not change it.",
)
STRATEGY_KEY = Key("strategy", STRATEGY, "Additional steps of create and update.")

_KIND = Keys(
    "kind",
    "a kind",
    (
        SCOPE,
        PLURAL,
        SINGULAR,
        SHORT_NAMES,
        CATEGORIES,
        SUBRESOURCES,
        LIST,
        TYPE_META,
        HUB,
        SELECTABLE_FIELDS,
        PRINTER_COLUMNS,
        PRESERVE,
        STRATEGY_KEY,
    ),
)


def _kind(name: Scalar, found: Found, _: Context) -> KindSpec:
    subresources = found.some(SUBRESOURCES)
    has_list, type_meta = found.get(LIST), found.get(TYPE_META)
    return KindSpec(
        name=name.text,
        place=name.place,
        scope=found.get(SCOPE),
        plural=found.get(PLURAL),
        singular=found.get(SINGULAR),
        short_names=found.some(SHORT_NAMES),
        categories=found.some(CATEGORIES),
        subresources=tuple(subresource for subresource, _ in subresources),
        scale=next((scale for _, scale in subresources if scale is not None), None),
        list=has_list is None or has_list.value,
        hub=found.get(HUB),
        selectable_fields=found.some(SELECTABLE_FIELDS),
        printer_columns=found.some(PRINTER_COLUMNS),
        strategy=found.get(STRATEGY_KEY) or StrategySpec(),
        type_meta=type_meta is None or type_meta.value,
        preserve=found.get(PRESERVE),
    )


KINDS = map_of(_KIND, _kind, "a mapping of names to kinds", owner=("kind",), needs_no_value=True)
"""The `kinds:` of group.yaml."""
