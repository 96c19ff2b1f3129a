// Package ordered does work in parallel and delivers the results in order.
package ordered
