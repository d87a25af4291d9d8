"""OpenAPI documents: requests and responses by direction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.finding import Finding
from apigen.review.results import Direction, Severity
from apigen.review.review import review
from apigen.review.sources.loading import load

DOCUMENT = """\
openapi: {version}
info: {{title: Pets, version: "1"}}
paths:
  /pets/{{id}}:
    get:
      parameters:
      - {{name: id, in: path, required: true, schema: {{type: string}}}}
      - {{name: limit, in: query, schema: {{type: integer, maximum: 10}}}}
      responses:
        "200":
          description: A pet
          content: {{application/json: {{schema: {{$ref: '#/components/schemas/Pet'}}}}}}
    put:
      requestBody:
        required: true
        content: {{application/json: {{schema: {{$ref: '#/components/schemas/Pet'}}}}}}
      responses: {{"204": {{description: Done}}}}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        id: {{type: string, readOnly: true, maxLength: 10}}
        secret: {{type: string, writeOnly: true, maxLength: 10}}
        name: {{type: string, maxLength: 20}}
        tag: {{type: string}}
        mood: {{type: string, enum: [happy, sad]}}
        age: {{type: integer, {bound}}}
"""
THREE_0 = DOCUMENT.format(version="3.0.3", bound="minimum: 0, exclusiveMinimum: true")
THREE_1 = DOCUMENT.format(version="3.1.0", bound="exclusiveMinimum: 0")


def surface(folder: Path, name: str, text: str) -> Surface:
    (folder / name).write_text(text, "utf-8")
    report = Report()
    found = load(name, Setting(folder), report)
    assert found is not None, [each.message for each in report.diagnostics]
    return found


def findings(folder: Path, old: str, new: str) -> list[Finding]:
    assert old != new
    sides = surface(folder, "old.yaml", old), surface(folder, "new.yaml", new)
    return [each for each in review(*sides).findings if each.severity is not Severity.SILENT]


def told(folder: Path, edits: dict[str, str], text: str = THREE_1) -> list[str]:
    new = text
    for before, after in edits.items():
        assert before in new
        new = new.replace(before, after)
    return sorted(f"{each.severity.word} {each.rule} {each.element}" for each in findings(folder, text, new))


CHANGES: dict[str, tuple[dict[str, str], list[str]]] = {
    "bound tightened": (
        {"maxLength: 20": "maxLength: 5"},
        ["error bound-tightened request.Pet.name", "info bound-tightened response.Pet.name"],
    ),
    "bound loosened": (
        {"maxLength: 20": "maxLength: 50"},
        ["error bound-loosened response.Pet.name", "info bound-loosened request.Pet.name"],
    ),
    "enum value added": (
        {"[happy, sad]": "[happy, sad, calm]"},
        ["info enum-value-added request.Pet.mood.calm", "warning enum-value-added response.Pet.mood.calm"],
    ),
    "became required": (
        {"required: [name]": "required: [name, tag]"},
        ["error became-required request.Pet.tag", "info became-required response.Pet.tag"],
    ),
    "became optional": (
        {"required: [name]": "required: []"},
        ["error became-optional response.Pet.name", "info became-optional request.Pet.name"],
    ),
    "read-only": (
        {"readOnly: true, maxLength: 10": "readOnly: true, maxLength: 5"},
        ["info bound-tightened response.Pet.id"],
    ),
    "write-only": (
        {"writeOnly: true, maxLength: 10": "writeOnly: true, maxLength: 5"},
        ["error bound-tightened request.Pet.secret"],
    ),
    "parameter": ({"maximum: 10": "maximum: 5"}, ["error bound-tightened request.GET /pets/{}.query.limit"]),
    "optional parameter added": (
        {
            "/pets/{id}:\n    get:\n      parameters:": "/pets/{id}:\n    get:\n      parameters:\n      - {name: q, in: query}"
        },
        ["info field-added request.GET /pets/{}.query.q"],
    ),
    "path parameter renamed": ({"{id}": "{petId}", "name: id, in: path": "name: petId, in: path"}, []),
    "operation": (
        {"    put:": "    post:"},
        ["error operation-removed PUT /pets/{}", "info operation-added POST /pets/{}"],
    ),
    "status of a success": (
        {'"204"': '"202"'},
        [
            "error status-removed response.PUT /pets/{}.status.204",
            "info status-added response.PUT /pets/{}.status.202",
        ],
    ),
    "media type": (
        {"required: true\n        content: {application/json": "required: true\n        content: {text/json"},
        [
            "error media-type-removed request.PUT /pets/{}.body.application/json",
            "info media-type-added request.PUT /pets/{}.body.text/json",
        ],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_message_changes_are_evaluated_by_writer(name: str, tmp_path: Path) -> None:
    edits, expected = CHANGES[name]
    assert told(tmp_path, edits) == expected


def test_other_constant_in_a_response_breaks_older_clients(tmp_path: Path) -> None:
    text = THREE_1.replace("tag: {type: string}", "tag: {const: a}")
    assert told(tmp_path, {"const: a": "const: b"}, text) == [
        "error value-excluded request.Pet.tag",
        "error value-excluded response.Pet.tag",
    ]


def test_messages_are_not_stored(tmp_path: Path) -> None:
    found = findings(tmp_path, THREE_1, THREE_1.replace("maxLength: 20", "maxLength: 5"))
    assert {direction for each in found for direction in each.effects} <= {Direction.OLD_CLIENT, Direction.NEW_CLIENT}


def test_exclusive_bound_of_3_0_and_of_3_1_are_the_same(tmp_path: Path) -> None:
    assert [each.rule for each in findings(tmp_path, THREE_0, THREE_1)] == []


def test_nullable_of_3_0_is_a_type_of_3_1(tmp_path: Path) -> None:
    old = THREE_0.replace("tag: {type: string}", "tag: {type: string, nullable: true}")
    new = THREE_1.replace("tag: {type: string}", "tag: {type: [string, 'null']}")
    assert [each.rule for each in findings(tmp_path, old, new)] == []


def test_nullable_of_3_0_is_evaluated_by_direction(tmp_path: Path) -> None:
    edits = {"tag: {type: string}": "tag: {type: string, nullable: true}"}
    assert told(tmp_path, edits, THREE_0) == [
        "error nullable-added response.Pet.tag",
        "info nullable-added request.Pet.tag",
    ]


def test_unused_components_are_evaluated_in_both_directions(tmp_path: Path) -> None:
    head, _, components = THREE_1.partition("components:")
    text = f"{head.partition('paths:')[0]}components:{components}"
    assert told(tmp_path, {"maxLength: 20": "maxLength: 5"}, text) == [
        "error bound-tightened request.Pet.name",
        "info bound-tightened response.Pet.name",
    ]


def test_removed_schema_of_a_document_without_operations_is_an_error(tmp_path: Path) -> None:
    head, _, components = THREE_1.partition("components:")
    text = f"{head.partition('paths:')[0]}components:{components}    Tag: {{type: string}}\n"
    assert told(tmp_path, {"    Tag: {type: string}\n": ""}, text)[:1] == ["error kind-removed request.Tag"]


@pytest.mark.parametrize("version", ["openapi: 2.0", "openapi: 3.9.0", "openapi: []", 'swagger: "2.0"'])
def test_other_version_is_rejected_with_its_location(version: str, tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(f"{version}\npaths: {{}}\n", "utf-8")
    report = Report()
    assert load("api.yaml", Setting(tmp_path), report) is None
    [error] = report.diagnostics
    assert (error.code, error.place.line) == ("AG1430", 1)


def test_folder_with_one_document_among_other_files(tmp_path: Path) -> None:
    folder = tmp_path / "api"
    folder.mkdir()
    (folder / "openapi.yaml").write_text(THREE_1, "utf-8")
    (folder / "settings.yaml").write_text("name: pets\n", "utf-8")
    found = load("api", Setting(tmp_path), Report())
    assert found is not None
    assert found.form == "openapi"
    assert review(found, surface(tmp_path, "openapi.yaml", THREE_1)).findings == ()


def test_security_of_webhooks_is_listed_as_unread(tmp_path: Path) -> None:
    text = """\
