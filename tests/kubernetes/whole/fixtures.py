"""What Kubernetes' own compatibility test asserts, over the sets of fixtures of a release and of those before it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from apigen.ir.model import Api, Struct
from apigen.ir.names import Module
from tests.kubernetes.compiling import Package
from tests.kubernetes.whole.filling import Filler
from tests.kubernetes.whole.outcomes import Outcome

MEDIA_TYPES = {
    ".json": "application/json",
    ".yaml": "application/yaml",
    ".pb": "application/vnd.kubernetes.protobuf",
}
AFTER = ".after_roundtrip"
NOT_REGISTERED = frozenset({("authentication.k8s.io", "v1alpha1", "SelfSubjectReview")})
"""Kinds of a package that Kubernetes' own test does not register, so that no file was ever written for them."""


class Fixtures:
    """The kinds of a package, and what its codecs make of files. `package` is compiled from `api`."""

    def __init__(self, package: Package, api: Api, filler: Filler) -> None:
        self._package = package
        self._scheme: Any = package.scheme
        self._filler = filler
        self._kinds = {
            (group.name or "core", version.name, struct.id.name): (group.api_version(version.name), struct)
            for group in api.groups
            for version in group.versions
            for struct in api.structs(group.folder, version.name)
            if struct.kind is not None and not struct.id.name.endswith("List")
        }

    def own(self, folder: Path, *, frozen: bool = False) -> Iterator[Outcome]:
        """The release that the types belong to: filled, encoded, equal to the files; and read back to the same.

        Only groups of which the folder has files; of these every kind must be there, and no file may be left over. A
        `frozen` set was kept by a later release, which may have dropped kinds, and added what it makes of the files.
        """
        files = [file for file in folder.iterdir() if not (frozen and file.stem.endswith(AFTER))]
        present = {self._name(file) for file in files}
        groups = {group for group, _, _ in present}
        unused = {file.name for file in files}
        for name, (api_version, struct) in self._kinds.items():
            if name in present if frozen else name[0] in groups and (name not in NOT_REGISTERED or name in present):
                for suffix in MEDIA_TYPES:
                    file = folder / f"{'.'.join(name)}{suffix}"
                    unused.discard(file.name)
                    yield self._outcome(folder, file, self._own_problem(api_version, struct, file))
        for left in sorted(unused):
            yield Outcome("fixtures", left.partition(".v")[0], f"{folder.name} {left}", "no kind has used this file")

    def previous(self, folder: Path) -> Iterator[Outcome]:
        """A release before it: read into today's types, written back as the file or the one after a round trip."""
        for name, (_, struct) in self._kinds.items():
            files = [folder / f"{'.'.join(name)}{suffix}" for suffix in MEDIA_TYPES]
            if all(file.is_file() for file in files):
                for file in files:
                    yield self._outcome(folder, file, self._previous_problem(struct, files[0], file))

    def _name(self, file: Path) -> tuple[str, str, str]:
        rest, _, kind = file.stem.removesuffix(AFTER).rpartition(".")
        group, _, version = rest.rpartition(".")
        return group, version, kind

    def _outcome(self, folder: Path, file: Path, problem: str) -> Outcome:
        group = file.name.rpartition(".v")[0]
        return Outcome("fixtures", group, f"{folder.name} {file.name}", problem)

    def _own_problem(self, api_version: str, struct: Struct, file: Path) -> str:
        if not file.is_file():
            return "the file is missing"
        try:
            filled = self._decode_json(struct, self._filler.kind(api_version, struct))
            if self._encode(filled, file.suffix) != file.read_bytes():
                return "what is filled is written otherwise"
            return (
                "" if self._scheme.equal(filled, self._decode(struct, file)) else "what is read is not what was filled"
            )
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def _previous_problem(self, struct: Struct, of_json: Path, file: Path) -> str:
        after = file.with_name(f"{file.stem}{AFTER}{file.suffix}")
        try:
            if after.is_file() and after.read_bytes() == file.read_bytes():
                return "the file after the round trip equals the one before it"
            obj = self._decode(struct, file)
            if not self._scheme.equal(obj, self._decode(struct, of_json)):
                return "it is not the object of the JSON file"
            wanted = (after if after.is_file() else file).read_bytes()
            return "" if self._encode(obj, file.suffix) == wanted else "it is written back otherwise"
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def _decode(self, struct: Struct, file: Path) -> object:
        """JSON is made compact first, as in Kubernetes' own test: raw JSON within it would keep its indentation."""
        data = file.read_bytes()
        if file.suffix == ".json":
            return self._decode_json(struct, json.loads(data))
        return self._scheme.decode(data, MEDIA_TYPES[file.suffix], default=False, expect=self._class(struct))

    def _decode_json(self, struct: Struct, tree: Mapping[str, object]) -> object:
        data = json.dumps(tree, separators=(",", ":"), ensure_ascii=False)
        return self._scheme.decode(data, MEDIA_TYPES[".json"], default=False, expect=self._class(struct))

    def _class(self, struct: Struct) -> type[Any]:
        """What is wanted; some objects do not say themselves what they are."""
        module = ".".join(Module.of(struct.id.group, struct.id.version, "types").parts)
        found: type[Any] = getattr(self._package.module(module), struct.id.name)
        return found

    def _encode(self, obj: object, suffix: str) -> bytes:
        written: bytes = self._scheme.encode(obj, MEDIA_TYPES[suffix], indent=2 if suffix == ".json" else None)
        return written
