"""Git revisions as sides of a review."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.inputs.source import Setting
from apigen.language.releases import Release
from apigen.review.sources.git import RevisionPath
from tests.review.sources.things import (
    GROUP,
    TYPES,
    commit,
    git,
    loaded,
    rejected,
    repository,
    struct,
    write_things,
)


@pytest.fixture
def project(tmp_path: Path) -> Setting:
    """A repository whose working tree has one field more than `main`, and than the branch `feature/x`."""
    root = repository(tmp_path / "project")
    git(root, "branch", "feature/x")
    git(root, "tag", "v1.2")
    write_things(root / "api-specs", TYPES + "      more: {type: string, protobuf: 3}\n")
    return Setting(root, root / "api-specs")


@pytest.mark.parametrize(
    "said", ["main", "v1.2", "HEAD", "feature/x", "git:main", "HEAD:api-specs", "main:./api-specs"]
)
def test_revision_is_read_instead_of_the_working_tree(said: str, project: Setting) -> None:
    assert "more" not in struct(loaded(said, project), "Thing").fields
    assert "more" in struct(loaded("api-specs", project), "Thing").fields


@pytest.mark.parametrize(
    ("said", "revision"), [("feature/x", "feature/x"), ("main:api-specs", "main"), ("git:v1.2", "v1.2")]
)
def test_locations_refer_to_the_revision(said: str, revision: str, project: Setting) -> None:
    surface = loaded(said, project)
    assert surface.label == f"{revision}:api-specs"
    assert str(struct(surface, "Thing").place) == f"{revision}:api-specs/{GROUP}/v1.yaml:2:3"


def test_an_older_commit(project: Setting) -> None:
    commit(project.folder)
    assert "more" in struct(loaded("HEAD", project), "Thing").fields
    assert "more" not in struct(loaded("HEAD~1", project), "Thing").fields
    assert "more" not in struct(loaded("HEAD~1:api-specs", project), "Thing").fields


def test_revision_expression_is_displayed_as_commit(project: Setting) -> None:
    label = loaded("HEAD^{/x}:api-specs", project).label
    assert label.removesuffix(":api-specs") == git(project.folder, "rev-parse", "HEAD")[:12]


def test_files_are_read_as_committed(project: Setting) -> None:
    """`export-ignore` and filters of the working tree are ignored."""
    (project.folder / ".gitattributes").write_text("*.yaml export-ignore text eol=crlf\n", encoding="utf-8")
    commit(project.folder)
    assert "more" in struct(loaded("HEAD", project), "Thing").fields


def test_configuration_of_the_revision_locates_the_specs(project: Setting) -> None:
    root = project.folder
    (root / "api-specs").rename(root / "specs")
    (root / "apigen.toml").write_text('specs = "specs"\nrelease = "1.9"\n', encoding="utf-8")
    commit(root)
    surface = loaded("HEAD", Setting(root, root / "elsewhere"))
    assert (surface.label, surface.release) == ("HEAD:specs", Release(1, 9))


def test_a_project_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "large")
    project = root / "apis"
    write_things(project / "api-specs")
    commit(root)
    setting = Setting(project, project / "api-specs")
    assert loaded("HEAD", setting).label == "HEAD:apis/api-specs"
    assert loaded("HEAD:apis/api-specs", setting).label == "HEAD:apis/api-specs"
    assert loaded("HEAD:./api-specs", setting).label == "HEAD:apis/api-specs"


def committed(folder: Path, files: dict[str, str]) -> Path:
    """A repository with some files."""
    git(folder, "init", "--quiet")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    commit(folder)
    return folder


def test_files_around_proto_files_are_read(tmp_path: Path) -> None:
    head = 'syntax = "proto3";\npackage acme.v1;\n'
    files = {
        "proto/acme/v1/a.proto": head
        + 'import "acme/v1/b.proto"; import "shared/c.proto";\nmessage A { B b = 1; C c = 2; }\n',
        "proto/acme/v1/b.proto": head + "message B {}\n",
        "shared/c.proto": head + "message C {}\n",
    }
    root = committed(tmp_path, files)
    for path in ("proto/acme/v1/a.proto", "proto/acme/v1", "proto"):
        surface = loaded(f"HEAD:{path}", Setting(root))
        assert "A" in surface.groups["acme"].versions["v1"].types


def test_module_around_a_go_package_is_read(tmp_path: Path) -> None:
    files = {
        "go.mod": "module example.com/things\n",
        "api/v1/types.go": '// +groupName=things.example.com\npackage v1\n\nimport "example.com/things/common"\n\n'
        'type Thing struct {\n\tSize common.Size `json:"size"`\n}\n',
        "common/size.go": "package common\n\ntype Size string\n",
    }
    root = committed(tmp_path, files)
    assert struct(loaded("HEAD:api/v1", Setting(root)), "Thing").fields.keys() == {"size"}


def test_link_outside_of_the_repository_is_not_followed(project: Setting) -> None:
    secret = project.folder.parent / "secret.yaml"
    secret.write_text(TYPES, encoding="utf-8")
    (project.folder / "api-specs" / GROUP / "v1.yaml").unlink()
    (project.folder / "api-specs" / GROUP / "v1.yaml").symlink_to("../../../secret.yaml")
    commit(project.folder)
    assert rejected("HEAD", project).code.startswith("AG0")


def test_links_to_folders_of_the_revision_are_followed(project: Setting) -> None:
    (project.folder / "links").mkdir()
    (project.folder / "links" / "in").symlink_to("../api-specs")
    (project.folder / "links" / "out").symlink_to("../../elsewhere")
    (project.folder / "through").symlink_to("links")
    commit(project.folder)
    for said in ("HEAD:links/in", "HEAD:./through/in", "HEAD:through/in"):
        assert "more" in struct(loaded(said, project), "Thing").fields
    assert rejected("HEAD:links/out", project).code == "AG1400"


def test_a_bare_repository(project: Setting, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(project.folder), str(bare))
    for folder in (bare, bare / "refs"):
        assert "more" not in struct(loaded("HEAD:api-specs", Setting(folder)), "Thing").fields
    assert rejected("git:HEAD", Setting(bare)).hint == "pass the folder: HEAD:FOLDER"


@pytest.mark.parametrize("inside", ["", "/api-specs"])
def test_a_submodule_is_another_repository(project: Setting, inside: str) -> None:
    commit_ = git(project.folder, "rev-parse", "HEAD")
    git(project.folder, "update-index", "--add", "--cacheinfo", f"160000,{commit_[::-1]},sub")
    git(project.folder, "commit", "--quiet", "--message", "a submodule")
    error = rejected(f"HEAD:sub{inside}", project)
    assert (error.code, error.message) == (
        "AG1404",
        "`sub` is a submodule in `HEAD`: its files are in another repository",
    )


def test_unknown_revision_gets_a_suggestion(project: Setting) -> None:
    error = rejected("git:mian", project)
    assert (error.code, error.hint) == ("AG1403", "did you mean `main`?")
    assert rejected("mian", project).code == "AG1400"


def test_unknown_path_gets_a_suggestion(project: Setting) -> None:
    error = rejected("main:api-spec", project)
    assert (error.code, error.hint) == ("AG1404", "did you mean `main:api-specs`?")


def test_single_spec_file_is_rejected(project: Setting) -> None:
    error = rejected(f"main:api-specs/{GROUP}/v1.yaml", project)
    assert (error.code, error.hint) == ("AG1400", "pass the folder that contains the groups: main:api-specs")


def test_a_branch_of_the_remote_is_fetched(project: Setting, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(project.folder), str(clone))
    setting = Setting(clone, clone / "api-specs")
    assert rejected("git:origin/release-7", setting).hint == "fetch it: git fetch origin release-7"
    assert rejected("release-7", setting).hint == "fetch it: git fetch origin release-7:release-7"
    assert rejected("git:feature/x", setting).hint == "did you mean `origin/feature/x`?"


def test_shallow_clone_is_reported(project: Setting, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", project.folder.as_uri(), str(clone))
    setting = Setting(clone, clone / "api-specs")
    assert rejected("git:HEAD~1", setting).hint == "this clone is shallow: git fetch --unshallow origin"
    hint = rejected("git:feature/x", setting).hint
    assert hint is not None and hint.startswith("this clone is shallow: git fetch --depth=1 origin +feature/x:refs/")


def test_outside_of_any_repository(tmp_path: Path) -> None:
    error = rejected("git:main", Setting(tmp_path))
    assert error.code == "AG1402" and "not a git repository" in error.message


def test_option_like_revisions_are_not_passed_to_git(project: Setting) -> None:
    assert rejected("--output=x", project).code == "AG1400"
    assert rejected("git:--output=x", project).code == "AG1403"


@pytest.mark.parametrize(
    ("said", "revision", "path"),
    [
        ("main", "main", None),
        ("main:", "main", ""),
        ("HEAD~3:api-specs", "HEAD~3", "api-specs"),
        ("HEAD^{/fix: it}:a:b", "HEAD^{/fix: it}", "a:b"),
        (":/fix", ":/fix", None),
    ],
)
def test_revision_argument_is_parsed(said: str, revision: str, path: str | None) -> None:
    assert RevisionPath.read(said) == RevisionPath(revision, path)
