package v1

type A struct {
	B string `json:"b"`
}
