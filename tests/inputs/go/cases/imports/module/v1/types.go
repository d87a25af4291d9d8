package v1

import (
	"example.com/other/api"
	v2 "example.com/other/api/v2"
	"example.com/unread/inf.v0"
	"example.com/unread/klog/v2"
	"example.com/unread/go-yaml"
	_ "example.com/unread/only"
	. "example.com/other/dot"
	"net/url"
	"example.com/unread/late/v3"
	"example.com/unread/else/late"
)

import "example.com/other/meta/v1"

type Frobber struct {
	Late     late.Thing                       `json:"late"`
	Named    frob.Thing                       `json:"named"`
	Aliased  *v2.Thing                        `json:"aliased"`
	Versions map[v2.Key][]*frob.Thing         `json:"versions"`
	Meta     v1.Time                          `json:"meta"`
	Dec      inf.Dec                          `json:"dec"`
	Log      klog.Level                       `json:"log"`
	Yaml     yaml.Node                        `json:"yaml"`
	Values   url.Values                       `json:"values"`
	Dotted   Dot                              `json:"dotted"`
	Lost     lost.Thing                       `json:"lost"`
	Func     func(frob.Thing) url.Values      `json:"-"`
	Paren    (frob.Thing)                     `json:"paren"`
	Comment  map[string] /* of names */ string `json:"comment"`
}

type Alias = v2.Thing

type Named v1.Time
