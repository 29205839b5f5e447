package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.crl.CrlSnapshot;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.crl.PlannedCrl.Kind;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/** CRLs on PostgreSQL. Thread-safe. */
public final class PostgresCrlStore implements CrlStore {

  private static final String OPEN =
      "INSERT INTO crl_scope (issuer, shard) VALUES (?, ?) ON CONFLICT DO NOTHING";

  // Of those that read the scope at the same time, one goes on; the next waits here and finds out.
  private static final String LOCK =
      "SELECT revision FROM crl_scope WHERE issuer = ? AND shard = ? FOR NO KEY UPDATE";

  private static final String RECORD =
      """
      INSERT INTO crl (issuer, shard, number, revision, is_scheduled, this_update, next_update,
        entries, signature_algorithm, tbs, node, base_number, expired_before, known_revision,
        distribution_point)
      SELECT n.issuer, n.shard, n.number, n.revision, n.is_scheduled, n.this_update, n.next_update,
        n.entries, n.signature_algorithm, n.tbs, n.node, n.base_number, n.expired_before,
        n.known_revision, n.distribution_point
      FROM (VALUES (?::text, ?::integer, ?::bigint, ?::bigint, ?::boolean, ?::timestamptz,
        ?::timestamptz, ?::integer, ?::text, ?::bytea, ?::text, ?::bigint, ?::timestamptz,
        ?::bigint, ?::text)) AS n (issuer, shard, number, revision, is_scheduled, this_update,
        next_update, entries, signature_algorithm, tbs, node, base_number, expired_before,
        known_revision, distribution_point)
      WHERE coalesce((SELECT max(c.number) FROM crl c
        WHERE c.issuer = n.issuer AND c.shard = n.shard), 0) = ?
      """;

  // Deltas have their signatures apart: nodes of the former version, which know of no deltas, see a
  // number that was never signed, and publish none of them as a complete CRL.
  private static final String SIGN =
      """
      INSERT INTO %s (issuer, shard, number, signature) VALUES (?, ?, ?, ?)
      ON CONFLICT (issuer, shard, number) DO NOTHING
      """;

  private static final String SIGN_COMPLETE = String.format(Locale.ROOT, SIGN, "crl_signature");
  private static final String SIGN_DELTA = String.format(Locale.ROOT, SIGN, "delta_crl_signature");

  // The bytes of superseded CRLs are no longer needed. The last scheduled one says which entries
  // may leave, and deltas are to it; however many deltas come, the newest complete CRL is what is
  // served.
  private static final String PRUNE =
      """
      DELETE FROM crl c WHERE c.issuer = ? AND c.shard = ?
        AND c.number <= (SELECT k.number FROM crl k WHERE k.issuer = c.issuer AND k.shard = c.shard
          AND (k.base_number IS NULL) = (c.base_number IS NULL)
          ORDER BY k.number DESC OFFSET ? LIMIT 1)
        AND c.number <> coalesce((SELECT max(s.number) FROM crl s
          JOIN crl_signature g ON g.issuer = s.issuer AND g.shard = s.shard AND g.number = s.number
          WHERE s.issuer = c.issuer AND s.shard = c.shard AND s.is_scheduled), 0)
      """;

  private static final String FIND =
      """
      SELECT c.revision, c.is_scheduled, c.this_update, c.next_update, c.entries,
        c.signature_algorithm, c.tbs, c.base_number, c.expired_before, c.known_revision,
        c.distribution_point, coalesce(g.signature, d.signature) AS signature,
        coalesce((SELECT max(b.number) FROM crl b
          WHERE b.issuer = c.issuer AND b.shard = c.shard AND b.number < c.number), 0) AS after
      FROM crl c
      LEFT JOIN crl_signature g
        ON g.issuer = c.issuer AND g.shard = c.shard AND g.number = c.number
      LEFT JOIN delta_crl_signature d
        ON d.issuer = c.issuer AND d.shard = c.shard AND d.number = c.number
      WHERE c.issuer = ? AND c.shard = ? AND c.number = ?
        AND coalesce(g.signature, d.signature) IS NOT NULL
      """;

  /** How many CRLs of a scope are kept: to look into yesterday at the usual pace. */
  private static final int KEPT = 32;

  private final LedgerDatabase database;
  private final ScopeStates states;

  /**
   * Keeps CRLs in a database that was migrated.
   *
   * @param areDeltasOn whether {@link #states} has to say where delta CRLs stand
   */
  public PostgresCrlStore(LedgerDatabase database, boolean areDeltasOn) {
    this.database = database;
    this.states = new ScopeStates(areDeltasOn);
  }

