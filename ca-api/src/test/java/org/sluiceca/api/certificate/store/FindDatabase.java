package org.sluiceca.api.certificate.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.sluiceca.api.certificate.index.store.CertificateIndex;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.x509.SerialNumber;

/** A database of a test class, with a ledger that the test fills by itself. */
public final class FindDatabase implements AutoCloseable {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final String INTENT =
      """
      INSERT INTO intent (expiry_week, serial, recorded_at, claim_owner, claim_until, requester,
        profile, issuer, signature_algorithm, payload_hash, tbs)
      VALUES (?, ?, now(), 'node', now(), ?, ?, 'issuing', 'ECDSA_SHA256',
        decode(repeat('00', 32), 'hex'), ?)
      """;

  private static final String OUTCOME =
      """
      INSERT INTO outcome (expiry_week, serial, kind, signature, reason, maybe_signed, owner, epoch)
      VALUES (?, ?, ?, ?, ?, ?, 'node', 0)
      """;

  private final Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final SerialNumbers serialNumbers = new SerialNumbers(new SplittableRandom(29));

  public FindDatabase() {
    PostgresForTests.awaitLogin(database);
  }

  public LedgerDatabase database() {
    return database;
  }

  /** A connection without limits, on which a test leaves a transaction open. */
  public Connection open() throws SQLException {
    Connection connection = SERVER.connect(address);
    connection.setAutoCommit(false);
    return connection;
  }

  public void empty() {
    execute(
        "DELETE FROM revocation",
        "DELETE FROM certificate_feed",
        "DELETE FROM certificate_name",
        "DELETE FROM certificate_index",
        "DELETE FROM certificate_tally",
        "DELETE FROM certificate_life",
        "DELETE FROM outcome",
        "DELETE FROM intent",
        "UPDATE certificate_index_state SET filled_week = 65536, filled_serial = '\\x',"
            + " is_filled = false");
  }

  public void execute(String... statements) {
    SERVER.execute(address, statements);
  }

  public long number(String sql) {
    return SERVER.number(address, sql);
  }

  /** Issues and indexes it. */
  public SerialNumber indexed(Sample sample) {
    SerialNumber serialNumber = issue(sample);
    indexAll();
    return serialNumber;
  }

  void indexAll() {
    CertificateIndex index = new CertificateIndex(database);
    while (index.look().isFed()) {
      if (index.take().isEmpty()) {
        throw new IllegalStateException("another node indexes");
      }
    }
  }

  public SerialNumber issue(Sample sample) {
    try (Connection connection = open()) {
      SerialNumber serialNumber = issue(connection, sample);
      connection.commit();
      return serialNumber;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Issues it in the caller's transaction. */
  public SerialNumber issue(Connection connection, Sample sample) throws SQLException {
    SerialNumber serialNumber = serialNumbers.next(sample.notAfter());
    record(connection, sample, serialNumber, sample.tbs(serialNumber).encoded());
    return serialNumber;
  }

  public void record(Connection connection, Sample sample, SerialNumber serialNumber, byte[] tbs)
      throws SQLException {
    int week = serialNumber.expiryWeek().number();
    execute("SELECT ensure_expiry_weeks(ARRAY[" + week + "])");
    try (PreparedStatement statement = connection.prepareStatement(INTENT)) {
      statement.setInt(1, week);
      statement.setBytes(2, serialNumber.octets());
      statement.setString(3, sample.requester().value());
      statement.setString(4, sample.profile());
      statement.setBytes(5, tbs);
      statement.execute();
    }
    try (PreparedStatement statement = connection.prepareStatement(OUTCOME)) {
      statement.setInt(1, week);
      statement.setBytes(2, serialNumber.octets());
      statement.setString(3, "issued");
      statement.setBytes(4, new byte[71]);
      statement.setString(5, null);
      statement.setObject(6, null);
      statement.execute();
    }
  }

  public SerialNumber nextSerialNumber(Sample sample) {
    return serialNumbers.next(sample.notAfter());
  }

  /** Revokes it, or releases it if there is no reason. */
  void decide(SerialNumber serialNumber, int event, String reason) {
    execute(
        String.format(
            Locale.ROOT,
            """
        INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester,
          reason, revoked_at, not_after)
        VALUES (%d, decode('%s', 'hex'), %d, 'issuing', 0, %d, 'officer', %s,
          CASE WHEN %s IS NOT NULL THEN now() END, now())
        """,
            serialNumber.expiryWeek().number(),
            serialNumber.hex(),
            event,
            event,
            reason,
            reason));
  }

  public static List<SerialNumber> serialNumbers(CertificateSearch.Page page) {
    return page.certificates().stream().map(FoundCertificate::serialNumber).toList();
  }

  @Override
  public void close() {
    database.close();
  }
}
