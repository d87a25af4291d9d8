"""The package that is fuzzed, and the documents from which mutations start."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import yaml

from tests.fuzz import json_mutations
from tests.kubernetes.whole.building import PACKAGE
from tests.kubernetes.whole.shared import FIXTURES
from tests.native.building import ROOT
from tests.native.kinds import layouts_of, native_of, scheme_of
from tests.native.sanitized.making import randomized

MEDIA = {"json": "application/json", "yaml": "application/yaml", "pb": "application/vnd.kubernetes.protobuf"}
"""Suffix of a file -> its media type."""
CLEAN_SHARE = 4
"""Of so many documents one is measured, in several sizes."""
PROOF = ROOT / "build" / "kubernetes" / "v0.36.6"
"""Where `make kubernetes-proof` compiles Kubernetes' API."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document and the suffix of its format."""

    suffix: str
    data: bytes

    @property
    def media_type(self) -> str:
        """Of its format."""
        return MEDIA[self.suffix]


class Package:
    """A generated package with two schemes: one uses the extension, the other one is plain Python."""

    def __init__(self, name: str, folder: Path) -> None:
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        module: Any = import_module(f"{name}.scheme")
        self.name = name
        self.folder = folder / name
        self.kinds: tuple[Any, ...] = module._VERSIONS
        self.hubs: tuple[Any, ...] = module._HUBS
        self.pure, self.native = scheme_of(name, None), scheme_of(name, native_of(name))
        self.api_error: type[Exception] = import_module(f"{name}.runtime.errors").ApiError

    def documents(self) -> Iterator[Document]:
        """Kubernetes' fixtures for its package, random objects of all kinds for any other one."""
        if self.name == PACKAGE:
            for file in sorted(FIXTURES.glob("*/*.*")):
                if file.suffix[1:] in MEDIA:
                    yield Document(file.suffix[1:], file.read_bytes())
            return
        random = Random(0)
        layouts = layouts_of(self.name, (*self.kinds, *self.hubs))
        for entry in self.kinds:
            for _ in range(4):
                obj = randomized(
                    layouts, getattr(import_module(f"{self.name}.{entry.package}.types"), entry.kind), random
                )
                if entry.type_meta:
                    obj.api_version, obj.kind = entry.api_version, entry.kind
                for suffix, media_type in MEDIA.items():
                    yield Document(suffix, self.pure.encode(obj, media_type))


def chosen_package(name: str | None) -> Package:
    """`kubernetes` or `generated`; without a name Kubernetes, if it is compiled and its fixtures are here."""
    is_here = (PROOF / PACKAGE / "scheme.py").is_file() and FIXTURES.is_dir()
    if name == "kubernetes" and not is_here:
        message = f"needs `make kubernetes-proof` ({PROOF / PACKAGE}) and the fixtures ({FIXTURES})"
        raise SystemExit(message)
    if name == "kubernetes" or (name is None and is_here):
        return Package(PACKAGE, PROOF)
    return Package("generated", ROOT)


def clean_documents(package: Package, documents: list[Document]) -> list[Document]:
    """Right documents of many sizes, to which the time of others is compared.

    They are compact, and each has a character written as a surrogate pair or an anchor: so that they are read in the way
    that finds the place of an error, as every document with one is. C code reads the others up to ten times as fast.
    """
    random, found = Random(0), list[Document]()
    for document in [each for each in documents if each.suffix == "json"][::CLEAN_SHARE]:
        try:
            obj = package.pure.decode(document.data, document.media_type, default=False)
        except package.api_error:
            continue
        for keep in (1.0, 0.8, 0.6, 0.4):
            tree = json_mutations.parse(document.data)
            json_mutations.prune(tree, random, keep)
            members = json_mutations.Members([*tree, ["unknown", json_mutations.Source(b'"\\ud83d\\ude00"')]])
            found.append(Document("json", json_mutations.write(members, None)))
            plain = json.loads(json_mutations.write(tree, None))
            text = yaml.dump({**plain, "unknown": None}, Dumper=yaml.CSafeDumper, sort_keys=False)
            found.append(Document("yaml", text.replace("unknown: null", "unknown: &x null").encode()))
        found.append(Document("pb", package.pure.encode(obj, MEDIA["pb"])))
    random.shuffle(found)
    return found
