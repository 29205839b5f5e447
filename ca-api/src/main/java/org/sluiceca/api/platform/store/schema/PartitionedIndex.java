package org.sluiceca.api.platform.store.schema;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An index over one column of a partitioned table, created without making writers wait. CREATE
 * INDEX CONCURRENTLY takes no partitioned table. So the parent gets an index without content, which
 * takes moments, and each partition its own, concurrently; attached to the parent's they become
 * one. Partitions that are made later get theirs from the parent.
 *
 * @param where what its rows have in common, as a WHERE clause; empty if it has all rows
 */
record PartitionedIndex(String name, String table, String column, String where) {

  private static final String STATE =
      "SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass(?)";

  /** Partitions whose own index is not part of the parent's. */
  private static final String MISSING =
      """
      SELECT h.inhrelid::regclass::text FROM pg_inherits h
      WHERE h.inhparent = to_regclass(?) AND NOT EXISTS (
        SELECT FROM pg_index i JOIN pg_inherits n ON n.inhrelid = i.indexrelid
        WHERE i.indrelid = h.inhrelid AND n.inhparent = to_regclass(?))
      ORDER BY h.inhrelid
      """;

  private static final Logger LOG = LoggerFactory.getLogger(PartitionedIndex.class);

  /** Returns whether it is there in full: for each partition. */
  boolean isThere(IndexSession session) throws SQLException {
    return "t".equals(session.text(STATE, name));
  }

  /** Returns the partitions that lack it. */
  List<String> lacking(IndexSession session) throws SQLException {
    return session.texts(MISSING, table, name);
  }

  /**
   * Creates what is missing of it. Blocks until done, for minutes or hours; what an interrupted
   * call has left is continued by the next. One session at a time may call this.
   *
   * @param patience how long the index of a partition may wait for a lock, as PostgreSQL's
   *     lock_timeout writes it
   */
  void create(IndexSession session, String patience) throws SQLException {
    if (session.text(STATE, name) == null) {
      session.executeBriefly(
          String.format(
              Locale.ROOT, "CREATE INDEX %s ON ONLY %s (%s) %s", name, table, column, where));
    }
    List<String> missing = lacking(session);
    for (String partition : missing) {
      String own = name + partition.substring(partition.lastIndexOf('_'));
      session.execute("SET lock_timeout = '" + patience + "'");
      if ("f".equals(session.text(STATE, own))) {
        // Left by a start that was interrupted.
        session.execute("DROP INDEX CONCURRENTLY " + own);
      }
      session.execute(
          String.format(
              Locale.ROOT,
              "CREATE INDEX CONCURRENTLY IF NOT EXISTS %s ON %s (%s) %s",
              own,
              partition,
              column,
              where));
      session.executeBriefly(
          String.format(Locale.ROOT, "ALTER INDEX %s ATTACH PARTITION %s", name, own));
    }
    if (!missing.isEmpty()) {
      LOG.info("index {} is there, of {} partitions", name, missing.size());
    }
  }
}
