"""Work of a given size for each loop of the runtime, made to be slow: `CASES[name](n)` prepares it and returns it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from apigen.runtime import field_paths, formats, pairing, quantity, selectors, times, validation
from apigen.runtime import wire as envelopes
from apigen.runtime import wire_reading as wire
from apigen.runtime.cel_functions import _FORMATS, _OVERLOADS, Amount
from apigen.runtime.conversion import is_decimal, parse_int64
from apigen.runtime.equality import semantic_equal
from apigen.runtime.errors import DecodeError
from apigen.runtime.json_reader import ExactParser, parse_json
from apigen.runtime.json_values import (
    UnknownMembers,
    decode_bytes,
    decode_float32,
    decode_float64,
    decode_int32,
    decode_quantity,
)
from apigen.runtime.json_writer import json_bytes, json_text
from apigen.runtime.rules import escaped, path_steps
from apigen.runtime.schema_formats import FORMATS
from apigen.runtime.wire import delimited, encode_varint
from apigen.runtime.yaml_reader import is_plain_string, parse_yaml, plain_value
from apigen.runtime.yaml_writer import sorted_keys, yaml_text

Work = Callable[[], object]
Case = Callable[[int], Work]

RAW = frozenset({"raw"})


def _of_texts(read: Callable[[str], object], texts: Callable[[int], list[str]]) -> Case:
    """Read each of some texts of size n, valid or not."""

    def prepared(n: int) -> Work:
        made = texts(n)

        def work() -> None:
            for text in made:
                with suppress(ValueError):
                    read(text)

        return work

    return prepared


def _of_value(made: Callable[[int], object], read: Callable[..., object]) -> Case:
    def prepared(n: int) -> Work:
        value = made(n)

        def work() -> None:
            with suppress(ValueError):
                read(value)

        return work

    return prepared


def numbers(n: int) -> list[str]:
    """Texts that start like a number."""
    some = ["0", "1", "9", "12", "10", "1.", "0.", ".", "-", "+", "e", "E", "1e", "_", "0x1", "0b1", ":", "1:", " "]
    texts = [part * n for part in some]
    texts += [
        f"{text}{end}" for text in ("0" * n, "1" * n, "1" + "0" * n) for end in ("q", "m", "Ki", "Ei", "E", "e3", "e-9")
    ]
    texts += [
        f"{head}{digit * n}{end}"
        for head in ("0.", "1.", "9.", "-.")
        for digit in "0139"
        for end in ("", "1", "Ki", "Ei", "n", "x")
    ]
    texts += [f"1e{sign}{digit * n}{end}" for sign in ("", "-", "+") for digit in "09" for end in ("", "3", "x")]
    return texts + ["0x" + "f" * n, "0o" + "7" * n, "0b" + "1" * n, "0b+" * n, "0" + "7" * n, "." + "1_" * n, "1_" * n]


def moments(n: int) -> list[str]:
    """Texts that start like a time or a duration."""
    second = "2001-02-03T04:05:06"
    ends = ("Z", "", "+01:00", "x")
    texts = [f"{second}{point}{digit * n}{end}" for point in ".," for digit in "019" for end in ends]
    texts += [second + ":" * n, second * n, "2001-" * n, "1:" * n, "2001-02-03 04:05:06." + "1" * n]
    units = ("s", "h", "ms", "µs", "ns", "d", "")
    texts += [f"{digit * n}{unit}" for digit in "019" for unit in units]
    texts += [f"1.{digit * n}{unit}" for digit in "019" for unit in units]
    return texts + [part * n for part in ("1s", "0s", ".5m", "s", "1.", "1h1", "-")]


def names(n: int) -> list[str]:
    """Texts that start like a name, a label, an address or a selector."""
    parts = [
        "a",
        "a-",
        "a.",
        "a/",
        "-",
        ".",
        "/",
        "é",
        "_",
        "A",
        " ",
        "a ",
        "a=b,",
        "a in (",
        "a in (b),",
        ",",
        "(",
        "!",
        "a,",
        "=",
        "1.2.",
        ":",
        "1:",
        "::",
    ]
    texts = [part * n for part in parts]
    texts += [part * n + end for part in ("a", "a-", "a.", "-a") for end in ("!", "a", "/a", "=b", " ")]
    return texts + [
        f"a in ({'b,' * n})",
        f"a/{'b' * n}",
        f"{'a' * n}/b",
        "a" + " " * n + "a",
        f"fe80::1%{'a' * n}",
        f"10.0.0.0/{'1' * n}",
    ]


def _json_texts(n: int) -> list[str]:
    return [
        *(
            "[" + number + "]"
            for number in ("1" * n, "-" + "9" * n, "0." + "1" * n, "1e" + "9" * n, "1" * n + "x", "-" * n)
        ),
        "[" * n,
        "[" * n + "]" * n,
        '{"a":' * n,
        '{"a":' * n + "1" + "}" * n,
        "[" + "[]," * n + "[]]",
        "[" + '{"a":1},' * n + "1]",
        '"' + "\\ud800" * n + '"',
        '"' + "\\ud83d\\ude00" * n + '"',
        '"' + "\\u0041" * n + '"',
        '"' + "\\" * n,
        '"' + "\ud800" * n + '"',
        "{" + '"a":1,' * n + '"a":1}',
        "{" + "".join(f'"a{at}":1,"a{at}":1,' for at in range(n)) + '"a":1}',
        '{"a":' * 50 + "{" + '"b":1,' * n + '"b":1}' + "}" * 50,
        '{"a":' * 50 + "[" + '{"b":1,"b":2},' * n + "1]" + "}" * 50,
        "{" + '"raw":1,' * n + '"raw":{}}',
        '{"raw":' * n + "1" + "}" * n,
        '{"raw":[' + '{"a":[1,2]},' * n + "1]}",
        '{"raw"' + " " * n + ":" + " " * n + "1}",
        '["' + 'raw\\":' * n + '"]',
        '{"a":[' + '"raw" ,' * n + "1]}",
        '{"\\u0072aw":[' + "NaN," * n + "1]}",
        " " * n + "x" + " " * n,
        "\n" * n + "x",
        "[" + ",".join(map(str, range(n))) + "]",
        "[" + "NaN," * n + "]",
    ]


def _yaml_texts(n: int) -> list[str]:
    depth = min(n, 300)
    return [
        *(
            "a: " + text + "\n"
            for text in ("a" * n, "1" * n, "a " * n, "0." + "1" * n, "'" + "a " * n + "'", '"' + "\\n" * n + '"')
        ),
        "a: |\n" + "  b\n" * n,
        "a: >\n" + "  b\n\n" * n,
        "[" + "a, " * n + "a]",
        "{" + ", ".join(f"a{at}: 1" for at in range(n)) + "}",
        "".join(f"a{at}: {at}\n" for at in range(n)),
        "".join(f"a{at % 7}: {at}\n" for at in range(n)),
        "- a\n" * n,
        "- {a: 1, a: 2}\n" * n,
        "- &a x\n" + "- *a\n" * min(n, 90),
        "- &a {x: 1, y: 2}\n" + "- {<<: *a, z: 1}\n" * n + "- [1, 2, 3, 4, 5]\n" * n,
        "- &a {x: 1}\n" + "- {<<: [*a, {y: 1}]}\n" * n + "- [1, 2, 3, 4, 5]\n" * n,
        "---\na: 1\n" * n,
        "# a\n" * n + "a: 1\n",
        "[" * depth + "a, " * n + "]" * depth,
        "{a: " * depth + "}" * depth,
        "- " * depth + "a\n",
        "a: !!binary " + "A" * n + "\n",
        "a: !!int " + "1" * n + "\n",
        "? " + "a" * n + "\n: 1\n",
        "a" * n + ": 1\n",
        "1" * n + ": 1\n",
        "".join(f"{at}.5: {at}\n" for at in range(n)),
        "&a" * n,
        "%" * n,
        "\t" * n,
    ]


def _duplicates(read: Callable[..., object]) -> Callable[[str], object]:
    return lambda text: read(text, duplicates=[])


def _wire_texts(n: int) -> Iterator[bytes]:
    yield b"\x08\x01" * n
    yield b"\x0a\x01a" * n
    yield b"\x80" * n
    yield b"\xff" * n
    yield b"\x0b" * n
    yield b"\x0b" * n + b"\x0c" * n
    yield b"\x88\x00\x01" * n
    yield b"\x08" + b"\x80" * n
    yield b"\x0a" + encode_varint(n) + b"a" * n
    yield b"\x7a" + encode_varint(2**40) + b"a" * n


def _wire(n: int) -> Work:
    texts = [*_wire_texts(n)]

    def unknown(data: bytes) -> None:
        pos, end = 0, len(data)
        while pos < end:
            data, pos, end = wire.skip_unknown(data, pos, {1: "a"})

    def each(data: bytes) -> Iterator[Work]:
        yield lambda: [*wire.read_fields(data)]
        yield lambda: unknown(data)
        yield lambda: [*wire.read_varints(data)]
        yield lambda: wire.read_float32s(data)
        yield lambda: wire.read_float64s(data)
        yield lambda: wire.read_entry(data)
        yield lambda: wire.add_text_entry({}, data)
        yield lambda: wire.located(IndexError(), "", data, len(data), {1: "a"}, None)
        yield lambda: envelopes.unwrap(envelopes.MAGIC + data)
        yield lambda: envelopes.unwrap(envelopes.wrap("v1", "A", data))
        yield lambda: delimited(data)

    def work() -> None:
        for data in texts:
            for read in each(data):
                with suppress(ValueError):
                    read()

    return work


@dataclass
class Item:
    """An item of a list, of which no two are the same."""

    name: str
    values: list[object]
    more: dict[str, object] | None = None


def _items(n: int) -> list[Item]:
    return [Item(f"a{at}", [at, {"x": quantity.Quantity(str(at))}], {"y": None}) for at in range(n)]


def _comparisons(n: int) -> Work:
    items, others = _items(n), _items(n)
    others[-1].values = []
    places = field_paths.FieldPath()
    for at in range(n):
        places = places.child("a") if at % 2 else places.index(at)

    def work() -> None:
        semantic_equal(items, others)
        semantic_equal({item.name: item for item in items}, {item.name: item for item in others})
        list(validation.repeated_values([*items, *others]))
        list(validation.repeated_values([None, [], {}, b"", True, 1, 1.0] * n))
        list(validation.repeated(items, lambda item: item.name))
        list(validation.unpaired(items, others, lambda item: item.name))
        validation.first_by(items, lambda item: item.name)
        pairing.same_items(items, others, lambda item: item.name)
        list(pairing.with_old_items(items, others, lambda item: item.name))
        now = {item.name: True for item in items}
        for error in validation.union_errors(places, now, None):
            str(error)
        wanted = {item.name: item.name for item in items}
        before = ("b", dict.fromkeys(now, False))
        errors = validation.discriminated_union_errors(field_paths.ROOT, "a", wanted, ("b", now), before)
        "".join(map(str, errors))
        str(validation.not_supported(places, "a" * n, list(now)))
        str(validation.invalid(places, '\x00"é' * n, "b"))

    return work


def _quantity_work(n: int) -> Work:
    texts = [
        ("1" * n + "1", "1" * n + "2"),
        ("0." + "0" * n + "1", "-" + "9" * n),
        ("9" * n, "1"),
        ("1" + "0" * n, "1." + "9" * n + "Ki"),
        ("1Ki", "9" * n),
        ("-1Ki", "1" + "0" * n + "1"),
        ("1e" + "0" * n + "1", "1" * n + "Ei"),
    ]
    pairs = [(quantity.Quantity(one), quantity.Quantity(other)) for one, other in texts]
    amounts = [(Amount.parse(one), Amount.parse(other)) for one, other in texts]

    def work() -> None:
        for one, other in pairs:
            one < other, one == other, hash(one), one + other, other + one, one.value
            one.rounded_up(-3), other.rounded_up(3), one.rounded_up(n // 2)
        for a, b in amounts:
            for amount in (a, b, a.plus(b), a.minus(b), b.minus(a)):
                amount.integer(), amount.approximate_float()
                Amount.of_parts(*amount.parts())

    return work


def _unknown_members(n: int) -> Work:
    inner: dict[str, object] = {"b": [{"c": 1} for _ in range(n)]}
    tree: dict[str, object] = inner
    for _ in range(min(n, 500)):
        tree = {"a": tree}
    noted = UnknownMembers()
    for _ in range(n):
        noted.note(inner, {})
    return lambda: noted.paths(tree)


CEL_TEXTS: dict[str, Callable[[int], list[str]]] = {
    "Quantity": lambda n: [*numbers(n), "1" * n, "1" + "0" * n, "1." + "1" * n + "Ki"],
    "URL": lambda n: (
        [f"https://a/{part * n}" for part in ("a", "/", "%20", "?", "&a=b", "é")]
        + [f"https://{part * n}" for part in ("a", ":", "[", "]", "@", "1", "a:1")]
        + [
            "https://a:" + "1" * n,
            "https://a/?" + "a=1&" * n,
            "https://a/?" + "&" * n,
            "/" * n,
            "a" * n,
            "https:" + "/" * n,
        ]
    ),
    "IP": names,
    "CIDR": names,
    "Semver": lambda n: (
        [part * n for part in ("1", "1.", "0", ".", "-", "+")]
        + [f"1.0.0-{part * n}{end}" for part in ("a", "a.", "1.", "-", "0", "1") for end in ("", "a", "!")]
        + [f"1.0.0+{part * n}{end}" for part in ("a", "a.", "1.", "-") for end in ("", "a", "!")]
        + ["1" * n + ".0.0", "1.0." + "9" * n]
    ),
    "Format": lambda _: [*_FORMATS],
}
_READERS = {overload.result: overload.body for overload in _OVERLOADS if overload.arguments == ("string",)}
_PATTERNS = ("find", "findAll")  # their time is that of the pattern


def _cel_lists(n: int) -> list[object]:
    mixed: list[object] = [True, 1, 1.5, "a", b"a", None, [1, [2]], {"a": [1]}]
    return [
        list(range(n)),
        [f"a{at}" for at in range(n)],
        [0.5] * n,
        mixed * (n // 8),
        [[at] for at in range(n)],
        [b"a"] * n,
    ]


def _cel_arguments(argument: str, n: int) -> list[object]:
    """Arguments of a type, in the form in which functions are given them."""
    match argument:
        case "string":
            return [*names(n), *numbers(n), *(text for texts in CEL_TEXTS.values() for text in texts(n))]
        case "int":
            return [2**63 - 1, -(2**63), 0]
        case "list":
            return _cel_lists(n)
    found: list[object] = []
    for text in CEL_TEXTS[argument](n):
        with suppress(ValueError):
            found.append(_READERS[argument](text))
    short = {"Quantity": "1", "URL": "https://a", "IP": "::1", "CIDR": "10.0.0.0/8", "Semver": "1.0.0", "Format": "uri"}
    return [*found, _READERS[argument](short[argument])]


def _cel(overload: object, n: int) -> Work:
    body, arguments = overload.body, overload.arguments  # type: ignore[attr-defined]
    first, *others = (_cel_arguments(argument, n) for argument in arguments)
    calls = [(one, *(other[-(at + 1) % len(other)] for other in others)) for at, one in enumerate(first)]
    calls += [(one, *(other[at % len(other)] for other in others)) for at, one in enumerate(first) if others]

    def work() -> None:
        for call in calls:
            with suppress(ValueError, TypeError):
                body(*call)

    return work


def _schema_texts(n: int) -> list[str]:
    parts = ("0", "1 ", "a@", '"', "a.", "::", "%41", "t", "1:", "9s", " ", "0:", "<")
    texts = (text for texts in CEL_TEXTS.values() for text in texts(n))
    return [*names(n), *numbers(n), *moments(n), *(part * n for part in parts), *texts]


def _formats() -> Iterator[tuple[str, Case]]:
    for name, check in vars(formats).items():
        if name.startswith("k8s_"):

            def read(text: str, check: Callable[..., Iterator[object]] = check) -> object:
                # an error of k8s-resource-pool-name shows the whole value for each segment, as in Kubernetes
                return list(check(field_paths.ROOT, text))

            yield f"formats.{name}", _of_texts(read, names)


def _scalars(decode: Callable[[object], object]) -> Case:
    return _of_texts(
        lambda text: decode(ExactParser(text).parse()),
        lambda n: ["1" * n, "0." + "1" * n, "1e" + "9" * n, "-" + "9" * n],
    )


def _tree(n: int) -> object:
    return [
        {f"a{'0' * (at % 9)}{at}": at for at in range(n)},
        {"a" + "1" * (n + at): at for at in range(5)},
        {"0" * (n + at): at for at in range(5)},
        ["a " * n, "a\n" * n, "é\n " * n, '"' * n, "'" * n, "1" * n, ": " * n, "\x00" * n, "\ud800" * n, "<>&" * n],
        [1.5, 1e300, 1e-300, 5.0] * n,
        [[]] * n,
    ]


CASES: dict[str, Case] = {
    "quantities": _of_texts(quantity.Quantity, numbers),
    "quantities of JSON": _of_texts(
        decode_quantity, lambda n: [*numbers(n), " " * n + "1" + " " * n, "1" + "\u2000" * n + "x"]
    ),
    "sums and orders of quantities": _quantity_work,
    "durations": _of_texts(times.Duration.parse, lambda n: [*numbers(n), *moments(n)]),
    "times": _of_texts(times.Time.parse, moments),
    "micro times": _of_texts(times.MicroTime.parse, moments),
    "bytes": _of_texts(
        decode_bytes, lambda n: ["A" * 4 * n, "A" * (4 * n + 1), "\n" * n, "A=" * n, "=" * n, "A" * 4 * n + "é"]
    ),
    "lists of bytes": _of_value(lambda n: [255] * n, decode_bytes),
    "decimal texts": _of_texts(lambda text: (is_decimal(text, 0, 9), parse_int64(text, "")), numbers),
    "selectors": _of_texts(lambda text: selectors.parse_selector(text, ""), names),
    "equality selectors": _of_texts(selectors.is_equality_selector, names),
    "labels": _of_value(lambda n: {text: text for text in names(n)}, selectors.are_labels),
    "fields of rules": _of_texts(
        lambda text: list(path_steps(text)),
        lambda n: [".a" * n, "['a']" * n, "['" + "\\'" * n, "['" + "\\a" * n + "']", "." * n],
    ),
    "names of rules": _of_texts(escaped.__wrapped__, names),
    "JSON": _of_texts(parse_json, _json_texts),
    "JSON with raw values": _of_texts(lambda text: parse_json(text, RAW), _json_texts),
    "JSON with duplicates": _of_texts(lambda text: parse_json(text, RAW, []), _json_texts),
    "JSON, exactly": _of_texts(lambda text: ExactParser(text, RAW, []).parse(), _json_texts),
    **{
        f"numbers for {decode.__name__}": _scalars(decode)
        for decode in (decode_int32, decode_float32, decode_float64, decode_quantity)
    },
    "JSON text": _of_value(_tree, json_bytes),
    "JSON text with indents": _of_value(_tree, partial(json_text, indent=2)),
    "unknown members": _unknown_members,
    "YAML": _of_texts(parse_yaml, _yaml_texts),
    "YAML with duplicates": _of_texts(_duplicates(parse_yaml), _yaml_texts),
    "plain scalars": _of_texts(plain_value, lambda n: [*numbers(n), *moments(n)]),
    "plain strings": _of_texts(is_plain_string, lambda n: [*numbers(n), *moments(n)]),
    "YAML text": _of_value(_tree, yaml_text),
    "keys of YAML": _of_value(lambda n: ["a" + "0" * n + str(at) for at in range(8)], sorted_keys),
    "protobuf": _wire,
    "comparisons": _comparisons,
    **{f"schema format {name}": _of_texts(check, _schema_texts) for name, check in FORMATS.items()},
    **dict(_formats()),
    **{
        f"cel {overload.name}({', '.join(overload.arguments)})": partial(_cel, overload)
        for overload in _OVERLOADS
        if overload.name not in _PATTERNS and overload.arguments
    },
}

assert issubclass(DecodeError, ValueError)
