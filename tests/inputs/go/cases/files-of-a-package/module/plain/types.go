package plain

type Plain struct{}
