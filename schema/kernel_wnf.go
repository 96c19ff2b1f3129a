package schema

import (
	"slices"
)

func kernelWnf() eventClass {
	return eventClass{
		ref:       refWindows10MOF,
		certainty: Documented,
		events: []Event{
			{Name: "Subscribe", Type: 0x20,
				Doc:    "A subscription to a WNF (Windows Notification Facility) state name was made in the header's process.",
				Fields: wnfSubscribeFields},
			{Name: "Unsubscribe", Type: 0x21,
				Doc:    "A subscription to a WNF state name was removed in the header's process.",
				Fields: wnfSubscribeFields},
			{Name: "Callback", Type: 0x22,
				Doc: "A WNF subscriber's callback ran for a state change; Return is what it returned.",
				Fields: slices.Concat(wnfSubscriptionFields, []Field{
					{Name: "change_stamp", Kind: U32, Doc: "Change stamp of the state: counts its updates."},
					{Name: "delivery_flags", Kind: U32, Doc: "Kinds of deliveries asked for or made; bits not documented."},
					{Name: "return", Kind: U32, Values: "ntstatus", Doc: "Status the callback returned."},
				})},
			{Name: "Publish", Type: 0x23,
				Doc: "New data was published for a WNF state name; DataLength is its size.",
				Fields: []Field{
					{Name: "state_name", Kind: U64, Doc: "Name of the WNF state: an encoded 64-bit number."},
					{Name: "data_length", Kind: U32, Unit: InBytes, Doc: "Length of the state's data."},
				}},
			{Name: "NameSubRundown", Type: 0x24,
				Doc: "One WNF state name subscribed to at rundown.",
				Fields: []Field{
					{Name: "state_name", Kind: U64, Doc: "Name of the WNF state: an encoded 64-bit number."},
					{Name: "name_sub", Kind: Pointer, Doc: "Address of the name subscription, shared by the subscriptions to one state."},
				}},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	wnfSubscriptionFields = []Field{
		{Name: "state_name", Kind: U64, Doc: "Name of the WNF state: an encoded 64-bit number."},
		{Name: "subscription", Kind: Pointer, Doc: "Address of the user's subscription."},
		{Name: "name_sub", Kind: Pointer, Doc: "Address of the name subscription, shared by the subscriptions to one state."},
		{Name: "callback", Kind: Pointer, Doc: "Address of the function called when the state changes."},
	}
)

var wnfSubscribeFields = slices.Concat(wnfSubscriptionFields, []Field{
	{Name: "ref_count", Kind: U32, Doc: "Reference count of the name subscription."},
	{Name: "delivery_flags", Kind: U32, Doc: "Kinds of deliveries asked for or made; bits not documented."},
})
