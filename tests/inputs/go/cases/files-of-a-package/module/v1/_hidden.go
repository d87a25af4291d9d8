package v1

type Hidden struct{}
