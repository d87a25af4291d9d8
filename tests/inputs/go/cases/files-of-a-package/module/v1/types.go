package v1

// Frobber is the only type that counts.
type Frobber struct{}
