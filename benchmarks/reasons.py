"""The reason for each missed target, with the attempts to meet it: by key of the target, without a final period.

The page shows only the reasons of targets that the last run missed.
"""

from __future__ import annotations

from collections.abc import Mapping

_WALK = (
    "generated code reads the tree of dicts with one statement per field, which takes as long as the C parser that"
    " creates the tree. Loops over existing keys, `map` over `dict.get` and keyword constructors were slower. The"
    " extension creates no tree, and meets the target"
)
_TREE = (
    "generated code creates a tree of dicts, which C code writes; the tree takes a third to a half of the time."
    " Functions that write text directly were measured: they take 1.0 to 1.5 times as long as `json.dumps`, a sixth"
    " less than with trees, but up to twice as long as trees with orjson, so they were not kept. The extension creates"
    " no tree"
)
_MESSAGES = (
    "reading and writing are straight-line Python without a call per field, which is two to three times faster than"
    " with calls; the interpreter takes the remaining time. Bisection over field numbers and tables were slower. The"
    " extension meets the target for larger objects"
)
_SHARED = (
    "a kind and the objects on the path to a change are new Python objects, which take 0.2 µs each; Go casts a"
    " pointer. Unchanged parts are reused if their classes are the same. In a FlowSchema of v1beta3 they are not the"
    " same as those of the hub, which follows v1, so its thirteen objects are created again although they have the"
    " same fields. The call of the scheme takes 0.25 to 0.33 µs, most of the time if the classes are the same"
)
_FULL = (
    "the figure is the sum of its parts (see JSON); defaulting takes longer than in Go if every field of a Pod is set"
)
_EDITED = (
    "each run plans all files and writes their text, which takes seven tenths of the time; reading and checking the"
    " specs takes a quarter. Only changed files are formatted and published. Builds of parts took less than a second, but"
    " were five ways to the same output, and were removed. A cache of the texts of each group, with the digests of all"
    " groups to which it refers as key, is not implemented"
)
_LARGER = (
    "super-linear costs were found by sampling functions in C at one and four times the size. The names of all"
    " functions of strategies were hashed for each file of each group; one key replaces them. Type lookups, walks over"
    " hubs and copies of tuples were fixed before. At four times the size, no function in C takes more than 1 % of the"
    " run longer per field. The remaining difference is longer names of the copied groups, whose lines are split, and"
    " memory beyond the caches of the processor. Garbage collection takes 2 %, and grows with the number of created"
    " objects, not with the number of existing ones"
)

