package org.sluiceca.api.acme.endpoint.store;

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
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.SqlParameterValue;

/**
 * The activations of the endpoints' stored versions. Append-only. Thread-safe; every method blocks,
 * for some seconds at most, and throws {@link LedgerUnavailable} when the database does not answer.
 */
public final class EndpointActivationStore {

  private static final String ACTIVATION = "number, name, version, activated_by, recorded_at";

  private static final String LOCK = "LOCK TABLE endpoint_activation IN SHARE ROW EXCLUSIVE MODE";

  private static final String NEWEST = "SELECT coalesce(max(number), 0) FROM endpoint_activation";

  private static final String CURRENT =
      "SELECT "
          + ACTIVATION
          + " FROM endpoint_activation WHERE name = ? ORDER BY number DESC LIMIT 1";

  private static final String APPROVED =
      "SELECT " + ACTIVATION + " FROM endpoint_activation WHERE approval = ?";

  private static final String ALL =
      """
      SELECT a.number, a.name, a.version, a.activated_by, a.recorded_at, v.content
      FROM (SELECT DISTINCT ON (name) number, name, version, activated_by, recorded_at
            FROM endpoint_activation ORDER BY name, number DESC) a
      LEFT JOIN endpoint_version v ON v.name = a.name AND v.version = a.version
      ORDER BY a.name LIMIT ?
      """;

  private static final String ACTIVATE =
      """
      INSERT INTO endpoint_activation (number, name, version, replaces, activated_by, approval)
      SELECT (SELECT coalesce(max(number), 0) + 1 FROM endpoint_activation), ?, ?, ?, ?, ?
      WHERE ? = (SELECT coalesce(max(number), 0) FROM endpoint_activation WHERE name = ?)
      AND NOT EXISTS (SELECT FROM approval_end e WHERE e.approval = ?::uuid)
      RETURNING number, name, version, activated_by, recorded_at
      """;

  private final LedgerSql sql;

  /** Keeps them in a database that was migrated. */
  public EndpointActivationStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * The activation that counts for a name.
   *
   * @param content of the version's file; empty for each node's own file
   */
  public record Active(EndpointActivation activation, Optional<OctetString> content) {}

  /** Returns the number of the newest activation of any endpoint, 0 for none: one look-up. */
  public long newest() {
    return sql.run(
        "the activations of endpoints cannot be read",
        jdbc -> jdbc.sql(NEWEST).query(Long.class).single());
  }

  /** Returns what counts for each name that was ever activated: 200 at most. */
  public List<Active> all() {
    return sql.run(
        "the active endpoints cannot be read",
        jdbc ->
            jdbc.sql(ALL)
                .param(EndpointStore.NAMES_MAX)
                .query(EndpointActivationStore::active)
                .list());
  }

  /** Returns the activation that counts for a name. */
  public Optional<EndpointActivation> current(EndpointName name) {
    return one(CURRENT, name.value());
  }

  /** Returns the activation that this approval has made. */
  public Optional<EndpointActivation> approved(UUID approval) {
    return one(APPROVED, approval);
  }

  private Optional<EndpointActivation> one(String query, Object key) {
    return sql.run(
        "the endpoint's activation cannot be read",
        jdbc -> jdbc.sql(query).param(key).query(EndpointActivationStore::activation).optional());
  }

  /**
   * Activates a stored version, or each node's file.
   *
   * @param version empty for the file
   * @param replaces the number of the activation of this name that is to be followed, 0 for none
   * @param approval by which a second person agreed; one activates once, and none that has ended
   * @return empty, changing nothing, if another activation has followed that one
   */
  public Optional<EndpointActivation> activate(
      EndpointName name,
      OptionalInt version,
      long replaces,
      RequesterId by,
      Optional<UUID> approval) {
    @Nullable Integer number = version.isPresent() ? version.getAsInt() : null;
    @Nullable UUID approved = approval.orElse(null);
    return sql.transaction(
        "the endpoint cannot be activated",
        jdbc -> {
          int _ = jdbc.sql(LOCK).update();
          return jdbc.sql(ACTIVATE)
              .param(name.value())
              .param(new SqlParameterValue(Types.INTEGER, number))
              .params(replaces, by.value())
              .param(new SqlParameterValue(Types.OTHER, approved))
              .params(replaces, name.value())
              .param(new SqlParameterValue(Types.OTHER, approved))
              .query(EndpointActivationStore::activation)
              .optional();
        });
  }

  private static Active active(ResultSet row, int number) throws SQLException {
    byte @Nullable [] content = row.getBytes("content");
    return new Active(
        activation(row, number), Optional.ofNullable(content).map(OctetString::copyOf));
  }

  private static EndpointActivation activation(ResultSet row, int number) throws SQLException {
    @Nullable Integer version = row.getObject("version", Integer.class);
    return new EndpointActivation(
        row.getLong("number"),
        new EndpointName(row.getString("name")),
        version == null ? OptionalInt.empty() : OptionalInt.of(version),
        new RequesterId(row.getString("activated_by")),
        LedgerColumns.instant(row, "recorded_at"));
  }
}
