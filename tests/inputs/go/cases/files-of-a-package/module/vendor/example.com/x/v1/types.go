package v1

type Vendored struct{}
