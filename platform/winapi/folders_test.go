package winapi

import (
	"testing"

	"cachecliff/platform"
)

func TestKnownFolders(t *testing.T) {
	for _, c := range []struct {
		known KnownFolders
		want  platform.Folders
	}{
		{KnownFolders{`C:\Users\me\AppData\Local`, `C:\Users\me\AppData\Roaming`, `D:\Bilder`},
			platform.Folders{Data: `C:\Users\me\AppData\Local\Cachecliff`, Config: `C:\Users\me\AppData\Roaming\Cachecliff`, Pictures: `D:\Bilder\Cachecliff`}},
		{KnownFolders{`\\srv\me\`, `\\SRV\me`, `P:\`},
			platform.Folders{Data: `\\srv\me\Cachecliff`, Config: `\\SRV\me\Cachecliff\Settings`, Pictures: `P:\Cachecliff`}},
	} {
		if got := c.known.Folders(); got != c.want {
			t.Errorf("%+v: %+v", c.known, got)
		}
	}
}
