package schema

// ControlGUID is a GUID by which a program controls a session or enables events of the
// system. Events have the GUIDs of their classes instead.
type ControlGUID struct {
	GUID GUID
	Name string // of the constant, without the suffix Guid
	Doc  string
}

// ControlGUIDs returns the control GUIDs. The caller must not change them.
func ControlGUIDs() []ControlGUID { return controlGUIDs }

// controlGUIDs are from evntrace.h, and from the documentation of the system's providers
// (learn.microsoft.com/windows/win32/etw/system-providers), which exist since Windows 10 2004. The
// Circular Kernel Context Logger is only in NTWMI.H.
var controlGUIDs = []ControlGUID{
	{MustGUID("9e814aad-3204-11d2-9a82-006008a86939"), "SystemTraceControl", "Session NT Kernel Logger: EnableFlags and group masks select its events."},
	{MustGUID("54dea73a-ed1f-42a4-af71-3e63d056f174"), "CircularKernelContextLogger", "Session Circular Kernel Context Logger: EnableFlags and group masks select its events."},
	{MustGUID("e8908abc-aa84-11d2-9a93-00805f85d7c6"), "GlobalLogger", "Session GlobalLogger, which the registry configures and which starts at boot."},
	{MustGUID("01853a65-418f-4f36-aefc-dc0f1d2fd235"), "EventTraceConfig", "Class of the events about the system's hardware and services, SystemConfig."},
	{MustGUID("0811c1af-7a07-4a06-82ed-869455cdf713"), "DefaultTraceSecurity", "Security of sessions and providers that have none of their own."},
	{MustGUID("3595ab5c-042a-4c8e-b942-2d059bfeb1b1"), "PrivateLoggerNotification", "Notifies providers of private sessions."},
	{MustGUID("fcb9baaf-e529-4980-92e9-ced1a6aadfdf"), "SystemAlpcProvider", "System provider: ALPC messages."},
	{MustGUID("fef3a8b6-318d-4b67-a96a-3b0f6b8f18fe"), "SystemConfigProvider", "System provider: configuration of the system."},
	{MustGUID("c6c5265f-eae8-4650-aae4-9d48603d8510"), "SystemCpuProvider", "System provider: configuration of processors, caches."},
	{MustGUID("bafa072a-918a-4bed-b622-bc152097098f"), "SystemHypervisorProvider", "System provider: the hypervisor."},
	{MustGUID("d4bbee17-b545-4888-858b-744169015b25"), "SystemInterruptProvider", "System provider: interrupts and DPCs."},
	{MustGUID("3d5c43e3-0f1c-4202-b817-174c0070dc79"), "SystemIoProvider", "System provider: disk, file and network operations."},
	{MustGUID("fbd09363-9e22-4661-b8bf-e7a34b535b8c"), "SystemIoFilterProvider", "System provider: file system filters."},
	{MustGUID("721ddfd3-dacc-4e1e-b26a-a2cb31d4705a"), "SystemLockProvider", "System provider: locks and other objects that threads wait for."},
	{MustGUID("82958ca9-b6cd-47f8-a3a8-03ae85a4bc24"), "SystemMemoryProvider", "System provider: memory, page faults, working sets."},
	{MustGUID("febd7460-3d1d-47eb-af49-c9eeb1e146f2"), "SystemObjectProvider", "System provider: handles and objects."},
	{MustGUID("c134884a-32d5-4488-80e5-14ed7abb8269"), "SystemPowerProvider", "System provider: power and idle states."},
	{MustGUID("151f55dc-467d-471f-83b5-5f889d46ff66"), "SystemProcessProvider", "System provider: processes, threads, images, jobs."},
	{MustGUID("bfeb0324-1cee-496f-a409-2ac2b48a6322"), "SystemProfileProvider", "System provider: samples and performance counters."},
	{MustGUID("16156bd9-fab4-4cfa-a232-89d1099058e3"), "SystemRegistryProvider", "System provider: the registry."},
	{MustGUID("599a2a76-4d91-4910-9ac7-7d33f2e97a6c"), "SystemSchedulerProvider", "System provider: context switches and the scheduler."},
	{MustGUID("434286f7-6f1b-45bb-b37e-95f623046c7c"), "SystemSyscallProvider", "System provider: system calls."},
	{MustGUID("4f061568-e215-499f-ab2e-eda0ae890a5b"), "SystemTimerProvider", "System provider: timers and the clock."},
}
