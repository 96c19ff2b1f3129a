package schema

import (
	"slices"
)

func kernelJob() eventClass {
	return eventClass{
		certainty: Uncertain,
		enabledBy: "EVENT_TRACE_FLAG_JOB",
		natural:   true,
		events: []Event{
			{Name: "Create", Type: 0x20,
				Doc:    "A job object was created, with the status of the call; the caller is the header's process.",
				Ref:    refStruct + "WMI_JOB_INFORMATION",
				Fields: jobStatusFields},
			{Name: "Terminate", Type: 0x21,
				Doc:    "A job object was terminated, with the status of the call.",
				Ref:    refStruct + "WMI_JOB_INFORMATION",
				Fields: jobStatusFields},
			{Name: "Open", Type: 0x22,
				Doc:    "A job object was opened, with the status of the call.",
				Ref:    refStruct + "WMI_JOB_INFORMATION",
				Fields: jobStatusFields},
			{Name: "AssignProcess", Type: 0x23,
				Doc: "Process UniqueProcessId was put into a job.",
				Ref: refStruct + "WMI_JOB_ASSIGN_PROCESS",
				Fields: slices.Concat(jobFields, []Field{
					{Name: "unique_process_id", Kind: U32, Doc: "Process assigned to or removed from the job."},
					powerStatus,
				})},
			{Name: "RemoveProcess", Type: 0x24,
				Doc: "Process UniqueProcessId left a job, with its exit status.",
				Ref: refStruct + "WMI_JOB_REMOVE_PROCESS",
				Fields: []Field{
					{Name: "job_id", Kind: GUIDs, Doc: "GUID that identifies the job."},
					{Name: "unique_process_id", Kind: U32, Doc: "Process assigned to or removed from the job."},
					{Name: "removal_flags", Kind: U32, Doc: "Why or how the process leaves the job; bits not documented."},
					{Name: "exit_status", Kind: U32, Doc: "Exit code of the removed process."},
				}},
			{Name: "Set", Type: 0x25,
				Doc:    "Information of class JobObjectInformationClass was set on a job.",
				Ref:    refStruct + "WMI_JOB_SET_QUERY_INFORMATION",
				Fields: jobInformationFields},
			{Name: "Query", Type: 0x26,
				Doc:    "Information of class JobObjectInformationClass was queried from a job.",
				Ref:    refStruct + "WMI_JOB_SET_QUERY_INFORMATION",
				Fields: jobInformationFields},
			{Name: "SendNotification", Type: 0x2a,
				Doc: "A job sent a notification message, NotificationId, to its completion port.",
				Ref: refStruct + "WMI_JOB_SEND_NOTIFICATION_INFORMATION",
				Fields: []Field{
					{Name: "job_id", Kind: GUIDs, Doc: "GUID that identifies the job."},
					{Name: "notification_id", Kind: U32, Values: "job_notification", Doc: "Notification sent to the job's completion port (JOB_OBJECT_MSG)."},
				}},
			{Name: "SetCpuRate", Type: 0x2c,
				Doc: "CPU rate control of a job was set; the payload names no job.",
				Ref: refStruct + "WMI_JOB_SET_QUERY_CPU_RATE",
				Fields: []Field{
					{Name: "all_flags", Kind: U32, Values: "job_cpu_rate_flags", Doc: "CPU rate control flags of the job: enabled, weight, hard cap, notify, minimum and maximum."},
					{Name: "value", Kind: U32, Doc: "CPU rate in 1/100 percent, or a weight, by the flags."},
				}},
			{Name: "SetNetRate", Type: 0x2d,
				Doc: "Network rate control of a job was set: bandwidth and DSCP tag; the payload names no job.",
				Ref: refStruct + "WMI_JOB_SET_QUERY_NET_RATE",
				Fields: []Field{
					{Name: "flags", Kind: U32, Values: "job_net_rate_flags", Doc: "Network rate control flags of the job: enabled, bandwidth limit, DSCP tag."},
					{Name: "max_bandwidth", Kind: U64, Unit: InBytes, Doc: "Limit of outgoing traffic per second."},
					{Name: "dscp_tag", Kind: U8, Doc: "DSCP value put into outgoing packets, 0 to 63."},
				}},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	jobFields = []Field{
		{Name: "job_id", Kind: GUIDs, Doc: "GUID that identifies the job."},
		{Name: "job_handle", Kind: U32, Doc: "Handle of the job in the caller's process."},
	}
)

var jobStatusFields = slices.Concat(jobFields, []Field{
	{Name: "flags", Kind: U32, Doc: "Flags of the operation; bits not documented."},
	powerStatus,
})

var jobInformationFields = slices.Concat(jobFields, []Field{
	{Name: "job_object_information_class", Kind: U32, Values: "job_information_class", Doc: "Information class set or queried."},
})
