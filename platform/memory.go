package platform

// MemoryFiles is what a Host has besides, where the system can: files that lie in memory and on no drive.
// What a queue does on one is all the computer's own doing.
type MemoryFiles interface {
	// Memory makes a file of size zero bytes in memory, for this process alone.
	Memory(size int64) (File, error)
}
