package agent

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// viewURI begins the URI of the page of a view.
const viewURI = "etl2parquet://views/"

// addResources adds the pages of views and macros.
func addResources(to *mcp.Server, set *views.Set) {
	for _, v := range set.All() {
		addPage(to, v)
	}
	for _, m := range set.Macros() {
		addPage(to, &m.View)
	}
}

func addPage(to *mcp.Server, v *views.View) {
	const kind = "text/markdown"
	to.AddResource(&mcp.Resource{URI: viewURI + v.Name, Name: v.Name, Description: v.Summary(), MIMEType: kind, Size: int64(len(v.Page))},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: kind, Text: v.Page}}}, nil
		})
}
