package v1

type Tagged struct {
	Comma  int32  `json:"comma", protobuf:"varint,1,opt,name=comma"`
	Space  int32  `json: "space"`
	Twice  int32  `json:"twice" json:"again"`
	Open   int32  `json:"open`
	Number int32  `json:"number" protobuf:"varint,one,opt,name=number"`
	Fine   string `  json:"fine"   protobuf:"bytes,2,opt,name=fine"  `
	Plain  string `plain words`
}
