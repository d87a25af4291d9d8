"""Finds the folder of a Go module: one that is given, the Go module cache, or a download.

If Go is installed, `go mod download` downloads the module. Otherwise its zip is downloaded from the proxies in
`GOPROXY`; apigen itself knows no server. The rules of paths and proxies are those of the Go modules reference.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.inputs.go.roots import GoRoot, module_path
from tests.inputs.go.proxies import FetchError, Proxy, fetch, proxies

MOST_FILES = 100_000
MOST_BYTES = 500 * 1024**2
"""Maximum size of all files of a module; the same as Go's own limit."""

_CHUNK = 256 * 1024
_KEPT = re.compile(r"(?:.*/)?(?:[^/]*\.go|go\.mod|LICENSE[^/]*)", re.DOTALL)
_UNSAFE = re.compile(r"[\\:\x00-\x1f]|^/|(?:^|/)\.{0,2}(?:/|$)")


class UnusableZipError(Exception):
    """The zip file is broken, too large, or has files that a module cannot have."""


def unpack(archive: Path, target: Path, *, prefix: str) -> None:
    """Write the Go files, the go.mod and the license files of a module below a new folder.

    All names in the zip begin with `prefix` (`module@version/`). Raises UnusableZipError, and OSError if something
    cannot be written; the folder is then not to be used.
    """
    target.mkdir()
    try:
        with zipfile.ZipFile(archive) as content:
            entries = content.infolist()
            if len(entries) > MOST_FILES:
                raise UnusableZipError(f"it has more than {MOST_FILES:,} files")
            left = MOST_BYTES
            for entry in entries:
                name = _name(entry, prefix)
                if _KEPT.fullmatch(name) is not None and not entry.is_dir():
                    left -= _write(content, entry, target / name, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError) as error:
        raise UnusableZipError(f"it is not a valid zip file ({error})") from None


def _name(entry: zipfile.ZipInfo, prefix: str) -> str:
    """Return the path of an entry below the folder; the paths of entries that are not written are checked, too."""
    name = entry.filename.removeprefix(prefix)
    if entry.filename == prefix:
        return ""
    if name == entry.filename or _UNSAFE.search(name.removesuffix("/")):
        raise UnusableZipError(f"it contains the path {entry.filename[:100]!r}")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise UnusableZipError(f"it contains a symbolic link, {entry.filename[:100]!r}")
    return name


def _write(content: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, left: int) -> int:
    """Write one file and return its size. The sizes in the zip are not trusted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with content.open(entry) as source, path.open("xb") as file:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > left:
                raise UnusableZipError(f"its files have more than {MOST_BYTES // 1024**2} MB together")
            file.write(chunk)
    return size


LONGEST_DOWNLOAD = 600
"""Seconds that `go mod download` may take."""

_ELEMENT = r"[A-Za-z0-9_~][A-Za-z0-9._~-]*"
_MODULE = re.compile(rf"{_ELEMENT}(?:/{_ELEMENT})*")
_VERSION = re.compile(r"v\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*)?")


@dataclass(frozen=True, slots=True)
class FoundModule:
    """A module's folder, and how it was found."""

    module: str
    version: str
    folder: Path
    how: str

    def root(self, *, is_reference: bool = False) -> GoRoot:
        """Return the module as a root of packages. Locations in it do not depend on the folder of the module cache."""
        return GoRoot(self.folder, self.module, f"{self.module}@{self.version}", is_reference)


@dataclass(frozen=True, slots=True)
class MissingModule:
    """A module that was not found, and the attempts, each as a phrase."""

    module: str
    version: str
    tried: tuple[str, ...]

    def __str__(self) -> str:
        return f"the Go module {self.module}@{self.version} was not found: {'; '.join(self.tried)}"


