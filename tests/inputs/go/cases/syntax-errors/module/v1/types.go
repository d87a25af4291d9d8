package v1

type Frobber struct {
	Width  int32 int32 `json:"width"`
	Height int32 `json:"height"`
}

type Fine struct {
	A string `json:"a"`
}

const (
	Good = "good"
	Bad  = "bad" "worse"
)

func broken( {
}
