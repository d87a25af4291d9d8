"""Names of groups, versions, kinds and resources, by the rules of Kubernetes.

kube-apiserver checks the names in a CustomResourceDefinition with the same rules (`ValidateCustomResourceDefinition` in
apiextensions-apiserver, DNS labels and subdomains in `k8s.io/apimachinery/pkg/util/validation`). Two rules differ. A group
needs no dot, because built-in groups have none (`apps`, and the empty name of the core group). The name of a version is
one that Kubernetes can rank: `v1`, `v2beta3`, `v1alpha1`.

The compiler, the importers and `apigen init` all check names here.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from apigen.diagnostics.quoting import LONGEST_QUOTE, quote
from apigen.ir.formats import FORMATS
from apigen.language.habits import VERSION_RULE, free_version, habitual_version

LONGEST_LABEL = 63
LONGEST_SUBDOMAIN = 253

_DNS_1035_LABEL = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")
_VERSION = re.compile(r"v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?")
_NOT_IN_LABELS = re.compile(r"[^a-z0-9]+")

_GROUP_RULE = "a group is a DNS subdomain: lowercase letters, digits, `-` and `.`, at most 253 characters"
_LABEL_RULE = "lowercase letters, digits and `-`, beginning with a letter, at most 63 characters"
_KIND_RULE = "letters, digits and `-`, beginning with a letter, at most 63 characters"


class NameProblem(NamedTuple):
    """The reason why a name is invalid (`message`, with the name), and the `fix`."""

    message: str
    fix: str


def group_problem(name: str) -> NameProblem | None:
    """Return why a name is not valid for a group, or None. The empty name is that of the core group."""
    if not name or FORMATS["k8s-long-name"](name):
        return None
    suggestion = ".".join(filter(None, map(_as_dns_part, name.split("."))))
    is_valid = suggestion and FORMATS["k8s-long-name"](suggestion)
    return _problem("group", name, _GROUP_RULE, suggestion if is_valid else None, "things.example.com")


def version_problem(name: str, taken: Container[str] = ()) -> NameProblem | None:
    """Return why a name is not valid for a version, or None. The fix suggests a version that is not `taken`."""
    if _is_version(name):
        return None
    return _problem("version", name, VERSION_RULE, habitual_version(name, taken), free_version("v1", taken))


def kind_problem(name: str) -> NameProblem | None:
    """Return why a name is not valid for a kind, or None: its lowercase form must be a DNS label."""
    return None if _is_label(name.lower()) and name.isascii() else _problem("kind", name, _KIND_RULE, None, "Widget")


def list_kind_problem(kind: str) -> NameProblem | None:
    """Return why the name of the generated list of a valid kind is not valid, or None."""
    name = f"{kind}List"
    if len(name) <= LONGEST_LABEL:
        return None
    message = f"the list kind {quote(name)} of {quote(kind)} is longer than {LONGEST_LABEL} characters"
    return NameProblem(message, "shorten the name of the kind, or declare `list: false`")


def resource_problem(use: str, name: str, example: str) -> NameProblem | None:
    """Return why a plural, singular, short name, category or subresource is not a DNS label, or None.

    `use` names the use of the name in the message; `example` is suggested if no valid name can be derived.
    """
    if _is_label(name):
        return None
    suggestion = _as_dns_part(name).lstrip("-0123456789")
    return _problem(use, name, f"a {use} is a DNS label: {_LABEL_RULE}", suggestion or None, example)


def definition_problem(plural: str, group: str) -> NameProblem | None:
    """Return why `plural.group`, the name of a CustomResourceDefinition, is not valid for two valid names, or None."""
    name = f"{plural}.{group}"
    if len(name) <= LONGEST_SUBDOMAIN:
        return None
    message = f"the resource name {quote(name)} (plural and group) is longer than {LONGEST_SUBDOMAIN} characters"
    return NameProblem(message, "shorten the plural or the group")


def _problem(use: str, name: str, rule: str, suggestion: str | None, example: str) -> NameProblem:
    found = quote(name) if name else "an empty string"
    if suggestion is None or len(suggestion) > LONGEST_QUOTE:
        return NameProblem(f"{found} is not a valid {use}: {rule}", f"write a name such as `{example}`")
    return NameProblem(f"{found} is not a valid {use}: {rule}", f"write `{suggestion}`")


def _as_dns_part(name: str) -> str:
    """The letters and digits of a name in lower case, with dashes between them, cut to the length of a label."""
    return _NOT_IN_LABELS.sub("-", name.lower()).strip("-")[:LONGEST_LABEL].rstrip("-")


def _is_label(name: str) -> bool:
    return len(name) <= LONGEST_LABEL and _DNS_1035_LABEL.fullmatch(name) is not None


def _is_version(name: str) -> bool:
    return len(name) <= LONGEST_LABEL and _VERSION.fullmatch(name) is not None