  @Override
  public void open(CrlScope scope) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(OPEN)) {
      bind(statement, scope);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the CRL scope cannot be recorded", e);
    }
  }

  @Override
  public List<ScopeState> states() {
    try (Connection connection = database.general().getConnection()) {
      return states.read(connection);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the CRLs cannot be read", e);
    }
  }

  @Override
  public CrlSnapshot read(CrlScope scope, RevokedCertificates entries) {
    return read(scope, connection -> ScopeReading.read(connection, scope, entries));
  }

  @Override
  public CrlSnapshot readChanges(CrlScope scope, RevokedCertificates changes) {
    return read(scope, connection -> ScopeReading.readChanges(connection, scope, changes));
  }

  private interface Reader {
    CrlSnapshot read(Connection connection) throws SQLException;
  }

  private CrlSnapshot read(CrlScope scope, Reader reader) {
    try (Connection connection = database.general().getConnection()) {
      // Everything as of one moment, and a cursor, which a result set has in a transaction only.
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setReadOnly(true);
      // Whatever fails, the pool rolls back and gives the connection back as it was.
      CrlSnapshot snapshot = reader.read(connection);
      connection.commit();
      return snapshot;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the revocations of " + scope + " cannot be read", e);
    }
  }

  @Override
  public boolean record(PlannedCrl crl, String node) {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      lock(connection, crl.scope());
      boolean isRecorded = insert(connection, crl, node);
      prune(connection, crl.scope());
      // Whatever fails before, the pool rolls back and gives the connection back as it was.
      connection.commit();
      return isRecorded;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the CRL of " + crl.scope() + " cannot be recorded", e);
    }
  }

  private static void lock(Connection connection, CrlScope scope) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      bind(statement, scope);
      boolean _ = statement.execute();
    }
  }

  private static boolean insert(Connection connection, PlannedCrl crl, String node)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RECORD)) {
      bind(statement, crl.scope());
      statement.setLong(3, crl.number());
      statement.setLong(4, crl.terms().revision());
      statement.setBoolean(5, crl.terms().isScheduled());
      statement.setObject(6, PostgresRevocationStore.offset(crl.terms().issuedAt()));
      statement.setObject(7, PostgresRevocationStore.offset(crl.terms().nextUpdate()));
      statement.setInt(8, crl.terms().entries());
      statement.setString(9, crl.signatureAlgorithm().name());
      statement.setBytes(10, crl.tbsCertList().encoded());
      statement.setString(11, node);
      switch (crl.kind()) {
        case Kind.Complete complete -> {
          statement.setNull(12, Types.BIGINT);
          statement.setObject(13, PostgresRevocationStore.offset(complete.expiredBefore()));
          statement.setLong(14, complete.knownRevision());
          statement.setString(15, complete.distributionPoint().orElse(null));
        }
        case Kind.Delta delta -> {
          statement.setLong(12, delta.baseNumber());
          statement.setNull(13, Types.TIMESTAMP_WITH_TIMEZONE);
          statement.setNull(14, Types.BIGINT);
          statement.setNull(15, Types.VARCHAR);
        }
      }
      statement.setLong(16, crl.after());
      return statement.executeUpdate() == 1;
    }
  }

  @Override
  public void recordSignature(PlannedCrl crl, OctetString signature) {
    String sign =
        switch (crl.kind()) {
          case Kind.Complete complete -> SIGN_COMPLETE;
          case Kind.Delta delta -> SIGN_DELTA;
        };
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(sign)) {
      bind(statement, crl.scope());
      statement.setLong(3, crl.number());
      statement.setBytes(4, signature.octets());
      statement.executeUpdate();
      prune(connection, crl.scope());
    } catch (SQLException e) {
      throw new LedgerUnavailable("the signature of a CRL cannot be recorded", e);
    }
  }

  private static void prune(Connection connection, CrlScope scope) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PRUNE)) {
      bind(statement, scope);
      statement.setInt(3, KEPT);
      statement.executeUpdate();
    }
  }

  @Override
  public Optional<SignedCrl> find(CrlScope scope, long number) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      bind(statement, scope);
      statement.setLong(3, number);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(signed(scope, number, row)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the CRL of " + scope + " cannot be read", e);
    }
  }

  private static SignedCrl signed(CrlScope scope, long number, ResultSet row) throws SQLException {
    return new SignedCrl(
        new PlannedCrl(
            scope,
            number,
            row.getLong("after"),
            SignatureAlgorithm.valueOf(row.getString("signature_algorithm")),
            TbsCertListDer.of(row.getBytes("tbs")),
            new PlannedCrl.Terms(
                row.getLong("revision"),
                row.getBoolean("is_scheduled"),
                instant(row, "this_update").orElseThrow(),
                instant(row, "next_update").orElseThrow(),
                row.getInt("entries")),
            kind(row)),
        OctetString.copyOf(row.getBytes("signature")));
  }

  private static Kind kind(ResultSet row) throws SQLException {
    @Nullable Long base = row.getObject("base_number", Long.class);
    return base == null ? complete(row) : new Kind.Delta(base);
  }

  /** Of one that a former version recorded it says the least; only a base is asked for it. */
  static Kind.Complete complete(ResultSet row) throws SQLException {
    return new Kind.Complete(
        instant(row, "expired_before").orElse(Instant.EPOCH),
        row.getLong("known_revision"),
        Optional.ofNullable(row.getString("distribution_point")));
  }

  public static void bind(PreparedStatement statement, CrlScope scope) throws SQLException {
    bind(statement, 1, scope);
  }

  public static void bind(PreparedStatement statement, int first, CrlScope scope)
      throws SQLException {
    statement.setString(first, scope.issuer().value());
    statement.setInt(first + 1, scope.shard());
  }

  public static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return Optional.ofNullable(time).map(OffsetDateTime::toInstant);
  }
}
