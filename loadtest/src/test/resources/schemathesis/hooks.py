"""What no schema can say: which texts are certification requests, certificates, and so on."""

import base64
import datetime
import itertools
import json
import pathlib
import re
import uuid

import schemathesis
from hypothesis import strategies

FOLDER = pathlib.Path(__file__).parent
REQUESTS = [file.read_text() for file in sorted(FOLDER.glob("*.csr"))]
CERTIFICATES = [file.read_text() for file in sorted(FOLDER.glob("*.crt"))]

# Whoever revokes these has nobody left to ask.
KEPT = (FOLDER / "kept").read_text().split()
NOBODY = "00000000-0000-4000-8000-000000000000"

# The document's examples name a certificate of no trial: these are of this one.
DOCUMENTED = "010ba5ca873d597b649227465156a9b035e30f"
SERIALS = itertools.cycle(line.strip('"') for line in (FOLDER / "serials").read_text().split())

KEY_MAX = 255
KEY = re.compile("[!-~]{1,%d}" % KEY_MAX)
PROFILE = re.compile("[a-z][a-z0-9-]{0,39}")
DATE_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,18}(Z|[+-][0-9]{2}:[0-9]{2})")
CURSOR = re.compile("[A-Za-z0-9_-]+")
PKCS10 = "application/pkcs10"
JSON = "application/json"
NDJSON = "application/x-ndjson"
YAML = "application/yaml"
OCSP = "application/ocsp-request"

RUN = uuid.uuid4().hex
numbers = itertools.count()

schemathesis.openapi.format("pkcs10", strategies.sampled_from(REQUESTS))
schemathesis.openapi.format("pem-certificate", strategies.sampled_from(CERTIFICATES))
schemathesis.openapi.media_type(
    PKCS10, strategies.sampled_from([text.encode() for text in REQUESTS])
)

# What is no OCSP request is answered too, with status 200 (RFC 6960 4.2.1).
QUESTIONS = [file.read_bytes() for file in sorted(FOLDER.glob("*.ocsp"))]
schemathesis.openapi.media_type(OCSP, strategies.sampled_from(QUESTIONS))
schemathesis.openapi.format(
    "ocsp-request", strategies.sampled_from([base64.b64encode(der).decode() for der in QUESTIONS])
)

LINES = strategies.lists(
    strategies.one_of(
        strategies.sampled_from(REQUESTS).map(
            lambda csr: json.dumps({"id": "a", "profile": "tls-server", "csr": csr})
        ),
        strategies.text(max_size=40),
    ),
    max_size=4,
).map("\n".join)
schemathesis.openapi.format("batch-lines", LINES)
# RFC 3339 also knows leap seconds and offsets of a day, which no clock here has.
schemathesis.openapi.format(
    "date-time",
    strategies.datetimes(min_value=datetime.datetime(1970, 1, 1)).map(lambda t: t.isoformat() + "Z"),
)
schemathesis.openapi.media_type(NDJSON, LINES.map(str.encode))
# Good profiles are few, and a version is stored once: the same file again is known.
PROFILES = [file.read_text() for file in sorted(FOLDER.glob("*.profile"))]
schemathesis.openapi.format("profile-file", strategies.sampled_from(PROFILES))
schemathesis.openapi.media_type(YAML, strategies.sampled_from([text.encode() for text in PROFILES]))

# One strategy for all bodies of YAML; before_call gives each path the files that are its own.
ENDPOINTS = [file.read_text() for file in sorted(FOLDER.glob("*.endpoint"))]
schemathesis.openapi.format("endpoint-file", strategies.sampled_from(ENDPOINTS))


# Whoever generates bodies of these media types takes examples in octets alone.
OCTETS = (PKCS10, NDJSON, YAML, OCSP)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    shared = raw_schema["components"]["examples"]
    bodies = [operation.get("requestBody", {}) for path in raw_schema["paths"].values() for operation in path.values()]
    # Those that operations share stand in the components, once.
    for body in bodies + list(raw_schema["components"]["requestBodies"].values()):
        for media_type, media in body.get("content", {}).items():
            if media_type not in OCTETS:
                continue
            examples = media.pop("examples", {})
            if "example" in media:
                examples["example"] = {"value": media.pop("example")}
            media["examples"] = {
                name: {"value": octets(shared[example["$ref"].rpartition("/")[2]] if "$ref" in example else example)}
                for name, example in examples.items()
            }


def octets(example):
    if "externalValue" in example:
        return base64.b64decode(example["externalValue"].partition(",")[2])
    return example["value"].encode()


def is_profile(value):
    return isinstance(value, str) and PROFILE.fullmatch(value) is not None


def is_out_of_bounds(value):
    if not isinstance(value, str) or DATE_TIME.fullmatch(value) is None:
        return False
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    return not "1988-01-02" < value < now[:10]


@schemathesis.hook
def before_call(context, case, kwargs):
    for name in ("serial", "id"):
        if (case.path_parameters or {}).get(name) == DOCUMENTED:
            case.path_parameters[name] = next(SERIALS)
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and KEY.fullmatch(key):
        # The same key with another payload is 422, rightly.
        own = f".{RUN}.{next(numbers)}"
        case.headers["Idempotency-Key"] = key[: KEY_MAX - len(own)] + own
    if case.media_type == PKCS10 and case.path == "/v1/certificates" and "profile" not in (case.query or {}):
        # OpenAPI cannot make a parameter depend on the media type,
        case.query = {**(case.query or {}), "profile": "tls-server"}
    if case.media_type == JSON and is_profile((case.query or {}).get("profile")):
        # nor on the body.
        if isinstance(case.body, dict) and is_profile(case.body.get("profile")):
            case.query["profile"] = case.body["profile"]
    if case.method.upper() == "DELETE" and (case.path_parameters or {}).get("id") in KEPT:
        case.path_parameters["id"] = NOBODY
    if case.path in ("/v1/endpoints", "/v1/endpoints:check") and case.body in [text.encode() for text in PROFILES]:
        # The case keeps its body: another one would be judged by the schema, to which octets are no string.
        kwargs["data"] = ENDPOINTS[0].encode()
    if case.path in ("/v1/profiles/{name}/active", "/v1/endpoints/{name}/active") and isinstance(case.body, dict):
        # Which activation is the newest, nobody knows beforehand: 409, rightly.
        case.body.pop("replaces", None)
    if case.path.endswith(("/revocation", "/revocations")) and isinstance(case.body, dict):
        # A key that is reported as compromised gets no certificate again, and one key is in all requests here.
        if case.body.get("reason") == "keyCompromise":
            case.body["reason"] = "superseded"
        # A schema knows no clock: what lies ahead of now is 400, rightly.
        if is_out_of_bounds(case.body.get("invalidityDate")):
            del case.body["invalidityDate"]
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and CURSOR.fullmatch(cursor):
        # A cursor is of the search that gave it; one that is made up is 400, rightly.
        del case.query["cursor"]


@schemathesis.hook
def after_call(context, case, response):
    """A token's successor ends with it: revoking the one revokes the other."""
    if case.path == "/v1/credentials/self/rotation" and response.status_code == 201:
        KEPT.append(response.json()["id"])
