package v1

type Kind string
