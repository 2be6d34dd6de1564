// Package winapi decodes what Windows answers when it is asked about drives and volumes, and builds the
// requests. It makes no system calls and has no build tags: it gets and gives bytes, so recorded and
// made-up answers are tested on any system. platform/host does the asking.
//
// Names of structures and values are those of the Windows SDK (winioctl.h, ntddstor.h, ntdddisk.h,
// ntddscsi.h). All numbers are little-endian: Windows runs on nothing else. An answer that is too short
// for what it must hold is an error; a value that a driver does not know is left unknown.
package winapi
