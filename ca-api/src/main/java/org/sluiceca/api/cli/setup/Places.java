package org.sluiceca.api.cli.setup;

import java.nio.file.Path;
import org.sluiceca.api.cli.setup.issuer.IssuerFiles;

/**
 * Where setup writes.
 *
 * @param config the folder of a node's configuration, which must be there
 * @param out the folder for certificates, the audit key's public half, the root's CRL and the first
 *     credentials, which is made
 */
record Places(Path config, Path out) {

  /** A node starts when this is there, so it is written last. */
  Path nodeEnv() {
    return config.resolve("node.env");
  }

  Path pin() {
    return config.resolve("issuing.pin");
  }

  Path password() {
    return config.resolve("service.password");
  }

  /** Answers without secrets, until node.env is there. */
  Path draft() {
    return config.resolve("setup.draft");
  }

  IssuerFiles issuer() {
    return new IssuerFiles(out);
  }

  Path auditKey() {
    return out.resolve("audit.pem");
  }

  Path admin() {
    return out.resolve("admin.token");
  }

  Path enroll() {
    return out.resolve("enroll.token");
  }
}
