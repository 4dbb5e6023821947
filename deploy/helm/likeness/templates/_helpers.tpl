{{- define "likeness.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "likeness.selector" -}}
app.kubernetes.io/name: likeness
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "likeness.labels" -}}
{{ include "likeness.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{/* Environment variables of every process; secrets come from envFrom. */}}
{{- define "likeness.env" -}}
- { name: ORT_DISABLE_TELEMETRY, value: '1' }
- { name: REGION, value: {{ .Values.region | quote }} }
- { name: BASE_URL, value: {{ printf "https://%s" .Values.host | quote }} }
- { name: ASSET_STORE, value: {{ .Values.assetStore | quote }} }
{{- with .Values.s3Endpoint }}
- { name: S3_ENDPOINT, value: {{ . | quote }} }
{{- end }}
- { name: OPERATOR_HOST, value: 0.0.0.0 }
- { name: METRICS_PORT, value: '9464' }
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "likeness.podSecurity" -}}
{ runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: { type: RuntimeDefault } }
{{- end }}

{{- define "likeness.containerSecurity" -}}
{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end }}

{{/* Spreads pods over zones and nodes where possible, so that a failing one takes down only its share. */}}
{{- define "likeness.spread" -}}
{{- $selector := include "likeness.selector" . | nindent 6 -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- $selector }}
{{- end }}
{{- end }}

{{/*
Maximum number of connections to PostgreSQL. An API uses a pool of 8 and 4 others (console 2, notifications, locks); a
worker a pool of 4 and 7 others (job queues 4, notifications 2, locks); `likeness migrate` 3 and a pool of which it uses 1.
While processes are replaced, there is one more of each role.
*/}}
{{- define "likeness.connections" -}}
{{- $apis := add 1 .Values.api.maxReplicas -}}
{{- $workers := add 1 .Values.worker.maxReplicas -}}
{{- $own := add (mul 4 $apis) (mul 7 $workers) 4 -}}
{{- $pools := add (mul 8 $apis) (mul 4 $workers) -}}
{{- if .Values.database.poolerConnections -}}{{- $pools = .Values.database.poolerConnections -}}{{- end -}}
{{- add $own $pools .Values.database.reserved -}}
{{- end }}
