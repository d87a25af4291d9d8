"""group.yaml and features.yaml: the name of a group, its versions, its hub and its kinds with their strategies (generation,
fields that operations keep and reset, hooks); feature gates and their stages; and release series.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from apigen.dataclass import replace
from apigen.diagnostics.quoting import quote
from apigen.language.habits import REQUIRED
from apigen.language.habits import STAGES as STAGES_ELSEWHERE
from apigen.language.model import (
    ExceptionSpec,
    FeaturesFile,
    FeatureSpec,
    FeatureStageSpec,
    GateSpec,
    GenerationSpec,
    Items,
    KindSpec,
    LiteralNode,
    Located,
    OperationSpec,
    Path,
    PreserveSpec,
    PrinterColumnSpec,
    ScaleSpec,
    SeriesSpec,
    Stage,
    StrategySpec,
    Tombstone,
    VersionHeader,
)
from apigen.language.nodes import Context, Entry, Mapping, Node, Scalar
from apigen.language.readers.types import (
    DOC,
    GROUP_TOMBSTONES,
    IGNORE,
    LIFECYCLE,
    OWN_HUB,
    REMOVED_KINDS,
    REMOVED_VERSIONS,
)
from apigen.language.readers.values import CONDITION, GATE
from apigen.language.shapes import (
    ANNOTATION_KEY,
    COUNT,
    LITERAL,
    PATH,
    PATHS,
    PLAIN_FLAG,
    PLAIN_TEXT,
    RELEASE,
    TEXT,
    TEXTS,
    WHOLE,
    ByForm,
    Definitions,
    Found,
    Key,
    Keys,
    KeySet,
    ListOf,
    Part,
    Schema,
    Shape,
    choice,
    empty_hint,
    made,
    map_of,
    mapped,
    read_path,
    text_shape,
)

_SERIES_NAME = text_shape("the name of a release series, such as kubernetes", r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*")
"""Names are written before `=` on the command line and are keys of configurations."""

SERIES = Key(
    "series",
    mapped(_SERIES_NAME, lambda name, *_: name.value),
    "The release series; default: that of the features.yaml in a parent folder.",
)

_SERIES = made(
    Keys(
        "series",
        "a release series",
        (
            Key("name", _SERIES_NAME, "The name of the series.", required=True),
            Key("release", RELEASE, "The release of the specs."),
        ),
    ),
    SeriesSpec,
)

SERIES_OF_FOLDER = Key(
    "series",
    ByForm(
        "the name of a release series, or {name: …, release: …}",
        mapped(_SERIES_NAME, lambda name, *_: SeriesSpec(name)),
        _SERIES,
    ),
    "The release series of the gates of this file, and of the groups below its folder; at the root of the specs, the name of"
    " the project's own series.",
)


_STAGE = made(
    Keys(
        "stage",
        "a stage",
        (
            Key("release", RELEASE, "The first release of the stage.", required=True),
            Key(
                "stage",
                mapped(choice(*Stage, habits=STAGES_ELSEWHERE), lambda stage, *_: Stage(stage.value)),
                "alpha, beta, ga or deprecated.",
                required=True,
            ),
            Key("default", PLAIN_FLAG, "Whether the gate is enabled by default (default: false)."),
            Key("locked", PLAIN_FLAG, "The gate cannot be set."),
            Key(
                "minCompatibility",
                RELEASE,
                "For a second stage of the same release: it applies if no server of the control plane is older than this release.",
            ),
        ),
    ),
    FeatureStageSpec,
)

_GATE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
"""Names of gates are parts of the names of generated functions."""


_FEATURE_KEYS = Keys(
    "feature",
    "a feature gate",
    (
        Key("owner", PLAIN_TEXT, "The owner."),
        DOC,
        Key(
            "stages",
            ListOf(_STAGE, "a list of stages", example=f"write `{REQUIRED['stages']}`"),
            "The stages, by release.",
            required=True,
        ),
        Key("dependsOn", TEXTS, "Gates that must be enabled if this one is."),
        Key(
            "removed",
            RELEASE,
            "The first release without the gate; its elements keep the state of the last stage.",
        ),
        SERIES,
        IGNORE,
    ),
)
_FEATURE = Part(FeatureSpec, _FEATURE_KEYS.keys)


def _feature(name: Scalar, found: Found, context: Context) -> FeatureSpec | None:
    if not _GATE_NAME.fullmatch(name.text):
        context.error(
            "AG0210", name.place, f"expected the name of a gate, such as `Frobber2D`, found {quote(name.text)}"
        )
        return None
    return _FEATURE.named(name, found, context)


_GATES = map_of(_FEATURE_KEYS, _feature, "a mapping of names to feature gates", owner=())


class _FeaturesShape(Shape[FeaturesFile]):
    """Gates by name, and next to them `series:`."""

    expected = _GATES.expected

    def read(self, node: Node, context: Context) -> FeaturesFile | None:
        series: SeriesSpec | None = None
        if isinstance(node, Mapping) and any(each.key.text == SERIES_OF_FOLDER.name for each in node.entries):
            for key, value in node.entries:
                if key.text == SERIES_OF_FOLDER.name:
                    series = SERIES_OF_FOLDER.shape.read(value, context)
            node = node._replace(entries=[each for each in node.entries if each.key.text != SERIES_OF_FOLDER.name])
        gates = _GATES.read(node, context)
        if gates is None:
            return None
        if series is not None:
            gates = tuple(each if each.series else replace(each, series=series.name.value) for each in gates)
        return FeaturesFile(gates, series)

    def schema(self, definitions: Definitions) -> Schema:
        own = SERIES_OF_FOLDER.shape.schema(definitions)
        return {**_GATES.schema(definitions), "properties": {SERIES_OF_FOLDER.name: own}}


FEATURES = _FeaturesShape()
"""All of features.yaml."""


_NONE = "none"


class StartShape(Shape[Located[int | None]]):
    """A number, or `none`."""

    expected = "`none` or an integer of at least 0"

    def read(self, node: Node, context: Context) -> Located[int | None] | None:
        if isinstance(node, Scalar) and node.value == _NONE:
            return Located(None, node.place)
        if not isinstance(node, Scalar) or not isinstance(node.value, int):
            context.mismatch(node, self.expected)
            return None
        number = COUNT.read(node, context)
        return None if number is None else Located(number.value, number.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [COUNT.schema(definitions), {"enum": [_NONE]}]}


def _declared(word: str) -> Shape[bool]:
    """Return the shape of an option that is declared by a word."""
    return mapped(choice(word), lambda *_: True)


_START = Key("start", StartShape(), "The generation of a new object; `none` keeps the submitted one.")
_AT_LEAST = Key("atLeast", COUNT, "The minimum for a new object, instead of `start`.")
_CHANGES = Part(
    GenerationSpec,
    (
        Key("bump", PATHS, "A change below one of these paths increases the generation."),
        Key("before", _declared("drop"), "Compare before gated fields are dropped.", to="before_drop"),
        Key("equality", _declared("exact"), "Treat unset and empty as different.", to="exact"),
        Key("from", _declared("new"), "Increase the number of the submitted object.", to="from_new"),
    ),
)
_GENERATION = Keys("generation", "the generation", (_START, _AT_LEAST, *_CHANGES.keys))


def _generation(found: Found, _: object, context: Context) -> GenerationSpec:
    if found.is_written(_START) and found.is_written(_AT_LEAST):
        context.error("AG0212", found.place_of(_AT_LEAST), "a new object has `start` or `atLeast`, not both")
    start, at_least = found.get(_START), found.get(_AT_LEAST)
    first = at_least.value if at_least is not None else 1 if start is None else start.value
    return _CHANGES.of(found, start=first, at_least=at_least is not None)


def _at(path: Scalar, value: LiteralNode, context: Context) -> tuple[Path, LiteralNode] | None:
    read = read_path(path, context)
    return None if read is None else (read, value)


def _items_at(path: Scalar, value: LiteralNode, context: Context) -> tuple[Path, LiteralNode] | None:
    if not isinstance(value, Items) or not value.items:
        context.error("AG0210", value.place, "expected a list of values with at least one element")
        return None
    return _at(path, value, context)


_RESET = Key("reset", PATHS, "The fields that are cleared.")
_KEEP = Key("keep", PATHS, "The fields that keep their value from the old object.")
_EXCEPT_PATH = Key("path", PATH, "What changes.", required=True)
_EXCEPTION = Keys("exception", "an exception", (_EXCEPT_PATH, GATE))


def _exception(found: Found, node: Node, _: Context) -> ExceptionSpec | None:
    path, joined = found.get(_EXCEPT_PATH), found.get(GATE)
    if path is None:
        return None
    return ExceptionSpec(path, None if joined is None else GateSpec(joined[1], joined[0], node.place))


_EXCEPTIONS = ListOf(
    ByForm(
        "a path or `{path: …, gate: Name}`",
        scalar=mapped(PATH, lambda path, *_: ExceptionSpec(path)),
        mapping=mapped(_EXCEPTION, _exception),
    ),
    "a list of paths",
)
_EXCEPT = Key("except", _EXCEPTIONS, "Exceptions below `keep`; on create, exceptions below `reset`.", to="except_")
_FILL = Key("fill", PATHS, "The fields that are copied from the old object if they are omitted.")
_SET = Key(
    "set",
    map_of(LITERAL, _at, "a mapping from paths to values"),
    "The fields that are always set to a value.",
    to="sets",
)
_ADD = Key(
    "add",
    map_of(LITERAL, _items_at, "a mapping from paths to lists"),
    "The elements that are added to lists if they are missing.",
    to="adds",
)
_WHEN = Key("when", CONDITION, "The condition of all of this, on the submitted object and gates.")
_NO_OLD = "there is no old object"
_CREATE = Keys(
    "createOperation",
    "`create`",
    (_RESET, _EXCEPT, _SET, _ADD, _WHEN),
    elsewhere={key.name: _NO_OLD for key in (_KEEP, _FILL)},
)
_CHANGE = Keys("operation", "an operation", (_KEEP, _EXCEPT, _RESET, _FILL, _SET, _ADD, _WHEN))


_OPERATION = Part(OperationSpec, _CHANGE.keys)


def _change(name: Scalar, found: Found, context: Context) -> tuple[str, OperationSpec]:
    if found.is_written(_EXCEPT) and not found.is_written(_KEEP):
        context.error("AG0212", found.place_of(_EXCEPT), "`except` needs `keep`")
    return name.text, _OPERATION.of(found, place=name.place)


GENERATION = Key(
    "generation",
    ByForm(
        "`none` or a mapping",
        scalar=mapped(choice("none"), lambda *_: GenerationSpec(none=True, start=None)),
        mapping=mapped(_GENERATION, _generation),
    ),
    "When `metadata.generation` increases.",
)


def _counter(path: Scalar, counter: GenerationSpec, context: Context) -> tuple[Path, GenerationSpec] | None:
    read = read_path(path, context)
    if read is not None and counter.bump is None:
        context.error("AG0212", path.place, f"`{path.text}` counts changes: declare the counted paths with `bump`")
        return None
    return None if read is None else (read, counter)


COUNTERS = Key(
    "counters",
    map_of(mapped(_GENERATION, _generation), _counter, "a mapping of paths to counters"),
    "Other counters of changes that clients cannot set.",
)
HOOKS = Key("hooks", TEXTS, "Operations after whose generated steps a function of the server runs.")
CREATE = Key("create", _CREATE, "The steps of create; without `reset`, status is cleared.")

_FIXED_KEYS: KeySet = (GENERATION, COUNTERS, HOOKS, CREATE)
_FIXED_NAMES = tuple(key.name for key in _FIXED_KEYS)
_STRATEGY = Part(StrategySpec, (GENERATION, COUNTERS, HOOKS))
_FIXED = Keys("strategy", "a strategy", _FIXED_KEYS)
_OPERATIONS = map_of(_CHANGE, _change, "a mapping of operations")


def _is_operation(name: str, context: Context) -> bool:
    """Return whether a key names an operation and is not one of the fixed keys, or a misspelled one."""
    if name in _FIXED_NAMES:
        return False
    return context.nearest(name, (*_FIXED_NAMES, "update")) in (None, "update")


def _partition(entries: Iterable[Entry], context: Context) -> tuple[list[Entry], list[Entry]]:
    """The entries with fixed keys, and those of operations."""
    parts: tuple[list[Entry], list[Entry]] = ([], [])
    for entry in entries:
        parts[_is_operation(entry.key.text, context)].append(entry)
    return parts


class StrategyShape(Shape[StrategySpec]):
    """A strategy. Keys other than the fixed ones are operations: `update`, `status` and each other subresource."""

    expected = "a mapping"

    def read(self, node: Node, context: Context) -> StrategySpec | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected)
            return None
        fixed, operations = _partition(node.entries, context)
        found = _FIXED.read(node._replace(entries=fixed), context)
        changes = _OPERATIONS.read(node._replace(entries=operations), context)
        if found is None or changes is None:
            return None
        create = found.get(CREATE)
        if create is not None:
            changes = (("create", _OPERATION.of(create, place=found.place_of(CREATE))), *changes)
        return _STRATEGY.of(found, operations=changes)

    def schema(self, definitions: Definitions) -> Schema:
        _FIXED.schema(definitions)
        definitions[_FIXED.name]["additionalProperties"] = _CHANGE.schema(definitions)
        return {"$ref": f"#/$defs/{_FIXED.name}"}


STRATEGY = StrategyShape()
"""A kind's `strategy:`."""


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
            choice("integer", "number", "string", "boolean", "date"),
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
                choice("unchanged"),
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
    Key("scope", choice("Namespaced", "Cluster"), "Whether objects are namespaced."),
    Key("plural", TEXT, "The plural, which is part of URLs."),
    Key("singular", TEXT, "The singular; default: the kind in lowercase."),
    Key("shortNames", TEXTS, "Short names for the command line."),
    Key("categories", TEXTS, "Categories of the kind, such as `all`."),
    SUBRESOURCES,
    Key("list", PLAIN_FLAG, "Whether the kind has a list kind (default: true)."),
    Key("typeMeta", PLAIN_FLAG, "Whether objects have `apiVersion` and `kind` (default: true)."),
    OWN_HUB,
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


