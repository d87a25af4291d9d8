"""AG01xx: finding and reading files, and YAML."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

INPUT_CODES = frozenset({"AG0101", "AG0102", "AG0103", "AG0104", "AG0105", "AG0106"})
"""The input cannot be read at all: a run that ends with one of these exits with 3."""

_OURS, _THEIRS = "<" * 7, ">" * 7  # not as they are, or tools would take this file for a conflict

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0101",
        "no such file or folder",
        """
A file or folder that apigen was told to read is not there, or a symbolic link leads to nothing. The spec folder is
`specs` in the configuration, or `--specs` on the command line.
""",
        """
apigen generate --specs api-spec          # the folder is called api-specs
""",
    ),
    CodeInfo(
        "AG0102",
        "a file or folder cannot be read",
        """
The system refused to give a file or folder: the permissions forbid it, or reading failed. The message has the
system's own reason.
""",
        """
chmod 000 api-specs/things.example.com/v6.yaml
""",
    ),
    CodeInfo(
        "AG0103",
        "a folder where a file should be, or the reverse",
        """
Something of the right name is there, but it is of another kind: a folder called `v6.yaml`, a pipe or a device, or a
file where the spec folder should be. Only regular files are read.
""",
        """
mkdir api-specs/things.example.com/v6.yaml
""",
    ),
    CodeInfo(
        "AG0104",
        "a file is not UTF-8",
        """
Specs are UTF-8, with or without a byte order mark. The place is that of the first byte that is not; most often the
file was saved in an old encoding such as Latin-1, or as UTF-16.
""",
        """
doc: caf\\xe9        # Latin-1; UTF-8 has two bytes here
""",
    ),
    CodeInfo(
        "AG0105",
        "a file is too large",
        """
A file of more than 10 MB is not read. All of Kubernetes' API is 2 MB in some 60 files, so that such a file is either
no spec or somebody's attempt to keep the build busy. The size is looked up before anything is read.
""",
        """
head -c 200000000 /dev/zero > api-specs/things.example.com/v6.yaml
""",
    ),
    CodeInfo(
        "AG0106",
        "a symbolic link that is not followed",
        """
Symbolic links are followed as long as they stay in the spec folder and lead to nothing that is read anyway. One that
leads out would let a spec show files of the machine it is built on; one in a circle has no end.
""",
        """
ln -s /etc/passwd api-specs/things.example.com/v6.yaml
""",
    ),
    CodeInfo(
        "AG0107",
        "a character that may not stand in a file as it is",
        """
Control characters, marks that turn the direction of text, and line breaks that only YAML 1.1 knows do not stand in
specs as they are: nobody sees them in a review. In text in double quotes they may be written as escapes. Documents of
JSON that `apigen diff` compares may have them in texts, as JSON allows, but for control characters below U+0020.
""",
        """
doc: "a bell: \\u0007"        # as an escape, not as the character
""",
    ),
    CodeInfo(
        "AG0108",
        "merge-conflict markers",
        """
git could not merge two versions of the file and left both in it. In a spec, decide what stays and remove the lines
of markers. In a lock, take the file of one side whole and run `apigen generate`, which adds what the other side's
specs need; do not merge a lock by hand.
""",
        f"""
{_OURS} HEAD
height: {{type: int32}}
=======
height: {{type: int64}}
{_THEIRS} taller
""",
    ),
    CodeInfo(
        "AG0109",
        "a tab in the indentation",
        """
YAML is indented with spaces; a tab has no width that all programs agree on.
""",
        """
types:
\tFrobber:              # a tab
""",
    ),
    CodeInfo(
        "AG0110",
        "not YAML",
        """
The text does not follow the grammar of YAML, so that nothing of the file can be used. Frequent causes: a `: ` or `#`
in text without quotes, a type such as `[]string` without quotes, brackets or quotes that are not closed, a key that is
indented like nothing above it.
""",
        """
type: []string            # write "[]string"
""",
    ),
    CodeInfo(
        "AG0111",
        "a key is written twice",
        """
A mapping has each key once. Most readers of YAML silently take the last one; apigen takes none of them for granted.
""",
        """
width: {type: int32}
width: {type: int64}
""",
    ),
    CodeInfo(
        "AG0112",
        "a key that is not text",
        """
