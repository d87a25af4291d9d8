"""AG140x: what is compared in a review."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1400",
        "nothing that can be compared",
        """
A review compares two sides: folders of specs, git revisions of one (`main`, `HEAD~3:api-specs`), recorded releases (`1.12`),
definitions of custom resources, JSON Schemas, `.proto` files, Go packages. What stands there is looked for in this order: a
file or folder of that name, a git revision, a release that was recorded.

Where that finds the wrong one, or none, say which form is meant: `git:main`, `release:1.12`, `specs:folder`.
""",
        """
apigen diff mian api-specs        # main was meant
""",
    ),
    CodeInfo(
        "AG1401",
        "no specs in a folder",
        """
A folder of specs holds groups: folders with a `group.yaml` and a file for each version. The folder that was named has none,
neither itself nor further in.
""",
        """
apigen diff specs:docs api-specs
""",
    ),
    CodeInfo(
        "AG1402",
        "git cannot be read",
        """
A side of the review is a revision, and git is asked for its files; the working tree is left alone. That failed: git is not
installed, this is no repository, it belongs to somebody else, or an object is missing and could not be fetched. The message
has git's own words.
""",
        """
apigen diff git:main        # outside of any repository
""",
    ),
    CodeInfo(
        "AG1403",
        "a revision that is not here",
        """
Git knows no branch, tag or commit of that name in this clone. A clone of a CI system is often shallow: it has one commit and
no other branch. The hint has the command that fetches what is missing; in GitHub's `actions/checkout` that is
`fetch-depth: 0`, in GitLab `GIT_DEPTH: 0`.
""",
        """
apigen diff origin/main api-specs      # in a clone of depth 1
""",
    ),
    CodeInfo(
        "AG1404",
        "a path that a revision does not have",
        """
The revision is there, and in it no such file or folder. A path starts at the root of the repository, or else at the folder of
the project. Without a path it is the folder of specs that the configuration of then names, or that of today. Where specs have
moved since, say both: `apigen diff v1.2:specs api-specs`.
""",
        """
apigen diff v1.2:api-specs api-specs   # in v1.2 they stood in specs/
""",
    ),
    CodeInfo(
        "AG1405",
        "too much for an API",
        """
The path in the revision leads to more files than an API can have: it is probably the root of a large repository. Nothing was
read.
""",
        """
apigen diff main: api-specs
""",
    ),
    CodeInfo(
        "AG1406",
        "a release that was not recorded",
        """
`apigen release` records what a release ships, in a folder `history` beside each group. A review can compare with any release
that has such a record, and with no other: a release from before the first record is compared by its tag in git.
""",
        """
apigen diff release:1.9 api-specs      # the first record is that of 1.10
""",
    ),
    CodeInfo(
        "AG1407",
        "no Go packages in a folder",
        """
Go packages that define an API are folders with Go files: a module, or a folder below one. The folder that was named has no Go
file, neither itself nor further in.
""",
        """
apigen diff go:api-specs ./api
""",
    ),
    CodeInfo(
        "AG1408",
        "something kept of an earlier run cannot be used",
        """
A review keeps what it read and found in the user's folder for caches, under the content of everything that it came from. An entry
that was damaged, or that cannot be written, is no harm: it is made anew, and the review is the same. The folder may be deleted
at any time.
""",
        """
~/.cache/apigen: warning AG1408: the cache entry ~/.cache/apigen/3f/… is damaged and is made again
""",
    ),
    CodeInfo(
        "AG1409",
        "shallow clone without a base",
        """
`apigen diff` without arguments compares with the commit at which the branch left the default branch. A shallow clone does not
have that commit, so the only base is HEAD, and a change that was committed is not reviewed. Fetch the history: `fetch-depth: 0`
for actions/checkout, `git fetch --unshallow` elsewhere. Or name the base: `apigen diff origin/main`.
""",
        """
- uses: actions/checkout@v4        # with: {fetch-depth: 0}
- run: apigen diff
""",
    ),
)
