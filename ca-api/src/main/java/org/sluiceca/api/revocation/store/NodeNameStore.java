package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/**
 * The names under which clients reach the nodes that share a database. Thread-safe; every method
 * blocks for at most a few seconds and throws {@link LedgerUnavailable} if the database does not
 * answer; repeating is safe.
 */
public final class NodeNameStore {

  /** A dozen nodes of a handful of names each; each wildcard in a request is held against all. */
  static final int NAMES_MAX = 1_000;

  // Written at most once an hour: a node reports far more often.
  private static final String REPORT =
      """
      INSERT INTO node_name AS k (name, node) SELECT n.name, ? FROM unnest(?) AS n (name) ORDER BY 1
      ON CONFLICT (name) DO UPDATE SET node = excluded.node, seen_at = now()
      WHERE k.seen_at < now() - interval '1 hour'
      """;

  private static final String LIST =
      "SELECT name FROM node_name WHERE seen_at > now() - interval '90 days' ORDER BY seen_at DESC LIMIT "
          + NAMES_MAX;

  private final LedgerDatabase database;

  /** Keeps names in a database that was migrated. */
  public NodeNameStore(LedgerDatabase database) {
    this.database = database;
  }

  /** Records that a node has these names now: DNS names and addresses of 253 characters at most. */
  public void report(String node, Collection<String> names) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(REPORT)) {
      statement.setString(1, node);
      statement.setArray(
          2,
          connection.createArrayOf(
              "text",
              names.stream()
                  .map(n -> n.toLowerCase(Locale.ROOT))
                  .distinct()
                  .toArray(String[]::new)));
      int _ = statement.executeUpdate();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the names of this node cannot be recorded", e);
    }
  }

  /** Returns the names of all nodes of the last 90 days, {@value #NAMES_MAX} at most. */
  public Set<String> names() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(LIST);
        ResultSet row = statement.executeQuery()) {
      Set<String> names = new HashSet<>();
      while (row.next()) {
        names.add(row.getString(1));
      }
      return Set.copyOf(names);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the names of the nodes cannot be read", e);
    }
  }
}
