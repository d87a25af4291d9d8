"""What is asked of generated code: ratios to peers in the same run, by object."""

from __future__ import annotations

from benchmarks.generated.first_use import USES
from benchmarks.generated.importing import VERSIONS
from benchmarks.generated.objects import LARGE, OBJECTS, REAL, SMALL
from benchmarks.targets import Target

STANDARD = "standard library"
ORJSON = "with orjson"
COMPILED = "compiled"
SAME_SHAPE = ("flowschema", "hpa")
"""Objects whose hub has the shape of the version that is read; pods move five fields, and hpa's v1 is another shape."""


def _against_go(work: str, operation: str, limit: float, stretch: float | None = None) -> Target:
    return Target(work, f"apigen/{operation}/{{}}", limit, f"go/{operation}/{{}}", "Go", stretch, OBJECTS)


DECODE = (
    Target("JSON → object", "apigen/json_decode/{}", 0.6, "go/json_decode/{}", "Go", None, OBJECTS, STANDARD),
    Target("JSON → object", "apigen/json_decode/{}", 2.6, "json/json_decode/{}", "json.loads", None, OBJECTS, STANDARD),
    Target("JSON → object", "apigen with orjson/json_decode/{}", 1, "pydantic/json_decode/{}", "pydantic", None, OBJECTS, ORJSON),
    Target("JSON → object", "apigen with orjson/json_decode/{}", 0.45, "go/json_decode/{}", "Go", None, OBJECTS, ORJSON),
    Target("JSON → object", "apigen with orjson/json_decode/{}", 4, "msgspec/json_decode/{}", "msgspec", 2.5, OBJECTS, ORJSON),
)  # fmt: skip
ENCODE = (
    Target("object → JSON", "apigen/json_encode/{}", 1.35, "json/json_encode/{}", "json.dumps", 0.8, OBJECTS, STANDARD),
    Target("object → JSON", "apigen with orjson/json_encode/{}", 1, "go/json_encode/{}", "Go", None, REAL, ORJSON),
    Target("object → JSON", "apigen with orjson/json_encode/{}", 4, "msgspec/json_encode/{}", "msgspec", None, OBJECTS, ORJSON),
)  # fmt: skip
PROTOBUF = (
    Target("protobuf → object", "apigen/pb_decode/{}", 0.05, "betterproto2/pb_decode/{}", "betterproto2", None, OBJECTS),
    Target("object → protobuf", "apigen/pb_encode/{}", 0.05, "betterproto2/pb_encode/{}", "betterproto2", None, OBJECTS),
    _against_go("protobuf → object", "pb_decode", 3, 1),
    _against_go("object → protobuf", "pb_encode", 4, 1),
)  # fmt: skip
CONVERT = tuple(
    Target(work, f"apigen/{operation}/{{}}", limit, "go/deep_copy/{}", "Go's deep copy", stretch, objects)
    for work, operation in (("version → hub, nothing shared", "to_hub"), ("hub → version, nothing shared", "from_hub"))
    for limit, stretch, objects in ((2, 1.5, LARGE), (4, 3, SMALL))
)
SHARED = (
    Target("version → hub, shared", "apigen/to_hub_shared/{}", 0.6, "go/to_hub/{}", "Go, same shape", None, SAME_SHAPE),
    Target("hub → version, shared", "apigen/from_hub_shared/{}", 0.6, "go/from_hub/{}", "Go, same shape", None, ("flowschema",)),
    Target("version → hub, shared", "apigen/to_hub_shared/{}", None, "go/to_hub/{}", "Go", None, LARGE),
    Target("hub → version, shared", "apigen/from_hub_shared/{}", None, "go/from_hub/{}", "Go", None, (*LARGE, "hpa")),
)  # fmt: skip
COPY = (
    _against_go("deep copy", "deep_copy", 2, 1.5),
    Target("deep copy", "apigen/deep_copy/{}", 0.1, "dataclasses/deep_copy/{}", "copy.deepcopy", None, OBJECTS),
)
FULL_WAY = tuple(
    Target("bytes → bytes of the other version", f"{name}/full_way/{{}}", limit, "go/full_way/{}", "Go", stretch, objects, form)
    for name, form, limits in (("apigen", STANDARD, (1, 1.3)), ("apigen with orjson", ORJSON, (0.7, 0.85)))
    for limit, stretch, objects in ((limits[0], 0.5, LARGE), (limits[1], 0.5, SMALL))
)  # fmt: skip
REST = (
    _against_go("YAML → object", "yaml_decode", 3, 1.5),
    Target("memory", "apigen/memory/{}", 1.1, "msgspec/memory/{}", "msgspec", 0.95, OBJECTS),
)
COMPILED_FORM = (
    Target("JSON → object", "apigen compiled/json_decode/{}", 1.5, "msgspec/json_decode/{}", "msgspec", None, OBJECTS, COMPILED),
    Target("protobuf → object", "apigen compiled/pb_decode/{}", 1.2, "go/pb_decode/{}", "Go", None, OBJECTS, COMPILED),
    Target("object → protobuf", "apigen compiled/pb_encode/{}", 1.2, "go/pb_encode/{}", "Go", None, OBJECTS, COMPILED),
    Target("version → hub", "apigen compiled/to_hub/{}", 0.25, "apigen/to_hub/{}", "not compiled", None, OBJECTS, COMPILED),
    Target("hub → version", "apigen compiled/from_hub/{}", 0.25, "apigen/from_hub/{}", "not compiled", None, OBJECTS, COMPILED),
)  # fmt: skip
TARGETS = (*DECODE, *ENCODE, *PROTOBUF, *CONVERT, *SHARED, *COPY, *FULL_WAY, *REST, *COMPILED_FORM)
"""Those with a column for each object."""
IMPORTS = (
    Target("import of everything", "apigen/import", 0.5, "lightkube/import", "lightkube", unit=""),
    Target("import of everything", "apigen/import", None, stretch=30, unit="ms", scale=1000),
    Target("import of all types", "apigen/import/types", 0.5, "lightkube/import", "lightkube", unit=""),
    Target("import of the package", "apigen/import/package", None, stretch=30, unit="ms", scale=1000),
    *(
        Target(f"import of {version}{what}", f"apigen/import/{version}{key}", 10, stretch=5, unit="ms", scale=1000)
        for version in VERSIONS
        for what, key in (("", ""), (", types", "/types"))
    ),
    *(
        Target(
            f"import of {version}, all within reach", f"apigen/import/{version}/package", None, unit="ms", scale=1000
        )
        for version in VERSIONS
    ),
    *(Target(f"first use: {use}", f"apigen/first/{use}", None, unit="ms", scale=1000) for use in USES),
)
"""Those of the package as a whole. `import of …` loads all modules that it names; `within reach` are those that load when their
names are first used; a first use is all that a program pays which does that and nothing else, with what it imports."""
