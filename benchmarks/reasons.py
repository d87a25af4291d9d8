"""Why a target is missed, and what was tried: for each target by its key, the words after the colon, without a full stop.

Only those of targets that a run misses are shown; this code for the others is of no effect.
"""

from __future__ import annotations

from collections.abc import Mapping

_WALK = (
    "the tree of dicts is read by one statement per field, which alone takes as long as the C parser that made it; loops over what is"
    " there, `map` over `dict.get` and keyword constructors were slower. The extension has no tree between, and meets it"
)
_TREE = (
    "a tree of dicts is made and then written by C; the tree alone is a third to a half of the time. Functions that write text"
    " directly were built and measured: 1.0 to 1.5 of `json.dumps`, a sixth less than by way of trees, but up to twice as slow as"
    " these with orjson; so trees stayed, as the one way. The extension has no tree between"
)
_MESSAGES = (
    "reading and writing are straight-line Python without a call per field (two to three times faster than with one); the rest is"
    " the interpreter itself. Branches by bisection and tables were slower. The extension meets it for larger objects"
)
_SHARED = (
    "a kind and the objects on the path to a change are new objects in Python, of a fifth of a microsecond each, where Go casts a pointer;"
    " all below is taken over as it is, where the classes are the same. Those of a FlowSchema of v1beta3 are not those of the hub, which"
    " has v1's: each of its thirteen objects is created again, though it has the same fields. The scheme's own call is a quarter of"
    " a microsecond to a third, most of what it takes where the classes are the same"
)
_FULL = "the sum of its parts: see those of JSON; defaults take more than Go's where a Pod has every field set"
_REWORDED = (
    "an edit of docs is not checked again, and only files that repeat them are generated; of the specs, those of groups that lead to the edited"
    " one and of what these lead to are read, and of the edited file the types that have another text. Names and types are a fifth, the"
    " start of Python and imports another, looking at all that is read and written a quarter. Without garbage collection it takes as long"
)
_CHANGED = (
    "an edit of bounds is checked again (types, rules, literals of strategies), and only schemas and validation are made, where what they"
    " lead to has changed: no conversion is planned. Three quarters of all specs lead to core/v1 or are led to by those: reading them,"
    " names, types, hubs and checks are a third, validation and schemas a fifth, the start of Python and imports another, looking at all"
    " that is read and written the rest"
)
_LARGER = (
    "what was super-linear was found by sampling functions in C at one and four times the size: the names of all functions of strategies"
    " were written out and hashed with each file of each group, and go by one key now; looking up types, walks over hubs and splitting"
    " of tuples were fixed before. With four times the size no function in C takes a hundredth of the run more per field. The rest"
    " is longer names of copies, whose lines are split, and memory beyond the caches of a processor. Garbage collection is 2 %, and grows"
    " with what is made, not with what is held"
)

