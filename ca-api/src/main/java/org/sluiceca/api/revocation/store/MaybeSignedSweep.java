package org.sluiceca.api.revocation.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * Puts onto the CRL the serial numbers of intents that were given up after the issuer's key may
 * have been used: a certificate with such a serial number may exist, and no relying party may rely
 * on it. Thread-safe; every node may do it.
 */
public final class MaybeSignedSweep {

  /** Few at a time: the next pass takes more. */
  private static final int BATCH_MAX = 200;

  private static final RequesterId REQUESTER = new RequesterId("sluice.recovery");

  private static final long SECONDS_PER_WEEK = 7L * 24 * 60 * 60;

  private static final String FIND =
      """
      SELECT i.serial, i.issuer, i.tbs, o.reason FROM outcome o
      JOIN intent i ON i.expiry_week = o.expiry_week AND i.serial = o.serial
      WHERE o.maybe_signed
        AND o.expiry_week >= (extract(epoch FROM now())::bigint / (7 * 24 * 60 * 60))::integer
        AND NOT EXISTS (SELECT FROM revocation r
          WHERE r.expiry_week = o.expiry_week AND r.serial = o.serial)
      LIMIT ?
      """;

  private final LedgerSql sql;
  private final PostgresRevocationStore revocations;

  /** Sweeps {@code database}. */
  public MaybeSignedSweep(LedgerDatabase database, PostgresRevocationStore revocations) {
    this.sql = database.sql();
    this.revocations = revocations;
  }

  /** Revokes what it finds, 200 at most, and returns how many that were. */
  public int sweep() {
    int swept = 0;
    for (RevocationEvent event : find()) {
      if (revocations.append(event).isPresent()) {
        swept++;
      }
    }
    return swept;
  }

  private static RevocationReason reasonOf(String outcome) {
    return outcome.equals(Outcome.Reason.KEY_COMPROMISED.name())
        ? RevocationReason.KEY_COMPROMISE
        : RevocationReason.UNSPECIFIED;
  }

  private List<RevocationEvent> find() {
    return sql.run(
        "what was given up cannot be read",
        jdbc -> jdbc.sql(FIND).param(BATCH_MAX).query(MaybeSignedSweep::revocation).list());
  }

  private static RevocationEvent revocation(ResultSet row, int number) throws SQLException {
    SerialNumber serialNumber = SerialNumber.of(row.getBytes("serial"));
    IssuerName issuer = new IssuerName(row.getString("issuer"));
    // Without revocation information it is not looked up anywhere, but then it does no harm.
    CrlScope scope =
        CrlScope.of(issuer, TbsCertificateDer.of(row.getBytes("tbs")))
            .orElse(new CrlScope(issuer, 0));
    return new RevocationEvent(
        serialNumber,
        1,
        scope,
        REQUESTER,
        Instant.ofEpochSecond((serialNumber.expiryWeek().number() + 1) * SECONDS_PER_WEEK),
        new Change.Revoked(reasonOf(row.getString("reason")), Optional.empty(), Optional.empty()));
  }
}
