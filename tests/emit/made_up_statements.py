"""Makes up Python statements, each on one line, spaced as Black spaces them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda_ mu nu xi omicron pi rho sigma tau".split()
COMPARISONS = "== != < <= > >= in is".split() + ["not in", "is not"]
ARITHMETIC = "+ - * / // % @ | & ^ << >>".split()


class Statements:
    """Statements of every shape that the formatter knows, from a source of randomness."""

    def __init__(self, random: Random, size: int = 4, modern: bool = False) -> None:
        self._random = random
        self._size = size
        self._modern = modern

    def one(self) -> str:
        """One statement, or the header of a compound one."""
        return self._pick(
            self._assignment,
            self._assignment,
            self._annotated,
            self._augmented,
            self._expression_statement,
            self._return,
            self._return,
            self._assert,
            self._raise,
            self._del,
            self._import,
            self._def,
            self._def,
            self._class,
            self._condition,
            self._for,
            self._with,
            self._except,
            self._decorator,
            self._match,
            self._yield,
            self._global,
            self._type,
        )()

    def long(self, columns: int) -> str:
        """One statement of more than so many columns."""
        while True:
            statement = self.one()
            if len(statement) > columns:
                return statement
            self._size = min(self._size + 1, 4)

    # --- randomness

    def _pick(self, *options: Callable[[], str]) -> Callable[[], str]:
        return self._random.choice(options)

    def _maybe(self, odds: float = 0.5) -> bool:
        return self._random.random() < odds

    def _some(self, item: Callable[[int], str], budget: int, most: int = 4, least: int = 0) -> list[str]:
        return [item(budget - 1) for _ in range(self._random.randint(least, most))]

    # --- atoms

    def _name(self) -> str:
        if self._maybe(0.3):
            return self._random.choice("abcxyz")
        return "_".join(self._random.choices(WORDS, k=self._random.choice([1, 1, 2, 3, 4, 6])))

    def _dotted(self) -> str:
        return ".".join(self._name() for _ in range(self._random.choice([1, 2, 2, 3])))

    def _string(self) -> str:
        body = " ".join(self._random.choices(WORDS, k=self._random.choice([0, 1, 2, 4, 8])))
        prefix = self._random.choice(["", "", "", "", "b", "r", "f"])
        if body and self._maybe(0.05):
            return f"{prefix}'\"{body}\"'"
        return f'{prefix}"{body}"'

    def _number(self) -> str:
        return self._random.choice(["0", "1", "42", "3.14", "1e6", "0xFF", "100000000000000000000"])

    def _atom(self, budget: int) -> str:
        return self._pick(self._name, self._name, self._dotted, self._string, self._number)()

    # --- expressions

    def _expression(self, budget: int) -> str:
        """An expression that may stand as an argument."""
        if budget <= 0:
            return self._atom(0)
        return self._random.choice(
            [
                self._operand,
                self._operand,
                self._operand,
                self._binary,
                self._comparison,
                self._boolean,
                self._ternary,
                self._lambda,
                self._not,
                self._joined_strings,
            ]
        )(budget)

    def _operand(self, budget: int) -> str:
        """What may stand on either side of an operator."""
        if budget <= 0:
            return self._atom(0)
        return self._random.choice(
            [
                self._atom,
                self._atom,
                self._call,
                self._call,
                self._subscripted,
                self._chain,
                self._list,
                self._dict,
                self._tuple,
                self._grouped,
                self._comprehension,
                self._unary,
                self._power,
                self._await,
            ]
        )(budget)

    def _primary(self, budget: int) -> str:
        if budget <= 0 or self._maybe(0.6):
            return self._dotted()
        return self._random.choice([self._call, self._subscripted, self._grouped, self._list])(budget - 1)

    def _call(self, budget: int) -> str:
        return f"{self._primary(budget - 2)}{self._arguments(budget)}"

    def _arguments(self, budget: int) -> str:
        if self._maybe(0.1):
            return f"({self._expression(budget - 1)} {self._loops(budget - 1)})"
        positional = self._some(self._argument, budget, 3)
        named = [f"{self._name()}={self._expression(budget - 1)}" for _ in range(self._random.choice([0, 0, 1, 2]))]
        if self._maybe(0.1):
            named.append(f"**{self._operand(budget - 1)}")
        return f"({', '.join(positional + named)})"

    def _argument(self, budget: int) -> str:
        if self._maybe(0.1):
            return f"*{self._operand(budget)}"
        if self._maybe(0.05):
            return f"{self._name()} := {self._operand(budget)}"
        return self._expression(budget)

    def _subscripted(self, budget: int) -> str:
        return f"{self._primary(budget - 2)}{self._subscript(budget)}"

    def _subscript(self, budget: int) -> str:
        if self._maybe(0.15):
            return f"[{self._name()}:{self._name()}]"
        if self._maybe(0.05):
            return f"[{self._name()}({self._name()}) : {self._name()} + {self._name()}]"
        if self._maybe(0.1):
            return self._random.choice(
                ["[:]", "[::2]", f"[{self._name()}:]", f"[:{self._name()}, {self._name()}]", "[-1]", "[1:-1]"]
            )
        return f"[{', '.join(self._some(self._expression, budget, 3, 1))}]"

    def _chain(self, budget: int) -> str:
        text = self._primary(budget - 2)
        for _ in range(self._random.randint(1, 4)):
            text += f".{self._name()}"
            if self._maybe(0.8):
                text += self._arguments(budget - 1) if self._maybe(0.8) else self._subscript(budget - 1)
        return text

    def _element(self, budget: int) -> str:
        return f"*{self._operand(budget)}" if self._maybe(0.05) else self._expression(budget)

    def _list(self, budget: int) -> str:
        return f"[{', '.join(self._some(self._element, budget))}]"

    def _entry(self, budget: int) -> str:
        if self._maybe(0.1):
            return f"**{self._operand(budget - 1)}"
        return f"{self._operand(budget - 1)}: {self._expression(budget)}"

    def _dict(self, budget: int) -> str:
        if self._maybe(0.2):
            return f"{{{', '.join(self._some(self._element, budget, 3, 1))}}}"
        return f"{{{', '.join(self._some(self._entry, budget))}}}"

    def _tuple(self, budget: int) -> str:
        items = self._some(self._element, budget)
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"

    def _grouped(self, budget: int) -> str:
        """An expression in parentheses that it needs."""
        inner = self._random.choice([self._binary, self._comparison, self._boolean, self._ternary])
        return f"({inner(budget - 1)})"

    def _comprehension(self, budget: int) -> str:
        loops = self._loops(budget - 1)
        if self._maybe(0.3):
            return f"{{{self._operand(budget - 1)}: {self._expression(budget - 1)} {loops}}}"
        opening = self._random.choice("[{(")
        closing = {"[": "]", "{": "}", "(": ")"}[opening]
        return f"{opening}{self._expression(budget - 1)} {loops}{closing}"

    def _loops(self, budget: int) -> str:
        text = f"for {self._targets()} in {self._operation(budget)}"
        if self._maybe(0.2):
            text += f" for {self._name()} in {self._operand(budget)}"
        for _ in range(self._random.choice([0, 0, 1, 2])):
            text += f" if {self._operation(budget)}"
        return text

    def _targets(self) -> str:
        names = [self._name() for _ in range(self._random.choice([1, 1, 2, 3]))]
        if len(names) > 1 and self._maybe(0.1):
            names[-1] = f"*{names[-1]}"
        return ", ".join(names)

    def _unary(self, budget: int) -> str:
        return f"{self._random.choice('-~')}{self._random.choice([self._call, self._subscripted])(budget - 1)}"

    def _power(self, budget: int) -> str:
        if self._maybe():
            return f"{self._name()}**{self._random.choice([self._name(), '2', '-1'])}"
        return f"{self._call(budget - 1)} ** {self._random.choice([self._name(), '2'])}"

    def _await(self, budget: int) -> str:
        return f"await {self._call(budget - 1)}"

    def _joined(self, operators: list[str], budget: int) -> str:
        text = self._operand(budget - 1)
        for _ in range(self._random.choice([1, 1, 2, 3])):
            text += f" {self._random.choice(operators)} {self._operand(budget - 1)}"
        return text

    def _binary(self, budget: int) -> str:
        if self._maybe(0.6):
            return self._joined([self._random.choice(ARITHMETIC)], budget)
        return self._joined(ARITHMETIC, budget)

    def _comparison(self, budget: int) -> str:
        return self._joined(COMPARISONS, budget)

    def _boolean(self, budget: int) -> str:
        text = self._operation(budget - 1)
        for _ in range(self._random.choice([1, 1, 2, 3])):
            text += f" {self._random.choice(['and', 'or'])} {'not ' * self._maybe(0.2)}{self._operation(budget - 1)}"
        return text

    def _operation(self, budget: int) -> str:
        if budget <= 0:
            return self._atom(0)
        return self._random.choice([self._operand, self._operand, self._binary, self._comparison])(budget)

    def _ternary(self, budget: int) -> str:
        parts = [self._operation(budget - 1) for _ in range(3)]
        if self._maybe(0.2):
            parts[2] = self._ternary(budget - 1) if budget > 1 else parts[2]
        return f"{parts[0]} if {parts[1]} else {parts[2]}"

    def _lambda(self, budget: int) -> str:
        names = ", ".join(
            f"{name}={self._operand(budget - 2)}" if self._maybe(0.2) else name
            for name in [self._name() for _ in range(self._random.randint(0, 3))]
        )
        return f"lambda{' ' * bool(names)}{names}: {self._expression(budget - 1)}"

    def _not(self, budget: int) -> str:
        return f"not {self._operand(budget - 1)}"

    def _joined_strings(self, budget: int) -> str:
        return " ".join(self._string().replace('b"', '"') for _ in range(self._random.randint(2, 4)))

    def _value(self, budget: int | None = None) -> str:
        """The right side of an assignment."""
        budget = self._size if budget is None else budget
        if self._maybe(0.1):
            return ", ".join(self._some(self._element, budget, 4, 2))
        return self._unwrapped(budget)

    def _unwrapped(self, budget: int) -> str:
        """An expression that is not in parentheses as a whole, as Black would remove them."""
        while True:
            text = self._expression(budget)
            if not text.startswith("("):
                return text

    # --- statements

    def _target(self) -> str:
        if self._maybe(0.3):
            return self._random.choice([self._subscripted, self._call_attribute])(1)
        return self._dotted()

    def _call_attribute(self, budget: int) -> str:
        return f"{self._call(budget)}.{self._name()}"

    def _assignment(self) -> str:
        targets = [self._target()]
        if self._maybe(0.1):
            targets = [", ".join(self._target() for _ in range(self._random.randint(2, 4)))]
        if self._maybe(0.1):
            targets += [self._target() for _ in range(self._random.randint(1, 3))]
        return f"{' = '.join(targets)} = {self._value()}"

    def _annotated(self) -> str:
        value = f" = {self._unwrapped(self._size)}" if self._maybe(0.7) else ""
        return f"{self._dotted()}: {self._annotation()}{value}"

    def _annotation(self) -> str:
        kinds = [self._name(), self._dotted(), self._generic(2), self._string()]
        if self._maybe(0.3):
            kinds = [" | ".join(self._random.choices(kinds, k=self._random.randint(2, 4)))]
        return self._random.choice(kinds)

    def _generic(self, budget: int) -> str:
        parts = [self._generic(budget - 1) if budget and self._maybe(0.3) else self._dotted()]
        parts += [
            self._random.choice([self._name, self._string, self._dotted])() for _ in range(self._random.randint(0, 3))
        ]
        return f"{self._dotted()}[{', '.join(parts)}]"

    def _augmented(self) -> str:
        return (
            f"{self._target()} {self._random.choice(['+', '-', '*', '|', '**', '//'])}= {self._unwrapped(self._size)}"
        )

    def _expression_statement(self) -> str:
        return self._random.choice([self._call, self._chain, self._await, self._binary, self._expression])(self._size)

    def _return(self) -> str:
        return f"return {self._value()}" if self._maybe(0.95) else "return"

    def _assert(self) -> str:
        message = f", {self._unwrapped(self._size - 1)}" if self._maybe() else ""
        return f"assert {self._unwrapped(self._size)}{message}"

    def _raise(self) -> str:
        cause = f" from {self._operand(self._size - 2)}" if self._maybe(0.4) else ""
        return f"raise {self._expression(self._size)}{cause}"

    def _del(self) -> str:
        return f"del {', '.join(self._target() for _ in range(self._random.randint(1, 4)))}"

    def _import(self) -> str:
        names = [
            self._name() + (f" as {self._name()}" if self._maybe(0.2) else "")
            for _ in range(self._random.randint(1, 5))
        ]
        if self._maybe(0.2):
            return f"import {', '.join(names)}"
        return f"from {self._random.choice(['', '.', '..'])}{self._dotted()} import {', '.join(names)}"

    def _parameters(self) -> str:
        items = [self._parameter() for _ in range(self._random.choice([0, 1, 1, 2, 3, 5]))]
        if items and self._maybe(0.1):
            items.insert(self._random.randint(1, len(items)), "/")
        if self._maybe(0.2):
            items += [f"*{self._name()}"]
        elif self._maybe(0.2):
            items += ["*", self._parameter()]
        if self._maybe(0.1):
            items += [f"**{self._name()}: {self._annotation()}" if self._maybe() else f"**{self._name()}"]
        return ", ".join(items)

    def _parameter(self) -> str:
        if self._maybe(0.2):
            return f"{self._name()}={self._operand(2)}" if self._maybe() else self._name()
        default = f" = {self._expression(2)}" if self._maybe(0.3) else ""
        return f"{self._name()}: {self._annotation()}{default}"

    def _def(self) -> str:
        result = f" -> {self._annotation()}" if self._maybe(0.8) else ""
        prefix = "async " if self._maybe(0.1) else ""
        generic = f"[{', '.join(self._parameter_type() for _ in range(self._random.randint(1, 3)))}]"
        generic = generic if self._modern and self._maybe(0.3) else ""
        return f"{prefix}def {self._name()}{generic}({self._parameters()}){result}:{' ...' * self._maybe(0.3)}"

    def _yield(self) -> str:
        target = self._random.choice(["", "", f"{self._dotted()} = "])
        if self._maybe(0.2):
            return f"{target}yield from {self._operand(self._size - 1)}"
        return f"{target}yield {self._value()}"

    def _global(self) -> str:
        return f"{self._random.choice(['global', 'nonlocal'])} {', '.join(self._name() for _ in range(3))}"

    def _type(self) -> str:
        if not self._modern:
            return self._assignment()
        return f"type {self._name()} = {self._annotation()}"

    def _parameter_type(self) -> str:
        return self._name() + (f": {self._annotation()}" if self._maybe(0.3) else "")

    def _class(self) -> str:
        bases = self._some(lambda _: self._dotted(), 1)
        if self._maybe(0.3):
            bases += [f"{self._name()}={self._operand(1)}"]
        return f"class {self._name()}{'(' * bool(bases)}{', '.join(bases)}{')' * bool(bases)}:"

    def _condition(self) -> str:
        word = self._random.choice(["if", "elif", "while"])
        walrus = f"{self._name()} := " if self._maybe(0.1) else ""
        return f"{word} {walrus}{self._unwrapped(self._size)}:"

    def _for(self) -> str:
        prefix = "async " if self._maybe(0.1) else ""
        return f"{prefix}for {self._targets()} in {self._value()}:"

    def _with(self) -> str:
        managers = [self._manager() for _ in range(self._random.choice([1, 1, 2, 3]))]
        return f"{'async ' * self._maybe(0.1)}with {', '.join(managers)}:"

    def _manager(self) -> str:
        name = f" as {self._name()}" if self._maybe() else ""
        return f"{self._random.choice([self._call, self._dotted_of])(self._size)}{name}"

    def _dotted_of(self, budget: int) -> str:
        return self._dotted()

    def _except(self) -> str:
        caught = self._random.choice([self._dotted_of, self._tuple, self._call])(1)
        while caught == "()":
            caught = self._tuple(1)
        star = "*" if self._modern and self._maybe(0.2) else ""
        return f"except{star} {caught}{f' as {self._name()}' if self._maybe() else ''}:"

    def _decorator(self) -> str:
        return f"@{self._dotted()}{self._arguments(self._size) if self._maybe(0.8) else ''}"

    def _match(self) -> str:
        if not self._modern:
            return self._return()
        if self._maybe():
            return f"match {self._unwrapped(self._size)}:"
        guard = f" if {self._unwrapped(self._size - 1)}" if self._maybe(0.4) else ""
        return f"case {self._pattern(self._size)}{guard}:"

    def _pattern(self, budget: int) -> str:
        if budget <= 0:
            return self._name()
        patterns = [self._pattern(budget - 1) for _ in range(self._random.randint(1, 3))]
        return self._random.choice(
            [
                self._name(),
                f"{self._dotted()}({', '.join(patterns)})",
                f"{self._dotted()}({self._name()}={patterns[0]})",
                f"[{', '.join(patterns)}]",
                " | ".join(self._dotted() for _ in patterns),
                f"{self._dotted()}() as {self._name()}",
            ]
        )
