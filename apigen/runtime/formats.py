"""The text formats of Kubernetes' declarative validation (`k8s-short-name`, `k8s-uuid`, …), with its words.

Each public function validates the value at a path and yields its errors. Lengths count bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .field_paths import FieldPath
from .raw import RawExtension
from .validation import FieldError, invalid, required, too_long

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = f"({_NAME})?"
_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_LABEL_WORDS = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
    "and must start and end with an alphanumeric character"
)
_LETTER_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?"
_LETTER_LABEL_WORDS = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
    "start with an alphabetic character, and end with an alphanumeric character"
)
_SUBDOMAIN_WORDS = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character"
)
_CASELESS_WORDS = (
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character"
)
_NAME_WORDS = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
_VALUE_WORDS = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character"
)
_IDENTIFIER_WORDS = (
    "a valid C identifier must start with alphabetic character or '_', "
    "followed by a string of alphanumeric characters or '_'"
)


def k8s_short_name(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A DNS label: at most 63 lower case letters, digits and dashes."""
    has_dots = re.fullmatch(_SUBDOMAIN, value) is not None
    words = _pattern_words(_LABEL_WORDS, _LABEL, "my-name", "123-abc")
    words = "must not contain dots" if has_dots else words
    yield from _invalid(
        path, value, _unfit(value, 63, re.fullmatch(_LABEL, value), words)
    )


