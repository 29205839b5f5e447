package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.sluiceca.api.issuance.store.commit.IntentRow;

/**
 * The part of a transaction that finds which of the intents to record have a compromised key.
 *
 * <p>A revocation records the key under the exclusive lock of the key's bucket (the trigger {@code
 * record_compromised_keys}). This takes the shared locks first and holds them until the transaction
 * ends; the statement that looks comes after it and has a snapshot of its own (READ COMMITTED). So
 * a revocation that committed before the locks is seen, and one that did not waits until the
 * intents are committed: no intent is recorded after its key was.
 */
final class CompromisedKeyCheck {

  /** The first key of the advisory locks, as in the trigger; the letters "nnck". */
  private static final int LOCK_CLASS = 1_853_187_683;

  /** As in the trigger: 64 locks at most a transaction, whatever the size of its batch. */
  private static final int BUCKET_MASK = 63;

  /** Takes the locks of an array of buckets; another statement follows in the same message. */
  static final String LOCK =
      String.format(
          Locale.ROOT,
          "SELECT pg_advisory_xact_lock_shared(%d, b.bucket) FROM unnest(?) AS b (bucket);\n",
          LOCK_CLASS);

  private static final String LOCK_AND_FIND =
      LOCK
          + """
      SELECT a.number FROM unnest(?, ?) WITH ORDINALITY AS a (spki_sha256, requester, number)
      WHERE EXISTS (SELECT FROM compromised_key c WHERE c.spki_sha256 = a.spki_sha256)
        OR EXISTS (SELECT FROM compromised_key_claim c
                   WHERE c.spki_sha256 = a.spki_sha256 AND c.requester = a.requester)
      """;

  private CompromisedKeyCheck() {}

  /** Returns those of {@code rows} whose key is compromised for their requester, and stays so. */
  static Set<IntentRow> lockAndFind(Connection connection, List<IntentRow> rows)
      throws SQLException {
    List<IntentRow> asked = rows.stream().filter(row -> row.publicKey().isPresent()).toList();
    Set<IntentRow> found = new HashSet<>();
    if (asked.isEmpty()) {
      return found;
    }
    byte[][] keys = asked.stream().map(CompromisedKeyCheck::octets).toArray(byte[][]::new);
    try (PreparedStatement statement = connection.prepareStatement(LOCK_AND_FIND)) {
      bindBuckets(statement, keys);
      statement.setArray(2, connection.createArrayOf("bytea", keys));
      statement.setArray(
          3,
          connection.createArrayOf(
              "text",
              asked.stream().map(row -> row.intent().origin().requester().value()).toArray()));
      boolean isLocked = statement.execute();
      if (!isLocked || !statement.getMoreResults()) {
        throw new SQLException("the look-up of compromised keys gave no result");
      }
      try (ResultSet row = statement.getResultSet()) {
        while (row.next()) {
          found.add(asked.get(row.getInt(1) - 1));
        }
      }
    }
    return found;
  }

  /** Binds the first parameter, that of {@link #LOCK}. */
  static void bindBuckets(PreparedStatement statement, byte[][] keys) throws SQLException {
    // In one order for every transaction, so that none waits in a circle.
    Set<Integer> buckets = new TreeSet<>();
    for (byte[] key : keys) {
      buckets.add(key[0] & BUCKET_MASK);
    }
    statement.setArray(1, statement.getConnection().createArrayOf("int4", buckets.toArray()));
  }

  /** Returns the fingerprint of the public key, which the row must have. */
  static byte[] octets(IntentRow row) {
    return row.publicKey().orElseThrow().sha256().octets();
  }
}
