package org.sluiceca.api.issuer.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * The issuers of this CA. Thread-safe; every method blocks for at most a few seconds and throws
 * {@link LedgerUnavailable} if the database does not answer.
 */
public final class IssuerStore {

  private static final String SELECT =
      """
      SELECT i.name, i.subject_public_key_info, coalesce(c.certificate, i.certificate) AS certificate,
        coalesce(c.chain, i.chain) AS chain, i.cka_id, i.key_algorithm, i.token_label, i.state,
        i.installed_by, i.certificate AS first, coalesce(c.number, 0) AS renewals, i.created_at
      FROM issuer i LEFT JOIN LATERAL (
        SELECT number, certificate, chain FROM issuer_certificate
        WHERE issuer = i.name ORDER BY number DESC LIMIT 1) c ON true
      """;

  private static final String INSERT =
      """
      INSERT INTO issuer (name, subject_public_key_info, certificate, chain, cka_id, key_algorithm,
        token_label, state, installed_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, 'active', ?)
      ON CONFLICT (name) DO NOTHING
      """;

  private static final String RENEW =
      """
      INSERT INTO issuer_certificate (issuer, number, certificate, chain, added_by)
      SELECT name, ?, ?, ?, ? FROM issuer WHERE name = ? AND state = 'active'
      ON CONFLICT (issuer, number) DO NOTHING
      """;

  private static final String FIND = SELECT + "WHERE i.name = ?";

  private static final String LIST = SELECT + "ORDER BY i.name LIMIT ?";

  /** Rows are never deleted, so what changes moves a number or is another name. */
  private static final String EXTENT =
      """
      SELECT count(*) AS issuers, coalesce(array_agg(name ORDER BY name) FILTER (WHERE state = 'retired'), '{}') AS retired,
        (SELECT count(*) FROM issuer_certificate) AS renewals
      FROM issuer
      """;

  /** Two that each leave the other as the last, or have one subject, must not pass one another. */
  private static final String LOCK = "LOCK TABLE issuer IN SHARE ROW EXCLUSIVE MODE";

  private static final String RETIRE =
      "UPDATE issuer SET state = 'retired' WHERE name = ? AND state = 'active'";

  private static final String RETIRE_UNLESS_LAST =
      RETIRE
          + """
           AND EXISTS (SELECT FROM issuer
                       WHERE name <> ? AND state = 'active' AND cardinality(chain) > 0)
          """;

  /** A CA has a handful of issuers; 1,000 would be one a day for three years. */
  private static final int LIST_MAX = 1000;

  private final LedgerDatabase database;

  /** Keeps issuers in a database that was migrated. */
  public IssuerStore(LedgerDatabase database) {
    this.database = database;
  }

  /** A new issuer; see {@link RegisteredIssuer}. */
  public record NewIssuer(
      IssuerName name,
      OctetString subjectPublicKeyInfo,
      CertificateDer certificate,
      List<CertificateDer> chain,
      RegisteredIssuer.Key key) {

    public NewIssuer {
      chain = List.copyOf(chain);
    }
  }

  /**
   * How much there is.
   *
   * @param retired their names, in order: a count would be the same again if an operator took one
   *     back by hand and another were retired
   * @param renewals certificates after an issuer's first
   */
  public record Extent(long issuers, List<String> retired, long renewals) {

    public Extent {
      retired = List.copyOf(retired);
    }
  }

  /**
   * Registers an active issuer that the ceremony has made; returns false, changing nothing, if the
   * name is taken.
   */
  public boolean insert(NewIssuer issuer) {
    try (Connection connection = database.general().getConnection()) {
      return insert(connection, issuer, null);
    } catch (SQLException e) {
      throw new LedgerUnavailable("issuer " + issuer.name() + " cannot be registered", e);
    }
  }

