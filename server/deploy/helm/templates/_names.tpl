{{- define "webhook.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "webhook.labels" -}}
app.kubernetes.io/name: apigen-webhook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
