package org.sluiceca.core.registration;

import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;

/**
 * How far a request has come. From {@link Recorded} on there is an intent, and the ledger says what
 * becomes of it.
 */
public sealed interface RequestState {

  /** Its names may be certified; the CSR is missing. */
  record Ready() implements RequestState {}

  /** The CSR is durable, and never another one. */
  sealed interface WithCsr extends RequestState {
    CsrDer csr();
  }

  /** Every node may have it issued. */
  record Finalized(CsrDer csr) implements WithCsr {}

  /** There is an intent under this serial number. */
  record Recorded(CsrDer csr, SerialNumber serialNumber) implements WithCsr {}

  /** It came to nothing. */
  record Refused(CsrDer csr, Refusal refusal) implements WithCsr {}
}
