package org.sluiceca.api.cli.setup.issuer;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.PostgresCrlStore;
import org.sluiceca.core.x509.IssuerName;

/**
 * The issuers that the database has.
 *
 * @param hasRootCrl whether the root has a CRL that is good now
 * @param publicUrls those that the CA's certificates name, each once: one, or none is issued yet,
 *     or nodes had different ones
 */
public record KnownIssuers(
    Optional<RegisteredIssuer> issuing,
    Optional<RegisteredIssuer> root,
    boolean hasRootCrl,
    List<String> publicUrls) {

  /** Copies. */
  public KnownIssuers {
    publicUrls = List.copyOf(publicUrls);
  }

  /** The issuing CA's name, and its key's. */
  public static final IssuerName ISSUING = new IssuerName("issuing");

  /** The name of our own root, and its key's. */
  public static final IssuerName ROOT = new IssuerName("root");

  /** What a database without a schema has. */
  public static final KnownIssuers NONE =
      new KnownIssuers(Optional.empty(), Optional.empty(), false, List.of());

  /**
   * Reads them; blocks for a few seconds at most.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  public static KnownIssuers read(LedgerDatabase database, Instant now) {
    IssuerStore issuers = new IssuerStore(database);
    Optional<RegisteredIssuer> issuing = issuers.find(ISSUING);
    Optional<RegisteredIssuer> root = issuers.find(ROOT);
    return new KnownIssuers(
        issuing,
        root,
        new PostgresCrlStore(database, false)
            .states().stream()
                .filter(state -> state.scope().issuer().equals(ROOT))
                .flatMap(state -> state.newest().stream())
                .anyMatch(newest -> now.isBefore(newest.nextUpdate())),
        issuing.map(row -> publicUrls(database, row, root.isPresent())).orElse(List.of()));
  }

  private static List<String> publicUrls(
      LedgerDatabase database, RegisteredIssuer issuing, boolean isRootOurs) {
    Set<String> urls = new LinkedHashSet<>();
    // Another root's certificates may name the same files, at another URL.
    if (isRootOurs) {
      PublicUrls.of(issuing.certificate(), ROOT).ifPresent(urls::add);
    }
    urls.addAll(PublicUrls.ofIssued(database, ISSUING));
    return List.copyOf(urls);
  }
}
