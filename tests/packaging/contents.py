"""What distributions hold: `python -m tests.packaging.contents dist` checks the files that `make dist` built."""

from __future__ import annotations

import re
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = {
    "apigen": ("apigen/__init__.py", r'__version__ = "(.+)"'),
    "apigen_server": ("server/apigen_server/__init__.py", r'__version__ = "(.+)"'),
    "apigen_native": ("native/pyproject.toml", r'version = "(.+)"'),
}
"""Distribution -> where its version is. All three are released together, with one number."""

METADATA = ("License-Expression: Apache-2.0", "Requires-Python: >=3.11", "Author:", "Project-URL: Documentation, ")
_EXTENSION = re.compile(r"apigen_native\.[\w-]+\.(so|pyd)")


def version(name: str) -> str:
    """The version of a distribution, as its source says."""
    file, pattern = VERSIONS[name]
    found = re.search(f"^{pattern}$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None, file
    return found[1]


def files_below(folder: str, *suffixes: str) -> set[str]:
    """The files of a folder of the project, of these endings only if there are any."""
    paths = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT / folder).as_posix() for path in paths if path.name.endswith(suffixes or ("",))}


def expected(name: str) -> set[str]:
    """The files of the wheel of a distribution of Python code."""
    if name == "apigen_server":
        return {f"apigen_server/{each}" for each in files_below("server/apigen_server")}
    return {
        *(f"apigen/{each}" for each in files_below("apigen", ".py", ".md", "py.typed")),
        *(f"apigen/_templates/{each}" for each in files_below("templates")),
        *(f"apigen/_catalog/{each}" for each in files_below("api-specs/kubernetes")),
        *(f"apigen/_catalog_functions/handwritten/{each}" for each in files_below("handwritten")),
    }


def problems_of_wheel(wheel: Path) -> Iterator[str]:
    """What is wrong with a wheel: missing and unexpected files, its version, its metadata."""
    name, number = wheel.name.split("-")[:2]
    if number != version(name):
        yield f"{wheel.name}: the source has version {version(name)}"
    with ZipFile(wheel) as archive:
        names = {each for each in archive.namelist() if ".dist-info/" not in each}
        metadata = next(archive.read(each).decode() for each in archive.namelist() if each.endswith("/METADATA"))
        licenses = [each for each in archive.namelist() if each.endswith("/LICENSE")]
    if name == "apigen_native":
        yield from (f"{wheel.name}: unexpected {each}" for each in sorted(names) if not _EXTENSION.fullmatch(each))
        if len(names) != 1:
            yield f"{wheel.name}: expected one extension, found {len(names)} files"
    else:
        yield from (f"{wheel.name}: missing {each}" for each in sorted(expected(name) - names))
        yield from (f"{wheel.name}: unexpected {each}" for each in sorted(names - expected(name)))
    yield from (f"{wheel.name}: no `{each}` in the metadata" for each in METADATA if each not in metadata)
    if not licenses:
        yield f"{wheel.name}: no LICENSE"


def problems_of_sdist(sdist: Path) -> Iterator[str]:
    """What is missing in a source distribution."""
    name = sdist.name.split("-")[0]
    needed = {
        "apigen": "apigen/__init__.py",
        "apigen_server": "apigen_server/__init__.py",
        "apigen_native": "src/layout.h",
    }
    with tarfile.open(sdist) as archive:
        names = {each.partition("/")[2] for each in archive.getnames()}
    missing = {needed[name], "README.md", "LICENSE", "pyproject.toml"} - names
    yield from (f"{sdist.name}: missing {each}" for each in sorted(missing))


def main(folder: Path) -> int:
    """Print what is wrong with the distributions in a folder, or how many are right."""
    wheels, sdists = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    found = [each for wheel in wheels for each in problems_of_wheel(wheel)]
    found += [each for sdist in sdists for each in problems_of_sdist(sdist)]
    for kind, files in (("wheel", wheels), ("source distribution", sdists)):
        built = {file.name.split("-")[0] for file in files}
        found += [f"no {kind} of {name}" for name in VERSIONS if name not in built]
    print(*found or [f"{len(wheels)} wheels and {len(sdists)} source distributions: nothing is missing"], sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
