"""Inputs of cases that cannot lie in a repository: broken links, foreign bytes, huge files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Make = Callable[[Path, pytest.MonkeyPatch], None]


def _link_to_nothing(specs: Path, _: pytest.MonkeyPatch) -> None:
    (specs / "things/v1.yaml").symlink_to("v0.yaml")


def _link_loop(specs: Path, _: pytest.MonkeyPatch) -> None:
    (specs / "things/v1.yaml").symlink_to("v1.yaml")
    (specs / "more").symlink_to(".")


def _link_outside(specs: Path, _: pytest.MonkeyPatch) -> None:
    outside = specs.parent / "secret.yaml"
    outside.write_text("types: {}\n", encoding="utf-8")
    (specs / "things/v1.yaml").symlink_to(outside)


def _unreadable(specs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Permissions do not stop root, as which tests may run, so the error is simulated."""
    real_open = os.open

    def reject(path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == specs / "things/v1.yaml":
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", reject)


def _pipe(specs: Path, _: pytest.MonkeyPatch) -> None:
    os.mkfifo(specs / "things/v1.yaml")


def _not_utf8(specs: Path, _: pytest.MonkeyPatch) -> None:
    (specs / "things/v1.yaml").write_bytes("types:\n  Größe:\n    is: string # caf".encode() + b"\xe9\n")
    (specs / "things/v2.yaml").write_bytes("types: {}\n".encode("utf-16"))


def _large(specs: Path, _: pytest.MonkeyPatch) -> None:
    with (specs / "things/v1.yaml").open("wb") as file:
        file.truncate(200_000_000)


def _deep(specs: Path, _: pytest.MonkeyPatch) -> None:
    (specs / "things/v1.yaml").write_text("types: " + "[" * 100_000 + "]" * 100_000, encoding="utf-8")
    (specs / "things/v2.yaml").write_text("types:\n" + "- " * 100_000 + "x\n", encoding="utf-8")
    (specs / "things/v3.yaml").write_text("types: " + "{a: " * 100_000 + "}" * 100_000, encoding="utf-8")


def _characters(specs: Path, _: pytest.MonkeyPatch) -> None:
    (specs / "things/v1.yaml").write_text("types:\n  Frobber: {is: string, doc: a\x07bell}\n", encoding="utf-8")
    (specs / "things/v2.yaml").write_text("types:\n  Frobber: {is: string, doc: \u202eturned}\n", encoding="utf-8")


MADE: Mapping[str, Make] = {
    "link-to-nothing": _link_to_nothing,
    "link-loop": _link_loop,
    "link-outside": _link_outside,
    "file-unreadable": _unreadable,
    "file-is-pipe": _pipe,
    "file-not-utf8": _not_utf8,
    "file-200-mb": _large,
    "yaml-100000-levels": _deep,
    "forbidden-character": _characters,
}