def dns_1035_label(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A DNS label that starts with a letter."""
    words = _pattern_words(_LETTER_LABEL_WORDS, _LETTER_LABEL, "my-name", "abc-123")
    problems = _unfit(value, 63, re.fullmatch(_LETTER_LABEL, value), words)
    yield from _invalid(path, value, problems)


def k8s_long_name(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A DNS subdomain: labels joined by dots, at most 253 long."""
    yield from _invalid(path, value, _subdomain(value))


def k8s_long_name_caseless(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A DNS subdomain that may have capitals."""
    words = _pattern_words(_CASELESS_WORDS, _SUBDOMAIN, "Example.com")
    found = re.fullmatch(_SUBDOMAIN, value, re.IGNORECASE | re.ASCII)
    yield from _invalid(path, value, _unfit(value, 253, found, words))


def k8s_label_key(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A label's key: a name, with a DNS subdomain and a slash before it or not."""
    yield from _invalid(path, value, _label_key(value))


def k8s_prefixed_label_key(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A label's key with a DNS subdomain before it."""
    wrong = list(_label_key(value))
    if not wrong and "/" not in value:
        wrong.append("must include a prefix (e.g. 'example.com/key')")
    yield from _invalid(path, value, wrong)


def k8s_label_value(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A label's value, which may be empty."""
    words = _pattern_words(_VALUE_WORDS, _VALUE, "MyValue", "my_value", "12345")
    yield from _invalid(
        path, value, _unfit(value, 63, re.fullmatch(_VALUE, value), words)
    )


def k8s_path_segment_name(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A name that can be one segment of a URL's path."""
    if value in (".", ".."):
        yield _malformed(path, value, f"may not be '{value}'")
    yield from (
        _malformed(path, value, f"may not contain '{part}'")
        for part in ("/", "%")
        if part in value
    )


def k8s_uuid(path: FieldPath, value: str) -> Iterator[FieldError]:
    """A UUID in lower case."""
    if not re.fullmatch(_UUID, value):
        yield _malformed(path, value, "must be a lowercase UUID in 8-4-4-4-12 format")


def k8s_resource_pool_name(path: FieldPath, value: str) -> Iterator[FieldError]:
    """DNS subdomains joined by slashes."""
    if _bytes(value) > 253:
        yield too_long(path, 253)
    for index, part in enumerate(value.split("/")):
        if not part:
            yield _malformed(path, value, f"segment {index}: must not be empty")
        else:
            yield from _invalid(
                path, part, (f"segment {index}: {words}" for words in _subdomain(part))
            )


def k8s_extended_resource_name(path: FieldPath, value: str) -> Iterator[FieldError]:
    """The name of a resource with a domain other than the native one."""
    if "/" not in value:
        yield _malformed(
            path,
            value,
            "a name must be a domain-prefixed path, such as 'example.com/my-prop'",
        )
    elif "kubernetes.io/" in value:
        yield _malformed(path, value, 'must not have "kubernetes.io/" domain')
    if value.startswith("requests."):
        yield _malformed(path, value, 'must not have "requests." prefix')
    yield from _invalid(path, value, _label_key(f"requests.{value}"))


def k8s_resource_fully_qualified_name(
    path: FieldPath, value: str
) -> Iterator[FieldError]:
    """A domain and a C identifier of at most 32 characters, joined by a slash (several slashes are accepted, as in
    Kubernetes).
    """
    match value.split("/"):
        case [name]:
            yield from _identifier(path, name)
        case ["", name]:
            yield _malformed(path, "", "prefix must not be empty")
            yield from _qualified(path, name)
        case [domain, name]:
            if _bytes(domain) > 63:
                yield too_long(path, 63)
            yield from _invalid(
                path, domain, (f"prefix: {words}" for words in _subdomain(domain))
            )
            yield from _qualified(path, name)
    if "/" not in value:
        yield _malformed(
            path,
            value,
            "a fully qualified name must be a domain and a name separated by a slash",
        )


def embedded_resource(path: FieldPath, value: RawExtension) -> Iterator[FieldError]:
    """A Kubernetes object as JSON: it has `apiVersion` and `kind`, and its metadata is an object."""
    found = value.value()
    if not isinstance(found, dict):
        yield _malformed(path, None, "must be an object")
        return
    for name in ("apiVersion", "kind"):
        if not isinstance(found.get(name), str) or not found[name]:
            yield required(path.child(name))
    if not isinstance(found.get("metadata", {}), dict):
        yield _malformed(path.child("metadata"), None, "must be an object")


def _qualified(path: FieldPath, name: str) -> Iterator[FieldError]:
    if name:
        yield from _identifier(path, name)
    else:
        yield _malformed(path, "", "name must not be empty")


def _identifier(path: FieldPath, name: str) -> Iterator[FieldError]:
    if _bytes(name) > 32:
        yield too_long(path, 32)
    if not re.fullmatch(_IDENTIFIER, name):
        words = _pattern_words(
            _IDENTIFIER_WORDS, _IDENTIFIER, "my_name", "MY_NAME", "MyName"
        )
        yield _malformed(path, name, words)


def _subdomain(value: str) -> Iterator[str]:
    words = _pattern_words(_SUBDOMAIN_WORDS, _SUBDOMAIN, "example.com")
    return _unfit(value, 253, re.fullmatch(_SUBDOMAIN, value), words)


def _label_key(value: str) -> Iterator[str]:
    prefix, slash, name = value.rpartition("/")
    if "/" in prefix:
        yield f"a valid label key {_name_words()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return
    if slash and not prefix:
        yield "prefix part must be non-empty"
    elif slash:
        yield from (f"prefix part {words}" for words in _subdomain(prefix))
    if not name:
        yield "name part must be non-empty"
    problems = _unfit(name, 63, re.fullmatch(_NAME, name), _name_words())
    yield from (f"name part {problem}" for problem in problems)


def _unfit(
    value: str, limit: int, match: re.Match[str] | None, words: str
) -> Iterator[str]:
    """Yield the problems of a text of at most so many bytes; `words` describe the pattern if it does not match."""
    if _bytes(value) > limit:
        yield f"must be no more than {limit} bytes"
    if match is None:
        yield words


def _malformed(path: FieldPath, value: str | None, detail: str) -> FieldError:
    return invalid(path, value, detail, "format")


def _invalid(
    path: FieldPath, value: str, problems: Iterable[str]
) -> Iterator[FieldError]:
    return (_malformed(path, value, problem) for problem in problems)


def _bytes(value: str) -> int:
    return len(value.encode(errors="surrogatepass"))


def _name_words() -> str:
    return _pattern_words(_NAME_WORDS, _NAME, "MyName", "my.name", "123-abc")


def _pattern_words(words: str, pattern: str, *examples: str) -> str:
    example_words = " or ".join(f"'{example}', " for example in examples)
    return f"{words} (e.g. {example_words}regex used for validation is '{pattern}')"
