package org.sluiceca.core.enroll;

import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.x509.CertificateDer;

/** What {@link Enrollment#finish} came to; durable in either case. */
public sealed interface Finish {

  /** The certificate that may leave. */
  record Issued(CertificateDer certificate) implements Finish {}

  /** The intent had been given up, by this node or another. */
  record Abandoned(Outcome.Abandoned outcome) implements Finish {}
}
