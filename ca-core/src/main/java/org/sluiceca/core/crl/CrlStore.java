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
   * Records a CRL; returns false, recording nothing, if its scope has had another number since its
   * entries were read. So of CRLs that were read at the same time one is recorded, and a higher
   * number never knows less.
   */
  boolean record(PlannedCrl crl, String node);

  /** Records the signature of a recorded CRL; the first one stands. */
  void recordSignature(CrlScope scope, long number, OctetString signature);

  /** Returns a signed CRL. */
  Optional<SignedCrl> find(CrlScope scope, long number);

  /** A CRL and its signature. */
  record SignedCrl(PlannedCrl crl, OctetString signature) {}
}
