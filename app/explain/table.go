package explain

import (
	"errors"

	"cachecliff/app"
	"cachecliff/app/importer"
	"cachecliff/app/pngrun"
	"cachecliff/app/recording"
	"cachecliff/app/reference"
	"cachecliff/app/settings"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

// table says which message an error has. The first line that fits counts: what says most comes first.
var table = []struct {
	err error
	id  string
}{
	{app.ErrRunning, "error.running"},
	{app.ErrUnsaved, "error.unsaved"},
	{store.ErrFolder, storeFolder},
	{store.ErrNewer, "error.store-newer"},
	{store.ErrTooBig, "error.store-too-big"},
	{store.ErrName, "error.store-name"},
	{store.ErrDamaged, "error.store-damaged"},
	{importer.ErrUnknown, "error.import-unknown"},
	{importer.ErrRefused, "error.import-refused"},
	{pngrun.ErrNoRun, "error.png-none"},
	{pngrun.ErrNotPNG, "error.png-not"},
	{pngrun.ErrTooBig, "error.png-too-big"},
	{pngrun.ErrDamaged, "error.png-damaged"},
	{recording.ErrDamaged, "error.recording-damaged"},
	{recording.ErrFull, "error.recording-full"},
	{reference.ErrNewer, "error.reference-newer"},
	{reference.ErrTooBig, "error.reference-too-big"},
	{reference.ErrTaken, "error.reference-taken"},
	{reference.ErrNothing, "error.reference-nothing"},
	{reference.ErrDamaged, "error.reference-damaged"},
	{settings.ErrDamaged, "error.settings-damaged"},
	{bench.ErrWorkerDied, "error.worker-died"},
	{store.ErrTag, "error.tag"},
	{platform.ErrGone, "error.gone"},
	{platform.ErrNoMedium, "error.no-medium"},
	{platform.ErrNoSpace, "error.no-space"},
	{platform.ErrQuota, "error.quota"},
	{platform.ErrTooLarge, "error.too-large"},
	{platform.ErrReadOnly, "error.read-only"},
	{platform.ErrPermission, "error.permission"},
	{platform.ErrNoDirectIO, "error.no-direct-io"},
	{platform.ErrNotExist, "error.not-exist"},
	{platform.ErrNotOurs, "error.not-ours"},
	{platform.ErrForeignLink, "error.foreign-link"},
	{platform.ErrResources, "error.resources"},
	{platform.ErrBusy, "error.busy"},
	{platform.ErrStalled, "error.stalled"},
	{platform.ErrAsleep, "error.asleep"},
	{platform.ErrNoHugePages, "error.huge-pages"},
	{platform.ErrNoClipboard, "error.no-clipboard"},
	{platform.ErrShortIO, "error.short-io"},
	{platform.ErrBridge, "error.bridge"},
	{platform.ErrSwitchedOff, "error.switched-off"},
	{platform.ErrUnsupported, "error.unsupported"},
	{platform.ErrClosed, "error.closed"},
	{platform.ErrIO, "error.io"},
}

// unknown is the message of all other errors.
const unknown = "error.unknown"

// key is the message of an error.
func key(err error) string {
	for _, line := range table {
		if errors.Is(err, line.err) {
			return line.id
		}
	}
	return unknown
}
