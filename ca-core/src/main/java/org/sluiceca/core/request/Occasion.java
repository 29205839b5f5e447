package org.sluiceca.core.request;

import org.sluiceca.core.x509.CertificateDer;

/** On what occasion a certificate is asked for, which decides how soon it must be signed. */
public sealed interface Occasion {

  /** A client asks for one, and the profile says how urgent that is. */
  record Single() implements Occasion {}

  /** A line of a batch: its client waits for the whole batch at most, not for this certificate. */
  record Batch() implements Occasion {}

  /**
   * To take the place of a certificate, which keeps running what runs: the new one must have the
   * same names.
   *
   * @param replaced as it was issued
   */
  record Renewal(CertificateDer replaced) implements Occasion {}

  /**
   * To take the place of a certificate, as the request itself said and registration has checked: of
   * the same requester, with one of its names at least, and once for each certificate.
   */
  record Replacement() implements Occasion {}
}
