"""The language: what of CEL, and of what Kubernetes adds to it, works."""

from __future__ import annotations

import pytest

from apigen.runtime.cel import CelError, find_cel
from apigen.runtime.rules import escaped, names_in_rules, path_steps, uses_old_self


def value_of(expression: str, **variables: object) -> object:
    cel = find_cel()
    assert cel is not None, "the tests need the extra `cel`"
    return cel.compile(expression, variables=("self", "oldSelf")).evaluate({"self": None, "oldSelf": None, **variables})


HOLDS = [
    "[1, 2, 3].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2].exists_one(x, x == 1)",
    "[1, 2, 3].map(x, x * 2).filter(x, x > 2) == [4, 6]",
    "{'a': 1}.all(k, k == 'a') && 'a' in {'a': 1} && !has({'a': 1}.b)",
    "dyn(1) < 1.5 && dyn(2u) == 2",
    "'aXb'.lowerAscii() == 'axb' && 'a,b'.split(',').join('-') == 'a-b' && ' a '.trim() == 'a'",
    "'abc'.substring(1) == 'bc' && 'abc'.indexOf('c') == 2 && 'abc'.charAt(0) == 'a' && 'aa'.replace('a', 'b') == 'bb'",
    "'%s has %d'.format(['a', 1]) == 'a has 1'",
    "'abc'.matches('^a.c$') && 'abc'.startsWith('a') && 'äöü😀'.size() == 4",
    "'a1b22'.find('[0-9]+') == '1' && 'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a'.find('x') == ''",
    "'a1b22'.findAll('[0-9]+', 1) == ['1'] && 'a'.findAll('a', 0) == []",
    "duration('90m') == duration('1h30m') && timestamp('2020-01-01T00:00:00Z').getFullYear() == 2020",
    "optional.of(1).hasValue() && !optional.none().hasValue() && {'a': 1}.?b.orValue(2) == 2 && [1][?4].orValue(7) == 7",
    "math.greatest(1, 2) == 2",
    "quantity('1500m').isGreaterThan(quantity('1')) && quantity('1').isLessThan(quantity('2'))",
    "quantity('1') == quantity('1000m') && quantity('1Gi') != quantity('1G')",
    "quantity('1Gi').add(quantity('1')).asInteger() == 1073741825 && quantity('50k').sub(20) == quantity('49980')",
    "quantity('1.5').isInteger() == false && quantity('-1').sign() == -1 && quantity('0').sign() == 0",
    "quantity('1.5').asApproximateFloat() == 1.5 && quantity('1').compareTo(quantity('2')) == -1",
    "isQuantity('5Mi') && !isQuantity('5 apples')",
    "isQuantity('1e2147483647') && quantity('1e2147483647').isGreaterThan(quantity('1e2147483646'))",
    "!quantity('1e2147483647').isInteger() && quantity('1e2147483647').sign() == 1",
    "quantity('12345678901234567890123456789012').isLessThan(quantity('12345678901234567890123456789013'))",
    "quantity('12345678901234567890123456789012') != quantity('12345678901234567890123456789013')",
    "quantity('12345678901234567890123456789012').sub(quantity('12345678901234567890123456789011')) == quantity('1')",
    "quantity('12345678901234567890123456789012').compareTo(quantity('12345678901234567890123456789012')) == 0",
    # how Go holds a value decides, and does not count in a comparison
    "!quantity('1000m').isInteger() && !quantity('1.0').isInteger() && quantity('1.5k').asInteger() == 1500",
    "quantity('1000m') == quantity('1') && quantity('1000m') in [quantity('1')] && quantity('1.0').add(0) == quantity('1')",
    "!quantity('12Ei').isInteger() && quantity('12Ei') == quantity('9223372036854775807')",
    "quantity('3.3333').asApproximateFloat() == 33333.0 * 1e-4 && quantity('1e400').asApproximateFloat() > 1e308",
    "!isQuantity('" + "0" * 5000 + "q') && quantity('" + "9" * 5000 + "') == quantity('" + "9" * 5000 + "')",
    "isURL('https://a:" + "9" * 5000 + "') && url('https://a:99999').getPort() == '99999' && !isURL('https://a:x')",
    "!isCIDR('10.0.0.0/" + "1" * 5000 + "') && !isCIDR('10.0.0.0/٨')",
    "isSemver('18446744073709551615.0.0') && !isSemver('18446744073709551616.0.0') && !isSemver('"
    + "9" * 5000
    + ".0.0')",
    "!isSemver('1.0.0-01') && isSemver('1.0.0-0') && !isSemver('1.0.0-18446744073709551616') && !isSemver('1.0.0+a..b')",
    "!sets.contains([1], [true]) && sets.contains([1, 2.0], [1.0, 2]) && sets.contains([{'a': [1]}], [{'a': [1]}])",
    "sets.intersects([quantity('1000m')], [quantity('1')]) && !sets.contains([[1]], [[2]]) && !sets.equivalent([1], [])",
    "url('https://u@a.b:80/x%20y?q=1&q=2').getHost() == 'a.b:80' && url('https://a.b/x').getPort() == ''",
    "url('https://[::1]:80/x').getHostname() == '::1' && url('https://a/x%20y').getEscapedPath() == '/x%20y'",
    "url('https://a/x?q=1&q=2').getQuery() == {'q': ['1', '2']} && url('/x').getScheme() == ''",
    "isURL('https://a') && !isURL('a')",
    "ip('::1').family() == 6 && ip('127.0.0.1').isLoopback() && ip('::ffff').isGlobalUnicast()",
    "isIP('10.0.0.1') && !isIP('10.0.0.01') && !isIP('::ffff:10.0.0.1') && !isIP('fe80::1%eth0')",
    "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1') && ip('2001:DB8::1') == ip('2001:db8:0::1')",
    "cidr('10.0.0.0/8').containsIP('10.2.3.4') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))",
    "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.0.0.0/8').containsCIDR(cidr('0.0.0.0/0'))",
    "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('fd00::/8').prefixLength() == 8",
    "cidr('10.1.2.3/8').ip() == ip('10.1.2.3') && isCIDR('10.0.0.0/32') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0')",
    "semver('1.2.3-alpha').isLessThan(semver('1.2.3')) && semver('1.10.0').isGreaterThan(semver('1.9.0'))",
    "semver('1.2.3-alpha.2').compareTo(semver('1.2.3-alpha.10')) == -1 && semver('1.2.3').minor() == 2 && !isSemver('1.2')",
    "'a[b]+c'.find('([(]a*|[^)]+)c') == 'a[b]+c' && 'abab'.find('(ab)+') == 'abab' && 'aa'.find('(a{2})+') == 'aa'",
    "!format.dns1123Label().validate('a').hasValue() && format.dns1123Label().validate('A').hasValue()",
    "!format.dns1123LabelPrefix().validate('a-').hasValue() && format.dns1123Subdomain().validate('a..b').hasValue()",
    "format.dns1035Label().validate('1a').value()[0].contains('DNS-1035') && format.uri().validate('a').hasValue()",
    "format.named('uuid').value().validate('x').orValue([]) == ['does not match the UUID format']",
    "!format . named ( 'x' ).hasValue() && format.date().validate('2021-02-30'.trim()).value().size() == 1",
    "'format.uri().validate(' != 'x' // format.uri().validate(",
    "[1, 2].isSorted() && ![2, 1].isSorted() && [1, 2].sum() == 3 && [1.5].sum() == 1.5 && [].sum() == 0",
    "['a', 'b'].max() == 'b' && [3, 2].min() == 2",
    "sets.contains([1, 2], [2]) && sets.equivalent([1, 2], [2, 1, 1]) && !sets.intersects(['a'], ['b'])",
]


