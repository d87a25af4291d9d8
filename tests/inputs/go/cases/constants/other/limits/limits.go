package limits

const Longest = 63

const (
	Default Kind = "Default"
)

type Kind string
