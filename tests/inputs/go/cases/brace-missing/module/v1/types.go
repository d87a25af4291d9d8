package v1

func open() {
	if true {

// Swallowed would be part of the function.
type Swallowed struct {
	A int32 `json:"a"`
}

func next() { new("x") }
}
