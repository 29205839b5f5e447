package org.sluiceca.api.ledger.revocation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.core.crl.CrlSnapshot;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/** CRLs on PostgreSQL. Thread-safe. */
public final class PostgresCrlStore implements CrlStore {

  private static final String OPEN =
      "INSERT INTO crl_scope (issuer, shard) VALUES (?, ?) ON CONFLICT DO NOTHING";

  // Of each scope its newest signed CRL, the newest reservation above that, and what is pending:
  // each a descent of an index.
  private static final String STATES =
      """
      SELECT s.issuer, s.shard, now() AS now, n.number, n.this_update, n.next_update, n.signed_at,
        n.entries, u.reserved_at, p.pending_since, p.is_compromise
      FROM crl_scope s
      LEFT JOIN LATERAL (
        SELECT c.number, c.revision, c.this_update, c.next_update, c.entries,
          g.recorded_at AS signed_at
        FROM crl_signature g
        JOIN crl c ON c.issuer = g.issuer AND c.shard = g.shard AND c.number = g.number
        WHERE g.issuer = s.issuer AND g.shard = s.shard
        ORDER BY g.number DESC LIMIT 1) n ON true
      LEFT JOIN LATERAL (
        SELECT c.recorded_at AS reserved_at FROM crl c
        WHERE c.issuer = s.issuer AND c.shard = s.shard AND c.number > coalesce(n.number, 0)
        ORDER BY c.number DESC LIMIT 1) u ON true
      LEFT JOIN LATERAL (
        SELECT min(r.recorded_at) AS pending_since, bool_or(r.reason IN (1, 2, 10)) AS is_compromise
        FROM revocation r
        WHERE s.revision > coalesce(n.revision, 0)
          AND r.issuer = s.issuer AND r.shard = s.shard AND r.revision > coalesce(n.revision, 0)
        HAVING count(*) > 0) p ON true
      ORDER BY s.issuer, s.shard LIMIT ?
      """;

  // Of those that read the scope at the same time, one goes on; the next waits here and finds out.
  private static final String LOCK =
      "SELECT revision FROM crl_scope WHERE issuer = ? AND shard = ? FOR NO KEY UPDATE";

  private static final String RECORD =
      """
      INSERT INTO crl (issuer, shard, number, revision, is_scheduled, this_update, next_update,
        entries, signature_algorithm, tbs, node)
      SELECT n.issuer, n.shard, n.number, n.revision, n.is_scheduled, n.this_update, n.next_update,
        n.entries, n.signature_algorithm, n.tbs, n.node
      FROM (VALUES (?::text, ?::integer, ?::bigint, ?::bigint, ?::boolean, ?::timestamptz,
        ?::timestamptz, ?::integer, ?::text, ?::bytea, ?::text)) AS n (issuer, shard, number,
        revision, is_scheduled, this_update, next_update, entries, signature_algorithm, tbs, node)
      WHERE coalesce((SELECT max(c.number) FROM crl c
        WHERE c.issuer = n.issuer AND c.shard = n.shard), 0) = ?
      """;

  private static final String SIGN =
      """
      INSERT INTO crl_signature (issuer, shard, number, signature) VALUES (?, ?, ?, ?)
      ON CONFLICT (issuer, shard, number) DO NOTHING
      """;

  // The bytes of superseded CRLs serve nobody. The last scheduled one says which entries may leave.
  private static final String PRUNE =
      """
      DELETE FROM crl c WHERE c.issuer = ? AND c.shard = ?
        AND c.number <= (SELECT k.number FROM crl k WHERE k.issuer = c.issuer AND k.shard = c.shard
          ORDER BY k.number DESC OFFSET ? LIMIT 1)
        AND c.number <> coalesce((SELECT max(s.number) FROM crl s
          JOIN crl_signature g ON g.issuer = s.issuer AND g.shard = s.shard AND g.number = s.number
          WHERE s.issuer = c.issuer AND s.shard = c.shard AND s.is_scheduled), 0)
      """;