@pytest.mark.parametrize("expression", HOLDS)
def test_true_expressions(expression: str) -> None:
    assert value_of(expression) is True


FAILS = {
    "self.x == 1": "Key not found in map",
    "1 / 0 == 1": "divide by zero",
    "[1][3] == 1": "Index error",
    "quantity('x') == quantity('1')": "is not a quantity",
    "quantity('1.5').asInteger() == 1": "cannot convert value to integer",
    "[].min() == 1": "empty list",
    "['a', 'b'].sum() == 'ab'": "sum is defined for numbers and durations",
    "ip('x') == ip('::')": "does not appear to be",
    "semver('1').major() == 1": "is no semantic version",
    "'a'.find('(') == ''": "invalid regular expression",
    "'a'.matches('(')": "invalid regular expression",
    "'a'.find('a{1,100000}') == ''": r"invalid regular expression: invalid repeat count: `\{1,100000\}`",
    "'a'.find('(?=a)') == ''": r"invalid regular expression: invalid or unsupported Perl syntax: `\(\?=`",
    "9223372036854775807 + int(self.one) == 0": "overflow",
}


@pytest.mark.parametrize(("expression", "problem"), FAILS.items())
def test_evaluation_errors(expression: str, problem: str) -> None:
    with pytest.raises(CelError, match=problem):
        value_of(expression, self={"one": 1})


