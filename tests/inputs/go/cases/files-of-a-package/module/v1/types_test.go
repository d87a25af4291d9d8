package v1

type InTest struct{}
