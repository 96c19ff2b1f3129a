package schema

// Methods has the methods that runtimes recorded in the trace.
var Methods = table("methods", "One row per code of a method of a runtime (.NET, JavaScript), by process, address and time. A method that is compiled again has several rows.", []string{"process_id", "address"}, []Column{
	{Name: "process_id", Type: Int64, Encoding: Rising, Doc: "Process that it is in."},
	{Name: "process_name", Type: String, Nullable: true, Doc: "Image name of that process. NULL if unknown."},
	{Name: "address", Type: Uint64, Encoding: Rising, Doc: "Address of its first byte."},
	{Name: "size", Type: Int64, Encoding: Varied, Doc: "Size of its code, bytes."},
	{Name: "namespace", Type: String, Nullable: true, Doc: "Namespace and class. NULL if unknown, or the runtime has none."},
	{Name: "method_name", Type: String, Nullable: true, Encoding: Varied, Doc: "Name of the method. NULL if unknown: events without names record some methods."},
	{Name: "signature", Type: String, Nullable: true, Doc: "Types of its result and arguments, as the runtime writes them. NULL if unknown."},
	{Name: "module", Type: String, Nullable: true, Doc: "File name of the module that it is from, or of the source of a script. NULL if unknown."},
	{Name: "module_path", Type: String, Nullable: true, Doc: "Path of that module (ModuleILPath), or URL of the script. NULL if unknown."},
	{Name: "native_path", Type: String, Nullable: true, Doc: "Path of the module's native image (ModuleNativePath). NULL if there is none, or unknown."},
	{Name: "runtime", Type: String, Doc: "Runtime that recorded it: clr (.NET), or script (Chakra, V8)."},
	{Name: "kind", Type: String, Nullable: true, Doc: "Kind of its code: jitted; precompiled (ReadyToRun, or a native image of NGEN); dynamic (a DynamicMethod or a stub, made at run time); jit_helper; for scripts interpreted, jitted, jitted_loop. NULL if unknown."},
	{Name: "tier", Type: String, Nullable: true, Doc: "How far the runtime optimized it: MinOptJitted, Optimized, QuickJitted, OptimizedTier1, OptimizedTier1OSR, QuickJittedInstrumented, OptimizedTier1Instrumented. NULL if unknown."},
	{Name: "flags", Type: Int64, Doc: "MethodFlags, as a number."},
	{Name: "flags_text", Type: String, List: true, Doc: "MethodFlags, the names of its bits, without the tier."},
	{Name: "method_id", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "MethodID: the method in its runtime. Other code of the same method has the same. NULL if it is 0."},
	{Name: "rejit_id", Type: Uint64, Nullable: true, Doc: "ReJITID: which instrumented version of the method. NULL in older events."},
	{Name: "clr_instance_id", Type: Int32, Nullable: true, Doc: "ClrInstanceID: which runtime of the process. NULL in older events, and for scripts."},
	{Name: "source_line", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Line of the script at which it begins. NULL if unknown."},
	{Name: "source_column", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Column of that line. NULL if unknown."},
}, life("load", "unload"))
