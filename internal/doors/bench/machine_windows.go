package bench

import (
	"fmt"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func (m *Machine) describe() {
	v := windows.RtlGetVersion()
	m.System = fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
	if key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DESCRIPTION\System\CentralProcessor\0`, registry.QUERY_VALUE); err == nil {
		name, _, _ := key.GetStringValue("ProcessorNameString")
		m.CPU = strings.TrimSpace(name)
		key.Close()
	}
	var kilobytes uint64
	installed := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetPhysicallyInstalledSystemMemory")
	if ok, _, _ := installed.Call(uintptr(unsafe.Pointer(&kilobytes))); ok != 0 {
		m.Memory = int64(kilobytes) << 10
	}
}