_SLOWER_MACHINE = (
    "the processor of this run is slower: the peer took 214 µs, and 124 µs on the one of the run before, on which a"
    " review took 323 µs. Compared with the peer, a review went from 2.6 to 2.0: text stays bytes, and a response is"
    " sent when it is complete"
)
_HTTP = (
    f"{_SLOWER_MACHINE}. With the extension, decoding, converting and encoding take a quarter of a review or less; TLS, HTTP and"
    " the ASGI application take most of the rest"
)
REASONS: Mapping[str, str] = {
    "a conversion review, CPU of the server": _SLOWER_MACHINE,
    "a conversion review with the extension, CPU of the server": _HTTP,
    "all of Kubernetes, cold | Kubernetes' eight Go generators": (
        "the figure was 0.049 in the run before, on another machine. Generating the text of 1,250 files takes more than"
        " half of the time, reading and checking the specs and building hubs a quarter, and formatting, caching and"
        " publishing the files a seventh. Not implemented: compiled templates that are stored between runs would save 1 %"
    ),
    "one field of apps/v1 changed: its documentation": _EDITED,
    "one field of core/v1 changed: its documentation": _EDITED,
    "one field of apps/v1 changed: its limit": _EDITED,
    "one field of core/v1 changed: its limit": _EDITED,
    "CPU per field, 4 × Kubernetes' size | Kubernetes' size": _LARGER,
    "CPU per field, 16 × Kubernetes' size | Kubernetes' size": _LARGER,
    "one group of 50 types, cold": (
        "a third of the time is the import of the compiler, its templates and Black, which formats copies of"
        " hand-written code"
    ),
    "one group of 50 types: one field changed": (
        "imports take two fifths of the time (640 modules, half of them of apigen), compiling 20 templates a sixth, and"
        " reading the types and gates of meta/v1, to which the group refers, a fifth"
    ),
    "lint of one group": (
        "reading the groups to which it refers (meta and its gates) takes more than half of the time, imports take"
        " the remaining time"
    ),
    "generate --watch, after a save": (
        "files are polled ten times per second, so a save is detected within 0.13 s; then the edited file is read and"
        " the group is generated again"
    ),
    "nothing changed": ("reading all specs to compare their digests takes most of the time"),
    "two releases of all of Kubernetes, cold | buf breaking": (
        "types with the same text in both releases are read, analyzed, resolved and written once, in one process: two"
        " thirds of the text between 1.36 and 1.37, in which a quarter of the types are new or changed. Reading both"
        " releases takes half of the time (creating nodes from the events of PyYAML a seventh), evaluating 666 changes a"
        " third, imports an eighth. buf reads less, in Go. Memory is not freed before the process ends, which saves 4 %."
        " Fields in changed types are not shared; half of their text is the same, which could save a tenth of one side"
    ),
    "a CRD of 7,000 lines, cold | crdify": (
        "imports and the start of Python take half of the time (190 modules of apigen, 120 others; rules are loaded only"
        " for changes that they handle, and methods of classes are created when they are called), reading both sides and"
        " their surfaces a quarter, and evaluating 134 changes a quarter. Comparisons without `dataclasses`, and rules"
        " without orjson, saved a tenth. Not implemented: an import finder without folder listings would save 2 %, a"
        " partial TOML parser 3 %, bounds without exact fractions 2 %. The figure depends on the processor more than"
        " others: 1.4 to 1.8 on those on which crdify takes 0.1 s, 2.1 to 2.5 on this one, on which crdify takes 0.08 s"
    ),
    **dict.fromkeys(
        (
            "JSON → object | standard library | Go",
            "JSON → object | standard library | json.loads",
            "JSON → object | with orjson | pydantic",
            "JSON → object | with orjson | Go",
            "JSON → object | with orjson | msgspec",
        ),
        _WALK,
    ),
    **dict.fromkeys(
        (
            "object → JSON | standard library | json.dumps",
            "object → JSON | with orjson | Go",
            "object → JSON | with orjson | msgspec",
        ),
        _TREE,
    ),
    **dict.fromkeys(
        (
            "protobuf → object | betterproto2",
            "object → protobuf | betterproto2",
            "protobuf → object | Go",
            "object → protobuf | Go",
        ),
        _MESSAGES,
    ),
    "version → hub, nothing shared | Go's deep copy": (
        "small objects consist of a few calls, each of which takes as long as the whole copy in Go. Lists are built"
        " by loops, because a comprehension is a call before Python 3.12; that saved a seventh. Creating objects takes"
        " a third of the time"
    ),
    "hub → version, nothing shared | Go's deep copy": (
        "hub fields that v1 HorizontalPodAutoscaler does not have are stored as JSON in annotations, of which three"
        " are written"
    ),
    "version → hub, shared | Go, same shape": _SHARED,
    "hub → version, shared | Go, same shape": _SHARED,
    "deep copy | Go": (
        "small objects consist of a few calls; the extension copies them faster than Go. Creating an object without"
        " fields takes a third of the time: 0.07 µs each, a call into C that Python 3.11 does not specialize. Loops"
        " instead of comprehensions for lists saved a seventh; `map` saved nothing"
    ),
    "bytes → bytes of the other version | standard library | Go": _FULL,
    "bytes → bytes of the other version | with orjson | Go": _FULL,
    "JSON → object | compiled | msgspec": (
        "creating the objects, which have a slot for every field, and freeing them takes most of the time; the scheme"
        " adds a call"
    ),
    **dict.fromkeys(
        ("version → hub | compiled | not compiled", "hub → version | compiled | not compiled"),
        "C code converts by tables, and the extension frees objects itself and reuses their memory, which saves a"
        " third of the time. For a small object, the extension takes five sixths of the time (ten objects and seven"
        " lists are created and freed), and the scheme an eighth: a Python frame of 100 ns, which a callable in C"
        " could avoid. Measured without a gain: reusing the memory of short lists, calls without a table of functions,"
        " link-time optimization, a plain attribute for the codec. A hand-written function, which remains Python,"
        " converts v1 HorizontalPodAutoscaler; it writes two annotations with JSON, in 4 to 5 of 9 µs, and the third"
        " one takes 4 µs. The figure in Python became a seventh faster when lists of structs were built by loops;"
        " before, pods and deployments took 0.23 to 0.25 of it",
    ),
    **dict.fromkeys(
        ("protobuf → object | compiled | Go", "object → protobuf | compiled | Go"),
        "measured through the scheme, with Kubernetes' envelope; Go is called without one. The call of the scheme"
        " takes a fifth of the time of a small object, 100 to 130 ns; without it, both small objects are written in"
        " four fifths of Go's time. Messages are written from the last byte to the first, in one pass. mypyc was"
        " measured with the same files: it halves reading, does not change writing and JSON, and takes a minute for"
        " two groups",
    ),
    "import of everything | lightkube": (
        "the row imports all modules, of which programs use few: 700 files, which take 40 ms to find and open, and 12"
        " MB of code, which takes as long to read; garbage collection takes a sixth of the time. lightkube has the"
        " types of one version of each kind. Importing the package and its versions takes almost no time before first"
        " use, the scheme 9 ms (32 ms before its table consisted of plain objects), and all types load in less than"
        " half of lightkube's time"
    ),
    **dict.fromkeys(
        ("import of apps/v1", "import of core/v1"),
        "the row imports all types and functions of a version, of which programs use few; the next rows have the time"
        " to make them available, and of the first use. `typing`, `re`, hubs and other groups are not imported. The"
        " time consists of reading code (2.4 MB for core/v1, 3,000 functions of 0.003 ms; half of it is protobuf),"
        " creating classes (0.013 ms each), `enum` and `functools` with their imports (3.3 ms), and finding and"
        " opening 40 files (3 ms). Separate modules for reading and writing would halve the time of readers, but add"
        " 200 files to this row. Without garbage collection it takes a tenth less",
    ),
    **dict.fromkeys(
        ("import of apps/v1, types", "import of core/v1, types"),
        "creating classes takes 0.013 ms each, a third of core/v1, and `enum` and `functools` with their imports take"
        " 3.3 ms; other versions are not loaded. A class that is created with slots at once takes 0.008 ms, but every"
        " generated class would need a base class or metaclass, so this was not implemented. Enums in separate modules"
        " save nothing, because the JSON decoder imports `enum`; nor do methods in a common base class",
    ),
}
