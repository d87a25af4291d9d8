package v1

import "example.com/other/limits"
import unknown "example.com/nowhere"

type Number int32
type Name string
type Share float64
type Flag bool
type Letter = string

const (
	Zero Number = iota
	One
	_
	Three
	Four, Eight = iota, 1 << (iota - 1)
	Five, Sixteen
)

const (
	Kilo = 1 << (10 * (iota + 1))
	Mega
	Giga
)

const (
	Prefix           = "things" + ".example.com/"
	Full        Name = Prefix + "full"
	Converted        = Name("conv" + `erted`)
	Wide             = int64(7)
	Copy             = Full
	Letters Letter   = "abc"
	Rune             = 'a'
	FromRune         = string('a')
	Escaped          = "tab\t\"q\" \u00e4 \xc3\xa4 \101"
	Raw              = `a\n"b"`
	Hex              = 0xFF
	Octal            = 0o17
	OldOctal         = 017
	Binary           = 0b1010
	Grouped          = 1_000_000
	Negative         = -7 / 2
	Rest             = -7 % 3
	Shifted          = 1 << 3 >> 1
	Masked           = 0xF0 &^ 0x30 | 1 ^ 3
	Half             = 1.5 / 2
	Whole      Share = 3
	Exact            = 0x1p-2
	Bit              = ^0
	Yes              = true
	No         Flag  = !true
	Both             = 1 < 2 && "a" != "b" || false
	Length           = len("größe")
	Parens           = (2 + 3) * 4
	Minus            = -(+5)
	Forward          = Backward
	Backward         = "back"
)

const (
	Followed             = limits.Longest
	Deeper        Number = limits.Longest * 2
	OfOther              = limits.Default
	Left                 = unknown.Thing
	LeftMode      Name   = unknown.Mode
	Missing              = limits.Nothing
	Cycle                = Cycle2
	Cycle2               = Cycle
	Called               = max(1, 2)
	unexported           = "not seen"
	DividedByZero        = 1 / 0
	Mixed                = 1 + "a"
	TooBig               = 1 << 100000
)

const Single, Pair = "single", Number(2)
