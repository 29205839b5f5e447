package org.sluiceca.api.revocation.store;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.springframework.jdbc.support.SqlArrayValue;

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

  private final LedgerSql sql;

  /** Keeps names in a database that was migrated. */
  public NodeNameStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** Records that a node has these names now: DNS names and addresses of 253 characters at most. */
  public void report(String node, Collection<String> names) {
    Object[] distinct = names.stream().map(n -> n.toLowerCase(Locale.ROOT)).distinct().toArray();
    int _ =
        sql.run(
            "the names of this node cannot be recorded",
            jdbc -> jdbc.sql(REPORT).params(node, new SqlArrayValue("text", distinct)).update());
  }

  /** Returns the names of all nodes of the last 90 days, {@value #NAMES_MAX} at most. */
  public Set<String> names() {
    return sql.run(
        "the names of the nodes cannot be read",
        jdbc -> Set.copyOf(jdbc.sql(LIST).query(String.class).set()));
  }
}