REASONS: Mapping[str, str] = {
    "one field of apps/v1 changed: its documentation": _REWORDED,
    "one field of core/v1 changed: its documentation": _REWORDED,
    "one field of apps/v1 changed: its limit": _CHANGED,
    "one field of core/v1 changed: its limit": _CHANGED,
    "CPU per field, 4 × Kubernetes' size | Kubernetes' size": _LARGER,
    "CPU per field, 16 × Kubernetes' size | Kubernetes' size": _LARGER,
    "one group of 50 types, cold": "a third is importing the compiler, its templates and Black, which formats copies of hand-written code",
    "lint of one group": "reading the groups that it leads to (meta, and its gates) is more than half; the rest is imports",
    "generate --watch, after a save": (
        "a save is noticed within 0.13 s, by looking ten times a second; the file that was edited is read, and the group is generated again"
    ),
    "nothing changed": "reading all specs to compare their digests is most of it",
    "two releases of all of Kubernetes, cold | buf breaking": (
        "types that have the same text in both releases are read, analyzed, resolved and written once, by one process: two"
        " thirds of the text between 1.36 and 1.37, where a quarter of the types are new or changed. The rest is reading the first"
        " release whole, two fifths of it (nodes are a tenth: YAML is read by lines, without PyYAML); what is new in the second, an eighth;"
        " evaluating 666 changes, a third; and imports, an eighth. buf reads less, in Go."
        " Nothing is freed before the process ends, which was a twenty-fifth."
        " Fields within changed types are not shared: half of their text is the same, which would be a tenth of one side more"
    ),
    "a CRD of 7,000 lines, cold | crdify": (
        "imports and Python's own start are four tenths (of some 260 modules of its own, and 90 of the standard library; rules load with the"
        " changes that ask for them, classes are made without the standard library's `dataclasses`), reading both sides a tenth, their surfaces"
        " a seventh, the review of 134 changes a quarter. Both versions of a side have the same text: it is read once, its types are moved to the"
        " lines of the second version, and what is decided of its schemas holds for both. Two searches of the whole text were a fifteenth,"
        " and are gone. A finder of modules that lists no folders gained a fiftieth, and was not taken; a part of the configuration read"
        " without a parser of all of TOML would gain a thirtieth, and bounds without exact fractions a fiftieth. The figure differs between"
        " processors more than others do: 1.36 to 1.49 on one, 1.5 to 1.8 on another, where crdify takes 0.08 to 0.1 s from one run to the next"
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
        "small objects are a handful of calls, each of them as dear as all of Go's copy. Lists are made by loops, as a comprehension is a"
        " call until Python 3.12, which took a seventh off; making objects is a third"
    ),
    "hub → version, nothing shared | Go's deep copy": (
        "a HorizontalPodAutoscaler of v1 holds what v1 has no field for as JSON in annotations: three of them are written"
    ),
    "version → hub, shared | Go, same shape": _SHARED,
    "hub → version, shared | Go, same shape": _SHARED,
    "deep copy | Go": (
        "small objects are a handful of calls; the extension copies them in less time than Go. Making an object without its fields is a"
        " third: 0.07 µs each, a call of C that Python 3.11 does not specialise. Lists by loops instead of comprehensions took a seventh"
        " off; `map` gained nothing"
    ),
    "bytes → bytes of the other version | standard library | Go": _FULL,
    "bytes → bytes of the other version | with orjson | Go": _FULL,
    "JSON → object | compiled | msgspec": (
        "the rest is creating the objects, which have a slot for every field, set or not, and freeing them; the scheme adds a call"
    ),
    **dict.fromkeys(
        ("version → hub | compiled | not compiled", "hub → version | compiled | not compiled"),
        "C code converts by tables, and the extension frees objects itself and reuses their memory, which saves a third of the time. Of a"
        " small object five sixths are the extension (ten objects and seven lists are made and freed), and an eighth is the scheme's own"
        " call, a frame of Python of 100 ns, which a callable in C could spare. Keeping the memory of short lists, too, was measured, and"
        " gains nothing; neither do calls without a table of procedures, nor optimizing at link time, nor a plain attribute for the codec."
        " A HorizontalPodAutoscaler of v1 is made by a hand-written function, which stays Python, and so do the annotations with JSON that"
        " it writes: two of them by hand, in 4 to 5 of 9 µs, the third in the body that it is given, which takes 4. What it is divided by"
        " became a seventh faster, when lists of structs were made by loops: pods and deployments took 0.23 to 0.25 of the previous form",
    ),
    **dict.fromkeys(
        ("protobuf → object | compiled | Go", "object → protobuf | compiled | Go"),
        "measured through the scheme, with Kubernetes' envelope; Go is called without one. The scheme's own call is a fifth of a small"
        " object, 100 to 130 ns: without it both small objects are written in four fifths of Go's time. Messages are written from the"
        " last byte to the first, in one pass. mypyc was tried on the same files: it halves reading, does nothing for writing and for JSON,"
        " and takes a minute for two groups",
    ),
    "import of everything | lightkube": (
        "these are all modules, loaded though nothing is used: 700 files, of which finding and opening takes 40 ms, and 12 MB of code, of"
        " which reading takes as long again; the garbage collector, which looks at all of it several times, takes a sixth; lightkube has"
        " the types of one version each. A package and its versions load next to nothing before it is used, the scheme 9 ms (32 before its"
        " table was plain objects), and all types load in less than half of lightkube's time"
    ),
    **dict.fromkeys(
        ("import of apps/v1", "import of core/v1"),
        "these are all types and functions of a version, loaded though nothing is used; the row below has what is paid to have all of them within"
        " reach, and first uses what programs pay. `typing`, `re`, hubs and other groups are not loaded with them; the rest is reading"
        " code (2.4 MB for core/v1, 3,000 functions of 0.003 ms; half of it is protobuf), a class for each type (0.013 ms), `enum` and `functools` with"
        " what they import (3.3 ms), and finding and opening 40 files (3 ms). Modules for reading apart from those for writing would halve"
        " what a reader pays, but add 200 files to what is loaded here; without a garbage collector it takes a tenth less",
    ),
    **dict.fromkeys(
        ("import of apps/v1, types", "import of core/v1, types"),
        "a class for each type takes 0.013 ms, a third of core/v1, and `enum` and `functools` with what they import 3.3 ms; other versions are not loaded. Made once instead of twice"
        " (with slots straight away), a class takes 0.008 ms; but that needs a base or a metaclass in every class that is generated, so it was"
        " not taken, nor were enums in modules of their own, as the JSON decoder loads `enum` anyway. Methods in a common base instead of in each class gain nothing",
    ),
}
