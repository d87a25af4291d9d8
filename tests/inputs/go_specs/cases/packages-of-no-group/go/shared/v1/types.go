package v1

type Level int32

type Size struct {
	Width int32 `json:"width"`
}
