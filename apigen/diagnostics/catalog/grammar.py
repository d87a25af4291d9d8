"""AG02xx: the grammar of the spec language."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0201",
        "an unknown key",
        """
The spec language does not have this key here. It is an error and not overlooked, because a misspelt `optional` would
change what clients see. `apigen schema` gives editors what they need to complete keys.
""",
        """
width: {type: int32, optinal: true}       # optional
""",
    ),
    CodeInfo(
        "AG0202",
        "a value of the wrong type",
        """
Text stands where a list should be, a number where text should be, and so on. Values follow YAML 1.2: `on`, `no` and
`1_000` are text, `010` is the number ten. Text that looks like a number is written in quotes.
""",
        """
shortNames: fr                            # [fr]
""",
    ),
    CodeInfo(
        "AG0203",
        "a key is missing",
        """
What is described here cannot do without this key.
""",
        """
width: {optional: true}                   # and its type?
""",
    ),
    CodeInfo(
        "AG0204",
        "keys that exclude each other",
        """
Only one of these keys can be written, because each says something else about the same.
""",
        """
width: {type: int32, optional: true, nullable: true}
""",
    ),
    CodeInfo(
        "AG0205",
        "a key that belongs elsewhere",
        """
The spec language has this key, but not here. The message says where it belongs.
""",
        """
RestartPolicy:
  enum: {Always: {}, Never: {}}
  unions: [{members: all}]                # only a type with fields has unions
""",
    ),
    CodeInfo(
        "AG0206",
        "not one of the words allowed here",
        """
Only certain words may stand here; the message lists them.
""",
        """
listType: sett                            # atomic, set or map
""",
    ),
    CodeInfo(
        "AG0207",
        "not a type expression",
        """
A type is the name of a type of the same version, `group/version.Type` for one of another, one of the types that are
built in (`string bool int32 int64 uint32 uint64 float32 float64 bytes`, `Time MicroTime Duration Quantity IntOrString
RawExtension FieldsV1`), `[]T` for a list or `map[string]T` for a map. The place is the first character that is wrong.
""",
        """
type: "string[]"                          # "[]string"
""",
    ),
    CodeInfo(
        "AG0208",
        "not a path",
        """
A path is `a.b`; `list[]` or `map[]` for each element or value; `list[0]`, `map[key]`; `list[f=v,g!=w]` for those
elements; `$.` in front starts at the type in whose block it stands. Names, keys and values with a character of this
grammar are written in double quotes: `labels["a]b"]`. The place is the first character that is wrong.
""",
        """
hub: securityContext..hostNetwork
""",
    ),
    CodeInfo(
        "AG0209",
        "not a condition",
        """
A condition is a mapping, all of whose parts must hold: `{path: value}`, `{path: [one, of]}`, `{set: path}`,
`{unset: path}`, `{gate: Name}`, `{all: […]}`, `{any: […]}`, `{not: …}`. An empty one would always hold, which is what
leaving it out says. A field that is called like one of the words is written `./set`.
""",
        """
default: {when: {}, value: 1}
""",
    ),
    CodeInfo(
        "AG0210",
        "a value of the wrong form",
        """
The value is of the right type, but not of the form that is needed: a release is two numbers with a dot between, a
count is not negative, a reason is not empty.
""",
        """
introduced: v1.8                          # "1.8"
""",
    ),
    CodeInfo(
        "AG0211",
        "too few or too many elements",
        """
A list or mapping has another number of elements than what it stands for needs.
""",
        """
hub: {split: [port.number]}               # and the path for text?
""",
    ),
    CodeInfo(
        "AG0212",
        "keys that do not go together",
        """
A key says something that only has a meaning with another one, or with another form of it.
""",
        """
unions:
  - {discriminator: type, members: [limited, exempt]}      # members by value: {Limited: limited, Exempt: exempt}
""",
    ),
    CodeInfo(
        "AG0213",
        "a number without end",
        """
`.inf`, `.nan` and numbers beyond the range of a float64 have no form in JSON.
""",
        """
maximum: .inf
""",
    ),
)
