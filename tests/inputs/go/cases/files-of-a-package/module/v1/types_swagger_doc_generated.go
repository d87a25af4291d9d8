package v1

type Documented struct{}
