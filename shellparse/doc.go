// Package shellparse reads a line of shell and lists what it can run.
//
// Its promise: if the shell, given this line, would start a program or write a
// file whose name can be known from the line, it is listed; if something would
// run that cannot be known from the line, a hole says so. It may list commands
// that never run, such as both arms of an if. It never runs anything.
//
// Its blindness: it sees the text alone. What a program does once it runs, what
// a script or a makefile holds, and what the environment redefines, it does not
// know.
package shellparse
