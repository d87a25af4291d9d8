"""AG136x: CEL rules."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1360",
        "a CEL rule that cannot be parsed",
        """
The text of `rule` or `messageExpression` is no expression of CEL. The caret stands where the parser stopped; in text over
several lines, the message has line and column of the rule. An expression may be nested 32 levels deep; a chain of `&&` or
`||` counts as one.
""",
        """
rules:
- rule: self.min <= self.max &&
""",
    ),
    CodeInfo(
        "AG1361",
        "a CEL rule that does not fit the types",
        """
The rule names a field, function or variable that is not there, or compares what cannot be compared. `self` has the type
of the place where the rule stands. Struct fields are fields, entries of maps are reached by `self['key']`. Fields whose
name CEL uses for itself are written `__namespace__`; `-`, `.`, `/` and `__` in names are `__dash__`, `__dot__`,
`__slash__` and `__underscores__`. Of `metadata` at the root a rule sees `name` and `generateName`, as in Kubernetes.
Functions: the standard ones, text and math extensions, optionals, and Kubernetes' quantities, URLs, addresses, semantic
versions, sets and lists; not `format` and `authorizer`.
""",
        """
FrobberSpec:
  rules:
  - rule: self.minimum <= self.max           # the field is called min
""",
    ),
    CodeInfo(
        "AG1362",
        "a CEL expression of the wrong type",
        """
A `rule` is true or false, a `messageExpression` is text. Give the rule a comparison, and make text of a number by
`string(…)`.
""",
        """
rules:
- rule: self.max - self.min                  # say: self.max - self.min >= 0
""",
    ),
    CodeInfo(
        "AG1363",
        "`optionalOldSelf` on a rule that does not look at `oldSelf`",
        """
`optionalOldSelf: true` makes `oldSelf` an optional and has the rule judged where there is no old value, too. A rule that
does not use `oldSelf` is judged there anyway.
""",
        """
rules:
- {rule: self.max > 0, optionalOldSelf: true}
""",
    ),
    CodeInfo(
        "AG1364",
        "`oldSelf` where nothing has an old value",
        """
A rule compares a value with the one that stood in its place before. Elements of a list have such a place only in a list
map, where keys tell which is which. In other lists the rule would never be judged, so it is refused.
""",
        """
ports:
  type: "[]Port"
  listType: atomic
  items:
    rules:
    - rule: self.number == oldSelf.number
""",
    ),
    CodeInfo(
        "AG1365",
        "a `fieldPath` that leads nowhere",
        """
`fieldPath` is where the error is shown: a field below the place of the rule, written `.spec.replicas`, or
`.labels['app']` for a key of a map. Elements of lists cannot be named.
""",
        """
rules:
- {rule: self.min <= self.max, fieldPath: .maximum}
""",
    ),
    CodeInfo(
        "AG1366",
        "a CEL rule in hub.yaml",
        """
Rules are about objects as clients write and read them, so they stand in a version, and in schemas of that version. The
hub is never written, and has no schema.
""",
        """
# hub.yaml
types:
  Frobber:
    rules:
    - rule: self.min <= self.max
""",
    ),
    CodeInfo(
        "AG1367",
        "a CEL rule that nobody judges",
        """
Validation runs once for all versions, by what the version says that the hub follows. A rule of another version is carried
into its schema, but no server judges it, unless the version that the hub follows has the same rule at the same place.
""",
        """
group: things.example.com
versions: {v1beta1: {}, v1: {storage: true}}
hub: v1                                      # and a rule stands in v1beta1.yaml only
""",
    ),
    CodeInfo(
        "AG1368",
        "CEL rules that could not be checked",
        """
CEL needs a library, which is an extra: `pip install 'apigen[cel]'` brings cel-expr-python and protobuf. Without it,
`lint` and `generate` carry rules into schemas and code unread. A server without it reports each rule that it would have
to judge as an internal error, so that none is passed over.
""",
        """
pip install apigen                           # instead of apigen[cel]
""",
    ),
)
