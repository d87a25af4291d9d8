package v1

func addKnownTypes(scheme *Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion, &Frobber{}, new("odd"))
	return nil
}
