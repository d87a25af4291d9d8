package v1

type NotAsked struct{}
