package org.sluiceca.api.profile.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.profile.CertificateProfile;

/** The contents that profiles have had under each of their versions. Thread-safe. */
public final class ProfileStore {

  private static final String LOCK = "LOCK TABLE profile_version IN SHARE ROW EXCLUSIVE MODE";

  private static final String COUNT =
      """
      SELECT count(*) AS editions, count(*) FILTER (WHERE digest = ?) AS same
      FROM profile_version WHERE name = ? AND version = ?
      """;

  private static final String INSERT =
      "INSERT INTO profile_version (digest, name, version) VALUES (?, ?, ?)";

  private final LedgerDatabase database;

  /** Keeps them in a database that was migrated. */
  public ProfileStore(LedgerDatabase database) {
    this.database = database;
  }

  /** How a profile's content compares with what was recorded. */
  public enum Version {
    /** Recorded now or before: it may issue. */
    KNOWN,
    /** Other content was recorded under this version, which its file does not state. */
    CHANGED,
    /** Other content was recorded under this version, which its file states: not recorded. */
    CONTRADICTORY
  }

  /** Records the content of a profile's version, unless it contradicts what is there. */
  public Version record(CertificateProfile profile) {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      lock(connection);
      Version version = version(connection, profile);
      connection.commit();
      return version;
    } catch (SQLException e) {
      throw new LedgerUnavailable(
          "the version of profile " + profile.name() + " cannot be recorded", e);
    }
  }

  /**
   * Takes the lock, held to the end of the transaction: no other one records a version meanwhile.
   */
  static void lock(Connection connection) throws SQLException {
    try (Statement lock = connection.createStatement()) {
      lock.execute(LOCK);
    }
  }

  static Version version(Connection connection, CertificateProfile profile) throws SQLException {
    Recorded recorded = recorded(connection, profile);
    if (recorded.isSame()) {
      return Version.KNOWN;
    }
    if (recorded.contradicts(profile)) {
      return Version.CONTRADICTORY;
    }
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      bind(statement, profile);
      statement.executeUpdate();
    }
    return recorded.versions() > 0 ? Version.CHANGED : Version.KNOWN;
  }

  /** Whether other content is recorded under the version that the file states. Records nothing. */
  static boolean isContradictory(Connection connection, CertificateProfile profile)
      throws SQLException {
    return recorded(connection, profile).contradicts(profile);
  }

  /**
   * What is recorded under a name and version.
   *
   * @param versions how many contents
   * @param isSame whether the profile's own is among them
   */
  private record Recorded(long versions, boolean isSame) {

    boolean contradicts(CertificateProfile profile) {
      return !isSame && versions > 0 && profile.version().isStated();
    }
  }

  private static Recorded recorded(Connection connection, CertificateProfile profile)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COUNT)) {
      bind(statement, profile);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Recorded(row.getLong("editions"), row.getLong("same") > 0);
      }
    }
  }

  private static void bind(PreparedStatement statement, CertificateProfile profile)
      throws SQLException {
    statement.setBytes(1, profile.version().digest().octets());
    statement.setString(2, profile.name().value());
    statement.setInt(3, profile.version().number());
  }
}
