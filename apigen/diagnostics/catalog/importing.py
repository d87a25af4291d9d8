"""AG12xx: importing an API that is defined elsewhere."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1201",
        "a Go file that is no Go",
        """
The text does not follow the grammar of Go at the place that is named. Declarations that hold no error are read all the
same, but nothing is imported, as a field could be missing. If the Go compiler takes the file, the grammar that apigen
uses is older than the language: update the package `tree-sitter-go`.
""",
        """
type Frobber struct {
	Width int32 int32
}
""",
    ),
    CodeInfo(
        "AG1202",
        "a Go file that is no text",
        """
Go sources are UTF-8, without zero bytes. The place is that of the first byte that does not fit.
""",
        """
// caf\\xe9             Latin-1; UTF-8 has two bytes here
""",
    ),
    CodeInfo(
        "AG1203",
        "too much Go",
        """
A file of more than 4 MB, one that takes longer than seconds to parse, or a folder with more than 50,000 folders below
is not read. What people write by hand is a tenth of that at most. Generated files are left out anyway, if their name
(`zz_generated…`, `….pb.go`, `…_generated.go`) or a line `// Code generated … DO NOT EDIT.` says so.
""",
        """
head -c 200000000 /dev/zero > api/v1/types.go
""",
    ),
    CodeInfo(
        "AG1204",
        "Go that is nested too deep",
        """
Types are nested at most 100 levels deep; hand-written Go has some ten. The field or type is left out.
""",
        """
type Frobber [][][][][][][][][][]string          // and so on, 100,000 times
""",
    ),
    CodeInfo(
        "AG1205",
        "no such Go package",
        """
Of a Go module, or a folder of one, apigen reads the packages whose folder is called like a version: `v1`, `v1beta2`.
There is none here, or only what nobody writes by hand or imports: tests, generated files, programs. Look at the folder
that was named.
""",
        """
apigen import go ../frobber/docs          # the packages are in ../frobber/apis
""",
    ),
    CodeInfo(
        "AG1206",
        "a folder without import path",
        """
How other packages call a Go package follows from the go.mod in its folder or in one above, and apigen needs it to know
which type a name such as `metav1.ObjectMeta` stands for. Copy the module's go.mod as well.
""",
        """
apigen import go /tmp/copied/v1          # copied without its go.mod
""",
    ),
    CodeInfo(
        "AG1207",
        "two packages in one folder",
        """
All files of a folder belong to one package; tests aside, only files that are programs of their own (`package main`)
may lie beside it. The file that differs from most others is left out.
""",
        """
package v1          // in types.go
package v2          // in more.go, beside it
""",
    ),
    CodeInfo(
        "AG1208",
        "a name in front of a dot that nothing imports",
        """
The type is of another package, but no import of the file is called like that. Where an import has no name of its own,
it is called like the package, which apigen looks up if it has the folder, and else guesses from the end of the path.
""",
        """
import "example.com/frobbing/api"          // its files say `package frob`

Spec frob.Spec
""",
    ),
    CodeInfo(
        "AG1209",
        "an import without a name",
        """
`import . "path"` lets a file use what another package declares as if it were its own. apigen takes each name for one of
the own package, and does not find those.
""",
        """
import . "example.com/frobbing/api"
""",
    ),
    CodeInfo(
        "AG1210",
        "a struct tag that is not understood",
        """
A struct tag is a row of `key:"value"` with spaces between; Go itself ignores what comes behind the first mistake. The
value of `protobuf` has the field's number in second place: `bytes,4,opt,name=width`. What stands in front of the
mistake is used.
""",
        """
Width int32 `json:"width", protobuf:"varint,4,opt,name=width"`          // no comma
""",
    ),
    CodeInfo(
        "AG1211",
        "a type that no API has",
        """
Generic types, channels, pointers and arrays of fixed length cannot be said in specs. The type is left out; fields that
use it are reported as well.
""",
        """
type List[T any] struct { Items []T }
""",
    ),
    CodeInfo(
        "AG1212",
        "a struct without a name",
        """
The type of a field is a struct that is written where it is used. Specs, protobuf and other languages need a name for
it, so that its fields are not read: declare it as a type.
""",
        """
Size struct { Width int32 }          // type Size struct { Width int32 }
""",
    ),
    CodeInfo(
        "AG1213",
        "a comment that could be a field that is gone",
        """
Kubernetes leaves the line of a removed field in place, commented out, so that nobody takes its protobuf number again.
This line begins like one, and then does not read as a field. If it stands for one, write it as it stood.
""",
        """
// Depth int32 `json:"depth" protobuf:"varint,4,opt,name=depth"` is gone since 1.12
""",
    ),
    CodeInfo(
        "AG1214",
        "a marker of a removed field that is not understood",
        """
`+k8s:deprecated=name,protobuf=4` keeps the JSON name and the protobuf number of a field that is gone; the number may be
missing. Nothing else is known there.
""",
        """
// +k8s:deprecated=depth,protobuf=four
""",
    ),
    CodeInfo(
        "AG1215",
        "two names for one group",
        """
The group of a package is the constant `GroupName`, else the marker `+groupName=` above the package clause. Here both
are there and differ: programs use the constant, Kubernetes' generators the marker.
""",
        """
// +groupName=things.example.com
const GroupName = "frobs.example.com"
""",
    ),
    CodeInfo(
        "AG1216",
        "the libraries that read Go are missing",
        """
`apigen import` needs libraries that nothing else of apigen needs, so that they are an extra of the package.
""",
        """
pip install apigen          # pip install 'apigen[import]'
""",
    ),
)
