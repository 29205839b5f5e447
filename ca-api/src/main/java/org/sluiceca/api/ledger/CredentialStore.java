package org.sluiceca.api.ledger;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.api.ledger.RegisteredCredential.Grant;
import org.sluiceca.api.ledger.RegisteredCredential.Kind;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/**
 * The credentials of the requesters. Thread-safe; every method blocks for at most a few seconds and
 * throws {@link LedgerUnavailable} if the database does not answer.
 */
public final class CredentialStore {

  private static final String COLUMNS =
      "id, requester, kind, sha256, roles, profiles, created_at, expires_at, revoked_at";

  private static final String INSERT =
      String.format(
          Locale.ROOT,
          """
      INSERT INTO credential (requester, kind, sha256, roles, profiles, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (sha256) DO NOTHING
      RETURNING %s
      """,
          COLUMNS);

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM credential WHERE sha256 = ? AND kind = ?";

  private static final String LIST =
      "SELECT " + COLUMNS + " FROM credential WHERE requester = ? ORDER BY created_at, id LIMIT ?";

  private static final String LIST_ALL =
      "SELECT " + COLUMNS + " FROM credential ORDER BY requester, created_at, id LIMIT ?";

  private static final String REVOKE =
      "UPDATE credential SET revoked_at = now() WHERE id = ? AND revoked_at IS NULL";

  /** What an administrator reads at once; more would be a report, not a list. */
  private static final int LIST_MAX = 10_000;

  private final LedgerDatabase database;

  /** Keeps credentials in a database that was migrated. */
  public CredentialStore(LedgerDatabase database) {
    this.database = database;
  }

  /** A new credential; see {@link RegisteredCredential}. */
  public record NewCredential(RequesterId requester, Kind kind, OctetString sha256, Grant grant) {}

  /** Registers a credential; empty, changing nothing, if its hash is registered already. */
  public Optional<RegisteredCredential> insert(NewCredential credential) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(INSERT)) {
      Grant grant = credential.grant();
      statement.setString(1, credential.requester().value());
      statement.setString(2, column(credential.kind()));
      statement.setBytes(3, credential.sha256().octets());
      statement.setArray(4, texts(connection, grant.roles(), CredentialStore::column));
      statement.setArray(5, texts(connection, grant.profiles(), ProfileName::value));
      statement.setObject(6, OffsetDateTime.ofInstant(grant.expiresAt(), ZoneOffset.UTC));
      return read(statement).stream().findFirst();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the credential cannot be registered", e);
    }
  }

  /** Returns the credential with this hash, be it valid, expired or revoked. */
  public Optional<RegisteredCredential> find(Kind kind, OctetString sha256) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setBytes(1, sha256.octets());
      statement.setString(2, column(kind));
      return read(statement).stream().findFirst();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the credential cannot be read", e);
    }
  }

  /** Returns a requester's credentials, oldest first. */
  public List<RegisteredCredential> list(RequesterId requester) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(LIST)) {
      statement.setString(1, requester.value());
      statement.setInt(2, LIST_MAX);
      return read(statement);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the credentials cannot be read", e);
    }
  }

  /** Returns every requester's credentials, by requester, oldest first; at most 10,000. */
  public List<RegisteredCredential> list() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(LIST_ALL)) {
      statement.setInt(1, LIST_MAX);
      return read(statement);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the credentials cannot be read", e);
    }
  }

  /** Revokes a credential for good; returns false if none has this id or it is revoked already. */
  public boolean revoke(UUID id) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(REVOKE)) {
      statement.setObject(1, id);
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the credential cannot be revoked", e);
    }
  }

  private static List<RegisteredCredential> read(PreparedStatement statement) throws SQLException {
    List<RegisteredCredential> credentials = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        credentials.add(
            new RegisteredCredential(
                row.getObject("id", UUID.class),
                new RequesterId(row.getString("requester")),
                Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                OctetString.copyOf(row.getBytes("sha256")),
                new Grant(
                    values(row, "roles", t -> Role.valueOf(t.toUpperCase(Locale.ROOT))),
                    values(row, "profiles", ProfileName::new),
                    LedgerColumns.instant(row, "expires_at")),
                LedgerColumns.instant(row, "created_at"),
                Optional.ofNullable(row.getObject("revoked_at", OffsetDateTime.class))
                    .map(OffsetDateTime::toInstant)));
      }
    }
    return List.copyOf(credentials);
  }

  private static String column(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static <T> Array texts(Connection connection, Set<T> values, Function<T, String> text)
      throws SQLException {
    return connection.createArrayOf("text", values.stream().map(text).sorted().toArray());
  }

  private static <T> Set<T> values(ResultSet row, String column, Function<String, T> value)
      throws SQLException {
    return Arrays.stream((String[]) row.getArray(column).getArray())
        .map(value)
        .collect(Collectors.toUnmodifiableSet());
  }
}
