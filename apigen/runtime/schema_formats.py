"""The formats of strings in the schemas of CRDs, as kube-apiserver checks them.

The results are those of `pkg/validation/strfmt` of kube-openapi (`tests/runtime/structural` compares them), except that
e-mail addresses with comments, groups or encoded words are not decoded. Each check takes linear time.
"""

from __future__ import annotations

import ipaddress
import re
from datetime import date
from functools import partial

from .patterns import matches
from .times import Duration

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_HEX: Final = "[0-9a-fA-F]"
_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SPACE: Final = r"[\t\n\f\r ]"
_OF_COLOR: Final = rf"{_SPACE}*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5]){_SPACE}*"


def _uuid(third: str, fourth: str) -> str:
    return f"{_HEX}{{8}}-?{_HEX}{{4}}-?{third}{_HEX}{{3}}-?{fourth}{_HEX}{{3}}-?{_HEX}{{12}}"


PATTERNS: Final = {
    "bsonobjectid": f"{_HEX}{{24}}",
    "byte": "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})",
    "creditcard": (
        r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
        r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}"
    ),
    "hexcolor": f"#?({_HEX}{{3}}|{_HEX}{{6}})",
    "isbn10": "[0-9]{9}[0-9X]",
    "isbn13": "[0-9]{13}",
    "k8slongname": rf"{_LABEL}(\.{_LABEL})*",
    "k8sshortname": _LABEL,
    "mac": "|".join(
        f"{group}(?:{separator}{group}){{{count - 1}}}"
        for group, separator, counts in (
            (f"{_HEX}{{2}}", ":", (6, 8, 20)),
            (f"{_HEX}{{2}}", "-", (6, 8, 20)),
            (f"{_HEX}{{4}}", "[.]", (3, 4, 10)),
        )
        for count in counts
    ),
    "rgbcolor": rf"rgb\({_OF_COLOR},{_OF_COLOR},{_OF_COLOR}\)",
    "ssn": "[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}",
    "uuid": _uuid(_HEX, _HEX),
    "uuid3": _uuid("3", _HEX),
    "uuid4": _uuid("4", "[89abAB]"),
    "uuid5": _uuid("5", "[89abAB]"),
    # the parts of a URI
    "path": r"(?:[^%]|%[0-9a-fA-F]{2})*",
    "user": r"(?:[\w.:~!$&'()*+,;=@-]|%[0-9a-fA-F]{2})*",
    "host": r"(?:[A-Za-z0-9_.~!$&'()*+,;=:\]<>\"-]|[^\x00-\x7f]|%25|%[89a-fA-F][0-9a-fA-F])*",
    "port": "(?::[0-9]*)?",
}


def _fits(name: str, text: str) -> bool:
    return re.fullmatch(PATTERNS[name], text, re.ASCII) is not None


def _is_date(text: str) -> bool:
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text, re.ASCII)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    try:
        date(year or 2000, month, day)  # Go has a year 0, a leap year
    except ValueError:
        return False
    return True


_TIME: Final = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})"


def _is_date_time(text: str) -> bool:
    parts = text.lower().split("t", 2)
    found = re.fullmatch(_TIME, parts[1]) if len(parts) > 1 else None
    if found is None or not _is_date(parts[0]):
        return False
    return found[1] <= "23" and found[2] <= "59" and found[3] <= "59"


_SPAN: Final = rf"(?<!\d)(\d+){_SPACE}*([A-Za-zµ]+)"
_UNITS: Final = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")
_SHORT_UNITS: Final = frozenset(
    {"ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"}
)


def _is_duration(text: str) -> bool:
    try:
        Duration.parse(text)
    except ValueError:
        spans = re.findall(_SPAN, text, re.ASCII)
        fit = all(
            len(each) < 19 or (len(each) == 19 and int(each) < 2**63)
            for each in (number.lstrip("0") for number, _ in spans)
        )
        units = (unit.lower() for _, unit in spans)
        return fit and any(
            each in _SHORT_UNITS or each.startswith(_UNITS) for each in units
        )
    return True


