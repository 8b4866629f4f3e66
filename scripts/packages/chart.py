"""Renders the chart as Helm does and checks the result against the schemas of Kubernetes and our own rules.

CHART CLIPMILL: the chart's folder, and the program that says whether settings are valid.
"""

import os
import re
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml
from helm_python.chart import Chart
from helm_python.errors import HelmError

MINIMAL = {"database": {"existingSecret": "db"}, "storage": {"url": "s3://clips/files"}}
CASES = {
    "the least": MINIMAL,
    "with a url": {"database": {"url": "postgres://u:p@db/clipmill"}, "storage": {"url": "s3://clips"}},
    "everything": {
        "database": {"existingSecret": "db", "existingSecretKey": "dsn"},
        "storage": {
            "url": "s3://clips/files",
            "endpoint": "https://s3.example.com",
            "publicEndpoint": "https://files.example.com",
            "existingSecret": "s3",
        },
        "image": {"repository": "registry.example.com/clipmill", "tag": "9.9.9"},
        "imagePullSecrets": [{"name": "registry"}],
        "publicUrl": "https://clips.example.com",
        "settings": {"limits.read_rate": "40/s", "worker.slots": "4", "retention.results": "3d"},
        "drainSeconds": 120,
        "worker": {
            "kinds": ["segment", "finish"],
            "nodeSelector": {"disk": "ssd"},
            "tolerations": [{"key": "video", "operator": "Exists", "effect": "NoSchedule"}],
            "affinity": {"nodeAffinity": {}},
            "topologySpreadConstraints": [
                {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {}}
            ],
            "podAnnotations": {"a": "b"},
        },
        "autoscaling": {"keda": {"enabled": True, "minReplicas": 0}},
        "service": {"type": "LoadBalancer", "annotations": {"a": "b"}},
        "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "tls", "annotations": {"a": "b"}},
        "metrics": {"serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}},
        "serviceAccount": {"annotations": {"role": "clips"}},
    },
    "hpa, nothing extra": MINIMAL
    | {
        "autoscaling": {"hpa": {"enabled": True}},
        "podDisruptionBudget": {"enabled": False},
        "serviceAccount": {"create": False},
        "migrate": {"enabled": False},
    },
}
REFUSED = [
    ({}, "database.existingSecret"),
    ({"database": {"existingSecret": "db"}}, "storage.url"),
    ({"autoscaling": {"keda": {"enabled": True}, "hpa": {"enabled": True}}}, "choose one"),
    ({"database": {"url": "mysql://x"}}, "/database/url"),
    ({"drainSeconds": "30s"}, "/drainSeconds"),
    ({"replicas": 3}, "replicas"),
    ({"settings": {"worker.slots": 4}}, "/settings"),
]
# Custom kinds, and the fields that their operators require.
OTHERS = {
    "ScaledObject": ["scaleTargetRef.name", "triggers.0.type", "triggers.0.metadata.query", "triggers.0.authenticationRef.name"],
    "TriggerAuthentication": ["secretTargetRef.0.parameter", "secretTargetRef.0.name", "secretTargetRef.0.key"],
    "ServiceMonitor": ["selector.matchLabels", "endpoints.0.port"],
}
KUBERNETES = "1.34"


def rendered(chart, values, **how):
    chart.validate_schema(values)
    texts = chart.render(values, name="test", namespace="video", **how)
    notes = [text for path, text in texts.items() if path.endswith("NOTES.txt")]
    manifests = [text for path, text in texts.items() if path.endswith(".yaml")]
    return [doc for text in manifests for doc in yaml.safe_load_all(text) if doc], "".join(notes)


def look_up(value, path):
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def check_kinds(docs):
    for doc in docs:
        if doc["kind"] in OTHERS:
            for path in OTHERS[doc["kind"]]:
                assert look_up(doc["spec"], path), (doc["kind"], path)
        else:
            kubernetes_validate.validate(doc, KUBERNETES, strict=True)
    names = [(doc["kind"], doc["metadata"]["name"]) for doc in docs]
    assert len(names) == len(set(names)), names


def pods_of(docs):
    return {doc["metadata"]["name"]: doc["spec"]["template"] for doc in docs if doc["kind"] in ("Deployment", "Job")}


def check_pods(docs, drain):
    for name, pod in pods_of(docs).items():
        spec = pod["spec"]
        assert spec["securityContext"]["runAsNonRoot"] and spec["securityContext"]["runAsUser"] == 10001, name
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert spec["automountServiceAccountToken"] is False, name
        [container] = spec["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }, name
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted == {volume["name"] for volume in spec["volumes"]}, name
        if name.endswith("-migrate"):
            continue
        assert spec["terminationGracePeriodSeconds"] >= drain + 10, name
        ports = {port["name"] for port in container["ports"]}
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            how = container[probe].get("httpGet") or container[probe]["tcpSocket"]
            assert how["port"] in ports, (name, probe)


def check_references(docs, external):
    """Selectors match and references exist; before a hook runs, only other hooks exist."""
    pods = pods_of(docs)
    labels = {name: pod["metadata"]["labels"].items() for name, pod in pods.items()}
    for doc in docs:
        spec = doc.get("spec", {})
        selector = spec.get("selector") or {}
        if doc["kind"] in ("Service", "PodDisruptionBudget", "Deployment"):
            wanted = selector.get("matchLabels", selector).items()
            assert any(wanted <= found for found in labels.values()), doc["metadata"]["name"]
        if "scaleTargetRef" in spec:
            target = spec["scaleTargetRef"]["name"]
            assert target in pods, target
            deployment = next(d for d in docs if d["metadata"]["name"] == target)
            assert "replicas" not in deployment["spec"], "two would decide about the number of workers"
    is_hook = {(d["kind"], d["metadata"]["name"]): "helm.sh/hook" in d["metadata"].get("annotations", {}) for d in docs}
    for name, pod in pods.items():
        hook = is_hook.get(("Job", name), False)
        for volume in pod["spec"]["volumes"]:
            secret = volume.get("secret", {}).get("secretName")
            if secret and secret != external:
                assert is_hook[("Secret", secret)] == hook, (name, secret)


def check_monitoring(docs, alerts):
    """The job of the alerts is the one that Prometheus assigns to the pods."""
    for doc in docs:
        if doc["kind"] == "ServiceMonitor":
            for endpoint in doc["spec"]["endpoints"]:
                jobs = [rule["replacement"] for rule in endpoint.get("relabelings", []) if rule["targetLabel"] == "job"]
                assert jobs == alerts, f"the alerts are for the job {alerts}, the ServiceMonitor makes {jobs}"


def check_settings(docs, clipmill):
    """The program itself reads the variables that its pods get."""
    [config] = [doc["data"] for doc in docs if doc["kind"] == "ConfigMap"]
    with tempfile.NamedTemporaryFile("w", suffix="-url") as url:
        url.write("postgres://u:p@db/clipmill")
        url.flush()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CLIPMILL_")}
        environment |= config | {"CLIPMILL_DATABASE_URL_FILE": url.name}
        checked = subprocess.run([clipmill, "config", "check"], env=environment, capture_output=True, text=True)
        shown = subprocess.run([clipmill, "config", "show"], env=environment, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    # A name that is not a setting would be silently ignored.
    settings = [name for name in config if name.startswith("CLIPMILL_")]
    for name in settings:
        origin = url.name if name.endswith("_FILE") else name
        assert origin in shown.stdout, f"{name} is not a setting"


def main(path, clipmill):
    chart = Chart.load(path)
    with open(os.path.join(path, "../../monitoring/alerts.yml"), encoding="utf-8") as file:
        alerts = sorted(set(re.findall(r'job="([^"]+)"', file.read())))
    with open(os.path.join(path, "../../../docs/operate/install.md"), encoding="utf-8") as file:
        CASES["of docs/operate/install.md"] = yaml.safe_load(re.search(r"```yaml\n(.*?)```", file.read(), re.DOTALL)[1])
    for name, values in CASES.items():
        for how in ({"is_install": True}, {"is_upgrade": True}):
            docs, notes = rendered(chart, values, **how)
        try:
            drain = values.get("drainSeconds", 30)
            check_kinds(docs)
            check_pods(docs, drain)
            check_references(docs, values["database"].get("existingSecret"))
            check_settings(docs, clipmill)
            check_monitoring(docs, alerts)
            assert "rollout status" in notes
        except Exception as error:
            raise SystemExit(f"chart, {name}: {type(error).__name__}: {error}") from error
        print(f"chart, {name}: {len(docs)} manifests")
    for values, message in REFUSED:
        try:
            given = values if not values or "database" in values and "storage" not in values else MINIMAL | values
            rendered(chart, given)
        except HelmError as error:
            assert message in str(error), (values, str(error))
        else:
            raise SystemExit(f"chart: {values} were not refused")
    print(f"chart: {len(REFUSED)} wrong values refused")


main(*sys.argv[1:])
