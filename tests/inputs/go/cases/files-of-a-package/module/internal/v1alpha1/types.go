package v1alpha1

type Internal struct{}
