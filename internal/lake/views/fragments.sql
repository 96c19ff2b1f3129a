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
