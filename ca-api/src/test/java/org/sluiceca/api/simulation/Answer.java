package org.sluiceca.api.simulation;

import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;

/** What a client reads, in the terms of the REST contract. */
sealed interface Answer {

  /** 201, or 200 of a certificate that was asked for by its serial number. */
  record Certificate(SerialNumber serialNumber, CertificateDer certificate) implements Answer {}

  /** 202: promised. Also the order that is still pending. */
  record Accepted(SerialNumber order) implements Answer {}

  /** 409: the first request of this key is not finished. */
  record InProgress(SerialNumber order) implements Answer {}

  /** 409, or an order that failed: durably given up. */
  record GivenUp(SerialNumber order) implements Answer {}

  /** 4xx: refused for cause. */
  record Rejected() implements Answer {}

  /** 503 of admission: refused for load. */
  record Shed(long retryAfterNanos) implements Answer {}

  /** 503 of the ledger: perhaps recorded, perhaps not. */
  record Unavailable() implements Answer {}

  /** 404: no such order. */
  record Unknown() implements Answer {}
}
