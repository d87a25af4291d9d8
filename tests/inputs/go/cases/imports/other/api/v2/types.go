package v2

type Thing struct {
	Key Key `json:"key"`
}

type Key string
