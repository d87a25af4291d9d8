package v1

type List[T any] struct {
	Items []T `json:"items"`
}

type Strings = List[string]

type Pipe chan int

type Pointer *Frobber

type Hash [32]byte

type Bytes struct {
	Hash [4]byte `json:"hash"`
	Pipe chan int `json:"pipe"`
	Any  interface{} `json:"any"`
	Call func(List[int]) error `json:"call"`
	List List[string] `json:"list"`
}

type hidden[T any] struct{}

type Frobber struct {
	Size struct {
		// +optional
		Width int32 `json:"width"`
		// Depth is tombstoned, but no field of Frobber.
		// Depth int32 `json:"depth" protobuf:"varint,4,opt,name=depth"`
	} `json:"size"`
	Sizes []map[string]struct{ Height int32 } `json:"sizes"`
	Set map[string]struct{} `json:"set"`
	inner struct{ A int32 }
}

type Named []struct{ A int32 }

type Other = struct{ A int32 }
