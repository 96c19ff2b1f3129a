package viewstest

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// NamedTrace writes a trace of events 1 and 2, with a manifest that names them.
func NamedTrace(t testing.TB, folder, trace, first, second string, events int) (path string) {
	t.Helper()
	const provider = "00000000-0000-0000-0000-0000000000a1"
	text := fmt.Sprintf(`trace buffersize=16384
stream
event64 provider=%[1]s id=0xfffe ver=1 op=254 payload=u8:1,u8:1,u8:0,u8:0x5b,u16:1,u16:0,chars8:"<provider name='P' guid='{%[1]s}'><events><event value='1' symbol='%[2]s' template='t'/><event value='2' symbol='%[3]s' template='t'/></events><templates><template tid='t'><data name='a' inType='win:UInt32'/></template></templates></provider>"
repeat %[4]d dt=1us { event64 provider=%[1]s id=1 payload=u32:1 }
event64 provider=%[1]s id=2 payload=u32:2
`, provider, first, second, events)
	path = filepath.Join(folder, trace+".etl")
	testenv.WriteFile(t, path, etltest.MustParse(t, text))
	return path
}
