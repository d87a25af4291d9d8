"""Go types as type expressions of the spec language, with the form of their JSON, which determines presence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cached_property

from apigen.dataclass import dataclass, field, replace
from apigen.inputs.go.model import GoKind, GoPackage, GoType, GoTypeDeclaration
from apigen.inputs.merging import Entries
from apigen.ir.formats import ANY_JSON
from apigen.ir.names import BUILTIN_TYPES, GENERATED_CLASS_NAMES
from apigen.ir.stability import version_rank
from apigen.language.model import ApiSpec, ListExpr, MapExpr, NamedExpr, TypeExpr, TypeForm, TypeSpec

META = "k8s.io/apimachinery/pkg/apis/meta/v1"
TYPE_METAS = (f"{META}.TypeMeta", "k8s.io/apimachinery/pkg/runtime.TypeMeta")
"""The structs with `kind` and `apiVersion`."""
WELL_KNOWN: Mapping[str, str] = {
    **{f"{META}.{name}": name for name in ("Time", "MicroTime", "Duration", "FieldsV1")},
    "k8s.io/apimachinery/pkg/api/resource.Quantity": "Quantity",
    "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "IntOrString",
    "k8s.io/apimachinery/pkg/runtime.RawExtension": "RawExtension",
    "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "RawExtension",
    "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON": "RawExtension",
    "encoding/json.RawMessage": "RawExtension",
}
"""Types of Go that the language has built in."""

_ANY_JSON = frozenset(name for name, known in WELL_KNOWN.items() if known == "RawExtension") - {
    "k8s.io/apimachinery/pkg/runtime.RawExtension"
}
"""The types of any JSON value; a RawExtension of Go is an object for controller-gen and the API server."""
OF_ANY_JSON: Entries = {"format": ANY_JSON}

SCALARS: Mapping[str, str] = {
    **{name: name for name in ("string", "bool", "int32", "int64", "uint32", "uint64", "float32", "float64")},
    "int": "int64",
    "uint": "uint64",
    "rune": "int32",
    "time.Duration": "int64",
}
"""Go's own types; those of unstated size have 64 bits, as Kubernetes' protobuf has them."""

_SMALL_INTEGERS = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint8": (0, 2**8 - 1),
    "byte": (0, 2**8 - 1),
    "uint16": (0, 2**16 - 1),
}
"""Go's integers that the language and protobuf have no types for, with their least and greatest values."""

_TEXT_IN_GO = {"encoding/json.RawMessage"}
"""Types of `WELL_KNOWN` that are bytes in Go: `omitempty` omits them if they are empty."""

_STRING_PACKAGE = "k8s.io/apimachinery/pkg/types"
_STRINGS = {"UID", "NodeName", "PatchType", "ClusterName"}
_MAP = re.compile(r"map\[([^\[\]]+)\](.*)", re.DOTALL)
_POINTER_ELEMENT = re.compile(r"\]\s*\*")
_OF_ELEMENTS = re.compile(r"\](\*?[A-Za-z][\w./-]*)")
_WRITTEN_AS_TEXT = {f"+kubebuilder:validation:Type={word}" for word in ("string", '"string"', "`string`")}
WELL_KNOWN_RAW = "RawExtension"
"""The type for any JSON value."""

_DOMAINLESS = ("core", "apps", "autoscaling", "batch", "extensions", "policy")
_FOLDERS = {
    "apiserverinternal": "internal.apiserver.k8s.io",
    "flowcontrol": "flowcontrol.apiserver.k8s.io",
    "rbac": "rbac.authorization.k8s.io",
}


class Base(Enum):
    """The form of a value for Go's JSON."""

    SCALAR = "scalar"
    LIST = "list"
    MAP = "map"
    STRUCT = "struct"


class Form(Enum):
    """The form of a value for constraints: that of its underlying type."""

    TEXT = "text"
    WHOLE = "an integer"
    FLOAT = "a number"
    FLAG = "a flag"
    BYTES = "bytes"
    LIST = "a list"
    MAP = "a map"
    STRUCT = "a struct"
    RAW = "raw JSON"
    OTHER = "a type of its own"


@dataclass(frozen=True, slots=True)
class ValueForm:
    """The form of a value, and of its elements."""

    form: Form
    item: ValueForm | None = None
    """The elements of a list, or the values of a map, whose keys are strings."""


_SCALAR_FORMS = {
    "string": Form.TEXT,
    "bool": Form.FLAG,
    "float32": Form.FLOAT,
    "float64": Form.FLOAT,
    "bytes": Form.BYTES,
}


