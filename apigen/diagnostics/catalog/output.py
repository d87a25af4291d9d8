"""AG09xx: output, configuration, command line."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

USAGE_CODES = frozenset(
    {
        "AG0901",
        "AG0902",
        "AG0903",
        "AG0904",
        "AG0906",
        "AG0907",
        "AG0908",
        "AG0909",
        "AG0913",
        "AG0920",
        "AG0930",
    }
)
"""The run was asked for in a wrong way: one that ends with one of these exits with 2."""

UNREADABLE_CODES = frozenset({"AG0905", "AG0912", "AG0914", "AG0921"})
"""The system does not give or take a file: a run that ends with one of these exits with 3."""

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0901",
        "an unknown setting",
        """
The configuration has a key that apigen does not know. It is an error and not overlooked, because a misspelt `output`
would send the output elsewhere. In `pyproject.toml` the settings stand in the table `[tool.apigen]`, in `apigen.toml`
at the top.
""",
        """
[tool.apigen]
ouput = "generated"                       # output
""",
    ),
    CodeInfo(
        "AG0902",
        "a setting of the wrong type",
        """
`specs`, `output`, `package` and `handwritten` are text, `groups`, `kinds` and `backends` are lists of names. To have all
groups or everything generated, leave the list out; an empty one would generate nothing.
""",
        """
[tool.apigen]
groups = "apps"                           # ["apps"]
""",
    ),
    CodeInfo(
        "AG0903",
        "a name that Python cannot import",
        """
The output is a Python package, and hand-written functions are modules that it imports. Both need names that Python
accepts and that mean nothing else: identifiers, with dots between, that are no keywords, and none of the standard
library's. Where `package` is left out, the name of the output folder is that of the package.
""",
        """
[tool.apigen]
output = "gen-api"                        # add: package = "gen_api", or rename the folder
""",
    ),
    CodeInfo(
        "AG0904",
        "a configuration that is not TOML",
        """
The configuration cannot be parsed. The place is the first character that is wrong. Text stands in quotes, lists in
brackets.
""",
        """
[tool.apigen]
specs = api-specs                         # "api-specs"
""",
    ),
    CodeInfo(
        "AG0905",
        "a configuration that cannot be read",
        """
The file that `--config` names, or the nearest configuration, is not there, is no regular file, is not UTF-8, or has no
table `[tool.apigen]`.
""",
        """
apigen generate --config pyproject.tml    # pyproject.toml
""",
    ),
    CodeInfo(
        "AG0906",
        "folders within each other",
        """
The output folder belongs to apigen, which removes from it what an earlier run made and this one does not make. So it
holds neither the specs nor the hand-written functions, and is in none of them.
""",
        """
[tool.apigen]
specs = "api"
output = "api/generated"                  # "generated"
""",
    ),
    CodeInfo(
        "AG0907",
        "a group, kind or backend that does not exist",
        """
`groups` names folders with a `group.yaml`, `kinds` kinds of such groups, each of the project or of the catalogue that
apigen brings; `backends` names what can be generated. The hint lists them, or names the one that was probably meant.
""",
        """
[tool.apigen]
groups = ["flowcontrol"]                  # flowcontrol.apiserver.k8s.io
""",
    ),
    CodeInfo(
        "AG0908",
        "no project",
        """
apigen found no configuration in this folder or above it, and no folder `api-specs` here. Go to the project's folder, say
where the specs are with `--specs`, or begin a project with `apigen init`.
""",
        """
cd api-specs && apigen generate           # with no apigen.toml in the folder above
""",
    ),
    CodeInfo(
        "AG0909",
        "a kind of several groups",
        """
`kinds` has a name that kinds of several groups have. Write the group behind it, with a dot between. Where one of them
is of the group without a name, that one is meant, as in the scheme: `Event` is that of `core`.
""",
        """
[tool.apigen]
kinds = ["Ingress"]                       # Ingress.networking.k8s.io
""",
    ),
    CodeInfo(
        "AG0910",
        "output that is not what the specs give",
        """
