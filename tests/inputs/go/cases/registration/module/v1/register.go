package v1

import (
	metav1 "example.com/other/meta/v1"
	"example.com/other/runtime"
	"example.com/other/runtime/schema"
)

const GroupName = Group

const Group = "things" + Suffix

const Suffix = ".example.com"

var SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1"}

var optional = []runtime.Object{&ListOptions{}, &metav1.GetOptions{}}

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion,
		&Frobber{}, // with a remark
		&FrobberList{},
		new(Widget),
		&metav1.Status{},
		&Frobber{},
	)
	scheme.AddKnownTypes(SchemeGroupVersion, optional...)
	scheme.AddKnownTypeWithName(SchemeGroupVersion.WithKind("Watched"), &metav1.WatchEvent{})
	scheme.AddConversionFuncs(&NotAKind{})
	metav1.AddToGroupVersion(scheme, SchemeGroupVersion)
	return nil
}
