package org.sluiceca.core.registration;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;

/**
 * How far a request has come. From {@link Recorded} on there is an intent, and the ledger says what
 * becomes of it.
 */
public sealed interface RequestState {

  /**
   * Its names are not all proven.
   *
   * @param authorizations of the names that need a proof, 1 to 100
   */
  record Awaiting(List<Authorization> authorizations) implements RequestState {

    /** Copies them. */
    public Awaiting {
      authorizations = List.copyOf(authorizations);
    }

    /** Returns a proof that came to nothing, and the request with it. */
    public Optional<Authorization> over() {
      return authorizations.stream().filter(Authorization::isOver).findFirst();
    }
  }

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
