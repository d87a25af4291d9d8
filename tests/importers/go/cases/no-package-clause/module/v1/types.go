type Frobber struct{}
