package rows

import (
	"fmt"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFileNames checks the file of each event, in the order of the trace: the lines below that
// begin with a time.
func TestFileNames(t *testing.T) {
	// DiskIo/Read: disk, flags, size, reserved, offset, key, irp, ticks, thread.
	disk := func(at int, key string) string {
		return fmt.Sprintf("perfinfo64 hook=0x010a ver=3 t=+%dms payload=u32:0|0|512|0,u64:0,ptr:%s|1,u64:10,u32:400\n", at, key)
	}
	// FileIo/Read: offset, irp, object, key, thread, size, flags, extra flags.
	read := func(at int, object, key string) string {
		return fmt.Sprintf("perfinfo64 hook=0x0443 ver=3 t=+%dms payload=u64:0,ptr:1|%s|%s,u32:400|512|0|0\n", at, object, key)
	}
	// PageFault/HardFault: begin, offset, address, key, thread, size.
	fault := func(at int, key string) string {
		return fmt.Sprintf("perfinfo64 hook=0x0220 ver=2 t=+%dms payload=ticks:+1ms,u64:0,ptr:0x7000|%s,u32:400|4096\n", at, key)
	}
	// FileIo/Name and the like: key, path. FileIo/Create: irp, object, thread, options, attributes, share, path.
	name := func(at, hook int, key, path string) string {
		return fmt.Sprintf("perfinfo64 hook=%#04x ver=2 t=+%dms payload=ptr:%s,str16:%q\n", hook, at, key, path)
	}
	create := func(at int, object, path string) string {
		return fmt.Sprintf("perfinfo64 hook=0x0440 ver=3 t=+%dms payload=ptr:1|%s,u32:400|0|0|0,str16:%q\n", at, object, path)
	}
	// Image: base, size, process, checksum, time stamp, signature, default base, reserved, path.
	image := func(at, hook int, base, path string) string {
		return fmt.Sprintf("system64 hook=%#04x ver=3 pid=1 tid=2 t=+%dms payload=u64:%s|0x1000,u32:100|1|2|0,u64:0,zero:16,str16:%q\n", hook, at, base, path)
	}
	config := func(id int, payload string) string {
		return fmt.Sprintf("full64 guid=9b79ee91-b5fd-41c0-a243-4248e266e9d0 type=%d ver=0 t=+90ms payload=%s\n", id, payload)
	}
	const (
		load, unload, listed      = 0x030a, 0x1402, 0x1404
		created, deleted, rundown = 0x0420, 0x0423, 0x0424
		volume                    = `\Device\HarddiskVolume3`
		mapped                    = "full64 guid=9b79ee91-b5fd-41c0-a243-4248e266e9d0 type=35 ver=0 t=+90ms payload=str16:\"\\\\Device\\\\HarddiskVolume3\",str16:\"C:\"\n"
		null                      = ""
	)
	windows := config(33, `str16:"D:\\WINDOWS\\system32",str16:"D:\\WINDOWS\\"`)
	tests := []struct {
		name, trace string
		table       string
		want        []string
	}{
		{"rundown only at the end", disk(1, "0x10") + disk(2, "0x20") + disk(3, "0") + name(9, rundown, "0x10", volume+`\a.txt`), "diskio_read", []string{volume + `\a.txt`, null, null}},
		{"drive letter", disk(1, "0x10") + disk(2, "0x20") + name(9, rundown, "0x10", volume+`\a.txt`) + name(9, rundown, "0x20", volume+`0\a.txt`) + mapped, "diskio_read", []string{`C:\a.txt`, volume + `0\a.txt`}},
		{"reused object", disk(1, "0x10") + name(2, deleted, "0x10", `\old`) + disk(3, "0x10") + name(4, created, "0x10", `\new`) + disk(5, "0x10") + name(9, rundown, "0x10", `\new`),
			"diskio_read", []string{`\old`, `\old`, `\new`}},
		{"hard fault", fault(2, "0x10") + name(9, rundown, "0x10", `\a`) + fault(3, "0x11"), "pagefault_hardfault", []string{`\a`, null}},
		{"key before object", create(1, "0x80", `\open`) + read(2, "0x80", "0x10") + read(3, "0x80", "0x11") + read(4, "0x81", "0x11") + name(9, rundown, "0x10", `\key`), "fileio_read", []string{`\key`, `\open`, null}},
		{"object opened again", create(1, "0x80", `\one`) + read(2, "0x80", "0") + create(3, "0x80", `\two`) + read(4, "0x80", "0"), "fileio_read", []string{`\one`, `\two`}},
		{"open", create(1, "0x80", volume+`\one`) + mapped, "fileio_create", []string{`C:\one`}},
		{"payload cut short", "perfinfo64 hook=0x0220 ver=2 t=+1ms payload=ticks:+1ms,u64:0,ptr:0x7000\n" + fault(2, "0x10") +
			"perfinfo64 hook=0x0220 ver=2 t=+3ms payload=ticks:+1ms,u64:0,ptr:0x7000|0x10,u32:400\n" + name(9, rundown, "0x10", `\a`), "pagefault_hardfault", []string{null, `\a`, `\a`}},
		{"payload longer than its layout", "perfinfo64 hook=0x0220 ver=2 t=+1ms payload=ticks:+1ms,u64:0,ptr:0x7000|0x10,u32:400|4096|5\n" + name(9, rundown, "0x10", `\a`), "pagefault_hardfault", []string{`\a`}},
		{"pattern of a listing", "perfinfo64 hook=0x0448 ver=3 t=+1ms payload=ptr:1|0x80|0x10,u32:400|0|0|0,str16:\"*.txt\"\n" + name(9, rundown, "0x10", `\folder`), "fileio_direnum", []string{`\folder`}},
		{"image", image(1, load, "0x10000", volume+`\a.dll`) + mapped, "image_load", []string{`C:\a.dll`}},
		{"image of the kernel", image(1, load, "0x10000", `\SystemRoot\a.dll`) + windows, "image_load", []string{`D:\WINDOWS\a.dll`}},
		{"image of Windows 8", image(1, load, "0x10000", `\Windows\a.dll`) + image(2, unload, "0x10000", `\Windows\a.dll`) + windows, "image_load", []string{`D:\Windows\a.dll`}},
		{"image of Windows 8 at its end", image(1, unload, "0x10000", `\Windows\a.dll`) + windows, "image_unload", []string{`D:\Windows\a.dll`}},
		{"image of Windows 8 without the folder of Windows", image(1, load, "0x10000", `\Windows\a.dll`) + mapped, "image_load", []string{`\Windows\a.dll`}},
		{"image whose volume a later event names", image(1, load, "0x10000", `\Apps\a.dll`) + image(2, load, "0x20000", `\Apps\a.dll`) + image(3, listed, "0x10000", volume+`\Apps\A.dll`) + mapped,
			"image_load", []string{`C:\Apps\A.dll`, `\Apps\a.dll`}},
		{"image whose path a later event lacks", image(1, load, "0x10000", volume+`\a.dll`) + image(2, unload, "0x10000", "") + mapped, "image_unload", []string{`C:\a.dll`}},
		{"image without a path", image(1, unload, "0x10000", ""), "image_unload", []string{null}},
		{"name of an object", name(1, created, "0x10", volume+`\a`) + name(2, created, "0x20", `\??\X:\b`) + mapped, "fileio_filecreate", []string{`C:\a`, `X:\b`}},
		{"file of a provider", "event64 provider=edd08927-9cc4-4e65-b970-c2560fb5c289 id=12 t=+1ms payload=str16:\"\\\\Device\\\\HarddiskVolume3\\\\a\"\n" + mapped +
			"full64 guid=bbccf6c1-6cd1-48c4-80ff-839482e37671 type=32 payload=eventinfo:(provider:edd08927-9cc4-4e65-b970-c2560fb5c289,id:12,pname:\"File\",tname:Create,fields:(FileName:str16))\n",
			"microsoft_windows_kernel_file_create", []string{`C:\a`}},
		{"32-bit", "perfinfo32 hook=0x0220 ver=2 t=+1ms payload=ticks:+1ms,u64:0,u32:0x7000|0x10|400|4096\n" + "perfinfo32 hook=0x0424 ver=2 t=+2ms payload=u32:0x10,str16:\"\\\\a\"\n", "pagefault_hardfault", []string{`\a`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x := indextest.Data(t, etltest.MustParse(t, "trace buffersize=8192\nbuffer cpu=0\n"+test.trace))
			var got []string
			for _, p := range payloadBatches(t, x) {
				if p.batch.Table.ViewName() != test.table {
					continue
				}
				if err := p.batch.Check(); err != nil {
					t.Error(err)
				}
				got = append(got, columnTexts(p.batch, p.batch.Column(schema.FileNameColumn))...)
			}
			for i := range test.want {
				if test.want[i] != null {
					test.want[i] = fmt.Sprintf("%q", test.want[i])
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("files %q, want %q", got, test.want)
			}
		})
	}
}

// TestManyFileNames uses more files than the cache holds.
func TestManyFileNames(t *testing.T) {
	testenv.Sequential(t)
	const files = 3 * fileCodes
	text := "trace buffersize=65536\nstream\n"
	for i := range files {
		text += fmt.Sprintf("perfinfo64 hook=0x0420 ver=2 t=+1ms payload=ptr:%d,str16:\"\\\\%d\"\n", i+1, i)
	}
	for i := range 5 * files {
		text += fmt.Sprintf("perfinfo64 hook=0x0220 ver=2 t=+2ms payload=ticks:+1ms,u64:0,ptr:0x7000|%d,u32:400|4096\n", i*7%files+1)
	}
	x := indextest.Data(t, etltest.MustParse(t, text))
	rows := 0
	for _, p := range payloadBatches(t, x) {
		if p.batch.Table.ViewName() != "pagefault_hardfault" {
			continue
		}
		for i, got := range columnTexts(p.batch, p.batch.Column(schema.FileNameColumn)) {
			if want := fmt.Sprintf("%q", fmt.Sprintf(`\%d`, i*7%files)); got != want {
				t.Fatalf("row %d: %s, want %s", i, got, want)
			}
			rows++
		}
	}
	if rows != 5*files {
		t.Errorf("%d rows, want %d", rows, 5*files)
	}
}
