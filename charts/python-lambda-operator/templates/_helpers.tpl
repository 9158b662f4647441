{{/* The name of everything that belongs to the webhook server. */}}
{{- define "python-lambda-operator.webhook.name" -}}
{{ .Release.Name }}-webhook
{{- end }}

{{/* What tells the webhook server's pods from all others. It must never change. */}}
{{- define "python-lambda-operator.webhook.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: webhook
{{- end }}

{{/* Labels of every object of the release. */}}
{{- define "python-lambda-operator.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* Labels of the webhook server's objects. */}}
{{- define "python-lambda-operator.webhook.labels" -}}
{{ include "python-lambda-operator.labels" . }}
app.kubernetes.io/component: webhook
{{- end }}

{{/* The same three for the ConfigMap reloader. */}}
{{- define "python-lambda-operator.configMapReloader.name" -}}
{{ .Release.Name }}-configmap-reloader
{{- end }}
{{- define "python-lambda-operator.configMapReloader.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: configmap-reloader
{{- end }}
{{- define "python-lambda-operator.configMapReloader.labels" -}}
{{ include "python-lambda-operator.labels" . }}
app.kubernetes.io/component: configmap-reloader
{{- end }}

{{/* An image's reference, from (dict "image" <values> "root" $). */}}
{{- define "python-lambda-operator.image" -}}
{{ .image.repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The settings that the webhook server reads: server/src/settings.ts says what may be in them. */}}
{{- define "python-lambda-operator.settings" -}}
{{- $ingress := dict "annotations" .Values.ingress.annotations "tls" .Values.ingress.tls }}
{{- with .Values.ingress.className }}{{ $_ := set $ingress "className" . }}{{ end }}
{{- dict "pythonLambda" (dict
  "host" .Values.host
  "runtime" (dict
    "image" (include "python-lambda-operator.image" (dict "image" .Values.runtime.image "root" .))
    "imagePullPolicy" .Values.runtime.image.pullPolicy
    "resources" .Values.runtime.resources)
  "service" (dict "annotations" .Values.service.annotations)
  "ingress" $ingress)
  "helloWorld" (dict
    "image" (include "python-lambda-operator.image" (dict "image" .Values.helloWorld.image "root" .))
    "imagePullPolicy" .Values.helloWorld.image.pullPolicy)
  | toPrettyJson }}
{{- end }}

{{/* Security contexts that the `restricted` pod security standard admits. */}}
{{- define "python-lambda-operator.restricted.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}
{{- define "python-lambda-operator.restricted.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* What to do next, for whoever has installed the release. */}}
{{- define "python-lambda-operator.notes" -}}
{{ .Chart.Name }} {{ .Chart.AppVersion }} is installed. A lambda of your own:

kubectl apply -f - <<'YAML'
apiVersion: example.com/v1
kind: PythonLambda
metadata:
  name: hello
spec:
  code: |
    name = query_params.get("name", ["you"])[0]
    output = f"Hello {name}! Your name in reverse is {name[::-1]}"
YAML
kubectl wait --for=condition=Ready py/hello
curl '{{ ternary "https" "http" .Values.ingress.tls }}://{{ .Values.host }}/?name=Martin'

The curl goes to your Ingress controller: add its port, or --resolve, where {{ .Values.host }} does not lead there.
To see that the release works, without an Ingress controller:

helm test {{ .Release.Name }} --namespace {{ .Release.Namespace }}
{{- end }}
