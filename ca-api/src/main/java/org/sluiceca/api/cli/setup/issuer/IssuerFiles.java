package org.sluiceca.api.cli.setup.issuer;

import java.nio.file.Path;

/**
 * The files of the issuing CA and its root.
 *
 * @param folder where they are
 */
public record IssuerFiles(Path folder) {

  /** Returns the file of the request for the issuing CA's certificate. */
  public Path csr() {
    return folder.resolve("issuing.csr");
  }

  /** Returns the file of the certificate that our own root has signed. */
  public Path certificate() {
    return folder.resolve("issuing.pem");
  }

  /** Returns the file of the trust anchor. */
  public Path root() {
    return folder.resolve("root.pem");
  }

  /** Returns the file of the certificates from the issuing CA's up. */
  public Path chain() {
    return folder.resolve("chain.pem");
  }

  /** Returns the file of our own root's CRL. */
  public Path rootCrl() {
    return folder.resolve("root.crl");
  }
}
