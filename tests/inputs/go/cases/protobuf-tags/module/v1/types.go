package v1

// The wire part and the label say what they like: they are kept as they stand.
type Tagged struct {
	A int32  `json:"a" protobuf:"bytes,1,opt,name=a"`
	B []Part `json:"b" protobuf:"bytes,2,opt,name=b"`
	C string `json:"c" protobuf:"bytes,3,rep,name=c"`
	D string `json:"d" protobuf:"bytes,4,name=d"`
	E string `json:"e" protobuf:"bytes,5,req,name=Other"`
	F Part   `protobuf:"bytes,6,opt,name=f,casttype=example.com/x.Part,castkey=Key,castvalue=Value"`
	G Part   `json:"g" protobuf:"-"`
	H string `json:"h" protobuf:"bytes,8,opt,name=h,oddtype=X,packed"`
	I string `json:"i" protobuf:"bytes,name=i"`
	J string `json:"j" protobuf:""`
}

type Part struct{}
