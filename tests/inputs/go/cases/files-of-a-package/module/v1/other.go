package v2

type OfAnother struct{}
