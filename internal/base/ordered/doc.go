// Package ordered runs work in parallel and delivers the results in order.
package ordered
