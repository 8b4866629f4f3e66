{{- define "clipmill.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "clipmill.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "clipmill.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "clipmill.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "clipmill.selector" -}}
app.kubernetes.io/name: {{ include "clipmill.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "clipmill.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "clipmill.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "clipmill.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "clipmill.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "clipmill.image" -}}
{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}

{{- /* Required values, with readable errors. */}}
{{- define "clipmill.check" -}}
{{- if not (or .Values.database.url .Values.database.existingSecret) }}
{{- fail "set database.existingSecret, or database.url to postgres://user:password@host/name" }}
{{- end }}
{{- if not .Values.storage.url }}
{{- fail "set storage.url to s3://bucket/prefix: pods share files through the bucket" }}
{{- end }}
{{- if and .Values.autoscaling.keda.enabled .Values.autoscaling.hpa.enabled }}
{{- fail "autoscaling.keda and autoscaling.hpa would both scale the workers: choose one" }}
{{- end }}
{{- end }}

{{- define "clipmill.databaseSecret" -}}
{{- default (printf "%s-database" (include "clipmill.fullname" .)) .Values.database.existingSecret }}
{{- end }}

{{- define "clipmill.databaseKey" -}}
{{- ternary .Values.database.existingSecretKey "url" (ne .Values.database.existingSecret "") }}
{{- end }}

{{- define "clipmill.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "clipmill.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "clipmill.envFrom" -}}
- configMapRef:
    name: {{ include "clipmill.fullname" . }}
{{- with .Values.storage.existingSecret }}
- secretRef:
    name: {{ . }}
{{- end }}
{{- end }}

{{- define "clipmill.mounts" -}}
- name: data
  mountPath: /var/lib/clipmill
- name: tmp
  mountPath: /tmp
- name: database
  mountPath: /run/secrets/clipmill
  readOnly: true
{{- end }}

{{- /* Expects a dictionary with `root` and `pods` (.Values.api or .Values.worker). */}}
{{- define "clipmill.volumes" -}}
- name: data
  emptyDir:
    sizeLimit: {{ .pods.scratch.sizeLimit }}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
- name: database
  secret:
    secretName: {{ include "clipmill.databaseSecret" .root }}
    items:
      - key: {{ include "clipmill.databaseKey" .root }}
        path: database-url
{{- end }}

{{- define "clipmill.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
