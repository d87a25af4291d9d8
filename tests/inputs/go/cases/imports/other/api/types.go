package frob

type Thing struct{}
