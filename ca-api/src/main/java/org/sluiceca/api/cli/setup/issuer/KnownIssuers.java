package org.sluiceca.api.cli.setup.issuer;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.PostgresCrlStore;
import org.sluiceca.core.x509.IssuerName;

/**
 * The issuers that the database has.
 *
 * @param hasRootCrl whether the root has a CRL that is good now
 * @param publicUrl the public URL that the CA's certificates name
 */
public record KnownIssuers(
    Optional<RegisteredIssuer> issuing,
    Optional<RegisteredIssuer> root,
    boolean hasRootCrl,
    Optional<String> publicUrl) {

  /** The issuing CA's name, and its key's. */
  public static final IssuerName ISSUING = new IssuerName("issuing");

  /** The name of our own root, and its key's. */
  public static final IssuerName ROOT = new IssuerName("root");

  /** What a database without a schema has. */
  public static final KnownIssuers NONE =
      new KnownIssuers(Optional.empty(), Optional.empty(), false, Optional.empty());

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
        issuing.flatMap(row -> publicUrl(database, row, root.isPresent())));
  }

  private static Optional<String> publicUrl(
      LedgerDatabase database, RegisteredIssuer issuing, boolean isRootOurs) {
    // Another root's certificates may name the same files, at another URL.
    Optional<String> above =
        isRootOurs ? PublicUrls.of(issuing.certificate(), ROOT) : Optional.empty();
    return above.or(() -> PublicUrls.ofIssued(database, ISSUING));
  }
}
