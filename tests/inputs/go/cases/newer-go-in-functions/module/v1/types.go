package v1

// Frobber stands between functions that use what the grammar does not know.
type Frobber struct {
	Width *int32 `json:"width"`
}

func Default() interface{ Get() string } {
	text := "}\n{" + `
}
type NotAType struct{}
` + string('}') // }
	return use(new(text + "a"), new(true), new("x"))
}

type After struct{}

func (f *Frobber) one() *string { return new("one") }

const Last = "last"
