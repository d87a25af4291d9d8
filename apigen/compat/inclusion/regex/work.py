"""How much work a review does on patterns: so much for a question, so much in all, and the same on every machine, so that answers are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from apigen.compat.inclusion.regex.undecidable import Undecidable

IN_ALL = 1_000_000
"""States and letters that are looked at in a review, a second or two of them. Of some 1,300 cases and CRDs none takes more than 2,500."""

LEAST = 2_000
"""What a question may take after that: patterns that explode shall not keep plain ones from being compared."""

P = ParamSpec("P")
R = TypeVar("R")


class Account:
    """The work that is left, and the answers that were found: they may be others where more, or less, is left."""

    def __init__(self, work: int = IN_ALL) -> None:
        self.left = work
        self.kept: dict[Hashable, Callable[..., Any]] = {}

    def affords(self, work: int) -> int:
        """How much of it a question may take."""
        return min(work, max(self.left, LEAST))


_current: ContextVar[Account | None] = ContextVar("account", default=None)


@contextmanager
def one_account(work: int = IN_ALL) -> Iterator[Account]:
    """All that is asked within takes from one account; what is asked elsewhere has one of its own each time."""
    account = Account(work)
    before = _current.set(account)
    try:
        yield account
    finally:
        _current.reset(before)


def affordable(work: int) -> int:
    """How much of it a question may take, of the account that holds."""
    return (_current.get() or Account()).affords(work)


def kept(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a function keep so many answers, for as long as its account holds."""

    def keeping(find: Callable[P, R]) -> Callable[P, R]:
        @wraps(find)
        def found(*args: P.args, **kwargs: P.kwargs) -> R:
            account = _current.get()
            if account is None:
                return find(*args, **kwargs)
            if find not in account.kept:
                account.kept[find] = lru_cache(most)(find)
            return cast(R, account.kept[find](*args, **kwargs))

        return found

    return keeping


class Budget:
    """The work for one question, which the account pays for."""

    def __init__(self, work: int, reason: str = "the patterns are too large to compare") -> None:
        self._account = _current.get() or Account()
        self._reason = reason
        self.left = self._account.affords(work)

    def spend(self, work: int) -> None:
        """Raises Undecidable where nothing is left."""
        self.left -= work
        self._account.left -= work
        if self.left < 0:
            raise Undecidable(self._reason)