_BASES = {
    Form.LIST: Base.LIST,
    Form.BYTES: Base.LIST,
    Form.MAP: Base.MAP,
    Form.STRUCT: Base.STRUCT,
    Form.OTHER: Base.STRUCT,
}
"""The form for Go's JSON of a type that specs declare, by its form for constraints; all others are scalars."""


class UntranslatableError(Exception):
    """A type that the spec language cannot express; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Translated:
    """A type expression, its forms, whether Go uses a pointer, and the constraints that the type implies."""

    expression: str
    base: Base
    value_form: ValueForm
    pointer: bool = False
    constraints: Entries = field(default_factory=dict)


def folder_name(group: str) -> str:
    """The folder of a group."""
    return {"": "core", "meta.k8s.io": "meta"}.get(group, group)


def has_pointer_elements(type_: GoType) -> bool:
    """Return whether the elements of a list or map are pointers: `null` in JSON, which the spec language does not
    support.
    """
    return _POINTER_ELEMENT.search(type_.resolved or type_.text) is not None


def _holding(prefix: str, element: Translated, base: Base, form: Form, word: str) -> Translated:
    """A list or map of elements."""
    constraints: Entries = {word: element.constraints} if element.constraints else {}
    expression = f"{prefix}{element.expression}"
    return Translated(expression, base, ValueForm(form, element.value_form), constraints=constraints)


def _scalar(name: str, constraints: Entries | None = None) -> Translated:
    """A scalar of the spec language."""
    form = ValueForm(_SCALAR_FORMS.get(name, Form.WHOLE))
    return Translated(name, Base.LIST if name == "bytes" else Base.SCALAR, form, constraints=constraints or {})


class Packages:
    """All packages, and the other groups of the specs, for looking up names."""

    def __init__(self, packages: tuple[GoPackage, ...], known: ApiSpec | None = None) -> None:
        self.packages = {package.path: package for package in packages}
        self.types = {(package.path, type_.go): type_ for package in packages for type_ in reversed(package.types)}
        self._known: dict[tuple[str, str], dict[str, TypeSpec]] = {}
        for group in () if known is None else known.groups:
            for file in group.version_files:
                self._known[group.folder, file.name] = {type_.name: type_ for type_ in file.types}
        self._imported = {(folder_name(each.group), each.version) for each in packages if not each.referred}
        self.unnamed: dict[str, dict[str, Translated]] = {}
        """Nested lists and maps without a name in Go: by package, then by their name in specs."""
        self.enums: dict[str, dict[str, tuple[str, ...]]] = {}
        """Inline enums of fields: by package, then by their name in specs."""
        self._open: set[tuple[str, str]] = set()
        """The named types whose elements are being translated."""

    def name_of(self, package: GoPackage) -> str:
        """Return the name of a version in specs: `apps/v1`."""
        return f"{folder_name(package.group)}/{package.version}"

    def resolve(self, type_: GoType, package: GoPackage) -> tuple[GoTypeDeclaration, GoPackage] | None:
        """Return the declaration of a named type, with or without pointer; None if it was not read."""
        key = self.split(type_.resolved.lstrip("*"), package)
        return (self.types[key], self.packages[key[0]]) if key in self.types else None

    def struct(
        self, type_: GoType, package: GoPackage, *, of_elements: bool = False
    ) -> tuple[GoTypeDeclaration, GoPackage] | None:
        """Return the struct that a name, with or without pointer, resolves to through aliases, or that of the elements
        of a list; None if it was not read.
        """
        for _ in range(20):
            text = type_.resolved.lstrip("*")
            text = text.removeprefix("[]").lstrip("*") if of_elements else text
            found = self.resolve(GoType(text, text), package)
            if found is None or found[0].underlying is None:
                return found if found is not None and found[0].kind is GoKind.STRUCT else None
            type_, package = found[0].underlying, found[1]
        return None

    def translate(self, type_: GoType, package: GoPackage) -> Translated:
        """A type as an expression. Raises UntranslatableError."""
        text = (type_.resolved or type_.text).strip()
        if text.startswith("*"):
            inner = self._translate(text[1:], package)
            return replace(inner, pointer=True)
        return self._translate(text, package)

    def _translate(self, text: str, package: GoPackage) -> Translated:
        text = text.strip()
        if text in ("[]byte", "[]uint8"):
            return _scalar("bytes")
        if text.startswith("[]"):
            return _holding("[]", self._element(text[2:], package), Base.LIST, Form.LIST, "items")
        mapping = _MAP.fullmatch(text)
        if mapping:
            key = self._map_key(mapping[1], package)
            return _holding(f"map[{key}]", self._element(mapping[2], package), Base.MAP, Form.MAP, "values")
        if text in SCALARS:
            return _scalar(SCALARS[text])
        if text in _SMALL_INTEGERS:
            least, most = _SMALL_INTEGERS[text]
            return _scalar("int32", {"minimum": least, "maximum": most})
        if text.startswith("*"):
            raise UntranslatableError("a pointer to a pointer")
        if text.startswith("["):
            raise UntranslatableError("an array of fixed length")
        if text in ("any", "interface{}") or text.startswith(("interface", "struct", "func", "chan", "<-")):
            raise UntranslatableError(f"`{text.split('{')[0].strip()}` can be anything")
        if "[" in text:
            raise UntranslatableError("a generic type")
        return self._named(text, package)

    def _element(self, text: str, package: GoPackage) -> Translated:
        """The elements of a list or map. Lists and maps among them need a name: protobuf nests none."""
        element = self._translate(text.strip().removeprefix("*"), package)
        expression = element.expression
        if not expression.startswith(("[]", "map[")):
            return element
        of = expression.removeprefix("[]") if expression.startswith("[]") else expression.partition("]")[2]
        of = of.rpartition(".")[2]
        name = f"{of[:1].upper()}{of[1:]}{'Items' if expression.startswith('[]') else 'Entries'}"
        name = self.name_in_specs(name, package.path, is_declared=False)
        self.unnamed.setdefault(package.path, {})[name] = element
        return Translated(name, element.base, element.value_form)

    def add_enum(self, name: str, values: Sequence[str], package: GoPackage) -> str:
        """Add an enum for the values of a field, and return its name in specs."""
        known = self.enums.setdefault(package.path, {})
        name = self.name_in_specs(name, package.path, is_declared=False)
        while known.setdefault(name, tuple(values)) != tuple(values):
            name = self.name_in_specs(f"{name}Type", package.path, is_declared=False)
        return name

    def is_element(self, declared: GoTypeDeclaration, package: GoPackage) -> bool:
        """Return whether a type is used for elements of a list or map, in which Go encodes an empty value as `null`."""
        return (package.path, declared.go) in self._elements

    @cached_property
    def _elements(self) -> set[tuple[str, str]]:
        return {
            self.split(name.lstrip("*"), package)
            for package in self.packages.values()
            for declared in package.types
            for type_ in declared.used_types
            for name in _OF_ELEMENTS.findall(type_.resolved)
        }

    def _map_key(self, text: str, package: GoPackage) -> str:
        path, name = self.split(text, package)
        if "." in text and path not in self.packages and self._spec_of(path, name) is None and path != _STRING_PACKAGE:
            return "string"  # JSON has no other keys, whatever their type is called
        key = self._translate(text, package)
        if key.expression != "string" and not self._is_text(text, package):
            raise UntranslatableError(f"a map with keys of type `{text}`; keys must be strings")
        return key.expression

    def _is_text(self, text: str, package: GoPackage) -> bool:
        found = self.resolve(GoType(text, text), package)
        if found is None:
            spec = self._spec_of(*self.split(text, package))
            return spec is not None and (spec.form is TypeForm.ENUM or _is_name_of_text(spec))
        for _ in range(20):
            if found is None or found[0].underlying is None:
                return False
            if found[0].underlying.resolved == "string":
                return True
            found = self.resolve(found[0].underlying, found[1])
        return False

    def _named(self, text: str, package: GoPackage) -> Translated:
        path, name = self.split(text, package)
        full = f"{path}.{name}"
        if full in WELL_KNOWN:
            base = Base.SCALAR if full in _TEXT_IN_GO else Base.STRUCT
            form = ValueForm(Form.RAW if WELL_KNOWN[full] == WELL_KNOWN_RAW else Form.OTHER)
            return Translated(WELL_KNOWN[full], base, form, constraints=OF_ANY_JSON if full in _ANY_JSON else {})
        if full in TYPE_METAS:
            raise UntranslatableError("every kind has it, and no other type can")
        if (path, name) in self.types:
            return self._declared(self.types[path, name], self.packages[path], package)
        if path == _STRING_PACKAGE and name in _STRINGS:
            return _scalar("string")
        return self._from_specs(path, name)

    def _declared(self, declared: GoTypeDeclaration, owner: GoPackage, package: GoPackage) -> Translated:
        """Return a type of the package `owner` in an expression of `package`. Raises UntranslatableError."""
        base, form = self._forms(declared, owner)
        name = declared.go
        if not self.has_spec(owner, name):
            own = self.own_form(declared, owner)
            if own is not None:
                return Translated(own, base, form, constraints=OF_ANY_JSON if own == WELL_KNOWN_RAW else {})
            if declared.underlying is None:
                raise UntranslatableError(f"`{name}` of `{owner.path}`, which is not a version of an imported group")
            return self._translate(declared.underlying.resolved, owner)
        if not name[:1].isupper():
            raise UntranslatableError(f"`{name}`, which is not exported")
        spec_name = self.name_in_specs(name, owner.path)
        return Translated(spec_name if owner is package else f"{self.name_of(owner)}.{spec_name}", base, form)

    def _forms(self, declared: GoTypeDeclaration, owner: GoPackage) -> tuple[Base, ValueForm]:
        """Return the forms of a declared type: for Go's JSON, and for constraints. Raises UntranslatableError."""
        base = Base.STRUCT if declared.kind is GoKind.STRUCT else Base.SCALAR
        own = self.own_form(declared, owner)
        if own is not None:
            is_raw = own == WELL_KNOWN_RAW and not self.has_spec(owner, declared.go)
            return base, ValueForm(Form.TEXT if own == "string" else Form.RAW if is_raw else Form.OTHER)
        if declared.kind is GoKind.STRUCT:
            return base, ValueForm(Form.STRUCT)
        if declared.kind in (GoKind.INTERFACE, GoKind.FUNC) or declared.underlying is None:
            raise UntranslatableError(f"`{declared.go}` can be anything")
        key = (owner.path, declared.go)
        if key in self._open:
            raise UntranslatableError(f"`{declared.go}` contains itself, which only a struct can do")
        self._open.add(key)
        try:
            found = self.resolve(declared.underlying, owner)
            if found is not None and f"{found[1].path}.{found[0].go}" not in WELL_KNOWN:
                return self._forms(*found)
            translated = self._translate(declared.underlying.resolved.lstrip("*"), owner)
            return translated.base, translated.value_form
        finally:
            self._open.remove(key)

    def values_in_specs(self, type_: GoType, package: GoPackage) -> tuple[str, ...]:
        """Return the values of an enum that specs declare and that accepts no others; empty for other types."""
        spec = self._spec_of(*self.split(type_.resolved.lstrip("*"), package))
        return () if spec is None or spec.open else tuple(value.name for value in spec.values)

    def _spec_of(self, path: str, name: str) -> TypeSpec | None:
        """Return the spec of a type whose package was not read; None if specs do not declare it."""
        module, _, version = path.rpartition("/")
        return self._known.get((_folder_of(module), version), {}).get(name)

    def _from_specs(self, path: str, name: str) -> Translated:
        module, _, version = path.rpartition("/")
        folder, spec = _folder_of(module), self._spec_of(path, name)
        if spec is None:
            if path and path not in self.packages:
                how = "; pass its module with `--module`" if "." in path.partition("/")[0] else ""
                raise UntranslatableError(f"`{name}` of the package `{path}`, which was not read{how}")
            raise UntranslatableError(f"`{name}`, which is not declared")
        form = self._form_by_spec(spec, folder, version, 0)
        return Translated(f"{folder}/{version}.{name}", _BASES.get(form.form, Base.SCALAR), form)

    def _form_by_spec(self, spec: TypeSpec, folder: str, version: str, depth: int) -> ValueForm:
        if spec.form is not TypeForm.ALIAS or spec.alias is None:
            return ValueForm(Form.TEXT if spec.form is TypeForm.ENUM else Form.STRUCT)
        return self._form_by_expression(spec.alias, folder, version, depth)

    def _form_by_expression(self, expression: TypeExpr, folder: str, version: str, depth: int) -> ValueForm:
        if isinstance(expression, ListExpr):
            return ValueForm(Form.LIST, self._form_by_expression(expression.item, folder, version, depth + 1))
        if isinstance(expression, MapExpr):
            item = self._form_by_expression(expression.value, folder, version, depth + 1)
            return ValueForm(Form.MAP, item)
        if expression.group is None and (expression.name in SCALARS or expression.name == "bytes"):
            return ValueForm(_SCALAR_FORMS.get(expression.name, Form.WHOLE))
        folder, version = expression.group or folder, expression.version or version
        spec = self._known.get((folder, version), {}).get(expression.name)
        return (
            ValueForm(Form.OTHER)
            if spec is None or depth > 20
            else self._form_by_spec(spec, folder, version, depth + 1)
        )

    def name_in_specs(self, name: str, path: str, *, is_declared: bool = True) -> str:
        """Return the name of a type in specs: as in Go, unless the language or generated modules reserve that name."""
        found = name
        first = name if is_declared else None
        while (
            found in BUILTIN_TYPES or found in GENERATED_CLASS_NAMES or (found != first and (path, found) in self.types)
        ):
            found += "Type"
        return found

    def own_form(self, declared: GoTypeDeclaration, owner: GoPackage, depth: int = 0) -> str | None:
        """Return the spec type for a type with its own JSON methods; None if its fields or its underlying type define
        its JSON.

        Methods of an embedded type count as its own, unless another embedded type has JSON methods, too. A struct that is
        only read by code is written by its fields, which is also how controller-gen describes it.
        """
        if declared.root or declared.kind is GoKind.ALIAS or depth > 20:
            return None
        if "UnmarshalJSON" in declared.json_methods or "UnmarshalText" in declared.json_methods:
            is_text = "UnmarshalJSON" not in declared.json_methods
            is_text |= any(marker.text in _WRITTEN_AS_TEXT for marker in declared.markers)
            is_text |= self._marked_as_text.get((owner.path, declared.go), False)
            if is_text or self._is_text(declared.go, owner):
                return "string"
            return None if _is_written_by_fields(declared) else WELL_KNOWN_RAW
        forms = [self._form_of(field.type, owner, depth) for field in declared.fields if field.embedded]
        own_forms = [form for form in forms if form is not None]
        return own_forms[0] if len(own_forms) == 1 and not declared.json_methods else None

    @cached_property
    def _marked_as_text(self) -> dict[tuple[str, str], bool]:
        """The types of fields, and whether markers of all these fields declare that they are strings in JSON."""
        marked: dict[tuple[str, str], bool] = {}
        for package in self.packages.values():
            for one in (one for declared in package.types for one in declared.fields):
                key = self.split(one.type.resolved.lstrip("*"), package)
                is_marked = any(marker.text in _WRITTEN_AS_TEXT for marker in one.markers)
                marked[key] = marked.get(key, True) and is_marked
        return marked

    def _form_of(self, type_: GoType, owner: GoPackage, depth: int) -> str | None:
        well_known = WELL_KNOWN.get(type_.resolved.lstrip("*"))
        if well_known is not None:
            return well_known
        found = self.resolve(type_, owner)
        return None if found is None else self.own_form(found[0], found[1], depth + 1)

    def has_spec(self, package: GoPackage, name: str) -> bool:
        """Return whether specs have the types of a package: it is a version of an imported group, or of one that specs
        declare.
        """
        version = (folder_name(package.group), package.version)
        is_known = version not in self._imported and self.name_in_specs(name, package.path) in self._known.get(
            version, {}
        )
        return is_version_of_group(package) and (not package.referred or is_known)

    def split(self, text: str, package: GoPackage) -> tuple[str, str]:
        """Return the import path and the name of a named type; the path is empty for the same package."""
        slash = text.rfind("/")
        dot = text.find(".", slash + 1) if slash < 0 else text.rfind(".")
        return (package.path, text) if dot < 0 else (text[:dot], text[dot + 1 :])