_ZEROS: Final = r"(?<![0-9a-fA-F])0+(?=[0-9]{1,3}(\.|$))"


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address; its decimal numbers may have leading zeros."""
    try:
        found = ipaddress.ip_address(re.sub(_ZEROS, "", text) if "." in text else text)
    except ValueError:
        return None
    return None if "%" in text else found


def _is_ipv4(text: str) -> bool:
    return "." in text and _address(text) is not None


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text


def _is_ipv6(text: str) -> bool:
    return ":" in text and _is_ip(text)


def _is_cidr(text: str) -> bool:
    written, slash, bits = text.partition("/")
    address = _address(written) if slash else None
    if address is None or re.fullmatch("[0-9]+", bits) is None:
        return False
    number = bits.lstrip("0")
    return len(number) <= 3 and int(number or "0") <= address.max_prefixlen


_HOSTNAME: Final = (
    r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)"
    r"|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$"
)


def _is_hostname(text: str) -> bool:
    encoded = text.encode("utf-8", "surrogatepass")
    return (
        len(encoded) <= 255
        and all(len(part) <= 63 for part in encoded.split(b"."))
        and matches(_HOSTNAME, text)
    )


_CONTROL: Final = r"[\x00-\x1f\x7f]"
_SCHEME: Final = r"[a-zA-Z][a-zA-Z0-9+.-]*:"


def _is_uri(text: str) -> bool:
    """Return whether a string is an absolute URI, or an absolute path (`url.ParseRequestURI` of Go)."""
    if re.search(_CONTROL, text) is not None:
        return False
    scheme = re.match(_SCHEME, text)
    rest = text[scheme.end() if scheme else 0 :].partition("?")[0]
    if not rest.startswith("/"):
        return scheme is not None or text == "*"
    if scheme is None or not rest.startswith("//"):
        return _fits("path", rest)
    authority, _, path = rest[2:].partition("/")
    user, _, host = authority.rpartition("@")
    is_strict = scheme[0].lower() in ("http:", "https:")
    return _fits("user", user) and _is_host(host, is_strict) and _fits("path", path)


def _is_host(text: str, is_strict: bool) -> bool:
    if text.startswith("["):
        address, bracket, port = text[1:].rpartition("]")
        address, _, _ = address.partition("%25")
        return bool(bracket) and _fits("port", port) and _is_ipv6(address)
    _, colon, port = text.partition(":") if is_strict else text.rpartition(":")
    return _fits("host", text) and _fits("port", colon + port if colon else "")


_ATOM: Final = "!#-'*+/-9=?A-Z^-~\\x80-\U0010ffff-"
_QUOTED: Final = r'"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[\t -~])*"'
_DOTTED: Final = rf"[{_ATOM}]+(?:\.[{_ATOM}]+)*"
_SPEC: Final = rf'(?!"")(?:{_DOTTED}|{_QUOTED})@[ \t]*(?:{_DOTTED}|\[([^\]]*)\])'
_EMAIL: Final = rf"(?:[ \t]*{_SPEC}|(?:[{_ATOM}. \t]|{_QUOTED})*<[ \t]*{_SPEC}>)[ \t]*"


def _is_email(text: str) -> bool:
    found = re.fullmatch(_EMAIL, text)
    if found is None:
        return False
    address = found[1] or found[2]
    return address is None or _is_ip(address)


def _is_credit_card(text: str) -> bool:
    digits = re.sub("[^0-9]", "", text)
    doubled = (
        int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(digits))
    )
    return (
        _fits("creditcard", digits)
        and sum(each // 10 + each % 10 for each in doubled) % 10 == 0
    )


_SEPARATORS: Final = rf"(?:{_SPACE}|-)+"


def _is_isbn10(text: str) -> bool:
    digits = re.sub(_SEPARATORS, "", text)
    values = (10 if digit == "X" else int(digit) for digit in digits)
    return _fits("isbn10", digits) and not (
        sum(index * value for index, value in enumerate(values, 1)) % 11
    )


def _is_isbn13(text: str) -> bool:
    digits = re.sub(_SEPARATORS, "", text)
    return _fits("isbn13", digits) and not (
        sum(int(digit) * (1 + index % 2 * 2) for index, digit in enumerate(digits)) % 10
    )


FORMATS: Final[dict[str, Callable[[str], bool]]] = {
    **{
        name: partial(_fits, name)
        for name in ("bsonobjectid", "byte", "hexcolor", "mac", "rgbcolor", "ssn")
    },
    **{name: partial(_fits, name) for name in ("uuid", "uuid3", "uuid4", "uuid5")},
    "cidr": _is_cidr,
    "creditcard": _is_credit_card,
    "date": _is_date,
    "datetime": _is_date_time,
    "duration": _is_duration,
    "email": _is_email,
    "hostname": _is_hostname,
    "ipv4": _is_ipv4,
    "ipv6": _is_ipv6,
    "isbn": lambda text: _is_isbn10(text) or _is_isbn13(text),
    "isbn10": _is_isbn10,
    "isbn13": _is_isbn13,
    "k8slongname": lambda text: len(text) <= 253 and _fits("k8slongname", text),
    "k8sshortname": lambda text: len(text) <= 63 and _fits("k8sshortname", text),
    "uri": _is_uri,
}
"""By the name of a format without hyphens, whether a string has it."""


def check_of(format_: object) -> Callable[[str], bool] | None:
    """Return the check of a format by its name in a schema; None if the server does not validate it."""
    return FORMATS.get(format_.replace("-", "")) if isinstance(format_, str) else None
