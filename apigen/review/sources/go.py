"""Go packages that define an API."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.crd.source import has_own_definitions
from apigen.inputs.go.model import GoField, GoPackage, GoTypeDeclaration
from apigen.inputs.source import Setting, Source, names_below
from apigen.ir.surface import (
    Alias,
    Enum,
    Field,
    Group,
    ListOf,
    MapOf,
    Slot,
    Surface,
    TypeDef,
    TypeName,
    Unread,
    Version,
)


class _AtSources:
    """Moves the parts of a surface to their locations in Go packages; parts that only specs declare, such as lists, keep
    theirs. Parts that Go cannot declare and the import adds are removed: strategies and `typeMeta`.
    """

    def __init__(self, packages: Iterable[GoPackage]) -> None:
        self._types: dict[TypeName, GoTypeDeclaration] = {}
        self._versions: dict[tuple[str, str], Place] = {}
        for package in packages:
            for type_ in package.types:
                self._types.setdefault(TypeName(package.group, package.version, type_.go), type_)
                self._versions.setdefault((package.group, package.version), Place(type_.place.file))

    def surface(self, surface: Surface) -> Surface:
        """Return the surface with these locations."""
        return replace(surface, groups={name: self._group(group) for name, group in surface.groups.items()})

    def _group(self, group: Group) -> Group:
        versions = {name: self._version(version) for name, version in group.versions.items()}
        kinds = {name: replace(kind, strategy=None, type_meta=None) for name, kind in group.kinds.items()}
        places = [version.place for version in versions.values()]
        return replace(group, versions=versions, kinds=kinds, place=places[0] if places else group.place)

    def _version(self, version: Version) -> Version:
        types = {name: self._type(type_) for name, type_ in version.types.items()}
        kinds = {
            name: replace(kind, place=types[name].place if name in types else kind.place)
            for name, kind in version.kinds.items()
        }
        place = self._versions.get((version.group, version.name), version.place)
        return replace(version, types=types, kinds=kinds, place=place)

    def _type(self, type_: TypeDef) -> TypeDef:
        declaration = self._types.get(type_.name)
        if declaration is None:
            return type_
        if isinstance(type_, Enum):
            places = {str(constant.value): constant.place for constant in declaration.constants}
            values = {name: replace(value, place=places.get(name, value.place)) for name, value in type_.values.items()}
            return replace(type_, values=values, place=declaration.place)
        type_ = replace(type_, slot=_moved(type_.slot, declaration.place), place=declaration.place)
        if isinstance(type_, Alias):
            return type_
        own = {field.json or field.go: field for field in declaration.fields}
        return replace(type_, fields={name: _field(field, own.get(name)) for name, field in type_.fields.items()})


def _field(field: Field, found: GoField | None) -> Field:
    if found is None:
        return field
    return replace(field, place=found.place, slot=_moved(field.slot, found.place))


def _moved(slot: Slot, place: Place) -> Slot:
    """Return a slot whose parts are all located at a place: markers have no location of their own."""
    type_ = slot.type
    if isinstance(type_, ListOf):
        type_ = ListOf(_moved(type_.item, place))
    elif isinstance(type_, MapOf):
        type_ = MapOf(_moved(type_.key, place), _moved(type_.value, place))
    return replace(
        slot,
        type=type_,
        place=place,
        default=None if slot.default is None else replace(slot.default, place=place),
        constraints={keyword: replace(each, place=place) for keyword, each in slot.constraints.items()},
        rules=tuple(replace(each, place=place) for each in slot.rules),
    )


_OF_KUBERNETES = re.compile(r"k8s\.io/[\w.-]+@v0\.(\d+)\.\d+")
_SPECS = "specs"


class GoPackages(Source):
    """A folder of Go packages, as Kubernetes writes them: a module, or below one."""

    form = "go"
    title = "a folder of Go packages"
    around = (".go", "go.mod")

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Return whether a folder contains Go files, but no CustomResourceDefinitions: those describe the API more completely."""
        folder = setting.folder / argument
        return folder.is_dir() and _has_go(folder) and not has_own_definitions(folder)

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Import the packages. Errors: AG1407 without Go files, and those of imports. Elements that are not imported
        are in `unread`.
        """
        folder = setting.folder / argument
        if not folder.is_dir() or not _has_go(folder):
            report.error("AG1407", Place(argument), f"{quote(argument)} contains no Go packages")
            return None
        import tempfile

        with tempfile.TemporaryDirectory() as temporary:
            return _imported(folder, argument, Path(os.path.realpath(temporary)), report)


def _imported(folder: Path, argument: str, temporary: Path, report: Report) -> Surface | None:
    from apigen.inputs.go.importing import ImportedFile, ImportRequest, import_go
    from apigen.inputs.go.packages import read_packages
    from apigen.inputs.go.roots import root_of, with_modules
    from apigen.review.sources.api.reading import add_errors, read_specs

    own_report = Report()
    root = root_of(folder, own_report, display_path=argument)
    packages = () if root is None else read_packages(with_modules([root]), own_report)
    specs = temporary / _SPECS
    match = _OF_KUBERNETES.search(folder.as_posix())
    release = None if match is None else (1, int(match[1]))
    imported = None
    if not own_report.has_errors:
        imported = import_go(ImportRequest(packages, specs, argument, docs=True, release=release), own_report)
    if add_errors(own_report, report) or imported is None:
        return None
    files: Iterable[ImportedFile] = imported.files
    for file in files:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_bytes(file.after)
    surface = read_specs(specs, temporary, argument, GoPackages.form, report)
    if surface is None:
        return None
    left = (each for each in imported.findings if not each.is_harmless)
    unread = tuple(Unread(each.place, ": ".join(filter(None, (each.element, each.name, each.reason)))) for each in left)
    return replace(_AtSources(packages).surface(surface), unread=unread)


def _has_go(folder: Path) -> bool:
    return any(name.endswith(".go") for _, name in names_below(folder, lambda name: name.startswith(".")))