def _is_written_by_fields(declared: GoTypeDeclaration) -> bool:
    has_fields = any(field.has_json_tag and not field.json_skip for field in declared.fields)
    return has_fields and not any(method.startswith("Marshal") for method in declared.json_methods)


def _is_name_of_text(spec: TypeSpec) -> bool:
    return isinstance(spec.alias, NamedExpr) and spec.alias.group is None and spec.alias.name == "string"


def has_group(package: GoPackage) -> bool:
    """Return whether a package declares its group; the core group is the empty string."""
    names = {"GroupName", "+groupName"}
    names_declared = {constant.go for constant in package.constants} | {marker.name for marker in package.markers}
    return bool(package.group) or not names.isdisjoint(names_declared)


def is_version(text: str) -> bool:
    """Return whether a package is a version of an API by its name."""
    return version_rank(text) is not None


def is_version_of_group(package: GoPackage) -> bool:
    """Return whether a package is a version of an API by its name, and declares its group."""
    return is_version(package.version) and has_group(package)


def _folder_of(module: str) -> str:
    """The folder of a package of Kubernetes that was not read, by the path above its version; empty for others."""
    if module == META.rpartition("/")[0]:
        return "meta"
    name = module.removeprefix("k8s.io/api/")
    if name == module or "/" in name:
        return ""
    return name if name in _DOMAINLESS else _FOLDERS.get(name, f"{name}.k8s.io")
