package v1

func open() {
	use(new("x"))

// Swallowed is a type of its own, if the brace behind it belongs further up.
type Swallowed struct {
	A int32 `json:"a"`
}

}
