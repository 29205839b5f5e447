"""Judges the manifests: each by Kubernetes' own schema, and all together by what the node and the image say.

check.py MANIFESTS ROOT: prints a line for each fault and ends with 1 if there is one.
"""

import pathlib
import re
import sys

import kubernetes_validate
import yaml

SCHEMA_VERSION = "1.34"
# Kinds that Kubernetes itself does not know; their fields that matter are compared below.
NOT_ITS_OWN = {"Kustomization", "ServiceMonitor"}


def documents(folder):
    """Every document of a manifest, by kind and name."""
    found = {}
    for file in sorted(folder.glob("**/*.yaml")):
        if "test" in file.parts or file.name in ("rules.yaml", "adapter.yaml"):
            continue
        for document in yaml.safe_load_all(file.read_text()):
            name = document.get("metadata", {}).get("name", file.parent.name)
            found[(document["kind"], name)] = (file.name, document)
    return found


def schema_faults(found):
    for (kind, name), (file, document) in found.items():
        if kind in NOT_ITS_OWN:
            continue
        try:
            kubernetes_validate.validate(document, SCHEMA_VERSION, strict=True)
        except kubernetes_validate.ValidationError as error:
            path = ".".join(str(part) for part in error.path)
            yield f"{file}: {kind} {name}: {path}: {error.message[:200]}"


def seconds(text):
    match = re.fullmatch(r"(\d+)s", text)
    return int(match.group(1)) if match else None


def known_keys(root):
    """The settings of a node, as environment variables: below `sluice.` an unknown one stops it."""
    keys = re.findall(r"^\| `((?:sluice|server|management|spring)[a-z.-]*)`", (root / "docs/CONFIGURATION.md").read_text(), re.M)
    return {key.upper().replace("-", "_").replace(".", "_") for key in keys}


