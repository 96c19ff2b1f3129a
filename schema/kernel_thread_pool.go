package schema

import "slices"

func kernelThreadPool() eventClass {
	return eventClass{
		certainty: Uncertain,
		events: []Event{
			{Name: "CBEnqueue", Type: 0x20, Natural: true,
				Doc:    "A user-mode thread pool callback was queued. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_CALLBACK_ENQUEUE; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: threadPoolCallbackFields},
			{Name: "CBDequeue", Type: 0x21, Natural: true,
				Doc:    "A thread pool callback was taken from the queue by a worker. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_CALLBACK_ENQUEUE; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: threadPoolCallbackFields},
			{Name: "CBStart", Type: 0x22, Natural: true,
				Doc:    "A thread pool callback began to run on the header's thread.",
				Ref:    refStruct + "ETW_TP_EVENT_CALLBACK_START; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: threadPoolCallbackFields},
			{Name: "CBStop", Type: 0x23, Natural: true,
				Doc:    "A thread pool callback finished on the header's thread.",
				Ref:    refStruct + "ETW_TP_EVENT_CALLBACK_START; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: threadPoolCallbackFields},
			{Name: "CBCancel", Type: 0x24, Natural: true,
				Doc: "Queued thread pool callbacks were cancelled, CancelCount of them. The process is the header's.",
				Ref: refStruct + "ETW_TP_EVENT_CALLBACK_CANCEL; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: slices.Concat(threadPoolCallbackFields, []Field{
					{Name: "cancel_count", Kind: U32, Doc: "Number of callbacks canceled."},
				})},
			{Name: "PoolCreate", Type: 0x25, Natural: true,
				Doc:    "A thread pool was created. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_POOL_CREATE; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: []Field{threadPoolID}},
			{Name: "PoolClose", Type: 0x26, Natural: true,
				Doc:    "A thread pool was closed. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_POOL_CLOSE; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: []Field{threadPoolID}},
			{Name: "ThreadMinSet", Type: 0x27, Natural: true,
				Doc:    "The minimum thread count of a thread pool was set. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_POOL_TH_MIN_SET; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: threadPoolLimitFields},
			{Name: "ThreadMaxSet", Type: 0x28, Natural: true,
				Doc:    "The maximum thread count of a thread pool was set. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_POOL_TH_MAX_SET; microsoft/perfview kerneltraceeventparser.mof (Vista: DEQUEUE/STOP only TaskId; CANCEL = TaskId,CancelCount)",
				Fields: threadPoolLimitFields},
			{Name: "WorkerNumaNodeSwitch", Type: 0x29, Natural: true,
				Doc: "A thread pool worker moved to another NUMA node. The process is the header's.",
				Ref: refStruct + "ETW_TP_EVENT_WORKER_NUMANODE_SWITCH",
				Fields: []Field{
					threadPoolID,
					{Name: "current_node", Kind: U32, Doc: "NUMA node the worker is on."},
					{Name: "next_node", Kind: U32, Doc: "NUMA node the worker moves to."},
					{Name: "current_group", Kind: U16, Doc: "Processor group the worker is in."},
					{Name: "next_group", Kind: U16, Doc: "Processor group the worker moves to."},
					{Name: "current_worker_count", Kind: U32, Doc: "Number of workers on the present node."},
					{Name: "next_worker_count", Kind: U32, Doc: "Number of workers on the next node."},
				}},
			{Name: "TimerSet", Type: 0x2a,
				Doc: "A thread pool timer was set. The process is the header's.",
				Ref: refStruct + "ETW_TP_EVENT_TIMER_SET",
				Fields: slices.Concat(threadPoolTimerFields, []Field{
					{Name: "absolute", Kind: U32, Doc: "1 if the due time is absolute, 0 if relative."},
				})},
			{Name: "TimerCancelled", Type: 0x2b,
				Doc: "A thread pool timer was cancelled. The process is the header's.",
				Ref: refStruct + "ETW_TP_EVENT_TIMER_CANCELLED",
				Fields: []Field{
					timerSubQueue,
					{Name: "timer", Kind: Pointer, Doc: "Address of the pool's timer."},
				}},
			{Name: "TimerSetNtTimer", Type: 0x2c,
				Doc: "The kernel timer behind a thread pool timer queue was set. The process is the header's.",
				Ref: refStruct + "ETW_TP_EVENT_TIMER_SET_NTTIMER",
				Fields: []Field{
					{Name: "due_time", Kind: I64, Unit: In100Ns, Doc: "Time at which the timer is due; negative values are relative to now."},
					timerSubQueue,
					{Name: "tolerable_delay", Kind: U32, Unit: InMillis, Doc: "Delay the timer tolerates."},
				}},
			{Name: "TimerCancelNtTimer", Type: 0x2d,
				Doc:    "The kernel timer behind a thread pool timer queue was cancelled. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_TIMER_CANCEL_NTTIMER",
				Fields: []Field{timerSubQueue}},
			{Name: "TimerExpirationBegin", Type: 0x2e,
				Doc:    "A thread pool timer queue began expiring its due timers. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_TIMER_EXPIRATION_BEGIN",
				Fields: []Field{timerSubQueue}},
			{Name: "TimerExpirationEnd", Type: 0x2f,
				Doc:    "A thread pool timer queue finished expiring its due timers. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_TIMER_EXPIRATION_END",
				Fields: []Field{timerSubQueue}},
			{Name: "TimerExpiration", Type: 0x30,
				Doc:    "One thread pool timer expired. The process is the header's.",
				Ref:    refStruct + "ETW_TP_EVENT_TIMER_EXPIRATION",
				Fields: threadPoolTimerFields},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	threadPoolID  = Field{Name: "pool_id", Kind: Pointer, Doc: "Address of the thread pool; identifies it."}
	timerSubQueue = Field{Name: "sub_queue", Kind: Pointer, Doc: "Address of the timer queue."}

	threadPoolCallbackFields = []Field{
		threadPoolID,
		{Name: "task_id", Kind: Pointer, Doc: "Address of the work item; joins enqueue, start and stop."},
		{Name: "callback", Kind: Pointer, Doc: "Address of the callback function."},
		{Name: "context", Kind: Pointer, Doc: "Context value passed to the callback."},
		{Name: "sub_process_tag", Kind: Pointer, Doc: "Tag of the service the callback works for; 0 if none."},
	}
	threadPoolTimerFields = []Field{
		{Name: "due_time", Kind: I64, Unit: In100Ns, Doc: "Time at which the timer is due; negative values are relative to now."},
		timerSubQueue,
		{Name: "timer", Kind: Pointer, Doc: "Address of the pool's timer."},
		{Name: "period", Kind: U32, Unit: InMillis, Doc: "Interval of a periodic timer; 0 for a timer that fires once."},
		{Name: "window_length", Kind: U32, Unit: InMillis, Doc: "Delay the timer tolerates."},
	}
	threadPoolLimitFields = []Field{
		threadPoolID,
		{Name: "thread_num", Kind: U32, Doc: "New limit on the number of threads."},
	}
)
