// Package otlphttp sends telemetry to a collector of OpenTelemetry, by OTLP over HTTP with bodies of
// JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp.
//
// Nothing is lost or sent twice without a count of it: see [Report].
package otlphttp

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// Options say where and how to send.
type Options struct {
	URL       string // of the collector's receiver, complete; see [LogsURL]
	Headers   http.Header
	UserAgent string
	Patience  remote.Patience
}

// Report counts what became of records.
type Report struct {
	Accepted int64 // the collector has taken them
	Refused  int64 // the collector has said that it does not take them
	// Twice is the part of Accepted that the collector may have twice: the answer to a first request
	// was lost, and the second one was accepted.
	Twice int64
	// Unknown is the number of records whose answer was lost, and that were not accepted later: the
	// collector may have them.
	Unknown int64
	// Unread is the part of Accepted for which the answer could not be read to its end: the collector
	// may have refused some.
	Unread int64
	// Reasons are the collector's words for what it refused, each once, the first ones only.
	Reasons []string
}

// IsExact reports whether all records were accepted, each once.
func (r *Report) IsExact() bool { return r.Refused+r.Twice+r.Unknown+r.Unread == 0 }

// maxReasons bounds Report.Reasons, and maxReason the bytes of each.
const (
	maxReasons = 5
	maxReason  = 300
)

// Sender sends batches of records, one after another.
type Sender struct {
	Report Report

	ctx     context.Context
	options Options
	client  *http.Client
	retry   *remote.Retrier
	body    bytes.Buffer
	zip     *gzip.Writer
}

