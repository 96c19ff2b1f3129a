package attribution

// fieldName is the name of a field that records of facts have. Numbers instead of texts, because
// millions of payloads are read: see recentLayout.
type fieldName uint8

// The names.
const (
	fieldImageBase fieldName = iota
	fieldProcessID
	fieldImageSize
	fieldTimeDateStamp
	fieldGUIDSig
	fieldAge
	fieldPDBFileName
	fieldFileVersion
	fieldProductName
	fieldCompanyName
	fieldUniqueProcessKey
	fieldParentID
	fieldSessionID
	fieldFlags
	fieldExitStatus
	fieldUserSID
	fieldImageFileName
	fieldCommandLine
	fieldPackageFullName
	fieldApplicationID
	fieldTThreadID
	fieldThreadID
	fieldWin32StartAddr
	fieldStartAddr
	fieldBasePriority
	fieldThreadName
	fieldImageChecksum
	fieldFileName
	fieldFileObject
	fieldOpenPath
	fieldNTPath
	fieldDOSPath
	fieldSystemWindowsDirectory
	fieldComputerName
	fieldNames // their number
)

// namesOfFields are the names as in the schemas of kernel events.
var namesOfFields = [fieldNames]string{
	fieldImageBase:              "image_base",
	fieldProcessID:              "process_id",
	fieldImageSize:              "image_size",
	fieldTimeDateStamp:          "time_date_stamp",
	fieldGUIDSig:                "guid_sig",
	fieldAge:                    "age",
	fieldPDBFileName:            "pdb_file_name",
	fieldFileVersion:            "file_version",
	fieldProductName:            "product_name",
	fieldCompanyName:            "company_name",
	fieldUniqueProcessKey:       "unique_process_key",
	fieldParentID:               "parent_id",
	fieldSessionID:              "session_id",
	fieldFlags:                  "flags",
	fieldExitStatus:             "exit_status",
	fieldUserSID:                "user_sid",
	fieldImageFileName:          "image_file_name",
	fieldCommandLine:            "command_line",
	fieldPackageFullName:        "package_full_name",
	fieldApplicationID:          "application_id",
	fieldTThreadID:              "t_thread_id",
	fieldThreadID:               "thread_id",
	fieldWin32StartAddr:         "win32_start_addr",
	fieldStartAddr:              "start_addr",
	fieldBasePriority:           "base_priority",
	fieldThreadName:             "thread_name",
	fieldImageChecksum:          "image_checksum",
	fieldFileName:               "file_name",
	fieldFileObject:             "file_object",
	fieldOpenPath:               "open_path",
	fieldNTPath:                 "nt_path",
	fieldDOSPath:                "dos_path",
	fieldSystemWindowsDirectory: "system_windows_directory",
	fieldComputerName:           "computer_name",
}
