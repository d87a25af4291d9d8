"""Descriptor sets: what a compiler of protobuf makes of files, in one message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message

from apigen.diagnostics import Place, Report

_MAKE = "make it with protoc --include_imports --include_source_info --descriptor_set_out=FILE"


def decode_set(data: bytes, shown: str, report: Report) -> list[FileDescriptorProto] | None:
    """The files of a set. None, with AG1443, of what is none."""
    try:
        files = list(FileDescriptorSet.FromString(data).file)
    except DecodeError:
        files = []
    if not files or not all(file.name for file in files):
        report.error("AG1443", Place(shown), "this is no descriptor set of protobuf, or an empty one", hint=_MAKE)
        return None
    broken = next((at for at, file in enumerate(files) if not _is_text(file)), None)
    if broken is not None:
        name: object = files[broken].name
        which = name if isinstance(name, str) else f"file {broken + 1}"
        message = f"{which} is broken: a name, a default or an option in it is no UTF-8"
        report.error("AG1443", Place(shown), message, hint="spell it in UTF-8")
        return None
    return files


def _is_text(file: FileDescriptorProto) -> bool:
    """Whether all texts of a file but its comments are UTF-8: the library gives bytes for those that are not."""
    waiting: list[Message] = [file]
    while waiting:
        for descriptor, value in waiting.pop().ListFields():
            several = (value,) if isinstance(value, (str, bytes, Message)) else value
            if descriptor.type == descriptor.TYPE_STRING:
                if not all(isinstance(each, str) for each in several):
                    return False
            elif descriptor.message_type is not None and descriptor.name != "source_code_info":
                waiting.extend(cast("Iterable[Message]", several))
    return True


def is_consistent(files: list[FileDescriptorProto], shown: str, report: Report) -> bool:
    """Whether the files of a set hold all that they name, in an order in which each comes after what it imports."""
    pool = DescriptorPool()
    for file in files:
        bare = FileDescriptorProto()
        bare.CopyFrom(file)
        bare.ClearField("source_code_info")
        try:
            pool.AddSerializedFile(bare.SerializeToString())
        except (TypeError, ValueError) as error:
            words = " ".join(str(error).split())
            report.error("AG1443", Place(shown), f"{file.name} in this descriptor set is broken: {words}", hint=_MAKE)
            return False
    return True