// NewSender returns a sender, whose requests end with the context. Close it.
func NewSender(ctx context.Context, o Options) *Sender {
	return &Sender{
		ctx: ctx, options: o, zip: gzip.NewWriter(nil), retry: &remote.Retrier{Patience: o.Patience, Final: isFinal},
		client: &http.Client{
			Transport: remote.NewTransport(o.Patience.Stall, 1),
			// Another server must not get the headers.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Close closes the connection.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// statusError is an answer that is not a success.
type statusError struct {
	code   int
	reason string
}

func (e *statusError) Error() string {
	text := "the server answers " + strconv.Itoa(e.code)
	if name := http.StatusText(e.code); name != "" {
		text += " " + name
	}
	if e.reason != "" {
		text += ": " + e.reason
	}
	return text
}

// isFinal reports whether a retry would have the same result; the codes that are not final are those
// of the specification.
func isFinal(err error) bool {
	var status *statusError
	if !errors.As(err, &status) {
		return false
	}
	switch status.code {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return false
	}
	return true
}

// isOfBatch reports whether an answer refuses this batch, so that others may be accepted.
func (e *statusError) isOfBatch() bool {
	switch e.code {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusProxyAuthRequired:
		return false
	}
	return isFinal(e) && e.code >= 400
}

// mayHaveTaken reports whether the collector may have the records of a request with this answer: a
// gateway before it does not know.
func (e *statusError) mayHaveTaken() bool {
	return e.code == http.StatusBadGateway || e.code == http.StatusGatewayTimeout
}

// Send sends a batch of records, and returns when it is accepted or refused. An error means that
// further batches would fail as well.
func (s *Sender) Send(body []byte, records int) error {
	s.body.Reset()
	s.zip.Reset(&s.body)
	if _, err := s.zip.Write(body); err != nil {
		return err
	}
	if err := s.zip.Close(); err != nil {
		return err
	}
	lost := false // the answer to a request
	err := s.retry.Do(s.ctx, func(ctx context.Context) error {
		answer, maybe, err := s.try(ctx)
		if err == nil {
			s.accept(answer, int64(records), lost)
			return nil
		}
		lost = lost || maybe
		return err
	})
	if err == nil {
		return nil
	}
	var status *statusError
	switch {
	case lost:
		s.Report.Unknown += int64(records)
	case errors.As(err, &status) && isFinal(status):
		s.Report.Refused += int64(records)
		if status.isOfBatch() {
			s.reason(status.Error())
			return nil
		}
	}
	return err
}

// answer is what the collector says about a batch that it has accepted.
type answer struct {
	PartialSuccess struct {
		Rejected json.Number `json:"rejectedLogRecords"` // protocol buffers write int64 as text in JSON; numbers are accepted
		Message  string      `json:"errorMessage"`
	} `json:"partialSuccess"`

	isUnread bool // it was not read to its end
}

// maxAnswer bounds the bytes of an answer that are read.
const maxAnswer = 64 << 10

// try makes a request. maybe is true if there is no answer, although the request was at least begun.
func (s *Sender) try(ctx context.Context) (a *answer, maybe bool, err error) {
	var begun atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { begun.Store(true) }})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.options.URL, bytes.NewReader(s.body.Bytes()))
	if err != nil {
		return nil, false, err
	}
	for name, values := range s.options.Headers {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Content-Encoding", "gzip")
	request.Header.Set("User-Agent", s.options.UserAgent)
	response, err := s.client.Do(request)
	if err != nil {
		return nil, begun.Load(), withoutURL(err)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	isUnread := err != nil || len(text) == maxAnswer
	response.Body.Close() // its error does not change what was read
	if response.StatusCode/100 == 2 {
		a := &answer{isUnread: isUnread}
		if len(bytes.TrimSpace(text)) > 0 && json.Unmarshal(text, a) != nil {
			a.isUnread = true
		}
		return a, false, nil
	}
	status := &statusError{code: response.StatusCode, reason: reasonOf(response, text)}
	return nil, status.mayHaveTaken(), status
}

// reasonOf returns what an answer says about an error: a message of protocol buffers, or the place of
// a redirection.
func reasonOf(response *http.Response, text []byte) string {
	if response.StatusCode/100 == 3 {
		if to, err := response.Location(); err == nil {
			return "it redirects to " + remote.Name(to.String()) + "; give that URL"
		}
	}
	var status struct{ Message string }
	if json.Unmarshal(text, &status) == nil && status.Message != "" {
		return shortened(status.Message)
	}
	return ""
}

func shortened(text string) string {
	if len(text) > maxReason {
		return text[:maxReason] + "..."
	}
	return text
}

// withoutURL removes the address, which may have credentials, from an error.
func withoutURL(err error) error {
	var of interface{ Unwrap() error }
	if errors.As(err, &of) && of.Unwrap() != nil {
		return of.Unwrap()
	}
	return err
}

// accept counts a batch that the collector has taken.
func (s *Sender) accept(a *answer, records int64, lost bool) {
	refused, err := a.PartialSuccess.Rejected.Int64()
	if err != nil && a.PartialSuccess.Rejected != "" || refused < 0 || refused > records {
		refused, a.isUnread = min(max(refused, 0), records), true
	}
	accepted := records - refused
	s.Report.Accepted += accepted
	s.Report.Refused += refused
	if lost {
		s.Report.Twice += accepted
	}
	if a.isUnread {
		s.Report.Unread += accepted
	}
	if message := a.PartialSuccess.Message; message != "" {
		s.reason(shortened(message))
	}
}

func (s *Sender) reason(text string) {
	r := &s.Report
	for _, known := range r.Reasons {
		if known == text {
			return
		}
	}
	if len(r.Reasons) < maxReasons {
		r.Reasons = append(r.Reasons, text)
	}
}

// String says what became of the records, in a sentence without an end.
func (r *Report) String() string {
	text := fmt.Sprintf("%d log records accepted, %d refused", r.Accepted, r.Refused)
	for _, part := range [...]struct {
		records int64
		text    string
	}{
		{r.Twice, "of the accepted ones may have arrived twice: the answer to a first request was lost"},
		{r.Unread, "of the accepted ones may have been refused: the answer could not be read"},
		{r.Unknown, "may have arrived: the answer was lost"},
	} {
		if part.records > 0 {
			text += fmt.Sprintf("; %d %s", part.records, part.text)
		}
	}
	return text
}
