package v1

type Copied struct{}
