package v9