@pytest.mark.parametrize(
    ("expression", "line", "column"),
    [("1 +", 1, 4), ("self ==\n  1 )", 2, 5), ("someone == 1", 1, 1), ("true ||\n   far(2)", 2, 7), ("self.ä", 1, 6)],
)
def test_where_an_expression_is_wrong(expression: str, line: int, column: int) -> None:
    with pytest.raises(CelError) as error:
        value_of(expression)
    assert (error.value.line, error.value.column) == (line, column)


def test_an_optional_old_value() -> None:
    cel = find_cel()
    assert cel is not None
    program = cel.compile(
        "oldSelf.hasValue() ? oldSelf.value() < self : self == 0", variables=("self",), optional_old=True
    )
    assert program.evaluate({"self": 0, "oldSelf_": None, "hasOldSelf_": False}) is True
    assert program.evaluate({"self": 1, "oldSelf_": None, "hasOldSelf_": False}) is False
    assert program.evaluate({"self": 1, "oldSelf_": 0, "hasOldSelf_": True}) is True
    assert program.evaluate({"self": 0, "oldSelf_": 0, "hasOldSelf_": True}) is False


def test_rule_cannot_escape_its_wrapper_expression() -> None:
    cel = find_cel()
    assert cel is not None
    with pytest.raises(CelError) as error:
        cel.compile("true) || (oldSelf.hasValue()", variables=("self",), optional_old=True)
    assert (error.value.line, error.value.column) == (1, 5)


@pytest.mark.parametrize(
    "expression", ["(" * 5000 + "1" + ")" * 5000, "+".join(["1"] * 20_000), "[" * 1000, "a" * 2_000_000]
)
def test_hostile_rules_are_rejected(expression: str) -> None:
    with pytest.raises(CelError):
        value_of(expression)


def test_long_chains_of_conditions_are_accepted() -> None:
    assert value_of(" && ".join(["self == 1"] * 500), self=1) is True


def test_steps_are_limited() -> None:
    with pytest.raises(CelError, match="Iteration budget exceeded"):
        value_of("self.all(x, self.all(y, self.all(z, x + y + z >= 0)))", self=list(range(300)))


def test_regular_expressions_take_linear_time() -> None:
    assert value_of("self.matches('^(a*)*$')", self="a" * 100_000 + "b") is False


def test_transition_rules_are_recognized() -> None:
    assert uses_old_self("self == oldSelf")
    assert uses_old_self("self == 'x' || oldSelf.x == 'oldSelf'")
    assert not uses_old_self("self == 'oldSelf'")
    assert not uses_old_self('self == "it\'s oldSelf" // oldSelf')
    assert not uses_old_self("self == '''a\noldSelf''' && self.oldSelfish")


def test_names_escaped_in_rules() -> None:
    assert escaped("namespace") == "__namespace__"
    assert names_in_rules("namespace") == ("__namespace__", "namespace")
    assert names_in_rules("in") == ("__in__",)
    assert names_in_rules("a-b") == ("a__dash__b",)
    assert escaped("x-y.z/a__b") == "x__dash__y__dot__z__slash__a__underscores__b"
    assert escaped("plain_name") == "plain_name"


def test_field_paths() -> None:
    assert list(path_steps(".a.b['c\\'d']")) == [("a", ""), ("b", ""), ("", "c'd")]
    for bad in ("a", ".a[0]", ".a..b", ".", "['a'"):
        with pytest.raises(ValueError, match="expected"):
            list(path_steps(bad))
