// Package mof reads MOF text: classes in which classic providers describe their
// events. [Parse] makes a [schema.Schema] of each event; [ClassGUIDs] only lists the
// GUIDs of the events that a file may describe.
//
// It understands what Microsoft documents for event tracing ("Publishing Your Event
// Schema for a Classic Provider", "Event Tracing MOF Qualifiers"), in upper or lower
// case:
//
//	#pragma ...                            skipped to the end of the line
//	[Guid("{...}")]
//	class Provider : EventTrace {};
//	[Guid("{...}"), EventVersion(2)]
//	class Category : Provider {};          the event class: GUID and version
//	[EventType{10, 11}, EventTypeName{"Read", "Write"}]
//	class Category_IO : Category           what each event has
//	{
//	  [WmiDataId(1), Format("x")] uint32 Flags;
//	  [WmiDataId(2), StringTermination("Counted"), Format("w")] string Name;
//	  [WmiDataId(3)] uint32 Count;
//	  [WmiDataId(4), WmiSizeIs("Count")] uint64 Items[];
//	};
//
// GUID and version: an event has the GUID of the nearest class with one, searching from its own
// class upwards. The version is found in the same way. A class without a version describes the
// versions that no other class describes.
//
// Name: the event class is called by the DisplayName of the class with the GUID, or
// else by its name, without the suffix _V2 that classes of older versions have by
// convention.
//
// Properties: they follow one another without padding, in the order of their
// WmiDataId or, if no property has one, of the text. If only some have one, the
// others belong to WMI (InstanceName, Active) and take no bytes. A class whose own
// ids do not begin at 1 inherits the properties with lower ids.
//
// Input is not trusted: sizes, depths and numbers are bounded, and an error loses
// only the class or field that has it: see [File.Errors].
package mof