Keys are names, so they are text. A number, `true`, `false` or `null` as a name is written in quotes.
""",
        """
enum:
  1: {}                   # write "1"
""",
    ),
    CodeInfo(
        "AG0113",
        "a merge key",
        """
`<<` merges mappings in YAML 1.1. It is not part of YAML 1.2 and not of the spec language: a reader should see what a
field is where it stands.
""",
        """
width:
  <<: *number
""",
    ),
    CodeInfo(
        "AG0114",
        "a tag",
        """
Tags (`!name`, `!!name`) tell YAML readers to build objects of a kind. A spec is data, so they are not part of the
language. Only `!!str` is taken for what it says.
""",
        """
default: !!python/object:os.system [ls]
""",
    ),
    CodeInfo(
        "AG0115",
        "more than one document",
        """
A file holds one YAML document. What comes after a line `---` would be overlooked.
""",
        """
types: {}
---
types: {}
""",
    ),
    CodeInfo(
        "AG0116",
        "nested too deep",
        """
Values are nested at most 100 levels deep; the spec language needs some fifteen.
""",
        """
default: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[   # and so on, 100,000 times
""",
    ),
    CodeInfo(
        "AG0117",
        "an alias within what it stands for",
        """
An alias (`*name`) stands for the value that has the anchor (`&name`). One within that very value has no end.
""",
        """
default: &loop {value: [*loop]}
""",
    ),
    CodeInfo(
        "AG0118",
        "an alias without anchor",
        """
An alias (`*name`) stands for the value that has the anchor (`&name`) further up in the same file. Text that begins
with `*` is written in quotes.
""",
        """
default: *nothing
""",
    ),
    CodeInfo(
        "AG0119",
        "aliases that stand for too much",
        """
Aliases of aliases multiply: ten lines can stand for a billion values. All aliases of a file together stand for at
most 100,000 values.
""",
        """
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]      # and so on
""",
    ),
    CodeInfo(
        "AG0120",
        "a number that is too long",
        """
Numbers have at most 100 characters. No type of the language holds one that needs half of them.
""",
        """
maximum: 1000000000000000000000000000000000     # and so on
""",
    ),
    CodeInfo(
        "AG0121",
        "a file or folder that does not belong in a group folder",
        """
A group folder holds group.yaml, a file for each version that group.yaml lists, hub.yaml where there is one, and the
locks that apigen writes. Another file is most often misspelt, and would be overlooked. Documents (`*.md` and the like)
and hidden files may stand anywhere.
""",
        """
api-specs/things.example.com/v7alhpa1.yaml      # v7alpha1
""",
    ),
    CodeInfo(
        "AG0122",
        "a YAML file outside of any group",
        """
A folder without group.yaml only holds groups and, if need be, a features.yaml. Another YAML file in it would be
overlooked.
""",
        """
api-specs/things.example.com/v6.yaml            # and no group.yaml beside it
""",
    ),
    CodeInfo(
        "AG0123",
        "a group.yaml in the spec folder itself",
        """
Each group has a folder below the spec folder, by whose name other specs call it.
""",
        """
api-specs/group.yaml                            # belongs to api-specs/things.example.com/
""",
    ),
    CodeInfo(
        "AG0124",
        "two group folders of one name",
        """
The folder's name is how other specs name the group, whatever folders it stands in; so there is one of each name.
""",
        """
api-specs/kubernetes/apps/group.yaml
api-specs/mine/apps/group.yaml
""",
    ),
    CodeInfo(
        "AG0125",
        "no group",
        """
Nothing below the spec folder is a group, which is a folder with a group.yaml. `apigen init` writes a first one.
""",
        """
apigen generate --specs docs
""",
    ),
    CodeInfo(
        "AG0126",
        "a gate in two files",
        """
Gates are for all groups, so each stands in one features.yaml only: that of the spec folder, or of a folder that holds
groups.
""",
        """
api-specs/features.yaml:             Frobber2D: …
api-specs/things/features.yaml:      Frobber2D: …
""",
    ),
    CodeInfo(
        "AG0127",
        "too many errors",
        """
A run reports all errors, but no more than 10,000: who has more has given apigen something that is no spec. Mend the
first ones, or look at what `--specs` names.
""",
        """
apigen lint --specs node_modules
""",
    ),
)