_VERSION_KEYS = Keys(
    "version",
    "a version",
    (
        *LIFECYCLE.keys,
        Key("storage", PLAIN_FLAG, "The storage version."),
        Key("served", PLAIN_FLAG, "Whether the version is served (default: true)."),
        Key("preferred", PLAIN_FLAG, "The preferred version; default: the storage version."),
        Key(
            "defaulted",
            PLAIN_FLAG,
            "Whether objects of the version are defaulted, with the values of other versions in them (default: true).",
        ),
    ),
)
_VERSION = Part(VersionHeader, _VERSION_KEYS.keys, lifecycle=LIFECYCLE)

GROUP = Key("group", TEXT, "The name of the group in `apiVersion`; empty for the core group.", required=True)
VERSIONS = Key(
    "versions",
    map_of(
        _VERSION_KEYS,
        _VERSION.named,
        "a mapping of names to versions",
        owner=("version",),
        needs_no_value=True,
    ),
    "The versions; each has a file of its name with its types.",
    required=True,
)
HUB = Key("hub", TEXT, "The version that the hub follows.")
PROTOBUF = Key("protobuf", choice("none"), "`none` if the group has no protobuf encoding, and its fields no numbers.")
KINDS_KEY = Key("kinds", KINDS, "The kinds.")

TOMBSTONES = Key("tombstones", GROUP_TOMBSTONES, "Removed versions and kinds, whose names are reserved.")


def removed_versions(group: Found) -> tuple[Tombstone, ...]:
    """Return the removed versions of a group."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(REMOVED_VERSIONS)


def removed_kinds(group: Found) -> tuple[Tombstone, ...]:
    """Return the removed kinds of a group."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(REMOVED_KINDS)


GROUP_KEYS = Keys("groupFile", "group.yaml", (GROUP, VERSIONS, HUB, PROTOBUF, KINDS_KEY, SERIES, TOMBSTONES))
