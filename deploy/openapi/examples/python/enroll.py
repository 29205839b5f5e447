"""Enrolls a certificate, finds it again, and asks for one that does not exist, with the generated client.

Run: python3 enroll.py URL CA-FILE TOKEN-FILE CSR-FILE. docs/GENERATED-CLIENTS.md has how the client is generated.
"""

import pathlib
import sys
import time

from sluice_client import ApiClient, Certificate, Configuration, DefaultApi, Enrollment, Problem
from sluice_client.exceptions import NotFoundException

# Longer than the ten seconds that the service waits for the HSM, unless a header Prefer has another wait.
TIMEOUT_SECONDS = 30.0
# By name a certificate is found some hundred milliseconds after it was issued.
FOUND_SECONDS = 20.0
# Of the form of a serial number of this CA, and of no certificate.
UNKNOWN_SERIAL = "01" * 19


def found_by_name(api: DefaultApi, name: str, serial: str) -> bool:
    deadline = time.monotonic() + FOUND_SECONDS
    while time.monotonic() < deadline:
        page = api.find_certificates(san=name, limit=20, _request_timeout=TIMEOUT_SECONDS)
        if serial in [found.serial for found in page.certificates]:
            return True
        time.sleep(0.2)
    return False


def main(url: str, ca_file: str, token_file: str, csr_file: str) -> None:
    configuration = Configuration(
        host=url, ssl_ca_cert=ca_file, access_token=pathlib.Path(token_file).read_text().strip()
    )
    with ApiClient(configuration) as client:
        api = DefaultApi(client)

        # The body is JSON: the client also names application/pkcs10, and has no way to send it here.
        enrollment = Enrollment(profile="tls-server", csr=pathlib.Path(csr_file).read_text())
        issued = api.enroll(enrollment, _request_timeout=TIMEOUT_SECONDS)
        # With 202 this is an Order, whatever the signature says.
        if not isinstance(issued, Certificate):
            sys.exit(f"not issued yet: ask for order {issued.id}")
        print(f"issued {issued.serial}")

        read = api.get_certificate(issued.serial, _request_timeout=TIMEOUT_SECONDS)
        if read.certificate != issued.certificate:
            sys.exit(f"{issued.serial} is another certificate")
        name = pathlib.Path(csr_file).stem
        if not found_by_name(api, name, issued.serial):
            sys.exit(f"{issued.serial} is not among those of {name}")
        print(f"found {read.serial} {read.status}")

        try:
            api.get_certificate(UNKNOWN_SERIAL, _request_timeout=TIMEOUT_SECONDS)
            sys.exit("a certificate that does not exist was found")
        except NotFoundException as error:
            # error.data is the same, parsed; the body is there whatever the content type is.
            problem = Problem.from_json(error.body)
            print(f"problem {problem.status} {problem.type}")


if __name__ == "__main__":
    main(*sys.argv[1:])
