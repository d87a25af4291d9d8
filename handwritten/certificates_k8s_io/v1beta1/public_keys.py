"""Whether a public key in a certificate request is one: Go's crypto/x509 refuses a request whose key is none."""

from __future__ import annotations

from handwritten.certificates_k8s_io.v1beta1.der import INTEGER, OID, SEQUENCE, Reader, Unreadable, identifier, number

_RSA = (1, 2, 840, 113549, 1, 1, 1)
_DSA = (1, 2, 840, 10040, 4, 1)
_ECDSA = (1, 2, 840, 10045, 2, 1)
_ED25519 = (1, 3, 101, 112)
_NULL = b"\x05\x00"

_CURVES = {
    (1, 3, 132, 0, 33): (
        2**224 - 2**96 + 1,
        0xB4050A850C04B3ABF54132565044B0B7D7BFD8BA270B39432355FFB4,
    ),
    (1, 2, 840, 10045, 3, 1, 7): (
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    ),
    (1, 3, 132, 0, 34): (
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    ),
    (1, 3, 132, 0, 35): (
        2**521 - 1,
        0x51953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
    ),
}
"""P-224, P-256, P-384 and P-521 (FIPS 186-4, appendix D.1.2): y² = x³ - 3x + b modulo a prime, as (prime, b)."""


def check_public_key(algorithm: tuple[int, ...], parameters: bytes, key: bytes) -> None:
    """Raises Unreadable where the key is none of its algorithm. Keys of unknown algorithms are taken as they are."""
    if algorithm == _RSA:
        modulus, exponent = _numbers(Reader(Reader(key).expect(SEQUENCE)), 2)
        good = parameters == _NULL and modulus > 0 and 0 < exponent < 1 << 63
    elif algorithm == _DSA:
        good = min(*_numbers(Reader(key), 1), *_numbers(Reader(Reader(parameters).expect(SEQUENCE)), 3)) > 0
    elif algorithm == _ECDSA:
        curve = _CURVES.get(identifier(Reader(parameters).expect(OID)))
        good = curve is not None and _is_on_curve(key, *curve)
    elif algorithm == _ED25519:
        good = not parameters and len(key) == 32
    else:
        good = True
    if not good:
        raise Unreadable("no such key")


def _is_on_curve(point: bytes, prime: int, b: int) -> bool:
    """Whether an uncompressed point lies on it."""
    size = (prime.bit_length() + 7) // 8
    x, y = int.from_bytes(point[1 : 1 + size], "big"), int.from_bytes(point[1 + size :], "big")
    in_range = len(point) == 1 + 2 * size and point[0] == 4 and x < prime and y < prime
    return in_range and (y * y - x * x * x + 3 * x - b) % prime == 0


def _numbers(reader: Reader, count: int) -> list[int]:
    return [number(reader.expect(INTEGER)) for _ in range(count)]
