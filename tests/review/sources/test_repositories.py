"""Definitions of kinds among all that a repository holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.sources.loading import load, source_of
from tests.cli.running import apigen
from tests.review.cli.repository import git
from tests.review.schemas.reading import HEAD

DEFINITION = HEAD + "            type: object\n"
PATCH = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec: {conversion: {strategy: Webhook}}
"""
OTHER = DEFINITION.replace("kind: Thing, plural: things", "kind: Other, plural: others")
FILES = {
    "go.mod": "module example.com/things\n",
    "api/v1/types.go": "package v1\n",
    "config/crd/bases/things.yaml": DEFINITION,
    "config/crd/patches/webhook_in_things.yaml": PATCH,
    "charts/things/crds/things.yaml": DEFINITION.replace("served: true", "served: false"),
    "charts/things/templates/crds.yaml": "{{- if .Values.crds }}\n" + OTHER + "{{- end }}\n",
    "vendor/others/other.yaml": OTHER,
    "test/e2e/other.yaml": OTHER,
    "deploy/broken.yaml": "a: [",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def read(said: str, folder: Path) -> Surface:
    report = Report()
    surface = load(said, Setting(folder), report)
    assert surface is not None, report.diagnostics
    return surface


def is_found(surface: Surface) -> bool:
    """Whether the definition is the one in the folder of the generated ones, and the only one."""
    (group,) = surface.groups.values()
    return list(group.kinds) == ["Thing"] and group.versions["v1"].kinds["Thing"].served


def test_the_definitions_of_a_repository_are_found(tmp_path: Path) -> None:
    surface = read(".", written(tmp_path, FILES))
    assert is_found(surface)
    assert [(each.place.file, each.message) for each in surface.unread] == [
        ("charts/things/crds/things.yaml", "Thing is also defined in `config/crd/bases`, which is used"),
        ("charts/things/templates/crds.yaml", "this template of Helm is not rendered"),
    ]


@pytest.mark.parametrize("mark", ["Chart.yaml", "kustomization.yaml"])
def test_definitions_next_to_templates_and_patches(tmp_path: Path, mark: str) -> None:
    templates = {"crds/templates/deployment.yaml": "spec:\n  {{- toYaml .Values }}\n", f"crds/{mark}": "name: things\n"}
    written(tmp_path, {"crds/bases/things.yaml": DEFINITION, "crds/patches/things.yaml": PATCH, **templates})
    assert is_found(read("crds", tmp_path))


def test_definition_with_template_in_its_description_is_read(tmp_path: Path) -> None:
    text = DEFINITION + "            description: |\n              {{ .Name }} is replaced.\n"
    assert is_found(read(".", written(tmp_path, {"go.mod": "module a\n", "crds/things.yaml": text})))


def test_template_of_helm_is_rejected_with_a_hint(tmp_path: Path) -> None:
    written(tmp_path, FILES)
    report = Report()
    assert load("charts/things/templates/crds.yaml", Setting(tmp_path), report) is None
    [error] = report.diagnostics
    assert (error.code, error.message) == ("AG1430", "a template of Helm, not YAML")


@pytest.mark.parametrize("said", ["HEAD", "HEAD:", "git:HEAD"])
def test_definitions_are_found_at_a_revision(said: str, tmp_path: Path) -> None:
    written(tmp_path, FILES)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "all")
    assert is_found(read(said, tmp_path))


def test_definitions_next_to_a_go_file_are_recognized(tmp_path: Path) -> None:
    written(tmp_path, {"crds/things.yaml": DEFINITION, "crds/embed.go": "package crds\n"})
    source, _ = source_of("crds", Setting(tmp_path))
    assert source is not None and source.form == "crd"
    assert is_found(read("crds", tmp_path))


def test_go_packages_with_definitions_of_others_are_go_packages(tmp_path: Path) -> None:
    written(tmp_path, {"api/v1/types.go": "package v1\n", "api/testdata/other.yaml": OTHER})
    source, _ = source_of("api", Setting(tmp_path))
    assert source is not None and source.form == "go"


def test_all_files_of_a_definitions_folder_are_read(tmp_path: Path) -> None:
    written(tmp_path, {"crds/test/things.yaml": DEFINITION})
    assert is_found(read("crds", tmp_path))


def test_a_repository_of_definitions_is_compared_with_its_base(tmp_path: Path) -> None:
    written(tmp_path, FILES)
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", "--all")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "all")
    written(tmp_path, {"config/crd/bases/things.yaml": DEFINITION.replace("served: true", "served: false")})
    ran = apigen(tmp_path, "diff", "--no-counterexamples")
    assert ran.code == 1
    assert "no longer served: v1 of Thing (example.com)" in ran.out
