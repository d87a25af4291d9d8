package v1

type Data struct{}
