package v1

type Time string
