package v1

type Rule struct {
	Scope Scope `json:"scope"`
}

type Scope string

const (
	Wide   Scope = "Wide"
	Narrow Scope = "Narrow"
)
