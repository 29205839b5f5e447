package org.sluiceca.api.acme.endpoint.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The versions of endpoints that administrators stored. Append-only. Thread-safe; every method
 * blocks, for some seconds at most, and throws {@link LedgerUnavailable} when the database does not
 * answer.
 */
public final class EndpointStore {

  /** More versions than people write of one endpoint. */
  public static final int VERSIONS_MAX_PER_ENDPOINT = 200;

  /** Of all endpoints. */
  public static final int VERSIONS_MAX = 2_000;

  /** Names of endpoints: a node reads one file of each at once. */
  public static final int NAMES_MAX = 200;

  private static final String LOCK = "LOCK TABLE endpoint_version IN SHARE ROW EXCLUSIVE MODE";

  private static final String COUNTS =
      """
      SELECT count(*) AS versions, count(*) FILTER (WHERE name = ?) AS of_name,
        count(DISTINCT name) AS names
      FROM endpoint_version
      """;

  private static final String ADD =
      """
      INSERT INTO endpoint_version (name, version, content, sha256, added_by)
      VALUES (?, ?, ?, sha256(?), ?)
      """;

  private static final String VERSION = "SELECT name, version, content, added_by, recorded_at ";

  private static final String FIND =
      VERSION + "FROM endpoint_version WHERE name = ? AND version = ?";

  private static final String LIST =
      VERSION + "FROM endpoint_version WHERE name = ? ORDER BY version LIMIT ?";

  private static final String NAMES =
      "SELECT DISTINCT name FROM endpoint_version ORDER BY name LIMIT ?";

  private final LedgerSql sql;

  /** Keeps them in a database that was migrated. */
  public EndpointStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** The result of storing a version. */
  public enum Added {
    /** It is stored now. */
    ADDED,
    /** The very same file was stored before. */
    KNOWN,
    /** This version is another file: its number is taken. */
    CONTRADICTORY,
    /** There are as many as there may be. */
    TOO_MANY
  }

  /** Stores a version, inactive. */
  public Added add(EndpointName name, int version, OctetString content, RequesterId by) {
    return sql.transaction(
        "the endpoint cannot be stored",
        jdbc -> {
          // Every transaction that stores a version holds this lock, so what is read here stays.
          int _ = jdbc.sql(LOCK).update();
          Added judged = judge(jdbc, name, version, content);
          if (judged == Added.ADDED) {
            int _ =
                jdbc.sql(ADD)
                    .params(name.value(), version, content.octets(), content.octets(), by.value())
                    .update();
          }
          return judged;
        });
  }

  /** Returns what {@link #add} would return now; stores nothing and takes no lock. */
  public Added judge(EndpointName name, int version, OctetString content) {
    return sql.run(
        "the endpoint's versions cannot be read", jdbc -> judge(jdbc, name, version, content));
  }

  private static Added judge(JdbcClient jdbc, EndpointName name, int version, OctetString content) {
    Optional<StoredEndpoint> before =
        jdbc.sql(FIND).params(name.value(), version).query(EndpointStore::version).optional();
    if (before.isPresent()) {
      return before.get().content().equals(content) ? Added.KNOWN : Added.CONTRADICTORY;
    }
    return jdbc.sql(COUNTS).param(name.value()).query(EndpointStore::isFull).single()
        ? Added.TOO_MANY
        : Added.ADDED;
  }

  private static boolean isFull(ResultSet row, int number) throws SQLException {
    int ofName = row.getInt("of_name");
    return row.getInt("versions") >= VERSIONS_MAX
        || ofName >= VERSIONS_MAX_PER_ENDPOINT
        || (ofName == 0 && row.getInt("names") >= NAMES_MAX);
  }

  /** Returns a stored version. */
  public Optional<StoredEndpoint> find(EndpointName name, int version) {
    return sql.run(
        "the endpoint's version cannot be read",
        jdbc ->
            jdbc.sql(FIND).params(name.value(), version).query(EndpointStore::version).optional());
  }

  /** Returns the stored versions of an endpoint, by version; at most 200. */
  public List<StoredEndpoint> list(EndpointName name) {
    return sql.run(
        "the endpoint's versions cannot be read",
        jdbc ->
            jdbc.sql(LIST)
                .params(name.value(), VERSIONS_MAX_PER_ENDPOINT)
                .query(EndpointStore::version)
                .list());
  }

  /** Returns the names of which versions are stored; at most 200. */
  public List<String> names() {
    return sql.run(
        "the names of endpoints cannot be read",
        jdbc -> jdbc.sql(NAMES).param(NAMES_MAX).query(String.class).list());
  }

  private static StoredEndpoint version(ResultSet row, int number) throws SQLException {
    return new StoredEndpoint(
        new EndpointName(row.getString("name")),
        row.getInt("version"),
        OctetString.copyOf(row.getBytes("content")),
        new RequesterId(row.getString("added_by")),
        LedgerColumns.instant(row, "recorded_at"));
  }
}
