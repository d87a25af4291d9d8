"""AG144x: protobuf as one side of a comparison."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1440",
        "a `.proto` file that is no protobuf",
        """
The compiler of protobuf does not take the file; what it says stands in the message. A review of half an API would be
worse than none, so nothing is compared until protoc takes all files of both sides.
""",
        """
message Frobber {
  int32 width = ;          // a number is missing
}
""",
    ),
    CodeInfo(
        "AG1441",
        "an import that is nowhere",
        """
An import is looked for from the folder that is compared, from the folders below and above it where the whole path of the
import leads to a file, and among the files that come with protobuf. Compare a folder that holds what is imported, or a
descriptor set, in which a compiler has put everything together.
""",
        """
import "google/api/annotations.proto";     // and no file of that path is below the folder
""",
    ),
    CodeInfo(
        "AG1442",
        "the libraries that read protobuf are not installed",
        """
`.proto` files are compiled by the protoc of the package `grpcio-tools`, and read with `protobuf`. Both come with an
extra of apigen, since most projects never need them.
""",
        """
pip install 'apigen[proto]'
""",
    ),
    CodeInfo(
        "AG1443",
        "a descriptor set that is none",
        """
The file is read as a `google.protobuf.FileDescriptorSet`. It holds something else, holds nothing, or names files and
types that are not in it: a set is made with everything that its files import.
""",
        """
protoc --include_imports --include_source_info --descriptor_set_out=api.binpb acme/v1/*.proto
""",
    ),
    CodeInfo(
        "AG1444",
        "too much protobuf",
        """
A file of more than 64 MB, a descriptor set of more than 256 MB, more than 20,000 files, or files that keep the compiler busy for more than a minute are not
compared. Name a folder of the tree.
""",
        """
apigen diff proto:/ proto:new          // the whole disk
""",
    ),
    CodeInfo(
        "AG1445",
        "no `.proto` file",
        """
There is no file or folder of that name, nothing in it ends with `.proto`, or it cannot be read. Hidden folders and
`node_modules` are left out.
""",
        """
apigen diff proto:docs proto:new       // the files are in protos/
""",
    ),
)
