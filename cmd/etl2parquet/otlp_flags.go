package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/otlphttp"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// otlpFlags say which collector of OpenTelemetry gets the log records.
type otlpFlags struct {
	endpoint string
	headers  headers
}

// headers is the value of a repeatable flag for headers of requests. It does not print their values.
type headers struct{ http.Header }

func (h *headers) Type() string   { return "string" }
func (h *headers) String() string { return "" }

func (h *headers) Set(text string) error {
	if h.Header == nil {
		h.Header = make(http.Header)
	}
	return otlphttp.AddHeader(h.Header, text)
}

func (f *otlpFlags) flags() []option {
	return []option{
		{flag: "otlp-endpoint", value: &f.endpoint, usage: "post log records to the OpenTelemetry collector at this `URL`, instead of printing them; \"env\" takes $OTEL_EXPORTER_OTLP_ENDPOINT"},
		{flag: "otlp-header", value: &f.headers, usage: "`NAME=VALUE` of a header for the collector, besides those in $OTEL_EXPORTER_OTLP_HEADERS; repeatable"},
	}
}

// fromEnvironment is the endpoint that means the one in the environment.
const fromEnvironment = "env"

// The variables that exporters of OpenTelemetry share.
const (
	endpointVariable     = "OTEL_EXPORTER_OTLP_ENDPOINT"
	logsEndpointVariable = "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"
	headersVariable      = "OTEL_EXPORTER_OTLP_HEADERS"
	logsHeadersVariable  = "OTEL_EXPORTER_OTLP_LOGS_HEADERS"
)

// checkOTLP checks the flags, and makes the format the one of log records.
func (f *catFlags) checkOTLP(cmd *cobra.Command) error {
	switch {
	case f.otlp.endpoint == "" && cmd.Flags().Changed("otlp-header"):
		return usagef("--otlp-header needs --otlp-endpoint")
	case f.otlp.endpoint == "":
		return nil
	case cmd.Flags().Changed("format") && f.format.value != formats.OTLP.Name:
		return usagef("--otlp-endpoint posts log records; it cannot be combined with --format %s", f.format.value)
	}
	f.format.value = formats.OTLP.Name
	return f.otlp.complete()
}

// complete takes what is in the environment, and checks the endpoint.
func (f *otlpFlags) complete() (err error) {
	name := "--otlp-endpoint"
	if f.endpoint == fromEnvironment {
		name = "$" + endpointVariable
		if f.endpoint = os.Getenv(endpointVariable); os.Getenv(logsEndpointVariable) != "" {
			name, f.endpoint = "$"+logsEndpointVariable, os.Getenv(logsEndpointVariable)
		}
		if f.endpoint == "" {
			return usagef("--otlp-endpoint env: neither $%s nor $%s is set", endpointVariable, logsEndpointVariable)
		}
	}
	if f.endpoint, err = otlphttp.LogsURL(f.endpoint); err != nil {
		return usagef("%s: %w", name, err)
	}
	headers := f.headers.Header
	f.headers.Header = make(http.Header)
	variable := headersVariable
	if os.Getenv(logsHeadersVariable) != "" {
		variable = logsHeadersVariable
	}
	if err := otlphttp.AddHeaders(f.headers.Header, os.Getenv(variable)); err != nil {
		return usagef("$%s: %w", variable, err)
	}
	for header, values := range headers {
		f.headers.Header[header] = values
	}
	return nil
}

// triesOfCollectors is the number of tries for a batch: collectors are restarted while programs log.
const triesOfCollectors = 12

// otlpOutput posts batches to a collector.
type otlpOutput struct {
	*otlphttp.Sender
	name   string // of the collector
	failed error  // ended the posting
	result error  // of the command
}

// sender returns the output for log records that are posted, or nil.
func (r *job) sender(f *catFlags) *otlpOutput {
	if f.otlp.endpoint == "" {
		return nil
	}
	patience := r.patienceOf(&f.source.servers, r.showWait, r.aside)
	patience.Tries = max(patience.Tries, triesOfCollectors)
	return &otlpOutput{name: remote.Name(f.otlp.endpoint), Sender: otlphttp.NewSender(r.ctx, otlphttp.Options{
		URL: f.otlp.endpoint, Headers: f.otlp.headers.Header, UserAgent: "etl2parquet/" + version.Of(), Patience: patience,
	})}
}

// Write implements [io.Writer].
func (*otlpOutput) Write([]byte) (int, error) { return 0, errors.New("a collector takes batches") }

// WriteBatch implements [etl2parquet.BatchWriter].
func (o *otlpOutput) WriteBatch(line []byte, records int) error {
	o.failed = o.Send(line, records)
	return o.failed
}

// end reports what became of the records. err is the error that ended the rows, if any.
func (o *otlpOutput) end(r *job, err error) {
	o.Close()
	text := o.Report.String()
	if err != nil {
		text += "; the rest was not sent"
	}
	r.warn("%s: %s", printable(o.name), text)
	for _, reason := range o.Report.Reasons {
		r.warn("%s: %s", printable(o.name), printable(reason))
	}
	switch {
	case o.failed != nil:
		o.result = fmt.Errorf("%s: %w", o.name, o.failed)
	case !o.Report.IsExact():
		o.result = answers.ErrSomeFailed
	}
}