  /**
   * Registers an active issuer that an administrator installs next to the existing ones. Returns
   * false, changing nothing, if the name is taken or {@code isGoodBeside} returns false. No issuer
   * comes or goes between that test and the registration.
   *
   * @param isGoodBeside receives all existing issuers; must not block
   */
  public boolean insertBy(
      NewIssuer issuer, RequesterId by, Predicate<List<RegisteredIssuer>> isGoodBeside) {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement lock = connection.prepareStatement(LOCK);
          PreparedStatement list = connection.prepareStatement(LIST)) {
        lock.execute();
        list.setInt(1, LIST_MAX);
        boolean isInserted = isGoodBeside.test(read(list)) && insert(connection, issuer, by);
        connection.commit();
        return isInserted;
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("issuer " + issuer.name() + " cannot be registered", e);
    }
  }

  private static boolean insert(Connection connection, NewIssuer issuer, @Nullable RequesterId by)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setString(1, issuer.name().value());
      statement.setBytes(2, issuer.subjectPublicKeyInfo().octets());
      statement.setBytes(3, issuer.certificate().encoded());
      statement.setArray(4, array(connection, issuer.chain()));
      statement.setBytes(5, issuer.key().ckaId().octets());
      statement.setString(6, issuer.key().algorithm());
      statement.setString(7, issuer.key().tokenLabel());
      statement.setString(8, by == null ? null : by.value());
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * Has another certificate of an issuer's name and key count; returns false, changing nothing, if
   * it is not active or another certificate came since {@code present} was read.
   *
   * @param certificates the new one, then those above it, trust anchor last
   * @param by a requester, or the person who held the ceremony; 64 characters at most
   */
  public boolean renew(RegisteredIssuer present, List<CertificateDer> certificates, String by) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(RENEW)) {
      statement.setInt(1, present.origin().renewals() + 1);
      statement.setBytes(2, certificates.getFirst().encoded());
      statement.setArray(3, array(connection, certificates.subList(1, certificates.size())));
      statement.setString(4, by);
      statement.setString(5, present.name().value());
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      throw new LedgerUnavailable("issuer " + present.name() + " cannot be renewed", e);
    }
  }

  /** Returns how much there is: what was read before holds as long as this does not change. */
  public Extent extent() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(EXTENT);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return new Extent(
          row.getLong("issuers"),
          List.of((String[]) row.getArray("retired").getArray()),
          row.getLong("renewals"));
    } catch (SQLException e) {
      throw new LedgerUnavailable("the issuers cannot be read", e);
    }
  }

  /** Returns the issuer of this name, active or retired. */
  public Optional<RegisteredIssuer> find(IssuerName name) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, name.value());
      return read(statement).stream().findFirst();
    } catch (SQLException e) {
      throw new LedgerUnavailable("issuer " + name + " cannot be read", e);
    }
  }

  /** Returns the issuers by name, active and retired. */
  public List<RegisteredIssuer> list() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(LIST)) {
      statement.setInt(1, LIST_MAX);
      return read(statement);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the issuers cannot be read", e);
    }
  }

  /** Retires an issuer for good; returns false if no active one has this name. */
  public boolean retire(IssuerName name) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(RETIRE)) {
      statement.setString(1, name.value());
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      throw new LedgerUnavailable("issuer " + name + " cannot be retired", e);
    }
  }

  /**
   * The same, unless no active issuer but roots would be left; returns false, changing nothing, if
   * so, or if no active one has this name.
   */
  public boolean retireUnlessLast(IssuerName name) {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement lock = connection.prepareStatement(LOCK);
          PreparedStatement statement = connection.prepareStatement(RETIRE_UNLESS_LAST)) {
        lock.execute();
        statement.setString(1, name.value());
        statement.setString(2, name.value());
        boolean isRetired = statement.executeUpdate() == 1;
        connection.commit();
        return isRetired;
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("issuer " + name + " cannot be retired", e);
    }
  }

  private static List<RegisteredIssuer> read(PreparedStatement statement) throws SQLException {
    List<RegisteredIssuer> issuers = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        issuers.add(
            new RegisteredIssuer(
                new IssuerName(row.getString("name")),
                OctetString.copyOf(row.getBytes("subject_public_key_info")),
                CertificateDer.of(row.getBytes("certificate")),
                certificates(row.getArray("chain")),
                new RegisteredIssuer.Key(
                    OctetString.copyOf(row.getBytes("cka_id")),
                    row.getString("key_algorithm"),
                    row.getString("token_label")),
                RegisteredIssuer.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                new RegisteredIssuer.Origin(
                    Optional.ofNullable(row.getString("installed_by")).map(RequesterId::new),
                    CertificateDer.of(row.getBytes("first")),
                    row.getInt("renewals"),
                    LedgerColumns.instant(row, "created_at"))));
      }
    }
    return List.copyOf(issuers);
  }

  private static Array array(Connection connection, List<CertificateDer> certificates)
      throws SQLException {
    return connection.createArrayOf(
        "bytea", certificates.stream().map(CertificateDer::encoded).toArray(byte[][]::new));
  }

  private static List<CertificateDer> certificates(Array array) throws SQLException {
    return Arrays.stream((byte[][]) array.getArray()).map(CertificateDer::of).toList();
  }
}
