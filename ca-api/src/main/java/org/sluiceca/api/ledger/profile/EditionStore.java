package org.sluiceca.api.ledger.profile;

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
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * The editions of profiles that administrators stored, and their activations. Append-only.
 * Thread-safe; every method blocks, for some seconds at most, and throws {@link LedgerUnavailable}
 * when the database does not answer.
 */
public final class EditionStore {

  /** More than anybody writes of one profile; a program that stores in a loop ends here. */
  public static final int VERSIONS_MAX = 200;

  /** What a node reads when something is activated: 2,000 files of 4 KB are 8 MB. */
  public static final int EDITIONS_MAX = 2_000;

  private static final String EDITION = "e.name, e.version, e.content, e.added_by, e.recorded_at ";

  private static final String ACTIVATION = "number, name, version, activated_by, recorded_at";

  private static final String LOCK = "LOCK TABLE profile_activation IN SHARE ROW EXCLUSIVE MODE";

  private static final String COUNTS =
      "SELECT count(*) AS editions, count(*) FILTER (WHERE name = ?) AS of_name FROM"
          + " profile_edition";

  private static final String ADD =
      """
      INSERT INTO profile_edition (name, version, content, sha256, added_by)
      VALUES (?, ?, ?, sha256(?), ?)
      """;

  private static final String FIND =
      "SELECT " + EDITION + " FROM profile_edition e WHERE e.name = ? AND e.version = ?";

  private static final String LIST =
      "SELECT " + EDITION + " FROM profile_edition e WHERE e.name = ? ORDER BY e.version LIMIT ?";

  /** What was never activated, nothing was planned under. */
  private static final String ACTIVATED =
      "SELECT "
          + EDITION
          + """
          FROM profile_edition e
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
      RETURNING number, name, version, activated_by, recorded_at
      """;

  private final LedgerDatabase database;

  /** Keeps them in a database that was migrated. */
  public EditionStore(LedgerDatabase database) {
    this.database = database;
  }

  /** What came of the wish to store an edition. */
  public enum Added {
    /** It is stored now. */
    ADDED,
    /** The very same file was stored before. */
    KNOWN,
    /** This version is another file, here or in a node's folder: its number is taken. */
    CONTRADICTORY,
    /** There are as many as there may be. */
    TOO_MANY
  }

  /** Stores an edition under the name and version that its file states, inactive. */
  public Added add(CertificateProfile profile, OctetString content, RequesterId by) {
    int version = profile.version().number();
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      // Held by who records any version of any profile, so what is looked at here stays so.
      ProfileStore.lock(connection);
      Optional<StoredEdition> before = find(connection, profile.name(), version);
      if (before.isPresent()) {
        return before.get().content().equals(content) ? Added.KNOWN : Added.CONTRADICTORY;
      }
      if (isFull(connection, profile.name())) {
        return Added.TOO_MANY;
      }
      if (ProfileStore.edition(connection, profile) != ProfileStore.Edition.KNOWN) {
        return Added.CONTRADICTORY;
      }
      try (PreparedStatement statement = connection.prepareStatement(ADD)) {
        statement.setString(1, profile.name().value());
        statement.setInt(2, version);
        statement.setBytes(3, content.octets());
        statement.setBytes(4, content.octets());
        statement.setString(5, by.value());
        statement.executeUpdate();
      }
      connection.commit();
      return Added.ADDED;
    } catch (SQLException e) {
      throw unavailable("the profile cannot be stored", e);
    }
  }

  private static boolean isFull(Connection connection, ProfileName name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COUNTS)) {
      statement.setString(1, name.value());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt("editions") >= EDITIONS_MAX || row.getInt("of_name") >= VERSIONS_MAX;
      }
    }
  }

  /** Returns a stored edition. */
  public Optional<StoredEdition> find(ProfileName name, int version) {
    try (Connection connection = database.general().getConnection()) {
      return find(connection, name, version);
    } catch (SQLException e) {
      throw unavailable("the profile's version cannot be read", e);
    }
  }

  private static Optional<StoredEdition> find(Connection connection, ProfileName name, int version)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, name.value());
      statement.setInt(2, version);
      return editions(statement).stream().findFirst();
    }
  }

  /** Returns the stored editions of a profile, by version; at most 200. */
  public List<StoredEdition> list(ProfileName name) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(LIST)) {
      statement.setString(1, name.value());
      statement.setInt(2, VERSIONS_MAX);
      return editions(statement);
    } catch (SQLException e) {
      throw unavailable("the profile's versions cannot be read", e);
    }
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
   * @param editions each once
   * @param activations in the order in which they were made
   */
  public record History(List<StoredEdition> editions, List<Activation> activations) {}

  /** Returns what was activated, as of one moment. */
  public History history() {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      // First the activations: an edition is there before it is activated, and stays.
      try (PreparedStatement activated = connection.prepareStatement(ACTIVATIONS);
          PreparedStatement editions = connection.prepareStatement(ACTIVATED)) {
        editions.setInt(1, EDITIONS_MAX);
        List<Activation> activations = activations(activated);
        History history = new History(editions(editions), activations);
        connection.commit();
        return history;
      }
    } catch (SQLException e) {
      throw unavailable("the activated profiles cannot be read", e);
    }
  }

  /**
   * Activates a stored edition, or each node's file.
   *
   * @param version empty for the file
   * @param replaces the number of the activation of this name that is to be followed, 0 for none
   * @param approval by which a second person agreed; one activates once
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
        Optional<Activation> made = activations(statement).stream().findFirst();
        connection.commit();
        return made;
      }
    } catch (SQLException e) {
      throw unavailable("the profile cannot be activated", e);
    }
  }

  private static List<StoredEdition> editions(PreparedStatement statement) throws SQLException {
    List<StoredEdition> editions = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        editions.add(
            new StoredEdition(
                new ProfileName(row.getString("name")),
                row.getInt("version"),
                OctetString.copyOf(row.getBytes("content")),
                new RequesterId(row.getString("added_by")),
                row.getObject("recorded_at", OffsetDateTime.class).toInstant()));
      }
    }
    return List.copyOf(editions);
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
