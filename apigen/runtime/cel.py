"""CEL, by the library cel-expr-python if it is installed. The only module that uses that library.

It is Google's binding of its C++ implementation: expressions are type-checked, regular expressions are RE2's, and the
steps of an evaluation are limited. Nothing of it is imported before the first expression is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from .cel_text import with_optionals
from .dataclasses import dataclass

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

LIBRARY: Final = "cel-expr-python and protobuf (`pip install 'apigen[cel]'`)"
"""The packages to install for CEL."""

_ERROR = re.compile(r"ERROR: <input>:(-?[0-9]+):(-?[0-9]+): (.*)")
_STATUS = re.compile(r"^[A-Z_]+: |\[[A-Z_]+\]$")
_OPTIONAL = "cel.bind(oldSelf, hasOldSelf_ ? optional.of(oldSelf_) : optional.none(),\n"
"""Prefix of a rule with `optionalOldSelf`: Python cannot make an optional, CEL can. The rule's line 1 is 2."""


class CelError(Exception):
    """An expression that cannot be compiled or evaluated; `line` and `column` count from 1; 0 means unknown."""

    def __init__(self, problem: str, line: int = 0, column: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled expression."""

    _expression: Any
    _error_type: Any

    @property
    def type_name(self) -> str:
        """The type that the expression is known to have: `BOOL`, `STRING`, …, `DYN`."""
        return str(self._expression.return_type().name())

    def serialized(self) -> bytes:
        """The expression as a tree: a `cel.expr.CheckedExpr` in an `Any`, with macros expanded."""
        return bytes(self._expression.serialize())

    def evaluate(self, variables: Mapping[str, object]) -> object:
        """The value, with these variables. Raises CelError."""
        try:
            found = self._expression.eval(data=variables)
            is_error = found.type() == self._error_type
            value = None if is_error else found.value()
        except (RuntimeError, TypeError, ValueError, OverflowError) as error:
            raise CelError(_status_removed(str(error))) from None
        except MemoryError:
            raise CelError("out of memory") from None
        if is_error:
            raise CelError(_status_removed(str(found.value())))
        return value


class Cel:
    """The CEL library with the functions that Kubernetes adds to the language."""

    def __init__(
        self, library: Any, protobuf: tuple[Any, Any, Any], extensions: list[Any]
    ) -> None:
        """`protobuf` are its classes of pools and timestamps, and its function that returns the class of a message."""
        from .cel_functions import message_types

        self.library = library
        self._pool, self._timestamp, self.message_class = protobuf
        self._plain = extensions[:-1]
        self._with_bind = extensions
        self._dynamic = self.environment({}, message_types())

    def environment(
        self, types: Mapping[str, Any], messages: list[bytes]
    ) -> Environment:
        """Return the environment that compiles expressions: with variables of these types (all others are dynamic),
        and message types.
        """
        pool = self._pool()
        for file in messages:
            pool.AddSerializedFile(file)
        return Environment(self, pool, types)

    def compile(
        self, expression: str, *, variables: tuple[str, ...], optional_old: bool = False
    ) -> Program:
        """Compile an expression about dynamic values. Raises CelError."""
        return self._dynamic.compile(expression, variables, optional_old=optional_old)

    def timestamp(self, text: str) -> object:
        """RFC 3339 text as CEL's timestamp. Raises ValueError."""
        moment = self._timestamp()
        moment.FromJsonString(text)
        return moment


class Environment:
    """Compiles expressions whose variables are of certain types."""

    def __init__(self, cel: Cel, pool: Any, types: Mapping[str, Any]) -> None:
        self._cel = cel
        self._pool = pool
        self._types = types
        self._made: dict[tuple[tuple[str, ...], bool], Any] = {}

    def compile(
        self,
        expression: str,
        variables: tuple[str, ...],
        *,
        optional_old: bool = False,
    ) -> Program:
        """Compile an expression that may use these variables. Raises CelError, with the place in the expression.

        With `optional_old`, `oldSelf` is an optional with `oldSelf_` if `hasOldSelf_` is true.
        """
        error_type = self._cel.library.Type.ERROR
        if not optional_old:
            return Program(self._compiled(expression, variables, False, 0), error_type)
        self._compiled(expression, variables, False, 0, check=False)
        wrapped = f"{_OPTIONAL}{expression}\n)"
        return Program(self._compiled(wrapped, variables, True, 1), error_type)

    def _compiled(
        self,
        expression: str,
        variables: tuple[str, ...],
        bind: bool,
        lines_before: int,
        *,
        check: bool = True,
    ) -> Any:
        environment = self._environment(variables, bind)
        rewritten = with_optionals(expression)
        try:
            return environment.compile(rewritten.text, disable_check=not check)
        except (RuntimeError, TypeError, ValueError) as error:
            raise _located(str(error), rewritten.column, lines_before) from None

    def _environment(self, variables: tuple[str, ...], bind: bool) -> Any:
        if (variables, bind) not in self._made:
            from .cel_functions import functions

            type_ = self._cel.library.Type
            known = {name: self._types.get(name, type_.DYN) for name in variables}
            if bind:
                known.pop("oldSelf", None)
                known["hasOldSelf_"] = type_.BOOL
                known["oldSelf_"] = self._types.get("oldSelf", type_.DYN)
            self._made[variables, bind] = self._cel.library.NewEnv(
                descriptor_pool=self._pool,
                variables=known,
                extensions=self._cel._with_bind if bind else self._cel._plain,
                functions=functions(
                    self._cel.library, self._pool, self._cel.message_class
                ),
            )
        return self._made[variables, bind]


@cache
def find_cel() -> Cel | None:
    """Return the library; None if it, or protobuf, is not installed."""
    try:
        library = import_module("cel_expr_python.cel")
        ext = {
            name: import_module(f"cel_expr_python.ext.ext_{name}")
            for name in ("strings", "optional", "math", "bindings")
        }
        pools = import_module("google.protobuf.descriptor_pool")
        factory = import_module("google.protobuf.message_factory")
        timestamps = import_module("google.protobuf.timestamp_pb2")
    except ImportError:
        return None
    protobuf = (
        pools.DescriptorPool,
        timestamps.Timestamp,
        factory.GetMessageClass,
    )
    extensions = [
        ext["strings"].ExtStrings(),
        ext["optional"].ExtOptional(),
        ext["math"].ExtMath(),
        ext["bindings"].ExtBindings(),
    ]
    return Cel(library, protobuf, extensions)


def _located(
    text: str, column_of: Callable[[int, int], int], lines_before: int
) -> CelError:
    """The first error of a compilation, its line reduced by the lines before the expression; `column_of` returns the
    column in the expression.
    """
    found = _ERROR.search(text)
    if found is None:
        return CelError(_status_removed(text.splitlines()[0] if text else "no reason"))
    line, problem = int(found[1]) - lines_before, found[3]
    column = column_of(int(found[1]), int(found[2]))
    problem = _status_removed(problem.removesuffix(" (in container '')"))
    return CelError(problem, max(line, 0), max(column, 0) if line > 0 else 0)


def _status_removed(text: str) -> str:
    """Return an error without the status that the library adds before and after it."""
    return _STATUS.sub("", text).strip()
