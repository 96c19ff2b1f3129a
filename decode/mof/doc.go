// Package mof reads MOF text: the classes in which classic providers say what
// their events mean. [Parse] makes a [schema.Schema] of each event; [ClassGUIDs]
// only finds out whose events a file may describe.
//
// What means something here is what Microsoft documents for event tracing
// ("Publishing Your Event Schema for a Classic Provider", "Event Tracing MOF
// Qualifiers"), in any case of the letters:
//
//	#pragma ...                            skipped to the end of the line
//	[Guid("{...}")]
//	class Provider : EventTrace {};
//	[Guid("{...}"), EventVersion(2)]
//	class Category : Provider {};          the class of events: GUID and version
//	[EventType{10, 11}, EventTypeName{"Read", "Write"}]
//	class Category_IO : Category           what each event has
//	{
//	  [WmiDataId(1), Format("x")] uint32 Flags;
//	  [WmiDataId(2), StringTermination("Counted"), Format("w")] string Name;
//	  [WmiDataId(3)] uint32 Count;
//	  [WmiDataId(4), WmiSizeIs("Count")] uint64 Items[];
//	};
//
// An event has the GUID of the nearest class that has one, from its own
// upwards, and the version that is said no farther up than there. Without a
// version the class describes those versions that no other class does. What the
// events are of is the DisplayName of the class with the GUID or else its name,
// without the _V2 that classes of older versions have by convention.
//
// The properties lie one behind the other, without padding, in the order of
// their WmiDataId; where no property has one, in that of the text. Those without
// it beside others that have it are WMI's own (InstanceName, Active) and take
// no bytes. A class whose own ids do not begin at 1 has the properties with
// lower ids of the classes that it is derived from.
//
// Input is not trusted: sizes, depths and numbers are bounded, and what is wrong
// costs only the class or field that has it: see [File.Errors].
package mof
