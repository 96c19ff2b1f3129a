package schema

import "sync"

// Kernel returns the events of the kernel's classes and of those that the
// merge tools write. The caller must not change them.
func Kernel() [][]Event {
	return [][]Event{
		kernelEventTrace, kernelDiskIo, kernelPageFault, kernelProcess, kernelImage, kernelFileIo, kernelThread, kernelTCPIP, kernelJob, kernelUDPIP, kernelRegistry, kernelDbgPrint, kernelSystemConfig, kernelLastBranchRecording, kernelWnf, kernelPool, kernelPerfInfo, kernelHeap, kernelObject, kernelPower, kernelCc, kernelCritSec, kernelStackWalk, kernelUms, kernelALPC, kernelSplitIo, kernelThreadPool, kernelHypervisor, kernelLostEvent, kernelSysConfig, kernelImageID, kernelEventMetadata, kernelWinSat,
	}
}

// KernelCatalog returns the catalog of [Kernel].
var KernelCatalog = sync.OnceValue(func() *Catalog {
	c, err := NewCatalog(Kernel()...)
	if err != nil {
		panic(err) // the literals are wrong: a test holds that they are not
	}
	return c
})
