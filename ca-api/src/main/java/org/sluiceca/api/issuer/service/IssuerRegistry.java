package org.sluiceca.api.issuer.service;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.x509.IssuerName;

/** The issuers' rows as this node last saw them. Thread-safe; only {@link #look} blocks. */
public final class IssuerRegistry {

  private final IssuerStore store;

  // Written by one look at a time.
  private volatile Seen seen = new Seen(new IssuerStore.Extent(0, List.of(), 0), List.of());

  private record Seen(IssuerStore.Extent extent, List<RegisteredIssuer> rows) {}

  /** Nothing is known until it looks. */
  public IssuerRegistry(IssuerStore store) {
    this.store = store;
  }

  /**
   * Reads how much there is, and all of it if that has changed.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer: what is known stays
   */
  public synchronized void look() {
    IssuerStore.Extent extent = store.extent();
    if (!extent.equals(seen.extent())) {
      // Rows that came meanwhile are read now, and once more at the next look.
      seen = new Seen(extent, store.list());
    }
  }

  /** Returns all rows, by name. */
  public List<RegisteredIssuer> rows() {
    return seen.rows();
  }

  /** Returns one row. */
  public Optional<RegisteredIssuer> find(IssuerName name) {
    return rows().stream().filter(row -> row.name().equals(name)).findFirst();
  }

  /** Looks, and returns those that must not issue. */
  public Set<IssuerName> retired() {
    look();
    return rows().stream()
        .filter(row -> row.state() == State.RETIRED)
        .map(RegisteredIssuer::name)
        .collect(Collectors.toUnmodifiableSet());
  }
}
