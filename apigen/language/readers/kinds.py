"""`kinds:` of group.yaml."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys
from apigen.language.model import KindSpec, Located, PrinterColumnSpec, ScaleSpec, StrategySpec
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.paths import Path
from apigen.language.readers.common import HUB
from apigen.language.readers.strategies import STRATEGY
from apigen.language.shapes import Definitions, Schema, Shape, empty_hint, map_of
from apigen.language.words import FLAG, PATH, TEXT, TEXTS, WHOLE, Choice

_SPEC_REPLICAS = Key("specReplicasPath", PATH, "The path of the wanted number.", required=True)
_STATUS_REPLICAS = Key("statusReplicasPath", PATH, "The path of the number that there is.", required=True)
_LABEL_SELECTOR = Key("labelSelectorPath", PATH, "The path of the selector as text.")
_SCALE = Keys("scale", "the scale subresource", (_SPEC_REPLICAS, _STATUS_REPLICAS, _LABEL_SELECTOR))
_PLAIN = Keys("subresource", "a subresource", ())

Subresource = tuple[Located[str], ScaleSpec | None]


def _scale(found: Found) -> ScaleSpec | None:
    wanted, actual, selector = found.get(_SPEC_REPLICAS), found.get(_STATUS_REPLICAS), found.get(_LABEL_SELECTOR)
    if wanted is None or actual is None:
        return None
    return ScaleSpec(str(wanted), str(actual), None if selector is None else str(selector))


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
    "What `kubectl` shows: `integer`, `number`, `string`, `boolean` or `date`.",
    required=True,
)
_COLUMN_PATH = Key("path", TEXT, "The JSONPath of the value in the version, such as `spec.replicas`.", required=True)
_DESCRIPTION = Key("description", TEXT, "What the column shows.")
_FORMAT = Key("format", TEXT, "An OpenAPI format, such as `name` or `int32`.")
_PRIORITY = Key("priority", WHOLE, "Above 0, the column is shown by `kubectl get -o wide` only.")
_VERSIONS = Key("versions", TEXTS, "The versions that have the column; left out: all of them.")
_COLUMN = Keys(
    "printerColumn",
    "a printer column",
    (_COLUMN_TYPE, _COLUMN_PATH, _DESCRIPTION, _FORMAT, _PRIORITY, _VERSIONS),
)


def _column(name: Scalar, found: Found, _: Context) -> PrinterColumnSpec | None:
    type_, path = found.get(_COLUMN_TYPE), found.get(_COLUMN_PATH)
    if type_ is None or path is None:
        return None
    description, format_, priority = found.get(_DESCRIPTION), found.get(_FORMAT), found.get(_PRIORITY)
    return PrinterColumnSpec(
        name=name.text,
        place=name.place,
        type=type_,
        path=path,
        description=None if description is None else description.value,
        format=None if format_ is None else format_.value,
        priority=0 if priority is None else priority.value,
        versions=found.some(_VERSIONS),
    )


def _selectable(label: Scalar, path: Path, _: Context) -> tuple[Located[str], Path]:
    return Located(label.text, label.place), path


SCOPE = Key("scope", Choice("Namespaced", "Cluster"), "Whether objects live in namespaces.")
PLURAL = Key("plural", TEXT, "The plural, as in URLs.")
SINGULAR = Key("singular", TEXT, "The singular, where it is not the kind in small letters.")
SHORT_NAMES = Key("shortNames", TEXTS, "Short names for the command line.")
CATEGORIES = Key("categories", TEXTS, "Groups of kinds that it is listed with, such as `all`.")
SUBRESOURCES = Key("subresources", SubresourcesShape(), "`status`, `scale` and others.")
LIST = Key("list", FLAG, "Whether the kind has a …List; left out: it has.")
SELECTABLE_FIELDS = Key(
    "selectableFields",
    map_of(PATH, _selectable, "a mapping of labels to hub paths"),
    "The field selectors that are accepted, with the hub's path of each.",
)
PRINTER_COLUMNS = Key(
    "printerColumns",
    map_of(_COLUMN, _column, "a mapping of names to columns"),
    "The columns that `kubectl get` shows, in this order.",
)
TYPE_META = Key("typeMeta", FLAG, "Whether objects say `apiVersion` and `kind`; left out: they do.")
STRATEGY_KEY = Key("strategy", STRATEGY, "What create and update do besides the usual.")

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
    )


KINDS = map_of(_KIND, _kind, "a mapping of names to kinds", owner=("kind",))
"""The `kinds:` of group.yaml."""
