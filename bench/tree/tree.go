package tree

// File is one file of a tree.
type File struct {
	Path string // below the root, with slashes between folders, in the bytes of the file system
	Size int64  // bytes
}

// Tree is what a folder holds.
type Tree struct {
	Folders []string // below the root, each before what lies in it
	Files   []File   // in the order in which they are copied: a folder's files before those of its folders
}

// Bytes is what all files hold together.
func (t Tree) Bytes() int64 {
	var sum int64
	for _, f := range t.Files {
		sum += f.Size
	}
	return sum
}
