package schema

import (
	"slices"
)

// refImageEntries is the source of the layout of undocumented entries.
const refImageEntries = "by analogy: types 32 to 40 of real traces begin alike"

func kernelImageID() eventClass {
	return eventClass{
		events: []Event{
			{Name: "Info", Type: 0, Certainty: Verified,
				Doc: "One image: base, size, time stamp and original file name from its version data. Added at merge for symbol lookup; ProcessId is where it was loaded.",
				Ref: "microsoft/perfview src/TraceEvent/Parsers/SymbolTraceEventParser.cs; phnt WMI_IMAGEID_INFORMATION (packed)",
				Fields: []Field{
					{Name: "image_base", Kind: Pointer, Doc: "Address where the image is loaded."},
					{Name: "image_size", Kind: Size, Unit: InBytes, Doc: "Size of the image in memory."},
					{Name: "process_id", Kind: U32, Doc: "Process that maps the image; 0 for kernel images."},
					{Name: "time_date_stamp", Kind: U32, Doc: "Time stamp in the image's header: seconds since 1970, or a hash in reproducible builds."},
					{Name: "original_file_name", Kind: Text16, Doc: "Original file name in the image's version resource."},
				}},
			{Name: "None", Type: 32, Certainty: Verified,
				Doc:    "One image without a debug directory, loaded in ProcessId. Added at merge.",
				Ref:    "microsoft/perfview src/TraceEvent/Parsers/SymbolTraceEventParser.cs",
				Fields: imageIDFields},
			{Name: "Unknown34", Type: 34, Since: 2, Certainty: Uncertain, Ref: refImageEntries,
				Doc:    "Debug entry 34 of one image loaded in ProcessId. Added at merge on Windows 11; not documented.",
				Fields: imageUnknownFields},
			{Name: "DbgID_RSDS", Type: 36, Certainty: Verified,
				Doc:    "PDB identity (GUID, age, file) of one image loaded in ProcessId. Added at merge for symbol lookup.",
				Ref:    "microsoft/perfview src/TraceEvent/Parsers/SymbolTraceEventParser.cs",
				Fields: imagePDBFields},
			{Name: "DbgID_ILRSDS", Type: 37, Certainty: Verified,
				Doc:    "PDB identity of the IL image behind a native image loaded in ProcessId. Added at merge for symbol lookup.",
				Ref:    "microsoft/perfview src/TraceEvent/Parsers/SymbolTraceEventParser.cs",
				Fields: imagePDBFields},
			{Name: "DbgPPDB", Type: 38, Certainty: Verified,
				Doc: "Portable PDB entry of one image loaded in ProcessId, with version. Added at merge.",
				Ref: "microsoft/perfview src/TraceEvent/Parsers/SymbolTraceEventParser.cs",
				Fields: slices.Concat(imageIDFields, []Field{
					{Name: "time_date_stamp", Kind: U32, Doc: "Time stamp of the portable PDB record: a hash or seconds since 1970."},
					{Name: "major_version", Kind: U16, Doc: "Major version of the portable PDB record."},
					{Name: "minor_version", Kind: U16, Doc: "Minor version of the portable PDB record."},
				})},
			{Name: "Unknown39", Type: 39, Since: 1, Certainty: Uncertain, Ref: refImageEntries,
				Doc:    "Debug entry 39 of one image loaded in ProcessId. Added at merge on Windows 11; not documented.",
				Fields: imageUnknownFields},
			{Name: "DbgDeterm", Type: 40, Certainty: Verified,
				Doc:    "The image in ProcessId was built deterministically, so its time stamp is a hash. Added at merge.",
				Ref:    "microsoft/perfview src/TraceEvent/Parsers/SymbolTraceEventParser.cs",
				Fields: imageIDFields},
			{Name: "Unknown41", Type: 41, Since: 1, Certainty: Uncertain, Ref: refImageEntries,
				Doc:    "Debug entry 41 of one image loaded in ProcessId. Added at merge on Windows 11; not documented.",
				Fields: imageUnknownFields},
			{Name: "FileVersion", Type: 64, Certainty: Verified,
				Doc: "Version data of one image file: product, company, versions, description. Added at merge; joins to info by size and time stamp.",
				Ref: "microsoft/perfview src/TraceEvent/Parsers/SymbolTraceEventParser.cs",
				Fields: []Field{
					{Name: "image_size", Kind: U32, Unit: InBytes, Doc: "Size of the image in memory; joins the image together with TimeDateStamp."},
					{Name: "time_date_stamp", Kind: U32, Doc: "Time stamp in the image's header: seconds since 1970, or a hash in reproducible builds."},
					{Name: "orig_file_name", Kind: Text16, Doc: "Original file name in the image's version resource."},
					{Name: "file_description", Kind: Text16, Doc: "Description in the image's version resource."},
					{Name: "file_version", Kind: Text16, Doc: "File version in the image's version resource, as text."},
					{Name: "bin_file_version", Kind: Text16, Doc: "File version in the image's version resource, from its numbers."},
					{Name: "ver_language", Kind: Text16, Doc: "Language of the version resource."},
					{Name: "product_name", Kind: Text16, Doc: "Product name in the image's version resource."},
					{Name: "company_name", Kind: Text16, Doc: "Company in the image's version resource."},
					{Name: "product_version", Kind: Text16, Doc: "Product version in the image's version resource."},
					{Name: "file_id", Kind: Text16, Doc: "Id of the file for application compatibility: a hash."},
					{Name: "program_id", Kind: Text16, Doc: "Id of the program the file was installed with; empty if unknown."},
				}},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	imageIDFields = []Field{
		{Name: "image_base", Kind: Pointer, Doc: "Address where the image is loaded."},
		{Name: "process_id", Kind: U32, Doc: "Process that maps the image; 0 for kernel images."},
	}
)

// The fields at the start of all known debug entries, in 45,000 real events.
var imageUnknownFields = slices.Concat(imageIDFields, []Field{
	{Name: "raw", Kind: Bytes, Length: Rest, Doc: "The rest, as bytes; its layout is not documented."},
})

var imagePDBFields = slices.Concat(imageIDFields, []Field{
	{Name: "guid_sig", Kind: GUIDs, Doc: "GUID of the symbol file (PDB)."},
	{Name: "age", Kind: U32, Doc: "Age of the symbol file (PDB); identifies it together with its GUID."},
	{Name: "pdb_file_name", Kind: Text8, Doc: "Path or name of the symbol file (PDB)."},
})
