"""`kinds:` of group.yaml."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet, Part, made
from apigen.language.model import KindSpec, Located, PreserveSpec, PrinterColumnSpec, ScaleSpec
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.paths import Path
from apigen.language.readers.common import HUB
from apigen.language.readers.strategies import STRATEGY
from apigen.language.shapes import Definitions, Schema, Shape, empty_hint, map_of, mapped
from apigen.language.words import ANNOTATION_KEY, PATH, PLAIN_FLAG, PLAIN_TEXT, TEXT, TEXTS, WHOLE, Choice

_PATH_TEXT: Shape[str] = mapped(PATH, lambda path, *_: str(path))
_SCALE_KEYS = Keys(
    "scale",
    "the scale subresource",
    (
        Key("specReplicasPath", _PATH_TEXT, "The path of the desired number of replicas.", required=True),
        Key("statusReplicasPath", _PATH_TEXT, "The path of the actual number of replicas.", required=True),
        Key("labelSelectorPath", _PATH_TEXT, "The path of the label selector as a string."),
    ),
)
_SCALE = made(_SCALE_KEYS, ScaleSpec)
_PLAIN = Keys("subresource", "a subresource", ())

Subresource = tuple[Located[str], ScaleSpec | None]


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
            "properties": {_SCALE_KEYS.name: _SCALE.schema(definitions)},
            "additionalProperties": _PLAIN.schema(definitions),
        }

    def _scale_of(self, name: Scalar, node: Node, context: Context) -> ScaleSpec | None:
        if name.text == _SCALE_KEYS.name:
            return _SCALE.read(node, context)
        _PLAIN.read(node, context)
        return None


_COLUMN_KEYS = Keys(
    "printerColumn",
    "a printer column",
    (
        Key(
            "type",
            Choice("integer", "number", "string", "boolean", "date"),
            "The type in `kubectl`: `integer`, `number`, `string`, `boolean` or `date`.",
            required=True,
        ),
        Key("path", TEXT, "The JSONPath of the value in the version, such as `spec.replicas`.", required=True),
        Key(
            "name",
            PLAIN_TEXT,
            "The heading, if several columns have the same one, for different versions (default: the key).",
        ),
        Key("description", PLAIN_TEXT, "The description of the column."),
        Key("format", PLAIN_TEXT, "An OpenAPI format, such as `name` or `int32`."),
        Key(
            "priority",
            mapped(WHOLE, lambda number, *_: number.value),
            "If above 0, only `kubectl get -o wide` prints the column.",
        ),
        Key("versions", TEXTS, "The versions with the column (default: all)."),
    ),
)
_COLUMN = Part(PrinterColumnSpec, _COLUMN_KEYS.keys)


_PRESERVE = made(
    Keys(
        "preserve",
        "what preserves data",
        (
            Key("annotation", ANNOTATION_KEY, "The annotation with the object of the hub.", required=True),
            Key(
                "when",
                Choice("unchanged"),
                "Which values are restored: `unchanged`, those that the version did not change (default).",
            ),
        ),
    ),
    lambda annotation, when=None: PreserveSpec(annotation),
)


def _selectable(label: Scalar, path: Path, _: Context) -> tuple[Located[str], Path]:
    return Located(label.text, label.place), path


SUBRESOURCES = Key("subresources", SubresourcesShape(), "`status`, `scale` and others.")
_KIND_KEYS: KeySet = (
    Key("scope", Choice("Namespaced", "Cluster"), "Whether objects are namespaced."),
    Key("plural", TEXT, "The plural, which is part of URLs."),
    Key("singular", TEXT, "The singular; default: the kind in lowercase."),
    Key("shortNames", TEXTS, "Short names for the command line."),
    Key("categories", TEXTS, "Categories of the kind, such as `all`."),
    SUBRESOURCES,
    Key("list", PLAIN_FLAG, "Whether the kind has a list kind (default: true)."),
    Key("typeMeta", PLAIN_FLAG, "Whether objects have `apiVersion` and `kind` (default: true)."),
    HUB,
    Key(
        "selectableFields",
        map_of(PATH, _selectable, "a mapping of labels to hub paths"),
        "The supported field selectors, with their hub paths.",
    ),
    Key(
        "printerColumns",
        map_of(_COLUMN_KEYS, _COLUMN.named, "a mapping of names to columns"),
        "The columns of `kubectl get`, in order.",
    ),
    Key(
        "preserve",
        _PRESERVE,
        "Data that a version cannot hold, preserved in one annotation and restored where that version did not change it.",
    ),
    Key("strategy", STRATEGY, "Additional steps of create and update."),
)
_KIND = Part(KindSpec, tuple(key for key in _KIND_KEYS if key is not SUBRESOURCES))


def _kind(name: Scalar, found: Found, _: Context) -> KindSpec:
    subresources = found.some(SUBRESOURCES)
    return _KIND.of(
        found,
        name=name.text,
        place=name.place,
        subresources=tuple(subresource for subresource, _ in subresources),
        scale=next((scale for _, scale in subresources if scale is not None), None),
    )


KINDS = map_of(
    Keys("kind", "a kind", _KIND_KEYS),
    _kind,
    "a mapping of names to kinds",
    owner=("kind",),
    needs_no_value=True,
)
"""The `kinds:` of group.yaml."""
