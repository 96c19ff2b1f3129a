package attribution

import "github.com/etl2parquet/etl2parquet/decode"

// Method is the code of a method that a runtime made or loaded, at an address of a process.
type Method struct {
	Life
	Process   uint32
	Address   uint64
	Size      uint32
	Namespace string
	Name      string
	Module    string // file name of the module it is from; "" if unknown or none
}

// Method returns the index in Tables.Methods of the method at an address of a process at
// a time, or -1.
func (r *Resolver) Method(process uint32, address uint64, at decode.Ticks) int { return -1 }
