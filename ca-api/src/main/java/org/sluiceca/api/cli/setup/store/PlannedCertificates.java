package org.sluiceca.api.cli.setup.store;

import java.util.List;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.TbsCertificateDer;

/** Some of the certificates that the ledger has of an issuer, however many there are. */
public final class PlannedCertificates {

  private static final int LOOKED_AT_MAX = 10_000;
  private static final int FOUND_MAX = 1_000;

  // A ledger of many issuers is not searched to its end: no index is by issuer.
  private static final String SOME =
      """
      SELECT tbs FROM (SELECT issuer, tbs FROM intent LIMIT ?) AS i WHERE issuer = ? LIMIT ?
      """;

  private PlannedCertificates() {}

  /**
   * Reads a thousand of them at most, in no order. Blocks for some milliseconds.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer
   */
  public static List<TbsCertificateDer> of(LedgerDatabase database, IssuerName issuer) {
    return database
        .sql()
        .run(
            "the certificates cannot be read",
            jdbc ->
                jdbc.sql(SOME)
                    .param(LOOKED_AT_MAX)
                    .param(issuer.value())
                    .param(FOUND_MAX)
                    .query((row, _) -> TbsCertificateDer.of(row.getBytes("tbs")))
                    .list());
  }
}
