{{- define "stack of" -}}
LEFT JOIN stack_events AS e ON e.trace = {{.}}.trace AND e.event_ref = {{.}}.event_ref
LEFT JOIN stacks AS k ON k.trace = e.trace AND k.stack_id = e.stack_id
{{- end -}}
{{- define "stack id of" -}}
LEFT JOIN stack_events AS e ON e.trace = {{.}}.trace AND e.event_ref = {{.}}.event_ref
{{- end -}}
{{- define "kind of sample" -}}
CASE WHEN in_isr THEN 'isr' WHEN in_dpc THEN 'dpc' WHEN is_idle THEN 'idle' ELSE 'thread' END
{{- end -}}
{{- define "time text" -}}
CASE WHEN {{.}} < 9995000 THEN CAST(CAST({{.}} / 1e6 AS DECIMAL(18,2)) AS STRING) || ' ms' WHEN {{.}} < 999500000 THEN CAST(CAST({{.}} / 1e6 AS DECIMAL(18,0)) AS STRING) || ' ms' WHEN {{.}} < 599950000000 THEN CAST(CAST({{.}} / 1e9 AS DECIMAL(18,1)) AS STRING) || ' s' ELSE CAST(CAST({{.}} / 6e10 AS DECIMAL(18,1)) AS STRING) || ' min' END
{{- end -}}
{{- define "share text" -}}
CASE WHEN {{.}} < 0.0005 THEN 'less than 0.1 %' WHEN {{.}} < 0.0995 THEN CAST(CAST(100 * ({{.}}) AS DECIMAL(18,1)) AS STRING) || ' %' ELSE CAST(CAST(100 * ({{.}}) AS DECIMAL(18,0)) AS STRING) || ' %' END
{{- end -}}
{{- define "size text" -}}
CASE WHEN {{.}} < 1024 THEN CAST({{.}} AS STRING) || ' bytes' WHEN {{.}} < 1048576 THEN CAST(CAST({{.}} / 1024e0 AS DECIMAL(18,1)) AS STRING) || ' KiB' WHEN {{.}} < 1073741824 THEN CAST(CAST({{.}} / 1048576e0 AS DECIMAL(18,1)) AS STRING) || ' MiB' ELSE CAST(CAST({{.}} / 1073741824e0 AS DECIMAL(18,1)) AS STRING) || ' GiB' END
{{- end -}}
{{- define "quoted" -}}
chr(39) || replace({{.}}, chr(39), chr(39) || chr(39)) || chr(39)
{{- end -}}
