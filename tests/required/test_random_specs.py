"""`decode(missing="error")` and the published schema reject the same documents, whatever the spec."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

from tests.generating import generate_package
from tests.required.peer import missing
from tests.required.test_required import GROUP, spec_folder

STRUCTS = 4
DOCUMENTS = 60
VALUES: dict[str, tuple[object, ...]] = {
    "string": ("", "a"),
    "int32": (0, 7),
    "Time": ("2024-01-02T03:04:05Z", None),
    "Duration": ("0s", "1h0m0s"),
    "Quantity": ("0", "500m"),
    "RawExtension": ({}, {"name": None}, None),
    '"[]string"': ([], ["a"]),
}
DEFAULTS = {"string": "x", "int32": "0", "Duration": "1h", "Quantity": "1"}
GROUP_OF_ONE = GROUP.replace("  Job: {scope: Namespaced, plural: jobs}\n", "")


@st.composite
def fields(draw: st.DrawFn, index: int) -> str:
    """The options of a field of the struct with an index; structs that are always built are later ones."""
    presence = draw(st.sampled_from(["", "optional: true", "omitEmpty: true"]))
    inner = draw(st.integers(0, STRUCTS - 1))
    shapes = [f"S{inner}" if presence == "optional: true" else "string", f'"[]S{inner}"', f'"map[string]S{inner}"']
    if index + 1 < STRUCTS:
        shapes.append(f"S{draw(st.integers(index + 1, STRUCTS - 1))}")
    type_ = draw(st.sampled_from([*VALUES, *shapes, *shapes]))
    options = [f"type: {type_}", *([presence] if presence else [])]
    if draw(st.booleans()):
        options.append(f"required: {str(draw(st.booleans())).lower()}")
    if draw(st.booleans()):
        if type_ in DEFAULTS:
            options.append(f"default: {DEFAULTS[type_]}")
        elif presence == "optional: true" and type_[0] == "S" and int(type_[1:]) > index:
            options.append("default: {value: {}}")
    return f"{{{', '.join(options)}}}"


@st.composite
def specs(draw: st.DrawFn) -> str:
    """A version of the kind Invoice, which holds structs of many shapes."""
    lines = ["types:", "  Invoice:", "    fields:", "      metadata: {type: meta/v1.ObjectMeta, required: false}"]
    lines.append(f"      spec: {{type: S0, optional: true, required: {draw(st.sampled_from(['true', 'false']))}}}")
    for index in range(STRUCTS):
        lines += [f"  S{index}:", "    fields:", "      name: {type: string, required: false}"]
        for name in "abcde":
            lines.append(f"      {name}: {draw(fields(index))}")
    return "\n".join(lines) + "\n"


def value_of(schema: Any, schemas: Any, random: Random, depth: int) -> Any:
    """A random value of a schema in which any field may be absent, or null."""
    for each in (schema, *schema.get("allOf", ())):
        if "$ref" in each:
            return value_of(schemas[each["$ref"].rpartition("/")[2]], schemas, random, depth)
    if "properties" in schema:
        names = [name for name in schema["properties"] if random.random() < (0.85 if depth > 0 else 0.1)]
        value = {name: value_of(schema["properties"][name], schemas, random, depth - 1) for name in names}
        return {name: None if random.random() < 0.05 else member for name, member in value.items()}
    if depth <= 0 and schema.get("type") in ("array", "object"):
        return [] if schema["type"] == "array" else {}
    if schema.get("type") == "array":
        return [value_of(schema["items"], schemas, random, depth - 1) for _ in range(random.randrange(3))]
    if "additionalProperties" in schema:
        return {key: value_of(schema["additionalProperties"], schemas, random, depth - 1) for key in "xy"}
    samples: dict[str, tuple[object, ...]] = {"string": ("", "a"), "integer": (0, 7), "object": VALUES["RawExtension"]}
    if schema.get("format") == "date-time":
        return random.choice(VALUES["Time"])
    return random.choice(samples.get(schema.get("type", ""), ("0", "1")))


@pytest.fixture(scope="module", autouse=True)
def folder() -> Iterator[None]:
    with TemporaryDirectory() as path, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(path)
        _Built.folder = Path(path)
        yield


class _Built:
    folder: Path
    count = 0


@pytest.mark.slow(one_in=16)
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # a smaller spec is another package to build
)
@given(specs(), st.integers(0, 2**32))
def test_missing_fields_agree_with_the_schema(spec: str, seed: int) -> None:
    _Built.count += 1
    try:
        name = generate_package(spec_folder(_Built.folder / f"specs{_Built.count}", GROUP_OF_ONE, spec), _Built.folder)
    except AssertionError as error:
        if "error AG0506" not in str(error):  # a default that lacks what it must set
            raise
        reject()
    scheme: Any = importlib.import_module(f"{name}.scheme")
    errors: Any = importlib.import_module(f"{name}.runtime.errors")
    required: Any = importlib.import_module(f"{name}.runtime.required")
    package = _Built.folder / name / "billing_example_com" / "v1"
    table: Any = (
        importlib.import_module(f"{name}.billing_example_com.v1.required")
        if (package / "required.py").exists()
        else None
    )
    published = json.loads((package / "schema.json").read_text())
    schemas = published["components"]["schemas"]
    random = Random(seed)
    for _ in range(DOCUMENTS):
        document = {"apiVersion": "billing.example.com/v1", "kind": "Invoice"}
        if random.random() < 0.95:
            document["spec"] = value_of(schemas["billing.example.com.v1.S0"], schemas, random, 4)
        try:
            scheme.decode(json.dumps(document))
        except errors.DecodeError:
            continue  # null for a Duration
        expected = missing(published, "Invoice", document)
        if table is None:
            assert expected == []
            continue
        obj = scheme.decode(json.dumps(document))
        found = [e.path for e in required.missing_fields(document, obj, table.REQUIRED, table.DEFAULTS)]
        assert sorted(found) == expected, (spec, document)
        if expected:
            with pytest.raises(errors.DecodeError) as caught:
                scheme.decode(json.dumps(document), missing="error")
            assert str(caught.value) == f"{found[0]}: required"
        else:
            scheme.decode(json.dumps(document), missing="error")
