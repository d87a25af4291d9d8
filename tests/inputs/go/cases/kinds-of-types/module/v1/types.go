package v1

// Frobber frobs.
type Frobber struct {
	Width int32 `json:"width"`
}

// Mode is how it frobs.
type Mode string

type Modes []Mode

type Sizes map[Mode]int64

type Old = Frobber

type Shaped interface {
	Shape() string
}

type Maker func(width, height int32) (made Frobber, err error)

type (
	// Grouped stands in a group.
	Grouped struct{}

	// +grouped
	Also bool
)