def faults(found, folder, root):
    malformed = list(schema_faults(found))
    if malformed:
        # What the rest asks for may be missing.
        yield from malformed
        return
    deployment = found[("Deployment", "sluice")][1]["spec"]
    pod = deployment["template"]["spec"]
    node = pod["containers"][0]
    settings = found[("ConfigMap", "sluice-settings")][1]["data"]
    labels = deployment["template"]["metadata"]["labels"]
    image = (root / "deploy/compose/Containerfile").read_text()
    ports = {port["name"]: port["containerPort"] for port in node["ports"]}

    # Settings.
    names = set(settings) | {variable["name"] for variable in node["env"]}
    for name in sorted(names - known_keys(root)):
        yield f"{name} is no setting of docs/CONFIGURATION.md"
    for name, value in settings.items():
        if re.search("PIN|PASSWORD", name) or not isinstance(value, str):
            yield f"{name} does not belong into a ConfigMap, or is no text"

    # The image's user, ports and folders.
    user = re.search(r"^USER (\d+):(\d+)$", image, re.M)
    context = pod.get("securityContext", {})
    if [str(context.get(key)) for key in ("runAsUser", "runAsGroup")] != list(user.groups()):
        yield f"runs as {context.get('runAsUser')}, the image as {user.group(1)}"
    if not context.get("runAsNonRoot") or not context.get("seccompProfile"):
        yield "may run as root, or without a filter of system calls"
    own = node.get("securityContext", {})
    if own.get("allowPrivilegeEscalation") is not False or own.get("capabilities", {}).get("drop") != ["ALL"]:
        yield "may get privileges"
    if not own.get("readOnlyRootFilesystem"):
        yield "can write what it runs"
    mounted = {mount["mountPath"] for mount in node["volumeMounts"]}
    state = re.search(r"SLUICE_STATE_DIR=(\S+)", image).group(1)
    for written in (state, "/tmp"):
        if written not in mounted:
            yield f"{written} cannot be written"
    exposed = {int(port) for port in re.search(r"^EXPOSE (.*)$", image, re.M).group(1).split()}
    if set(ports.values()) != exposed:
        yield f"ports {sorted(ports.values())}, of the image {sorted(exposed)}"
    if pod.get("automountServiceAccountToken") is not False:
        yield "has a token of the cluster, which it does not need"

    # Secrets: files where the settings say.
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for variable in node["env"]:
        if variable["name"].endswith("_FILE"):
            place = variable["value"].rsplit("/", 1)[0]
            names = [mount["name"] for mount in node["volumeMounts"] if mount["mountPath"] == place]
            if not names or "secret" not in volumes[names[0]]:
                yield f"{variable['name']} is not in a secret's volume"
            elif volumes[names[0]]["secret"].get("defaultMode", 0o644) & 0o007:
                yield f"{variable['name']} may be read by everybody"

    # Who is led to whom.
    for (kind, name), (file, document) in found.items():
        spec = document.get("spec", {})
        selector = {"Service": spec.get("selector"), "NetworkPolicy": spec.get("podSelector", {}).get("matchLabels"),
                    "PodDisruptionBudget": spec.get("selector", {}).get("matchLabels")}.get(kind)
        if selector and not selector.items() <= labels.items():
            yield f"{file}: {kind} {name} selects {selector}, pods are {labels}"
        if kind == "Service":
            for port in spec["ports"]:
                if port["targetPort"] not in ports:
                    yield f"{file}: {kind} {name} leads to the port {port['targetPort']}, which is none"
                if (port["targetPort"] == "management") != (spec.get("clusterIP") == "None"):
                    yield f"{file}: {kind} {name}: the management port is for monitoring alone, and each node's own"
    if deployment["selector"]["matchLabels"].items() - labels.items():
        yield "the Deployment does not select its own pods"
    for rule in found[("NetworkPolicy", "sluice")][1]["spec"]["ingress"]:
        if "from" not in rule and any(port["port"] == "management" for port in rule.get("ports", [{"port": "management"}])):
            yield "the management port is open to everybody"
    monitor = found[("ServiceMonitor", "sluice")][1]["spec"]
    management = found[("Service", "sluice-management")][1]
    if not monitor["selector"]["matchLabels"].items() <= management["metadata"]["labels"].items():
        yield "the ServiceMonitor selects no service"
    if management["metadata"]["labels"][monitor["jobLabel"]] != "sluice":
        yield "the job is not called sluice, as the alerts have it"
    for endpoint in monitor["endpoints"]:
        if endpoint["port"] not in {port["name"] for port in management["spec"]["ports"]} or endpoint["path"] != "/actuator/prometheus":
            yield "the ServiceMonitor asks elsewhere"

    # Probes.
    known = set(re.findall(r"`(/actuator/health/\w+)`", (root / "docs/OPERATIONS.md").read_text()))
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = node[probe]["httpGet"]
        if asked["path"] not in known or asked["port"] != "management":
            yield f"{probe} asks {asked}"
    if not node["livenessProbe"]["httpGet"]["path"].endswith("/liveness"):
        yield "livenessProbe asks more than whether the process works"

    # Leaving, and scaling.
    notice = seconds(settings["SLUICE_LINE_LEAVE_NOTICE"])
    drain = seconds(re.search(r"^\| `spring.lifecycle.timeout-per-shutdown-phase` \| `(\w+)`", (root / "docs/CONFIGURATION.md").read_text(), re.M).group(1))
    if pod["terminationGracePeriodSeconds"] < notice + 2 * drain:
        yield f"killed after {pod['terminationGracePeriodSeconds']} s, {notice} s of notice and {drain} s a phase"
    ready = node["readinessProbe"]
    if notice <= ready["periodSeconds"] * ready["failureThreshold"] + ready["timeoutSeconds"]:
        yield f"{notice} s of notice are over before a probe has failed often enough"
    scaler = found[("HorizontalPodAutoscaler", "sluice")][1]["spec"]
    surge = deployment["strategy"]["rollingUpdate"]["maxSurge"]
    if scaler["maxReplicas"] + surge > int(settings["SLUICE_HSM_NODES_MAX"]):
        yield f"up to {scaler['maxReplicas']} and {surge} nodes, which share the HSM as {settings['SLUICE_HSM_NODES_MAX']}"
    rules = yaml.safe_load((folder / "scaling/rules.yaml").read_text())
    recorded = {rule["record"]: rule["expr"] for group in rules["groups"] for rule in group["rules"]}
    target = int(scaler["metrics"][0]["external"]["target"]["value"].removesuffix("m")) / 1000
    clamp = re.search(r"clamp_max\([^,]+, ([0-9.]+)\)", recorded["sluice:scaling_signal"])
    if not clamp or float(clamp.group(1)) != target:
        yield f"the signal is held at {clamp and clamp.group(1)}, the target is {target}"
    adapter = yaml.safe_load((folder / "scaling/adapter.yaml").read_text())["rules"]["external"][0]
    if adapter["seriesQuery"] not in recorded or adapter["name"]["as"] != scaler["metrics"][0]["external"]["metric"]["name"]:
        yield "the autoscaler asks for another metric than the adapter has"


def main():
    folder, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    said = list(faults(documents(folder), folder, root))
    for line in said:
        print(line)
    sys.exit(1 if said else 0)


main()
