"""`make test-newest`: the tests of generated code, pure and with the extension, on the newest packaged Python.

A Debian of its own is installed into `build/newest-python` by debootstrap, so nothing on the machine changes and every
distribution gets the same interpreter. The tracked files of the working tree are copied into it, with the data in
`../shared/kubernetes` if that exists, and `make test-generated` runs there. It needs root, for chroot, and Debian's
packages. Exits with the status of the tests; with 2 if the environment cannot be set up.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / "build" / "newest-python"
PROJECT = "project/main"
SHARED = "project/shared"
PACKAGES = ("ca-certificates", "gcc", "git", "libc6-dev", "make", "python3", "python3-dev", "python3-venv")
LEAST = (3, 13)
SETTINGS = ("etc/resolv.conf", "etc/hosts", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt")
"""How the machine reaches the package index: copied where they exist, so that pip works in the environment as here."""


class SetupError(Exception):
    """The environment cannot be set up; the text says why and what to do."""


def main(arguments: Sequence[str]) -> int:
    """Set up the environment, unless it exists, and run the tests in it."""
    parser = argparse.ArgumentParser(prog="make test-newest", description=__doc__)
    parser.add_argument("--suite", default="testing", help="the Debian suite to install (default: testing)")
    parser.add_argument("--mirror", default="", help="the Debian mirror (default: that of the machine's apt)")
    parser.add_argument("--tests", default="", help="arguments of pytest, such as `-k quantity`")
    options = parser.parse_args(arguments)
    system = ENVIRONMENT / options.suite
    try:
        install(system, options.suite, options.mirror)
        copy_project(system)
        version = python_version(system)
        if version < LEAST:
            raise SetupError(f"Debian {options.suite} has Python {dotted(version)}; pass a newer --suite")
    except SetupError as error:
        print(f"make test-newest: {error}", file=sys.stderr)
        return 2
    print(f"Python {dotted(version)} of Debian {options.suite}", flush=True)
    return in_system(
        system, "make", "-C", f"/{PROJECT}", "PYTHON=/usr/bin/python3", "test-generated", f"ARGS={options.tests}"
    )


def install(system: Path, suite: str, mirror: str) -> None:
    """Install a minimal Debian with Python and a compiler. An interrupted installation is removed first."""
    complete = system / ".complete"
    if complete.exists():
        return
    if os.geteuid() != 0:
        raise SetupError("chroot needs root; run `sudo make test-newest`")
    if shutil.which("debootstrap") is None:
        if shutil.which("apt-get") is None:
            raise SetupError("debootstrap was not found; install it with the package manager of the system")
        run("apt-get", "update", "-qq")
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "debootstrap")
    shutil.rmtree(system, ignore_errors=True)
    system.mkdir(parents=True)
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", suite, str(system)]
    address = mirror or apt_mirror()
    run(*command, *([address] if address else []))
    links = (word for word in os.environ.get("PIP_FIND_LINKS", "").split() if word.startswith("/"))
    for name in (*SETTINGS, *(link.lstrip("/") for link in links)):
        copy_setting(name, system)
    complete.touch()


def apt_mirror() -> str:
    """The mirror that the machine's own apt uses; empty if that is not known."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=False
    )
    return next((line for line in listed.stdout.splitlines() if "security" not in line), "")


def copy_setting(name: str, system: Path) -> None:
    """Copy a file or folder of the machine to the same place in the environment, if it exists."""
    source, target = Path("/", name), system / name
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copyfile(source, target)


def copy_project(system: Path) -> None:
    """Copy the tracked files and the shared data. The virtual environment of an earlier run is kept."""
    target = system / PROJECT
    if target.exists():
        for entry in target.iterdir():
            if entry.name not in (".venv", "build"):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    data = Path(os.environ.get("APIGEN_SHARED", ROOT.parent / "shared"))
    for name in ("kubernetes", "research"):
        if (data / name).is_dir() and not (system / SHARED / name).exists():
            shutil.copytree(data / name, system / SHARED / name)


def python_version(system: Path) -> tuple[int, int]:
    """The version of the environment's Python, as (major, minor)."""
    code = "import sys; print(*sys.version_info[:2])"
    shown = subprocess.run(
        ["chroot", str(system), "/usr/bin/python3", "-c", code], capture_output=True, text=True, check=False
    )
    if shown.returncode:
        raise SetupError(f"Python does not start in {system}: {shown.stderr.strip()}")
    major, minor = shown.stdout.split()
    return int(major), int(minor)


def dotted(version: tuple[int, int]) -> str:
    """The version as people write it."""
    return ".".join(map(str, version))


def in_system(system: Path, *command: str) -> int:
    """Run a command in the environment; returns its exit status."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    environment = {**os.environ, "PATH": path, "HOME": "/root", "TMPDIR": "/tmp"}
    for name in ("APIGEN_SHARED", "VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL", "PYTHONPATH"):
        environment.pop(name, None)
    return subprocess.run(["chroot", str(system), *command], env=environment, check=False).returncode


def run(*command: str) -> None:
    """Run a command of the installation. Raises SetupError with the end of its output if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise SetupError(f"`{' '.join(command)}` failed:\n{done.stdout[-2000:]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
