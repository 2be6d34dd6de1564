// Package tree knows trees of files: it makes up one that looks like a folder of installed games, says what
// stands in each of its files, and looks through a folder of the user's. It opens nothing and writes nothing
// itself; what does so is platform.Copier.
package tree
