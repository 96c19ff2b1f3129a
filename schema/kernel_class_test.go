package schema

import (
	"regexp"
	"testing"
)

// TestKernelClasses checks that the table is dense, which KernelClassOf relies on, and
// has no duplicates.
func TestKernelClasses(t *testing.T) {
	names, ids := make(map[string]bool), make(map[GUID]bool)
	form := regexp.MustCompile(`^[A-Z][A-Za-z0-9_]*$`)
	check := func(class *KernelClass) {
		if !form.MatchString(class.Name) || names[class.Name] || ids[class.GUID] || class.GUID.IsZero() || class.Ref == "" {
			t.Errorf("%+v", class)
		}
		names[class.Name], ids[class.GUID] = true, true
		if name, ok := ProviderName(class.GUID); !ok || name != class.Name {
			t.Errorf("%s is called %q", class.Name, name)
		}
	}
	for i := range KernelClasses() {
		class := &KernelClasses()[i]
		check(class)
		if int(class.Group) != i {
			t.Errorf("%s, group %#x, is at index %#x", class.Name, class.Group, i)
		}
	}
	for i := range mergeClasses {
		check(&mergeClasses[i])
	}
	if name, ok := ProviderName(GUID{1}); ok {
		t.Errorf("an unknown GUID has the name %q", name)
	}
}

func TestKernelClassOf(t *testing.T) {
	for hook, want := range map[uint16]string{
		0x0000: "EventTrace", 0x0005: "EventTrace", 0x0301: "Process", 0x0309: "Process", HookImageLoad: "Image", 0x030b: "Process",
		0x0524: "Thread", 0x0f2e: "PerfInfo", 0x140a: "Image", 0x1820: "StackWalk", 0x1eff: "HypervisorX", 0x1f00: "", 0xffff: "",
	} {
		class, ok := KernelClassOf(hook)
		if ok != (want != "") || ok && class.Name != want {
			t.Errorf("hook %#04x: %+v, want %q", hook, class, want)
		}
	}
	for hook := range 1 << 16 {
		if class, ok := KernelClassOf(uint16(hook)); ok && hook != HookImageLoad && int(class.Group) != hook>>8 {
			t.Errorf("hook %#04x: %+v", hook, class)
		}
	}
}

// TestClassGUIDs checks the GUIDs of classes that have variables.
func TestClassGUIDs(t *testing.T) {
	for name, id := range map[string]GUID{"EventMetadata": EventMetadataClass, "EventTrace": EventTraceClass, "SysConfig": SysConfigClass} {
		if want := classGUID(name); id != want {
			t.Errorf("%s is %s, want %s", name, id, want)
		}
	}
}

// classGUID returns the GUID of a class, which must exist.
func classGUID(name string) GUID {
	id, ok := ClassGUID(name)
	if !ok {
		panic("no class " + name)
	}
	return id
}
