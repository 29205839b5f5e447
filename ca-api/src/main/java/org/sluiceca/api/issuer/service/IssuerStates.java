package org.sluiceca.api.issuer.service;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;

/**
 * What the database says of each issuer, and what this node has had since its start. Thread-safe;
 * only {@link #findNow} blocks.
 */
public final class IssuerStates {

  private final IssuerRegistry registry;
  private final IssuerCatalog here;

  /**
   * Compares.
   *
   * @param here the issuers that this node has had since its start
   */
  public IssuerStates(IssuerRegistry registry, IssuerCatalog here) {
    this.registry = registry;
    this.here = here;
  }

  /**
   * How one stands.
   *
   * @param certificates by which this node issues, else the newest; its own first
   * @param isInService whether it is active, and this node has had it since its start
   * @param isRestartNeeded whether what is stored counts here from this node's next start on
   */
  public record Standing(
      IssuerName name,
      List<CertificateDer> certificates,
      State state,
      boolean isInService,
      boolean isRestartNeeded) {}

  /** Returns all, by name. */
  public List<Standing> list() {
    return registry.rows().stream().map(this::of).toList();
  }

  /** Returns one. */
  public Optional<Standing> find(IssuerName name) {
    return registry.find(name).map(this::of);
  }

  /**
   * Returns one as it is stored now: another node may have changed it since the last look.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  public Optional<Standing> findNow(IssuerName name) {
    registry.look();
    return find(name);
  }

  /**
   * Returns the certificates that others may ask for by an issuer's name, its own first: an active
   * one's, and a retired one's until its own end, which none of its certificates outlives.
   *
   * @throws IllegalStateException if the certificate does not parse
   */
  public Optional<List<CertificateDer>> published(IssuerName name, Instant now) {
    return find(name)
        .filter(s -> s.state() == State.ACTIVE || end(s.certificates().getFirst()).isAfter(now))
        .map(Standing::certificates);
  }

  private static Instant end(CertificateDer certificate) {
    try {
      return CertificateReader.read(certificate).fields().validity().notAfter();
    } catch (DerException e) {
      throw new IllegalStateException("a registered certificate is bad: " + e.fault(), e);
    }
  }

  private Standing of(RegisteredIssuer row) {
    List<CertificateDer> stored = row.certificates();
    if (row.state() == State.RETIRED) {
      return new Standing(row.name(), stored, row.state(), false, false);
    }
    return here.find(row.name())
        .map(Issuer::chain)
        .map(had -> new Standing(row.name(), had, row.state(), true, !had.equals(stored)))
        .orElseGet(() -> new Standing(row.name(), stored, row.state(), false, true));
  }
}
