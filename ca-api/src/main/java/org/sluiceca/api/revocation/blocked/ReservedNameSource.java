package org.sluiceca.api.revocation.blocked;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.revocation.store.NodeNameStore;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.naming.ReservedNames;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.NameDer;

/**
 * The names that are reserved now: this node's and every other node's, and the subjects of all CA
 * certificates that are registered, active or retired, with the chains above them. Thread-safe;
 * only {@link #look} blocks.
 */
public final class ReservedNameSource {

  /** Looks between two reports, a minute; the store writes at most once an hour in any case. */
  private static final int REPORT_EVERY = 12;

  private final NodeNameStore store;
  private final Supplier<List<RegisteredIssuer>> issuers;
  private final String node;
  private final Set<String> own;

  private volatile Set<String> nodes;

  /** Looks since this node's names were reported. Owned by the thread that looks. */
  private int looks;

  private volatile Known known = new Known(List.of(), Set.of(), ReservedNames.NONE);

  /** What {@code names} was made of, compared by identity. */
  private record Known(List<RegisteredIssuer> rows, Set<String> nodes, ReservedNames names) {}

  /**
   * Reserves this node's names at once, those of other nodes from the first look on.
   *
   * @param issuers the registered issuers as this node last saw them; must not block
   * @param node this node's name
   * @param own the names in this node's TLS certificate
   */
  public ReservedNameSource(
      NodeNameStore store, Supplier<List<RegisteredIssuer>> issuers, String node, Set<String> own) {
    this.store = store;
    this.issuers = issuers;
    this.node = node;
    this.own = Set.copyOf(own);
    this.nodes = this.own;
  }

  /**
   * Records this node's names, at the first look and now and then, and reads those of the others.
   * One thread at a time.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer: what is known stays reserved
   */
  public void look() {
    if (looks == 0) {
      store.report(node, own);
    }
    looks = (looks + 1) % REPORT_EVERY;
    Set<String> all = new HashSet<>(store.names());
    all.addAll(own);
    if (!all.equals(nodes)) {
      nodes = Set.copyOf(all);
    }
  }

  /** Returns what is reserved now; an issuer that was installed a moment ago is among it. */
  // Identity: both are replaced as a whole, and comparing their contents would cost each request.
  @SuppressWarnings("ReferenceEquality")
  public ReservedNames current() {
    List<RegisteredIssuer> rows = issuers.get();
    Set<String> names = nodes;
    Known last = known;
    if (last.rows() != rows || last.nodes() != names) {
      last = new Known(rows, names, ReservedNames.of(names, subjects(rows)));
      known = last;
    }
    return last.names();
  }

  private static List<NameDer> subjects(List<RegisteredIssuer> rows) {
    List<NameDer> subjects = new ArrayList<>();
    for (RegisteredIssuer row : rows) {
      for (CertificateDer certificate : row.certificates()) {
        try {
          subjects.add(CertificateReader.read(certificate).fields().subject());
        } catch (DerException e) {
          throw new IllegalStateException(
              "a certificate of issuer " + row.name() + " is bad: " + e.fault(), e);
        }
      }
    }
    return subjects;
  }
}
