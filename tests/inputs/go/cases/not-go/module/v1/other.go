package v1

type Frobber struct{}