  private static final String FIND =
      """
      SELECT c.revision, c.is_scheduled, c.this_update, c.next_update, c.entries,
        c.signature_algorithm, c.tbs, g.signature,
        coalesce((SELECT max(b.number) FROM crl b
          WHERE b.issuer = c.issuer AND b.shard = c.shard AND b.number < c.number), 0) AS after
      FROM crl c
      JOIN crl_signature g ON g.issuer = c.issuer AND g.shard = c.shard AND g.number = c.number
      WHERE c.issuer = ? AND c.shard = ? AND c.number = ?
      """;

  /** Ten issuers of as many shards as may be configured. */
  private static final int SCOPES_MAX = 10_000;

  /** How many CRLs of a scope are kept: to look into yesterday at the usual pace. */
  private static final int KEPT = 32;

  private final LedgerDatabase database;

  /** Keeps CRLs in a database that was migrated. */
  public PostgresCrlStore(LedgerDatabase database) {
    this.database = database;
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
    List<ScopeState> states = new ArrayList<>();
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(STATES)) {
      statement.setInt(1, SCOPES_MAX);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          states.add(state(row));
        }
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the CRLs cannot be read", e);
    }
    return states;
  }

  private static ScopeState state(ResultSet row) throws SQLException {
    Optional<Instant> signedAt = instant(row, "signed_at");
    Optional<Instant> pendingSince = instant(row, "pending_since");
    return new ScopeState(
        new CrlScope(new IssuerName(row.getString("issuer")), row.getInt("shard")),
        instant(row, "now").orElseThrow(),
        signedAt.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ScopeState.Newest(
                    row.getLong("number"),
                    instant(row, "this_update").orElseThrow(),
                    instant(row, "next_update").orElseThrow(),
                    signedAt.get(),
                    row.getInt("entries"))),
        instant(row, "reserved_at"),
        pendingSince.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ScopeState.Pending(pendingSince.get(), row.getBoolean("is_compromise"))));
  }

  @Override
  public CrlSnapshot read(CrlScope scope, RevokedCertificates entries) {
    try (Connection connection = database.general().getConnection()) {
      // Everything as of one moment, and a cursor, which a result set has in a transaction only.
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setReadOnly(true);
      // Whatever fails, the pool rolls back and gives the connection back as it was.
      CrlSnapshot snapshot = ScopeReading.read(connection, scope, entries);
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
      boolean ignored = statement.execute();
    }
  }

  private static boolean insert(Connection connection, PlannedCrl crl, String node)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RECORD)) {
      bind(statement, crl.scope());
      statement.setLong(3, crl.number());
      statement.setLong(4, crl.terms().revision());
      statement.setBoolean(5, crl.terms().isScheduled());
      statement.setObject(6, PostgresRevocationStore.offset(crl.terms().thisUpdate()));
      statement.setObject(7, PostgresRevocationStore.offset(crl.terms().nextUpdate()));
      statement.setInt(8, crl.terms().entries());
      statement.setString(9, crl.signatureAlgorithm().name());
      statement.setBytes(10, crl.tbsCertList().encoded());
      statement.setString(11, node);
      statement.setLong(12, crl.after());
      return statement.executeUpdate() == 1;
    }
  }

  @Override
  public void recordSignature(CrlScope scope, long number, OctetString signature) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(SIGN)) {
      bind(statement, scope);
      statement.setLong(3, number);
      statement.setBytes(4, signature.octets());
      statement.executeUpdate();
      prune(connection, scope);
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
                row.getInt("entries"))),
        OctetString.copyOf(row.getBytes("signature")));
  }

  static void bind(PreparedStatement statement, CrlScope scope) throws SQLException {
    statement.setString(1, scope.issuer().value());
    statement.setInt(2, scope.shard());
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return Optional.ofNullable(time).map(OffsetDateTime::toInstant);
  }
}
