package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;

/** A database of a test class, with room for the revocations of any certificate. */
public final class RevocationDatabase implements AutoCloseable {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private final Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);

  /** Makes an empty database with the present schema. */
  public RevocationDatabase() {
    PostgresForTests.awaitLogin(database);
  }

  /** Returns the connections to it. */
  public LedgerDatabase database() {
    return database;
  }

  /** Removes every row. */
  public void empty() {
    execute(
        "DELETE FROM replacement",
        "DELETE FROM renewal_rate",
        "DELETE FROM certificate_feed",
        "DELETE FROM revocation_job_end",
        "DELETE FROM revocation_job_batch",
        "DELETE FROM revocation_job_start",
        "DELETE FROM revocation_job",
        "DELETE FROM revocation",
        "DELETE FROM delta_crl_signature",
        "DELETE FROM crl_signature",
        "DELETE FROM crl",
        "DELETE FROM crl_scope",
        "DELETE FROM outcome",
        "DELETE FROM intent");
  }

  /** Executes statements as the tables' owner. */
  public void execute(String... statements) {
    SERVER.execute(address, statements);
  }

  /** Returns the number that a query gives. */
  public long number(String sql) {
    return SERVER.number(address, sql);
  }

  /** Returns a connection without any of the product's limits. */
  public Connection connect() throws SQLException {
    return SERVER.connect(address);
  }

  /** Records an issued certificate as of a moment. */
  public void issued(LedgerEntry entry, Instant at) {
    intent(entry, at);
    execute(
        "INSERT INTO outcome (expiry_week, serial, recorded_at, kind, signature, owner, epoch)"
            + String.format(
                Locale.ROOT, " VALUES (%s, '%s', 'issued', '\\x00', 'n', 0)", key(entry), at));
  }

  /** Records an intent as of a moment. */
  public void intent(LedgerEntry entry, Instant at) {
    expect(List.of(entry));
    Intent.Origin origin = entry.intent().origin();
    execute(
        String.format(
            Locale.ROOT,
            "INSERT INTO intent (expiry_week, serial, recorded_at, claim_owner, claim_until, requester,"
                + " profile, issuer, signature_algorithm, payload_hash, tbs) VALUES (%s,"
                + " '%s', 'n', now(), '%s', '%s', '%s', 'ECDSA_SHA256', '\\x%s', '\\x%s')",
            key(entry),
            at,
            origin.requester(),
            origin.profile(),
            origin.issuer(),
            "00".repeat(32),
            HexFormat.of().formatHex(entry.intent().tbsCertificate().encoded())));
  }

  /** The week and the serial number as SQL has them. */
  public static String key(LedgerEntry entry) {
    return String.format(
        Locale.ROOT,
        "%d, '\\x%s'",
        entry.intent().serialNumber().expiryWeek().number(),
        entry.intent().serialNumber().hex());
  }

  /** Makes the partitions, as recording their intents would have. */
  void expect(List<LedgerEntry> entries) {
    for (LedgerEntry entry : entries) {
      execute(
          String.format(
              Locale.ROOT,
              "SELECT ensure_expiry_weeks(ARRAY[%d])",
              entry.intent().serialNumber().expiryWeek().number()));
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