openapi: 3.1.0
info: {title: Pets, version: "1"}
webhooks:
  born:
    post:
      security: [{key: []}]
      responses: {"204": {description: Done}}
components: {securitySchemes: {key: {type: apiKey, name: X-Key, in: header}}}
"""
    unread = surface(tmp_path, "pets.yaml", text).unread
    assert [each.message for each in unread] == ["`security` of POST webhook born is not compared"]


STYLES = {
    "in: query": [],
    "in: query, style: form, explode: true": [],
    "in: query, style: form": [],
    "in: header, explode: false": [],
    "in: query, explode: false": ["`style` and `explode` of parameter `limit` are not compared"],
    "in: query, style: pipeDelimited": ["`style` and `explode` of parameter `limit` are not compared"],
}


@pytest.mark.parametrize("style", STYLES)
def test_parameter_styles_are_listed_as_unread(style: str, tmp_path: Path) -> None:
    text = THREE_1.replace("name: limit, in: query", f"name: limit, {style}")
    assert [each.message for each in surface(tmp_path, "pets.yaml", text).unread] == STYLES[style]


def test_references_to_other_documents_are_listed_as_unread(tmp_path: Path) -> None:
    text = THREE_1.replace("{name: limit, in: query,", "{$ref: 'shared.yaml#/limit',").replace(
        '"204": {description: Done}', "\"204\": {$ref: '#/none'}"
    )
    assert [each.message for each in surface(tmp_path, "pets.yaml", text).unread] == [
        "`shared.yaml#/limit` is another document, so this part is not compared",
        "`#/none` has no target in this document, so this part is not compared",
    ]


def test_the_flows_of_many_schemes_are_not_combined(tmp_path: Path) -> None:
    """Forty schemes with two flows each would be 2^40 alternatives."""
    names = [f"s{number}" for number in range(40)]
    flow = {"tokenUrl": "https://example.com", "scopes": {}}
    schemes = {name: {"type": "oauth2", "flows": {"password": flow, "clientCredentials": flow}} for name in names}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "security": [{name: [] for name in names}],
        "paths": {"/pets": {"get": {"responses": {"200": {"description": "Found."}}}}},
        "components": {"securitySchemes": schemes},
    }
    file = tmp_path / "pets.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    report = Report()
    assert load(str(file), Setting(tmp_path), report) is not None and not report.has_errors
