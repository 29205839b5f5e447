package org.sluiceca.core.crl;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.OctetString;

/**
 * The durable side of CRLs. Every implementation passes {@code CrlStoreContract}. Thread-safe;
 * every method blocks, for a few seconds at most, and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the store cannot answer.
 */
public interface CrlStore {

  /** Makes a scope known, so that it gets CRLs; a known one is left as it is. */
  void open(CrlScope scope);

  /** Returns where every scope stands. */
  List<ScopeState> states();

  /**
   * Reads a scope and adds its entries to {@code entries}, all as of one moment: revoked, and not
   * expired before the last scheduled CRL, or not known to that (RFC 5280 3.3).
   */
  CrlSnapshot read(CrlScope scope, RevokedCertificates entries);

  /**
   * Reads a scope and adds to {@code changes} what makes of its last scheduled CRL what {@link
   * #read} would give at the same moment: what was revoked since, or whose revocation has another
   * reason; and, as removed, what was released since and what has left because it expired (RFC 5280
   * 5.2.4). The same changes do it for every complete CRL after that one. Adds nothing if there is
   * no such CRL, or it was recorded by a version that did not say how it was made.
   */
  CrlSnapshot readChanges(CrlScope scope, RevokedCertificates changes);

  /**
   * Records a CRL; returns false, recording nothing, if its scope has had another number since its
   * entries were read. So of CRLs that were read at the same time one is recorded, and a higher
   * number never knows less.
   */
  boolean record(PlannedCrl crl, String node);

  /** Records the signature of a recorded CRL; the first one stands. */
  void recordSignature(PlannedCrl crl, OctetString signature);

  /** Returns a signed CRL. */
  Optional<SignedCrl> find(CrlScope scope, long number);

  /** A CRL and its signature. */
  record SignedCrl(PlannedCrl crl, OctetString signature) {}
}
