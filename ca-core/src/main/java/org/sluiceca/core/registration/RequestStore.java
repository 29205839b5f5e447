package org.sluiceca.core.registration;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Where requests are durable. Of several nodes that change one request at once the first wins, and
 * the others change nothing. Thread-safe; every method blocks for seconds at most and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} if the database does not answer.
 */
public interface RequestStore {

  /**
   * Makes a new request durable, unless its requester has too many that wait for a CSR.
   *
   * @return whether it is
   */
  boolean add(CertificateRequest request);

  /** Returns a request. */
  Optional<CertificateRequest> find(RegistrationId id);

  /**
   * Gives a ready request its CSR if it has not expired at {@code now}; else changes nothing.
   *
   * @return whether this call did
   */
  boolean finalizeBy(RegistrationId id, CsrDer csr, Instant now);

  /**
   * Notes the serial number of a request with a CSR, also of one that another node refused
   * meanwhile: what was issued is never lost. Else changes nothing.
   */
  void recorded(RegistrationId id, SerialNumber serialNumber);

  /** Ends a finalized request; else changes nothing. */
  void refuse(RegistrationId id, Refusal refusal);

  /** Has a finalized request come after those that were tried before {@code at}. */
  void postpone(RegistrationId id, Instant at);

  /** Returns requests that were finalized, and last tried before {@code before}, oldest first. */
  List<CertificateRequest> unrecorded(Instant before, int max);
}
