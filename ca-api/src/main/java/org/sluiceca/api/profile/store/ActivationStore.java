package org.sluiceca.api.profile.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * The activations of the profiles' stored versions. Append-only. Thread-safe; every method blocks,
 * for some seconds at most, and throws {@link LedgerUnavailable} when the database does not answer.
 */
public final class ActivationStore {

  private static final String ACTIVATION = "number, name, version, activated_by, recorded_at";

  private static final String LOCK = "LOCK TABLE profile_activation IN SHARE ROW EXCLUSIVE MODE";

  /**
   * Nothing was planned under a version that was never activated. The digest is computed from the
   * content as it is now: the stored digest would hide that a row was changed.
   */
  private static final String ACTIVATED =
      """
      SELECT e.name, e.version, sha256(e.content) AS sha256 FROM profile_edition e
      WHERE EXISTS (SELECT FROM profile_activation a
                    WHERE a.name = e.name AND a.version = e.version)
      ORDER BY e.name, e.version LIMIT ?
      """;

  private static final String ACTIVATIONS =
      "SELECT " + ACTIVATION + " FROM profile_activation ORDER BY number";

  private static final String NEWEST = "SELECT coalesce(max(number), 0) FROM profile_activation";

  private static final String CURRENT =
      "SELECT "
          + ACTIVATION
          + " FROM profile_activation WHERE name = ? ORDER BY number DESC LIMIT 1";

  private static final String APPROVED =
      "SELECT " + ACTIVATION + " FROM profile_activation WHERE approval = ?";

  private static final String ACTIVATE =
      """
      INSERT INTO profile_activation (number, name, version, replaces, activated_by, approval)
      SELECT (SELECT coalesce(max(number), 0) + 1 FROM profile_activation), ?, ?, ?, ?, ?
      WHERE ? = (SELECT coalesce(max(number), 0) FROM profile_activation WHERE name = ?)
      AND NOT EXISTS (SELECT FROM approval_end e WHERE e.approval = ?::uuid)
      RETURNING number, name, version, activated_by, recorded_at
      """;

  private final LedgerDatabase database;

  /** Keeps them in a database that was migrated. */
  public ActivationStore(LedgerDatabase database) {
    this.database = database;
  }

  /** Returns the number of the newest activation of any profile, 0 for none: one look-up. */
  public long newest() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(NEWEST);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw unavailable("the activations of profiles cannot be read", e);
    }
  }

  /** Returns the activation that counts for a name. */
  public Optional<Activation> current(ProfileName name) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(CURRENT)) {
      statement.setString(1, name.value());
      return activations(statement).stream().findFirst();
    } catch (SQLException e) {
      throw unavailable("the profile's activation cannot be read", e);
    }
  }

  /** Returns the activation that this approval has made. */
  public Optional<Activation> approved(UUID approval) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(APPROVED)) {
      statement.setObject(1, approval);
      return activations(statement).stream().findFirst();
    } catch (SQLException e) {
      throw unavailable("the profile's activation cannot be read", e);
    }
  }

  /**
   * All that was ever activated.
   *
   * @param versions each once
   * @param activations in the order in which they were made
   */
  public record History(List<StoredVersion.Key> versions, List<Activation> activations) {}

  /** Returns what was activated, as of one moment. The database reads every such file for it. */
  public History history() {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      // First the activations: a version is there before it is activated, and stays.
      try (PreparedStatement activated = connection.prepareStatement(ACTIVATIONS);
          PreparedStatement versions = connection.prepareStatement(ACTIVATED)) {
        versions.setInt(1, VersionStore.VERSIONS_MAX);
        List<Activation> activations = activations(activated);
        History history = new History(keys(versions), activations);
        connection.commit();
        return history;
      }
    } catch (SQLException e) {
      throw unavailable("the activated profiles cannot be read", e);
    }
  }

  /**
   * Activates a stored version, or each node's file.
   *
   * @param version empty for the file
   * @param replaces the number of the activation of this name that is to be followed, 0 for none
   * @param approval by which a second person agreed; one activates once, and none that has ended
   * @return empty, changing nothing, if another activation has followed that one
   */
  public Optional<Activation> activate(
      ProfileName name,
      OptionalInt version,
      long replaces,
      RequesterId by,
      Optional<UUID> approval) {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      try (Statement lock = connection.createStatement()) {
        lock.execute(LOCK);
      }
      try (PreparedStatement statement = connection.prepareStatement(ACTIVATE)) {
        statement.setString(1, name.value());
        if (version.isPresent()) {
          statement.setInt(2, version.getAsInt());
        } else {
          statement.setNull(2, Types.INTEGER);
        }
        statement.setLong(3, replaces);
        statement.setString(4, by.value());
        statement.setObject(5, approval.orElse(null), Types.OTHER);
        statement.setLong(6, replaces);
        statement.setString(7, name.value());
        statement.setObject(8, approval.orElse(null), Types.OTHER);
        Optional<Activation> made = activations(statement).stream().findFirst();
        connection.commit();
        return made;
      }
    } catch (SQLException e) {
      throw unavailable("the profile cannot be activated", e);
    }
  }

  private static List<StoredVersion.Key> keys(PreparedStatement statement) throws SQLException {
    List<StoredVersion.Key> keys = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        keys.add(
            new StoredVersion.Key(
                new ProfileName(row.getString("name")),
                row.getInt("version"),
                OctetString.copyOf(row.getBytes("sha256"))));
      }
    }
    return List.copyOf(keys);
  }

  private static List<Activation> activations(PreparedStatement statement) throws SQLException {
    List<Activation> activations = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        int number = row.getInt("version");
        // Before any other column is read.
        OptionalInt version = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(number);
        activations.add(
            new Activation(
                row.getLong("number"),
                new ProfileName(row.getString("name")),
                version,
                new RequesterId(row.getString("activated_by")),
                row.getObject("recorded_at", OffsetDateTime.class).toInstant()));
      }
    }
    return List.copyOf(activations);
  }

  private static LedgerUnavailable unavailable(String what, SQLException e) {
    return new LedgerUnavailable(what, e);
  }
}
