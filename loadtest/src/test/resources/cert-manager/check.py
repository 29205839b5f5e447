"""Judges manifests by the schemas of cert-manager's kinds and of Kubernetes; a field that none knows is a fault.

check.py SCHEMAS MANIFEST…: prints a line for each fault and ends with 1 if there is one.
"""

import pathlib
import sys

import jsonschema
import kubernetes_validate
import yaml

KUBERNETES_VERSION = "1.34"


def strict(schema):
    """The schema with objects that have the fields that it names alone."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: strict(part) for key, part in schema.items()}
    if isinstance(found.get("properties"), dict) and found.get("type") == "object":
        found.setdefault("additionalProperties", found.get("x-kubernetes-preserve-unknown-fields", False))
    return found


def schemas(folder):
    found = {}
    for file in pathlib.Path(folder).glob("*.yaml"):
        definition = yaml.safe_load(file.read_text())
        group = definition["spec"]["group"]
        for version in definition["spec"]["versions"]:
            schema = strict(version["schema"]["openAPIV3Schema"])
            # The schema says of metadata only that it is an object.
            schema["properties"]["metadata"] = {"type": "object", "required": ["name"]}
            found[(f"{group}/{version['name']}", definition["spec"]["names"]["kind"])] = schema
    return found


def faults(known, document):
    schema = known.get((document["apiVersion"], document["kind"]))
    if schema is None:
        try:
            kubernetes_validate.validate(document, KUBERNETES_VERSION, strict=True)
        except kubernetes_validate.ValidationError as error:
            yield error.message
        return
    for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
        yield f"{'.'.join(str(part) for part in error.path)}: {error.message}"


def main(folder, *files):
    known = schemas(folder)
    count = 0
    for file in files:
        for document in yaml.safe_load_all(pathlib.Path(file).read_text()):
            print(document["kind"])
            for fault in faults(known, document):
                count += 1
                print(f"{file}: {document['kind']}: {fault[:300]}", file=sys.stderr)
    sys.exit(1 if count else 0)


main(*sys.argv[1:])
