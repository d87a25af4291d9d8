package v1

type Before struct{}

type Open struct {
	A string `json:"a"`