The file is not what `apigen generate` makes of the specs as they are now: either the specs changed and nobody ran it,
or the file was edited by hand. Run `apigen generate` and commit what it changes together with the specs. An edit by
hand is lost by that; what it meant belongs into the specs or into a hand-written function.
""",
        """
git commit api-specs                      # git add generated, too
""",
    ),
    CodeInfo(
        "AG0911",
        "a file in the way",
        """
The output folder has a file, at a place that a generated one takes, which no run of apigen made. It was probably
written by a person, so it is left alone, and nothing is written. Move it, or say another output folder.
""",
        """
touch generated/scheme.py                 # before the first `apigen generate`
""",
    ),
    CodeInfo(
        "AG0912",
        "output that cannot be written",
        """
The system refused to write a file of the output or a lock; the message has the system's own reason. The old output is
whole: all files are put in place at the end, together.
""",
        """
apigen generate --output /generated       # a folder of the system
""",
    ),
    CodeInfo(
        "AG0913",
        "a release that was not recorded",
        """
`apigen generate --recorded` builds a release again from the records that `apigen release` made. There is no record of
this one in any folder `history` of the specs.
""",
        """
apigen generate --recorded 1.9 --output old        # the records begin with 1.10
""",
    ),
    CodeInfo(
        "AG0914",
        "failure of the formatter",
        """
ruff or Black cannot be run, or does not accept the generated code. Nothing is written. With `formatter = "none"` the output
is written as it was generated. Code that no formatter accepts is a bug in apigen: please report it.
""",
        """
formatter = "ruff"                        # no ruff on this platform: "black" or "none"
""",
    ),
    CodeInfo(
        "AG0915",
        "output of another formatter",
        """
`.apigen-manifest.json` records which formatter wrote the output, with its version. Another version may format the same code
in another way, so `apigen verify` reports it before the differences. Install the
recorded version, or run `apigen generate` and commit what it changes.
""",
        """
error[AG0915]: the output was formatted with `ruff 0.15.0`, and this run formats with `ruff 0.17.6`
""",
    ),
    CodeInfo(
        "AG0920",
        "nothing generated there",
        """
`apigen convert` runs generated code: the package in the output folder of the configuration. There is none, or it
cannot be imported. Run `apigen generate` first, or say `--output`.
""",
        """
apigen convert flow-schema.yaml --to v1   # before the first `apigen generate`
""",
    ),
    CodeInfo(
        "AG0921",
        "an object that cannot be read",
        """
The file with the object to convert is not there, cannot be read, or is in no format that apigen knows: JSON, YAML or
Kubernetes' protobuf, which begins with the bytes `k8s` and zero.
""",
        """
apigen convert flow-schema.yml --to v1    # flow-schema.yaml
""",
    ),
    CodeInfo(
        "AG0922",
        "an object that its version does not describe",
        """
The input is malformed, has no object, or has an object of a kind or version that the generated package does not have, or
with a value of the wrong type. The message begins with the path to the value, such as `spec.rules[2].subjects[0].kind`; if
the input has several documents, it begins with the number of the document and the line on which it starts.
""",
        """
spec: {matchingPrecedence: high}          # a number
""",
    ),
    CodeInfo(
        "AG0923",
        "an object that cannot be converted",
        """
The kind does not have the version asked for, or a value of the object has no place in it: a number out of range, say.
Protobuf holds one object, so several cannot be written to it. The message begins with the path to the value, and before
that with the number of the object if there are several.
""",
        """
apigen convert flow-schema.yaml --to v2   # v1
""",
    ),
    CodeInfo(
        "AG0930",
        "a folder that is not empty",
        """
`apigen init` begins a project in an empty folder (a README, a licence and hidden files such as `.git` may be there),
so that it cannot mix up what stands there. Say another folder; it is made if it is not there.
""",
        """
apigen init .                             # apigen init my-api
""",
    ),
)