def find_module(
    module: str,
    version: str,
    *,
    cache: Path,
    given: Path | None = None,
    download: bool = True,
    environment: Mapping[str, str] | None = None,
) -> FoundModule | MissingModule:
    """Find a module, in this order: `given`, the Go module cache, `cache`, and if `download`, by Go or from a proxy.

    Downloads from a proxy are stored in `cache`. `environment` holds GOMODCACHE, GOPATH, GOPROXY and the like; omitted,
    it is that of the process. If a given folder contains another module, nothing is found.
    """
    environment = os.environ if environment is None else environment
    if not _MODULE.fullmatch(module) or not _VERSION.fullmatch(version):
        return MissingModule(module, version, ("this is not a module path with a version such as v0.36.6",))
    if given is not None:
        return _given(module, version, given)
    name = f"{escaped(module)}@{escaped(version)}"
    tried: list[str] = []
    of_go = _module_cache(environment)
    for folder, how in ((of_go, "Go module cache"), (cache, "cache of apigen")):
        if folder is not None and (folder / name).is_dir():
            return FoundModule(module, version, folder / name, how)
        tried.append(f"it is not in the {how} ({'no folder known' if folder is None else folder})")
    if not download:
        return MissingModule(module, version, (*tried, "downloads are not enabled"))
    found = _by_go(module, version, environment)
    if isinstance(found, Path):
        return FoundModule(module, version, found, "go mod download")
    if of_go is not None and (of_go / name).is_dir():  # Go unpacks what asks for a newer Go, and then complains of it
        return FoundModule(module, version, of_go / name, "go mod download")
    from_proxy = _from_proxies(module, version, cache / name, environment)
    if isinstance(from_proxy, Path):
        return FoundModule(module, version, from_proxy, "module proxy")
    return MissingModule(module, version, (*tried, found, *from_proxy))


def escaped(path: str) -> str:
    """Return a module path or version escaped as in folders and URLs: a capital letter is `!` and the small one."""
    return re.sub(r"[A-Z]", lambda letter: f"!{letter[0].lower()}", path)


def _given(module: str, version: str, folder: Path) -> FoundModule | MissingModule:
    if not folder.is_dir():
        return MissingModule(module, version, (f"the given folder does not exist ({folder})",))
    path = module_path(Path(os.path.abspath(folder))) if (folder / "go.mod").is_file() else None
    if path is not None and path != module:
        return MissingModule(module, version, (f"the given folder contains the module {path} ({folder})",))
    return FoundModule(module, version, Path(os.path.abspath(folder)), "folder that was given")


def _module_cache(environment: Mapping[str, str]) -> Path | None:
    """GOMODCACHE, else `pkg/mod` of the first folder of GOPATH, which is `go` below the home folder if not set."""
    if environment.get("GOMODCACHE"):
        return Path(environment["GOMODCACHE"])
    first = environment.get("GOPATH", "").split(os.pathsep)[0]
    if first:
        return Path(first) / "pkg" / "mod"
    home = environment.get("HOME") or environment.get("USERPROFILE")
    return Path(home) / "go" / "pkg" / "mod" if home else None


def _by_go(module: str, version: str, environment: Mapping[str, str]) -> Path | str:
    """Have Go download the module; else why that did not work."""
    go = shutil.which("go", path=environment.get("PATH", ""))
    if go is None:
        return "Go is not installed"
    with tempfile.TemporaryDirectory() as folder:  # no go.mod there has a say
        try:
            done = subprocess.run(
                [go, "mod", "download", "-json", f"{module}@{version}"],
                cwd=folder,
                env={**environment},
                capture_output=True,
                timeout=LONGEST_DOWNLOAD,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"`go mod download` failed ({type(error).__name__})"
    try:
        said = json.loads(done.stdout.decode("utf-8", "replace") or "{}")
    except ValueError:
        said = {}
    found = said.get("Dir") if isinstance(said, dict) else None
    if done.returncode == 0 and isinstance(found, str) and Path(found).is_dir():
        return Path(found)
    reason = said.get("Error") if isinstance(said, dict) else None
    reported = " ".join(str(reason or done.stderr.decode("utf-8", "replace")).split())[:300]
    return f"`go mod download` reports: {reported}" if reported else "`go mod download` reports no folder of the module"


def _from_proxies(module: str, version: str, target: Path, environment: Mapping[str, str]) -> Path | list[str]:
    """Download a module from the first proxy that has it, and unpack it; return the reasons of all proxies if none has it."""
    known = proxies(module, environment)
    if isinstance(known, str):
        return [known]
    tried: list[str] = []
    for proxy in known:
        try:
            return _download(proxy, module, version, target)
        except FetchError as error:
            tried.append(f"{proxy.shown} reports: {error}")
            if not error.is_missing and not proxy.next_on_any_error:
                break
        except (UnusableZipError, OSError) as error:
            tried.append(f"the response of {proxy.shown} is unusable: {error}")
            break
    return tried


def _download(proxy: Proxy, module: str, version: str, target: Path) -> Path:
    """Fetch and unpack next to the target, which then appears at once and whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".download-", dir=target.parent) as folder:
        archive, unpacked = Path(folder) / "module.zip", Path(folder) / "module"
        fetch(f"{proxy.url}/{escaped(module)}/@v/{escaped(version)}.zip", archive)
        unpack(archive, unpacked, prefix=f"{module}@{version}/")
        try:
            unpacked.rename(target)
        except OSError:
            if not target.is_dir():  # else another run was faster, with the same files
                raise
    return target
