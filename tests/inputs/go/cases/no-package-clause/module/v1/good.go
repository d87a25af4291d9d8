package v1

type Good struct{}
