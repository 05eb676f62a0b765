package shellparse

// listing holds the options with which a builtin that may run things only shows some
// (bash manual, Bash Builtins; for fc with -l among them).
var listing = map[string]string{
	"bind":     "PSVXlpsv",
	"compgen":  "abcdefgjksuv",
	"complete": "p",
	"fc":       "0123456789lnr",
	"jobs":     "lnprs",
}
