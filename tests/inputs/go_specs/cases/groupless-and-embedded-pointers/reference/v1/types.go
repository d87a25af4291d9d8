package v1

type Thing struct {
	A string `json:"a"`
}

type Name string
