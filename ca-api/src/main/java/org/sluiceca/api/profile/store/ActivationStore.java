package org.sluiceca.api.profile.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.SqlParameterValue;

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

  private final LedgerSql sql;

  /** Keeps them in a database that was migrated. */
  public ActivationStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Returns the number of the newest activation of any profile, 0 for none: one look-up. */
  public long newest() {
    return sql.run(
        "the activations of profiles cannot be read",
        jdbc -> jdbc.sql(NEWEST).query(Long.class).single());
  }

  /** Returns the activation that counts for a name. */
  public Optional<Activation> current(ProfileName name) {
    return one(CURRENT, name.value());
  }

  /** Returns the activation that this approval has made. */
  public Optional<Activation> approved(UUID approval) {
    return one(APPROVED, approval);
  }

  private Optional<Activation> one(String query, Object key) {
    return sql.run(
        "the profile's activation cannot be read",
        jdbc -> jdbc.sql(query).param(key).query(ActivationStore::activation).optional());
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
    return sql.transaction(
        "the activated profiles cannot be read",
        jdbc -> {
          // First the activations: a version is there before it is activated, and stays.
          List<Activation> activations =
              jdbc.sql(ACTIVATIONS).query(ActivationStore::activation).list();
          return new History(
              jdbc.sql(ACTIVATED)
                  .param(VersionStore.VERSIONS_MAX)
                  .query(ActivationStore::key)
                  .list(),
              activations);
        });
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
    @Nullable Integer number = version.isPresent() ? version.getAsInt() : null;
    @Nullable UUID approved = approval.orElse(null);
    return sql.transaction(
        "the profile cannot be activated",
        jdbc -> {
          int _ = jdbc.sql(LOCK).update();
          return jdbc.sql(ACTIVATE)
              .param(name.value())
              .param(new SqlParameterValue(Types.INTEGER, number))
              .params(replaces, by.value())
              .param(new SqlParameterValue(Types.OTHER, approved))
              .params(replaces, name.value())
              .param(new SqlParameterValue(Types.OTHER, approved))
              .query(ActivationStore::activation)
              .optional();
        });
  }

  private static StoredVersion.Key key(ResultSet row, int number) throws SQLException {
    return new StoredVersion.Key(
        new ProfileName(row.getString("name")),
        row.getInt("version"),
        OctetString.copyOf(row.getBytes("sha256")));
  }

  private static Activation activation(ResultSet row, int number) throws SQLException {
    @Nullable Integer version = row.getObject("version", Integer.class);
    return new Activation(
        row.getLong("number"),
        new ProfileName(row.getString("name")),
        version == null ? OptionalInt.empty() : OptionalInt.of(version),
        new RequesterId(row.getString("activated_by")),
        LedgerColumns.instant(row, "recorded_at"));
  }
}
