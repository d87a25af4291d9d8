"""AG143x: CustomResourceDefinitions and JSON Schema documents that are compared."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1430",
        "nothing to compare in this input",
        """
An input was taken for CustomResourceDefinitions or for JSON Schema, and holds none. Name the file or the folder that
does, or say what it is: `crd:FILE`, `jsonschema:FILE`.
""",
        """
apigen diff crd:deployment.yaml crd:crds/          # deployment.yaml has no CustomResourceDefinition
""",
    ),
    CodeInfo(
        "AG1431",
        "half a definition",
        """
A CustomResourceDefinition needs its group, its kind, its scope and at least one named version: without them nothing can be
found again on the other side. `apiextensions.k8s.io/v1` and `v1beta1` are read.
""",
        """
spec:
  names: {kind: Memcached, plural: memcacheds}     # and no `group:`
""",
    ),
    CodeInfo(
        "AG1432",
        "defined twice",
        """
Two definitions say what the same kind, or the same version of it, looks like. Which of them counts depends on the order in
which they are applied, so none is taken.
""",
        """
versions:
- {name: v1, served: true, storage: true}
- {name: v1, served: true, storage: false}         # once more
""",
    ),
    CodeInfo(
        "AG1433",
        "a reference that leads nowhere",
        """
`$ref` names a place in the document that is not there. References to other documents are not followed: what stands there is
taken for anything, and the report says so.
""",
        """
properties:
  port: {$ref: "#/definitions/Prot"}
definitions:
  Port: {type: integer}
""",
    ),
    CodeInfo(
        "AG1434",
        "a reference that leads back to itself",
        """
Each of these schemas is nothing but a reference to the next, and the last leads to the first again: no value is described.
A schema may well contain itself, as a member, an item or an alternative.
""",
        """
definitions:
  A: {$ref: "#/definitions/B"}
  B: {$ref: "#/definitions/A"}
""",
    ),
    CodeInfo(
        "AG1435",
        "a number that JSON does not have",
        """
A schema or definition is JSON, whether it is written as JSON or as YAML. JSON has no infinite numbers (`.inf`), none that
are none (`.nan`), and readers take a number such as `1e400`, which 64 bits of floating point do not hold, for one of these
or refuse it.
""",
        """
size:
  type: number
  maximum: 1e400
""",
    ),
)
