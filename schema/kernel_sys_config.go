package schema

var kernelSysConfig = []Event{
	{Class: "SysConfig", Name: "BuildInfo", Table: "BuildInfo", Certainty: Verified, GUID: classGUID("SysConfig"), Type: 32,
		Doc: "Windows build lab, product name and install date. Added when traces are merged.",
		Ref: "microsoft/perfview KernelTraceEventParser.cs BuildInfoTraceData",
		Fields: []Field{
			{Name: "install_date", Kind: FileTime, Doc: "Time Windows was installed."},
			{Name: "build_lab", Kind: Text16, Doc: "Build of Windows: number, branch and date."},
			{Name: "product_name", Kind: Text16, Doc: "Name of the Windows edition."},
		}},
	{Class: "SysConfig", Name: "SystemPaths", Table: "SystemPaths", Certainty: Verified, GUID: classGUID("SysConfig"), Type: 33,
		Doc: "System directory and Windows directory of the traced machine. Added when traces are merged.",
		Ref: "microsoft/perfview KernelTraceEventParser.cs",
		Fields: []Field{
			{Name: "system_directory", Kind: Text16, Doc: "Path of the system directory."},
			{Name: "system_windows_directory", Kind: Text16, Doc: "Path of the Windows directory."},
		}},
	{Class: "SysConfig", Name: "UnknownVolume", Table: "UnknownVolume", Certainty: Verified, GUID: classGUID("SysConfig"), Type: 34,
		Doc: "One volume the merge found no DOS path for. Not documented beyond its name.",
		Ref: "microsoft/perfview KernelTraceEventParser.cs",
		Fields: []Field{
			{Name: "volume_name", Kind: Text16, Doc: "Name of a volume without a drive letter."},
		}},
	{Class: "SysConfig", Name: "VolumeMapping", Table: "VolumeMapping", Certainty: Verified, GUID: classGUID("SysConfig"), Type: 35,
		Doc: "Maps an NT device path to a drive letter or DOS path, to rewrite file names. Added when traces are merged.",
		Ref: "microsoft/perfview KernelTraceEventParser.cs",
		Fields: []Field{
			{Name: "nt_path", Kind: Text16, Doc: "NT device path of the volume."},
			{Name: "dos_path", Kind: Text16, Doc: "Drive letter or mount point of the volume."},
		}},
	{Class: "SysConfig", Name: "NetInterface", Table: "NetInterface", Certainty: Uncertain, GUID: classGUID("SysConfig"), Type: 36,
		Doc: "One network interface: LUID, index, GUID, alias, description. No public name: recognized by its size and fields as a MIB_IF_ROW2.",
		Ref: "inferred: 1352-byte payload = MIB_IF_ROW2 (netioapi.h) on PktMon.etl samples (Win10/11 relogged)",
		Fields: []Field{
			{Name: "interface_luid", Kind: U64, Doc: "Locally unique id of the network interface."},
			{Name: "interface_index", Kind: U32, Doc: "Index of the network interface."},
			{Name: "interface_guid", Kind: GUIDs, Doc: "GUID of the network interface."},
			{Name: "alias", Kind: Chars16, Count: 257, Doc: "Name of the network interface the user sees."},
			{Name: "description", Kind: Chars16, Count: 257, Doc: "Description of the network interface."},
			{Name: "physical_address_length", Kind: U32, Unit: InBytes, Doc: "Number of valid bytes of the hardware address."},
			{Name: "rest", Kind: Bytes, Count: Rest, Doc: "Rest of the record (MIB_IF_ROW2): addresses, state and counters, not decoded."},
		}},
	{Class: "SysConfig", Name: "Unknown37", Table: "Unknown37", Certainty: Uncertain, GUID: classGUID("SysConfig"), Type: 37,
		Doc: "Opcode 37 of the merge metadata; no public source names it, payload kept raw.",
		Ref: "bytes only: 16-byte payload in every relogged sample",
		Fields: []Field{
			{Name: "raw", Kind: Bytes, Count: Rest, Doc: "Sixteen bytes; meaning not documented."},
		}},
}
