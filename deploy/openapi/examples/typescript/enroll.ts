// Enrolls a certificate, finds it again, and asks for one that does not exist, with the generated client.
// Run: NODE_EXTRA_CA_CERTS=CA-FILE node enroll.js URL TOKEN-FILE CSR-FILE. fetch has no option for a CA.
// docs/GENERATED-CLIENTS.md has how the client is generated.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Configuration, DefaultApi, ProblemFromJSON, ResponseError } from "./client";

// Longer than the ten seconds that the service waits for the HSM, unless a header Prefer has another wait.
const TIMEOUT_MILLISECONDS = 30_000;
// By name a certificate is found some hundred milliseconds after it was issued.
const FOUND_MILLISECONDS = 20_000;
// Of the form of a serial number of this CA, and of no certificate.
const UNKNOWN_SERIAL = "01".repeat(19);

const bounded = () => ({ signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });

async function foundByName(api: DefaultApi, name: string, serial: string): Promise<boolean> {
  const deadline = Date.now() + FOUND_MILLISECONDS;
  while (Date.now() < deadline) {
    const page = await api.findCertificates({ san: name, limit: 20 }, bounded());
    if (page.certificates.some((found) => found.serial === serial)) {
      return true;
    }
    await pause(200);
  }
  return false;
}

async function main(url: string, tokenFile: string, csrFile: string): Promise<void> {
  const token = readFileSync(tokenFile, "utf8").trim();
  const api = new DefaultApi(new Configuration({ basePath: url, accessToken: token }));

  // The body is JSON: the client knows the first content type of a request alone. enroll() would take the order
  // that comes with 202 for a certificate, so the raw answer is read.
  const enrollment = { profile: "tls-server", csr: readFileSync(csrFile, "utf8") };
  const answer = await api.enrollRaw({ enrollment }, bounded());
  if (answer.raw.status !== 201) {
    throw new Error(`not issued yet: ask ${answer.raw.headers.get("location")}`);
  }
  const issued = await answer.value();
  console.log(`issued ${issued.serial}`);

  // getCertificate() prefers JSON as well, which is the first of the types that it accepts.
  const read = await api.getCertificate({ serial: issued.serial }, bounded());
  if (read.certificate !== issued.certificate) {
    throw new Error(`${issued.serial} is another certificate`);
  }
  const name = basename(csrFile, ".csr");
  if (!(await foundByName(api, name, issued.serial))) {
    throw new Error(`${issued.serial} is not among those of ${name}`);
  }
  console.log(`found ${read.serial} ${read.status}`);

  try {
    await api.getCertificate({ serial: UNKNOWN_SERIAL }, bounded());
  } catch (error) {
    if (!(error instanceof ResponseError) || error.response.status !== 404) {
      throw error;
    }
    const problem = ProblemFromJSON(await error.response.json());
    console.log(`problem ${problem.status} ${problem.type}`);
    return;
  }
  throw new Error("a certificate that does not exist was found");
}

const [url, tokenFile, csrFile] = process.argv.slice(2);
main(url, tokenFile, csrFile).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
