package org.sluiceca.api.ledger;

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
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * The issuers of this CA. Thread-safe; every method blocks for at most a few seconds and throws
 * {@link LedgerUnavailable} if the database does not answer.
 */
public final class IssuerStore {

  private static final String COLUMNS =
      "name, subject_public_key_info, certificate, chain, cka_id, key_algorithm, token_label,"
          + " state, created_at";

  private static final String INSERT =
      """
      INSERT INTO issuer (name, subject_public_key_info, certificate, chain, cka_id, key_algorithm,
        token_label, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, 'active')
      ON CONFLICT (name) DO NOTHING
      """;

  private static final String FIND = "SELECT " + COLUMNS + " FROM issuer WHERE name = ?";

  private static final String LIST = "SELECT " + COLUMNS + " FROM issuer ORDER BY name LIMIT ?";

  private static final String RETIRE =
      "UPDATE issuer SET state = 'retired' WHERE name = ? AND state = 'active'";

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

  /** Registers an active issuer; returns false, changing nothing, if the name is taken. */
  public boolean insert(NewIssuer issuer) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(INSERT)) {
      byte[][] chain = issuer.chain().stream().map(CertificateDer::encoded).toArray(byte[][]::new);
      statement.setString(1, issuer.name().value());
      statement.setBytes(2, issuer.subjectPublicKeyInfo().octets());
      statement.setBytes(3, issuer.certificate().encoded());
      statement.setArray(4, connection.createArrayOf("bytea", chain));
      statement.setBytes(5, issuer.key().ckaId().octets());
      statement.setString(6, issuer.key().algorithm());
      statement.setString(7, issuer.key().tokenLabel());
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      throw new LedgerUnavailable("issuer " + issuer.name() + " cannot be registered", e);
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
                LedgerColumns.instant(row, "created_at")));
      }
    }
    return List.copyOf(issuers);
  }

  private static List<CertificateDer> certificates(Array array) throws SQLException {
    return Arrays.stream((byte[][]) array.getArray()).map(CertificateDer::of).toList();
  }
}
