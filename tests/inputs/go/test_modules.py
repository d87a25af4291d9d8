"""Finding Go modules: given, in the module cache, by Go, from a proxy. Nothing here needs a network."""

from __future__ import annotations

import io
import os
import stat
import urllib.request
import zipfile
from http.client import HTTPMessage as Message
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.go.packages import read_packages
from tests.inputs.go import modules, proxies
from tests.inputs.go.modules import FoundModule, MissingModule, escaped, find_module

NAME, VERSION = "example.com/Things", "v1.2.3"
PREFIX = f"{NAME}@{VERSION}/"
FILES = {
    f"{PREFIX}go.mod": "module example.com/Things\n",
    f"{PREFIX}v1/types.go": "package v1\n\ntype Frobber struct{}\n",
    f"{PREFIX}README.md": "not kept",
    f"{PREFIX}LICENSE": "kept",
}


def make_zip(path: Path, files: dict[str, str] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (FILES if files is None else files).items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def proxy(tmp_path: Path) -> Path:
    """A folder that is laid out as a proxy, with the module in it."""
    make_zip(tmp_path / "proxy/example.com/!things/@v/v1.2.3.zip")
    return tmp_path / "proxy"


def find(
    tmp_path: Path, *, given: Path | None = None, download: bool = True, **environment: str
) -> FoundModule | MissingModule:
    """Where neither Go nor a home folder is."""
    return find_module(NAME, VERSION, cache=tmp_path / "cache", given=given, download=download, environment=environment)


def test_escaped() -> None:
    assert escaped("github.com/Azure/aKS") == "github.com/!azure/a!k!s"


@pytest.mark.parametrize("variables", [{"GOMODCACHE": "{0}/mod"}, {"GOPATH": "{0}{1}/elsewhere"}, {"HOME": "{0}"}])
def test_in_the_module_cache(variables: dict[str, str], tmp_path: Path) -> None:
    below = {"GOMODCACHE": "mod", "GOPATH": "pkg/mod", "HOME": "go/pkg/mod"}[next(iter(variables))]
    folder = tmp_path / below / "example.com/!things@v1.2.3"
    folder.mkdir(parents=True)
    found = find(tmp_path, **{name: value.format(tmp_path, os.pathsep) for name, value in variables.items()})
    assert found == FoundModule(NAME, VERSION, folder, "Go module cache")


def test_locations_do_not_depend_on_the_machine(proxy: Path, tmp_path: Path) -> None:
    found = find(tmp_path, GOPROXY=proxy.as_uri())
    assert isinstance(found, FoundModule)
    (package,) = read_packages([found.root()], Report())
    assert package.path == "example.com/Things/v1"
    assert str(package.types[0].place) == "example.com/Things@v1.2.3/v1/types.go:3:6"


def test_explicit_module_folder(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    found = find(tmp_path, given=tmp_path / "own")
    assert found == FoundModule(NAME, VERSION, tmp_path / "own", "folder that was given")
    (tmp_path / "own/go.mod").write_text(f"module {NAME}\n")
    assert isinstance(find(tmp_path, given=tmp_path / "own"), FoundModule)
    (tmp_path / "own/go.mod").write_text("module example.com/others // remark\n")
    assert "contains the module example.com/others" in str(find(tmp_path, given=tmp_path / "own"))
    assert "does not exist" in str(find(tmp_path, given=tmp_path / "nowhere"))


def test_module_is_downloaded_from_a_proxy_once(proxy: Path, tmp_path: Path) -> None:
    found = find(tmp_path, GOPROXY=f"https://[broken|{proxy.as_uri()}/,off")
    folder = tmp_path / "cache/example.com/!things@v1.2.3"
    assert found == FoundModule(NAME, VERSION, folder, "module proxy")
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == ["go.mod", "v1/types.go"]
    assert (folder / "LICENSE").read_text() == "kept"
    assert [path.name for path in folder.parent.iterdir()] == ["!things@v1.2.3"], "nothing half-finished stays"
    assert find(tmp_path) == FoundModule(NAME, VERSION, folder, "cache of apigen")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "GOPROXY has no proxy"),
        ("direct", "GOPROXY has no proxy with https"),
        ("http://proxy.invalid", "GOPROXY has no proxy with https"),
        ("off,{proxy}", "GOPROXY has no proxy with https"),
        ("{empty}", "reports: "),
        ("{broken}", "is unusable: it is not a valid zip file"),
    ],
)
def test_unusable_proxies(said: str, words: str, proxy: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken/example.com/!things/@v/v1.2.3.zip"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"PK\x03\x04 no zip")
    (tmp_path / "empty").mkdir()
    uris = {"proxy": proxy.as_uri(), "empty": (tmp_path / "empty").as_uri(), "broken": (tmp_path / "broken").as_uri()}
    found = find(tmp_path, GOPROXY=said.format(**uris))
    assert isinstance(found, MissingModule)
    assert words in str(found)
    assert str(found).startswith(
        "the Go module example.com/Things@v1.2.3 was not found: it is not in the Go module cache"
    )
    assert "Go is not installed" in str(found)
    assert not list((tmp_path / "cache").glob("**/*.zip")) and not list((tmp_path / "cache").glob("**/.download*"))


def test_next_proxy_is_requested_as_by_go(proxy: Path, tmp_path: Path) -> None:
    """After a comma if the first does not have the module, after a bar also if it fails."""
    (tmp_path / "empty").mkdir()
    empty, failing, full = (tmp_path / "empty").as_uri(), "https://[broken", proxy.as_uri()
    assert isinstance(find(tmp_path / "1", GOPROXY=f"{empty},{full}"), FoundModule)
    assert isinstance(find(tmp_path / "2", GOPROXY=f"{failing},{full}"), MissingModule)
    assert isinstance(find(tmp_path / "3", GOPROXY=f"{failing}|{full}"), FoundModule)


@pytest.mark.parametrize("name", ["GOPRIVATE", "GONOPROXY"])
@pytest.mark.parametrize(
    ("patterns", "is_private"), [("example.com", True), ("*.com/Thing*", True), ("x.org,example.com/t", False)]
)
def test_private_modules_are_not_named_to_a_proxy(
    name: str, patterns: str, is_private: bool, proxy: Path, tmp_path: Path
) -> None:
    found = find(tmp_path, **{"GOPROXY": proxy.as_uri(), name: patterns})
    assert isinstance(found, MissingModule) is is_private


def test_redirections_stay_with_https() -> None:
    handler, request = proxies.HttpsOnly(), urllib.request.Request("https://proxy.invalid/a.zip")
    moved = handler.redirect_request(request, io.BytesIO(), 302, "Found", Message(), "https://store.invalid/a.zip")
    assert moved is not None and moved.full_url == "https://store.invalid/a.zip"
    with pytest.raises(proxies.FetchError, match="away from https"):
        handler.redirect_request(request, io.BytesIO(), 302, "Found", Message(), "http://store.invalid/a.zip")


def test_credentials_are_not_printed() -> None:
    assert proxies.Proxy("https://me:secret@proxy.invalid/a").shown == "https://proxy.invalid/a"


@pytest.mark.parametrize(
    "name",
    [
        "../evil.go",
        "v1/../../evil.go",
        "/evil.go",
        "v1//evil.go",
        "v1\\..\\evil.go",
        "c:evil.go",
        "./evil.go",
        "..",
        "a\nb.go",
    ],
)
def test_paths_outside_of_the_folder_are_rejected(name: str, proxy: Path, tmp_path: Path) -> None:
    make_zip(proxy / "example.com/!things/@v/v1.2.3.zip", {**FILES, f"{PREFIX}{name}": "package evil\n"})
    found = find(tmp_path, GOPROXY=proxy.as_uri())
    assert isinstance(found, MissingModule) and "it contains the path" in str(found)
    assert not list(tmp_path.rglob("*evil*"))
    assert not list((tmp_path / "cache").rglob("*.go"))


@pytest.mark.parametrize("name", ["evil.go", f"{NAME}/v1/types.go", "/evil.go"])
def test_all_paths_are_of_the_module(name: str, proxy: Path, tmp_path: Path) -> None:
    make_zip(proxy / "example.com/!things/@v/v1.2.3.zip", {**FILES, name: "package evil\n"})
    assert "it contains the path" in str(find(tmp_path, GOPROXY=proxy.as_uri()))


def test_links_in_modules_are_rejected(proxy: Path, tmp_path: Path) -> None:
    path = make_zip(proxy / "example.com/!things/@v/v1.2.3.zip")
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo(f"{PREFIX}v1/link.go")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert "symbolic link" in str(find(tmp_path, GOPROXY=proxy.as_uri()))


def test_sizes_are_bounded(proxy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri = proxy.as_uri()
    path = make_zip(
        proxy / "example.com/!things/@v/v1.2.3.zip", {f"{PREFIX}a.go": "0" * 10_000, f"{PREFIX}b.go": "0" * 10_000}
    )
    monkeypatch.setattr(modules, "MOST_BYTES", 20_000)
    assert isinstance(find(tmp_path / "fits", GOPROXY=uri), FoundModule)
    monkeypatch.setattr(modules, "MOST_BYTES", 19_999)
    assert "MB together" in str(find(tmp_path / "unpacked", GOPROXY=uri))
    monkeypatch.setattr(modules, "MOST_FILES", 1)
    assert "files" in str(find(tmp_path / "files", GOPROXY=uri))
    monkeypatch.setattr(proxies, "MOST_BYTES", path.stat().st_size - 1)
    assert "more than" in str(find(tmp_path / "packed", GOPROXY=uri))
    assert not list(tmp_path.rglob(".download*"))


def test_concurrent_download_is_used(proxy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "cache/example.com/!things@v1.2.3"
    real = modules.unpack

    def unpack(archive: Path, folder: Path, *, prefix: str) -> None:
        real(archive, folder, prefix=prefix)
        real(archive, target, prefix=prefix)

    monkeypatch.setattr(modules, "unpack", unpack)
    found = find(tmp_path, GOPROXY=proxy.as_uri())
    assert isinstance(found, FoundModule) and found.folder == target
    assert (target / "v1/types.go").is_file()
    assert [path.name for path in target.parent.iterdir()] == ["!things@v1.2.3"]


@pytest.mark.parametrize(
    ("module", "version"),
    [
        ("../x", "v1.0.0"),
        ("-x", "v1.0.0"),
        ("x", "latest"),
        ("x", "../v1.0.0"),
        ("", "v1.0.0"),
        ("x//y", "v1.0.0"),
        ("x", "v1.0.0/.."),
    ],
)
def test_invalid_names_are_rejected(module: str, version: str, tmp_path: Path) -> None:
    found = find_module(module, version, cache=tmp_path, environment={})
    assert "not a module path" in str(found)


def go(folder: Path, script: str) -> dict[str, str]:
    """An environment in which `go` is this script."""
    program = folder / "bin/go"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"PATH": str(program.parent)}


def test_go_command_downloads_modules_if_installed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    said = (
        f'echo \'{{"Path": "x", "Dir": "{tmp_path}/there"}}\'; echo "$@" > {tmp_path}/arguments; pwd > {tmp_path}/where'
    )
    found = find(tmp_path, **go(tmp_path, said))
    assert found == FoundModule(NAME, VERSION, tmp_path / "there", "go mod download")
    assert (tmp_path / "arguments").read_text() == f"mod download -json {NAME}@{VERSION}\n"
    assert Path((tmp_path / "where").read_text().strip()) != Path.cwd(), "a go.mod here would have a say"


def test_module_that_requires_a_newer_go_is_read(tmp_path: Path) -> None:
    unpacked = tmp_path / "go-cache" / f"{escaped(NAME)}@{VERSION}"
    said = f'/bin/mkdir -p {unpacked}; echo \'{{"Error": "requires go >= 1.99"}}\'; exit 1'
    environment = {**go(tmp_path, said), "GOMODCACHE": str(tmp_path / "go-cache")}
    assert find(tmp_path, **environment) == FoundModule(NAME, VERSION, unpacked, "go mod download")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('echo \'{"Error": "no such module"}\'; exit 1', "reports: no such module"),
        ("echo no network >&2; exit 1", "reports: no network"),
        ("echo no JSON", "reports no folder of the module"),
        ('echo \'{"Dir": "/nowhere/at/all"}\'', "reports no folder of the module"),
        ("echo '[]'", "reports no folder of the module"),
    ],
)
def test_go_command_fails(script: str, words: str, tmp_path: Path) -> None:
    assert words in str(find(tmp_path, **go(tmp_path, script)))


def test_go_command_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "LONGEST_DOWNLOAD", 0.2)
    environment = go(tmp_path, "exec sleep 20")
    environment["PATH"] += f"{os.pathsep}{os.environ['PATH']}"
    assert "failed (TimeoutExpired)" in str(find(tmp_path, **environment))


def test_nothing_is_downloaded_without_the_option(proxy: Path, tmp_path: Path) -> None:
    found = find(tmp_path, download=False, GOPROXY=proxy.as_uri(), **go(tmp_path, f"touch {tmp_path}/called"))
    assert isinstance(found, MissingModule) and "downloads are not enabled" in str(found)
    assert not (tmp_path / "called").exists() and not (tmp_path / "cache").exists()
