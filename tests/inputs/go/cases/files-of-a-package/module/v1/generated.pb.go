package v1

type Message struct{}
