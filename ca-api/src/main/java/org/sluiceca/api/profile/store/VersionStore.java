package org.sluiceca.api.profile.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * The versions of profiles that administrators stored. Append-only. Thread-safe; every method
 * blocks, for some seconds at most, and throws {@link LedgerUnavailable} when the database does not
 * answer.
 */
public final class VersionStore {

  /** More versions than people write of one profile; a program that stores in a loop ends here. */
  public static final int VERSIONS_MAX_PER_PROFILE = 200;

  /** The versions that a node reads when it starts: 2,000 files of 4 KB are 8 MB. */
  public static final int VERSIONS_MAX = 2_000;

  /** At once: 64 files of 64 KiB are 4 MiB. */
  public static final int READ_MAX = 64;

  private static final String VERSION = "e.name, e.version, e.content, e.added_by, e.recorded_at ";

  private static final String COUNTS =
      "SELECT count(*) AS editions, count(*) FILTER (WHERE name = ?) AS of_name FROM"
          + " profile_edition";

  private static final String ADD =
      """
      INSERT INTO profile_edition (name, version, content, sha256, added_by)
      VALUES (?, ?, ?, sha256(?), ?)
      """;

  private static final String FIND =
      "SELECT " + VERSION + " FROM profile_edition e WHERE e.name = ? AND e.version = ?";

  private static final String LIST =
      "SELECT " + VERSION + " FROM profile_edition e WHERE e.name = ? ORDER BY e.version LIMIT ?";

  private static final String READ =
      "SELECT "
          + VERSION
          + """
          FROM profile_edition e JOIN unnest(?::text[], ?::int[]) AS wanted (name, version)
          ON e.name = wanted.name AND e.version = wanted.version
          """;

  private final LedgerDatabase database;

  /** Keeps them in a database that was migrated. */
  public VersionStore(LedgerDatabase database) {
    this.database = database;
  }

  /** The result of storing a version. */
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

  /** Stores a version under the name and version that its file states, inactive. */
  public Added add(CertificateProfile profile, OctetString content, RequesterId by) {
    int version = profile.version().number();
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      // Every transaction that records a version of any profile holds this lock, so what is read
      // here stays so.
      ProfileStore.lock(connection);
      Optional<Added> before = withoutAdding(connection, profile, content);
      if (before.isPresent()) {
        return before.get();
      }
      if (ProfileStore.version(connection, profile) != ProfileStore.Version.KNOWN) {
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

  /** Returns what {@link #add} would do now. Stores nothing, and holds no lock. */
  public Added judge(CertificateProfile profile, OctetString content) {
    try (Connection connection = database.general().getConnection()) {
      Optional<Added> before = withoutAdding(connection, profile, content);
      if (before.isPresent()) {
        return before.get();
      }
      return ProfileStore.isContradictory(connection, profile) ? Added.CONTRADICTORY : Added.ADDED;
    } catch (SQLException e) {
      throw unavailable("the profile's versions cannot be read", e);
    }
  }

  /** The result where nothing needs to be stored, or may be. */
  private static Optional<Added> withoutAdding(
      Connection connection, CertificateProfile profile, OctetString content) throws SQLException {
    Optional<StoredVersion> before = find(connection, profile.name(), profile.version().number());
    if (before.isPresent()) {
      return Optional.of(
          before.get().content().equals(content) ? Added.KNOWN : Added.CONTRADICTORY);
    }
    return isFull(connection, profile.name()) ? Optional.of(Added.TOO_MANY) : Optional.empty();
  }

  private static boolean isFull(Connection connection, ProfileName name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COUNTS)) {
      statement.setString(1, name.value());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt("editions") >= VERSIONS_MAX
            || row.getInt("of_name") >= VERSIONS_MAX_PER_PROFILE;
      }
    }
  }

  /** Returns a stored version. */
  public Optional<StoredVersion> find(ProfileName name, int version) {
    try (Connection connection = database.general().getConnection()) {
      return find(connection, name, version);
    } catch (SQLException e) {
      throw unavailable("the profile's version cannot be read", e);
    }
  }

  private static Optional<StoredVersion> find(Connection connection, ProfileName name, int version)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, name.value());
      statement.setInt(2, version);
      return versions(statement).stream().findFirst();
    }
  }

  /** Returns the stored versions of a profile, by version; at most 200. */
  public List<StoredVersion> list(ProfileName name) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(LIST)) {
      statement.setString(1, name.value());
      statement.setInt(2, VERSIONS_MAX_PER_PROFILE);
      return versions(statement);
    } catch (SQLException e) {
      throw unavailable("the profile's versions cannot be read", e);
    }
  }

  /**
   * Returns these versions, in any order, as they are now; 64 at once at most.
   *
   * @throws IllegalArgumentException if more are asked for
   */
  public List<StoredVersion> read(List<StoredVersion.Key> keys) {
    if (keys.size() > READ_MAX) {
      throw new IllegalArgumentException(keys.size() + " versions, allowed " + READ_MAX);
    }
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setArray(
          1, connection.createArrayOf("text", keys.stream().map(k -> k.name().value()).toArray()));
      statement.setArray(
          2,
          connection.createArrayOf(
              "int4", keys.stream().map(StoredVersion.Key::version).toArray()));
      return versions(statement);
    } catch (SQLException e) {
      throw unavailable("the activated profiles cannot be read", e);
    }
  }

  private static List<StoredVersion> versions(PreparedStatement statement) throws SQLException {
    List<StoredVersion> versions = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        versions.add(
            new StoredVersion(
                new ProfileName(row.getString("name")),
                row.getInt("version"),
                OctetString.copyOf(row.getBytes("content")),
                new RequesterId(row.getString("added_by")),
                row.getObject("recorded_at", OffsetDateTime.class).toInstant()));
      }
    }
    return List.copyOf(versions);
  }

  private static LedgerUnavailable unavailable(String what, SQLException e) {
    return new LedgerUnavailable(what, e);
  }
}
