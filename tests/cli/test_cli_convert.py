"""`convert`: an API server at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.running import ROOT, apigen, new_project
from tests.yaml_files import read_yaml_documents

GROUP = "flowcontrol.apiserver.k8s.io"
DEPRECATED = {
    "v1beta1": f"{GROUP}/v1beta1 FlowSchema is deprecated in v1.23+, unavailable in v1.26+; use {GROUP}/v1beta3 FlowSchema\n",
    "v1beta2": f"{GROUP}/v1beta2 FlowSchema is deprecated in v1.26+, unavailable in v1.29+; use {GROUP}/v1beta3 FlowSchema\n",
    "v1beta3": f"{GROUP}/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use {GROUP}/v1 FlowSchema\n",
    "v1": "",
}
SINCE = {"v1beta1": "1.23", "v1beta2": "1.26", "v1beta3": "1.29"}
FLOW_SCHEMA = (ROOT / "docs/examples/flow-schema.yaml").read_bytes()


def warnings_of(*versions: str) -> str:
    return "".join(dict.fromkeys(DEPRECATED[version] for version in versions))


@pytest.mark.parametrize("version", DEPRECATED)
def test_a_flow_schema_in_every_version(version: str) -> None:
    ran = apigen(ROOT, "convert", "docs/examples/flow-schema.yaml", "--to", version, "-o", "json")
    assert (ran.code, ran.err) == (0, warnings_of("v1beta2", version))
    read = json.loads(ran.out)
    assert read["apiVersion"] == f"{GROUP}/{version}"
    assert read["spec"]["matchingPrecedence"] == 1000
    same = apigen(ROOT, "convert", "-", "--to", "v1beta2", "-o", "json", stdin=ran.out.encode())
    assert same.err == warnings_of(version, "v1beta2")
    assert json.loads(same.out)["spec"] == read["spec"]


@pytest.mark.slow
@pytest.mark.parametrize("release", ["1.22", "1.23", "1.25", "1.26", "1.28", "1.29", "1.36"])
def test_warnings_of_a_release(release: str) -> None:
    for version in ("v1beta1", "v1beta3"):
        ran = apigen(
            ROOT, "convert", "docs/examples/flow-schema.yaml", "--to", version, "--release", f"kubernetes={release}"
        )
        warned = [
            v
            for v in ("v1beta2", version)
            if tuple(map(int, release.split("."))) >= tuple(map(int, SINCE[v].split(".")))
        ]
        assert (ran.code, ran.err) == (0, warnings_of(*warned))


def test_stored_as_protobuf(tmp_path: Path) -> None:
    from subprocess import run

    from tests.cli.running import command, environment

    stored = run(
        command("convert", "docs/examples/flow-schema.yaml", "--to", "storage", "-o", "protobuf"),
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        check=True,
    ).stdout
    assert stored.startswith(b"k8s\0")
    assert b"flowcontrol.apiserver.k8s.io/v1\x12" in stored
    (tmp_path / "object").write_bytes(stored)
    ran = apigen(ROOT, "convert", str(tmp_path / "object"), "--to", "v1beta3", "-o", "yaml")
    assert (ran.code, ran.err) == (0, DEPRECATED["v1beta3"])
    assert ran.out.startswith(f"apiVersion: {GROUP}/v1beta3\nkind: FlowSchema\n")


def test_value_without_field_in_old_version_is_preserved() -> None:
    ran = apigen(ROOT, "convert", "docs/examples/priority-level.yaml", "--to", "v1beta3")
    assert 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares: ""\n' in ran.out
    back = apigen(ROOT, "convert", "-", "--to", "v1", stdin=ran.out.encode())
    assert "annotations" not in back.out
    assert "nominalConcurrencyShares: 0\n" in back.out


def test_to_another_group() -> None:
    ran = apigen(ROOT, "convert", "docs/examples/ingress.yaml", "--to", "networking.k8s.io/v1")
    assert ran.err.startswith(
        "extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking"
    )
    assert "pathType: ImplementationSpecific\n" in ran.out


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("json", b'  {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1"}}'),
        ("yaml", b"apiVersion: v1\nkind: ConfigMap\ndata: {a: '1'}\n"),
    ],
)
def test_format_is_detected(tmp_path: Path, form: str, text: bytes) -> None:
    (tmp_path / "object.bin").write_bytes(text)
    for arguments in ([], ["--from", form]):
        ran = apigen(ROOT, "convert", str(tmp_path / "object.bin"), "--to", "v1", *arguments)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith('apiVersion: v1\ndata:\n  a: "1"\nkind: ConfigMap\n')


def test_defaults_can_be_disabled() -> None:
    ran = apigen(ROOT, "convert", "docs/examples/flow-schema.yaml", "--to", "v1", "--no-default")
    assert "matchingPrecedence: 0\n" in ran.out


def test_unknown_fields() -> None:
    text = FLOW_SCHEMA + b"  color: red\n"
    told = apigen(ROOT, "convert", "-", "--to", "v1", stdin=text)
    assert (told.code, told.err) == (0, DEPRECATED["v1beta2"] + 'unknown field "spec.color"\n')
    assert apigen(ROOT, "convert", "-", "--to", "v1", "--unknown", "ignore", stdin=text).err == DEPRECATED["v1beta2"]
    rejected = apigen(ROOT, "convert", "-", "--to", "v1", "--unknown", "error", stdin=text)
    assert rejected.code == 1
    assert rejected.err.startswith('stdin: error AG0922: unknown field "spec.color"\n')


@pytest.mark.parametrize(
    ("text", "to", "message"),
    [
        (b"", "v1", "AG0922: the input contains no object"),
        (b"{", "v1", "AG0922: "),
        (b"a: [", "v1", "AG0922: "),
        (b"k8s\0\xff", "v1", "AG0922: "),
        (b"apiVersion: v7\nkind: Frob\n", "v1", "AG0922: there is no kind 'Frob' in version 'v7'"),
        (
            FLOW_SCHEMA.replace(b"name: workload-low", b"name: 7"),
            "v1",
            "AG0922: spec.priorityLevelConfiguration.name: expected a string, found a number (7)",
        ),
        (FLOW_SCHEMA, "v2", "AG0923: FlowSchema has no version 'flowcontrol.apiserver.k8s.io/v2'; it has "),
        (FLOW_SCHEMA, "apps/v1", "AG0923: FlowSchema has no version 'apps/v1'; it has "),
        (FLOW_SCHEMA, "hub", "AG0923: FlowSchema has no version 'flowcontrol.apiserver.k8s.io/hub'; it has "),
    ],
)
def test_objects_that_do_not_convert(text: bytes, to: str, message: str) -> None:
    ran = apigen(ROOT, "convert", "-", "--to", to, stdin=text)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"stdin: error {message}")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    ran = apigen(ROOT, "convert", str(tmp_path / "missing.yaml"), "--to", "v1")
    assert (ran.code, ran.out) == (3, "")
    assert "missing.yaml: error AG0921: cannot be read: No such file or directory\n" in ran.err
    assert apigen(ROOT, "convert", str(tmp_path), "--to", "v1").code == 3


def test_wrong_releases() -> None:
    ran = apigen(ROOT, "convert", "docs/examples/flow-schema.yaml", "--to", "v1", "--release", "new")
    assert ran.code == 2
    assert 'command line: error AG0902: a release is written like "1.13", not `new`' in ran.err


def test_nothing_generated(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    ran = apigen(project, "convert", "examples/widget.yaml", "--to", "v1")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("generated: error AG0920: no generated package in this folder\n")


@pytest.mark.slow
def test_nothing_else_is_imported(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    assert apigen(project, "generate").code == 0
    for name in ("json", "dataclasses", "sitecustomize_", "example_com", "generated_"):
        (project / f"{name}.py").write_text("raise SystemExit('imported')\n")
    assert apigen(project, "convert", "examples/widget.yaml", "--to", "v1").code == 0


@pytest.mark.slow
def test_a_hand_written_function_that_fails(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    folder = project / "handwritten/example_com/v1beta1"
    folder.mkdir(parents=True)
    (folder / "conversions.py").write_text("def widget_to_hub(source, generated):\n    return {}['no']\n")
    assert apigen(project, "generate").code == 0
    ran = apigen(project, "convert", "examples/widget.yaml", "--to", "v1")
    assert ran.code == 1
    assert ran.err.startswith(
        "handwritten/example_com/v1beta1/conversions.py:2:12: error AG0923: "
        "this hand-written function failed: KeyError: 'no'\n"
    )


CONFIG_MAP = b"apiVersion: v1\nkind: ConfigMap\ndata: {a: '1'}\n"


def names(text: str) -> list[str]:
    return [each["metadata"].get("name", each["kind"]) for each in read_yaml_documents(text)]


def named(version: str, name: str) -> dict[str, object]:
    return {"apiVersion": f"{GROUP}/{version}", "kind": "FlowSchema", "metadata": {"name": name}}


@pytest.mark.parametrize("form", ["yaml", "json", "list"])
def test_all_objects_of_an_input_are_converted(form: str) -> None:
    objects = [named("v1beta2", "b"), named("v1", "c"), named("v1beta2", "a"), named("v1beta3", "d")]
    text = {
        "yaml": "# nothing\n---\n" + yaml.safe_dump_all([None, *objects]) + "---\n",
        "json": "\n".join(map(json.dumps, objects)),
        "list": yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": objects}),
    }[form].encode()
    ran = apigen(ROOT, "convert", "-", "--to", "v1", stdin=text)
    assert (ran.code, ran.err) == (0, warnings_of("v1beta2", "v1beta3")), "each warning comes once"
    assert names(ran.out) == ["b", "c", "a", "d"]
    assert ran.out.count(f"apiVersion: {GROUP}/v1\n") == 4
    again = apigen(ROOT, "convert", "-", "--to", "v1", "-o", "json", stdin=ran.out.encode())
    assert (again.code, again.err, again.out.count("\n{\n")) == (0, "", 3)
    back = apigen(ROOT, "convert", "-", "--to", "v1", stdin=again.out.encode())
    assert back.out == ran.out


def test_objects_of_several_groups() -> None:
    text = FLOW_SCHEMA + b"---\n" + CONFIG_MAP + b"---\n" + (ROOT / "docs/examples/priority-level.yaml").read_bytes()
    ran = apigen(ROOT, "convert", "-", "--to", "storage", stdin=text)
    assert ran.code == 0
    assert [each["apiVersion"] for each in read_yaml_documents(ran.out)] == [f"{GROUP}/v1", "v1", f"{GROUP}/v1"]


def test_a_list_of_one_kind_stays_a_list() -> None:
    items = [{"metadata": {"name": "a"}}, named("v1beta3", "b")]
    document = {"apiVersion": f"{GROUP}/v1beta3", "kind": "FlowSchemaList", "metadata": {}, "items": items}
    for to in ("v1", "storage"):
        ran = apigen(ROOT, "convert", "-", "--to", to, "-o", "json", stdin=json.dumps(document).encode())
        read = json.loads(ran.out)
        assert (read["apiVersion"], read["kind"], len(read["items"])) == (f"{GROUP}/v1", "FlowSchemaList", 2)


def test_protobuf_holds_one_object() -> None:
    ran = apigen(ROOT, "convert", "-", "--to", "v1", "-o", "protobuf", stdin=FLOW_SCHEMA + b"---\n" + FLOW_SCHEMA)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("stdin: error AG0923: protobuf holds one object, found several\n")


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (b"kind: 5\n", "AG0922: document 2 (line 23): kind: expected a string\n"),
        (b"a: [\n", "AG0922: document 2: invalid YAML at line 24: "),
        (CONFIG_MAP, "AG0923: object 2: ConfigMap has no version 'v1beta3'; it has v1\n"),
    ],
)
def test_an_error_names_the_document(second: bytes, message: str) -> None:
    assert FLOW_SCHEMA.count(b"\n") == 20
    ran = apigen(ROOT, "convert", "-", "--to", "v1beta3", stdin=b"---\n" + FLOW_SCHEMA + b"---\n" + second)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"stdin: error {message}")
