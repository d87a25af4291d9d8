package v1

type Staged struct{}
