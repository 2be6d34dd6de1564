package host

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"

	"cachecliff/platform"
	"cachecliff/platform/winapi"
)

// Layout asks the file system how the file lies, after everything is on the drive.
func (f *file) Layout() (platform.Layout, error) {
	const op = "look at extents of"
	handle, release, err := f.use(op)
	if err != nil {
		return platform.Layout{}, err
	}
	defer release()
	if err := windows.FlushFileBuffers(handle); err != nil {
		return platform.Layout{}, opError("flush", f.info.name, err)
	}
	o, err := openedFile(handle, f.info.name)
	if err != nil {
		return platform.Layout{}, opError(op, f.info.name, err)
	}
	l, err := o.layout()
	return l, opError(op, f.info.name, err)
}

// openedFile describes an open file as far as its layout goes.
func openedFile(handle windows.Handle, name string) (opened, error) {
	_, info, err := identify(handle)
	if err != nil {
		return opened{}, err
	}
	o := opened{
		size:       int64(info.FileSizeHigh)<<32 | int64(info.FileSizeLow),
		attributes: info.FileAttributes,
		control: func(code uint32, request, answer []byte) (int, error) {
			return controlFile(handle, code, request, answer)
		},
		compression: func() (winapi.Compression, error) { return compressionOf(handle) },
	}
	if err := windows.GetVolumeInformationByHandle(handle, nil, 0, nil, nil, &o.flags, nil, 0); err != nil && !missing(err) {
		return opened{}, err
	}
	_, o.cluster, err = piecesOf(name)
	return o, err
}

// controlFile sends a control code to a file. With ERROR_MORE_DATA it says as well what was filled in.
func controlFile(handle windows.Handle, code uint32, request, answer []byte) (int, error) {
	var filled uint32
	err := windows.DeviceIoControl(handle, code, unsafe.SliceData(request), uint32(len(request)),
		unsafe.SliceData(answer), uint32(len(answer)), &filled, nil)
	if err != nil && !errors.Is(err, moreData) {
		filled = 0
	}
	return int(filled), opError(fmt.Sprintf("send control code %#x to", code), "the file", err)
}

func compressionOf(handle windows.Handle) (winapi.Compression, error) {
	var answer [winapi.SizeCompression]byte
	err := windows.GetFileInformationByHandleEx(handle, windows.FileCompressionInfo, &answer[0], uint32(len(answer)))
	if err != nil {
		return winapi.Compression{}, err
	}
	return winapi.DecodeCompression(answer[:])
}
