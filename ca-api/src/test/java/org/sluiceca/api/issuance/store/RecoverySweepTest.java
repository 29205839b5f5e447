package org.sluiceca.api.issuance.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.issuance.store.commit.SerialNumberTaken;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.ConnectionLimits;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Recovery reads each intent once and skips none, in real time with short limits. They are of
 * sweeps alone, which are tried again where a slow disk uses them up.
 */
class RecoverySweepTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Address ADDRESS = SERVER.freshDatabase();

  /** Below the lifetime, which is waited for. */
  private static final ConnectionLimits SHORT =
      new ConnectionLimits(
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofMillis(1_500),
          Duration.ofSeconds(12));

  private static final Duration LIFETIME = Duration.ofSeconds(2);
  private static final ClaimTerms OWNER = new ClaimTerms(new NodeId("owner"), LIFETIME);
  private static final ClaimTerms TAKER = new ClaimTerms(new NodeId("taker"), LIFETIME);

  // One for all tests, for they share the database: no serial number comes twice.
  private static final Intents INTENTS = new Intents(1_000_003);

  private static LedgerDatabase database;
  private static PostgresLedgerStore store;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(ADDRESS, SHORT);
    PostgresForTests.awaitLogin(database);
    store = new PostgresLedgerStore(database, LIFETIME, (size, nanos) -> {}, System::nanoTime);
  }

  @AfterAll
  static void close() {
    store.close();
    database.close();
  }

  @Test
  @Tag("slow")
  void claimExpired_slowTransaction_otherTakenAndSlowOneNotSkipped() throws Exception {
    Intent slow = INTENTS.next();
    Intent other = INTENTS.next();
    Set<SerialNumber> taken = new HashSet<>();
    // Without a transaction_timeout, as a transaction whose commit waits for a stalled disk.
    try (Connection connection = SERVER.connect(ADDRESS)) {
      connection.setAutoCommit(false);
      new IntentInsert(connection).execute(List.of(new IntentRow(slow, OWNER, soon())));
      record(other);

      Await.until("the other is taken", () -> sweep(taken).contains(other.serialNumber()));
      assertThat(taken).doesNotContain(slow.serialNumber());

      connection.commit();
    }

    Await.until("the slow one is taken", () -> sweep(taken).contains(slow.serialNumber()));
  }

  @Test
  @Tag("slow")
  void claimExpired_resolvedLater_listDoesNotGrow() throws Exception {
    Intent intent = INTENTS.next();
    record(intent);
    Await.until("taken", () -> sweep(new HashSet<>()).contains(intent.serialNumber()));
    assertThat(listed(intent)).isOne();

    try (Connection connection = SERVER.connect(ADDRESS)) {
      Claim claim = new Claim(TAKER.owner(), newestEpoch(intent), soon());
      Outcome outcome = new Outcome.Issued(Intents.signature(1));
      var _ =
          new OutcomeInsert(connection)
              .execute(List.of(new OutcomeRow(intent.serialNumber(), outcome, claim, soon())));
    }
    sweep(new HashSet<>());

    assertThat(listed(intent)).isZero();
  }

  @Test
  void recordIntent_databaseClockSetBack_notBeforeTheWatermark() throws Exception {
    SERVER.execute(ADDRESS, "UPDATE recovery_watermark SET announced = now() + interval '1 hour'");
    Intent intent = INTENTS.next();

    record(intent);

    assertThat(
            SERVER.number(
                ADDRESS,
                "SELECT count(*) FROM intent i, recovery_watermark w WHERE i.serial = "
                    + literal(intent)
                    + " AND i.recorded_at >= w.announced"))
        .isOne();
    resetWatermark();
  }

  /**
   * Else an intent that is written while a pass commits, and dated early by a clock that was set
   * back, would fall behind the watermark (found by the simulation).
   */
  @Test
  void claimExpired_watermark_movesOnlyAsFarAsAnEarlierPassAnnounced() {
    resetWatermark();

    var _ = claimExpired(0);

    assertThat(watermark("swept_before = '-infinity' AND announced > '-infinity'")).isOne();

    SERVER.execute(ADDRESS, "UPDATE recovery_watermark SET announced = 'yesterday'");
    var _ = claimExpired(0);

    assertThat(watermark("swept_before = 'yesterday' AND announced > 'yesterday'")).isOne();
  }

  /** The B-tree alone, and only the outcomes of each intent's own week. */
  @Test
  void listUnresolved_withAllIndexes_readsByTheTreeAndWithinPartitions() throws SQLException {
    List<String> plan = new ArrayList<>();
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(bitmapScan(connection)).isEqualTo("off");
      try (PreparedStatement explain =
          connection.prepareStatement("EXPLAIN " + RecoverySweep.LIST_UNRESOLVED)) {
        explain.setObject(1, OffsetDateTime.now(ZoneOffset.UTC));
        try (ResultSet lines = explain.executeQuery()) {
          while (lines.next()) {
            plan.add(lines.getString(1));
          }
        }
      }
    }

    assertThat(plan).noneMatch(line -> line.contains("Bitmap"));
    assertThat(plan).anyMatch(line -> line.contains("Index Scan using intent_recorded_w"));
    // One for each partition: of intents joined with outcomes of their week.
    assertThat(plan.stream().filter(line -> line.contains("Anti Join")).count()).isGreaterThan(10);
  }

  /** A pass without it would read every intent. */
  @Test
  void planByTime_treeIsNotThereYet_leavesTheBrinIndex() throws SQLException {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      try (Statement hide = connection.createStatement()) {
        hide.execute("SET LOCAL search_path = pg_catalog");
      }

      assertThat(bitmapScan(connection)).isEqualTo("on");
      connection.rollback();
    }
  }

  private static String bitmapScan(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(RecoverySweep.PLAN_BY_TIME);
      try (ResultSet setting = statement.executeQuery("SHOW enable_bitmapscan")) {
        setting.next();
        return setting.getString(1);
      }
    }
  }

  /** A row of a newer node, or a damaged one. */
  @Test
  @Tag("slow")
  void claimExpired_rowThatCannotBeRead_othersAreTaken() throws Exception {
    Intent strange = INTENTS.next();
    Intent sound = INTENTS.next();
    record(strange);
    SERVER.execute(
        ADDRESS,
        "UPDATE intent SET signature_algorithm = 'OF_TOMORROW' WHERE serial = " + literal(strange));
    record(sound);
    Set<SerialNumber> taken = new HashSet<>();

    Await.until("the sound one is taken", () -> sweep(taken).contains(sound.serialNumber()));

    assertThat(taken).doesNotContain(strange.serialNumber());
    SERVER.execute(
        ADDRESS,
        String.format(
            Locale.ROOT,
            "UPDATE intent SET signature_algorithm = '%s' WHERE serial = %s",
            strange.signatureAlgorithm().name(),
            literal(strange)));
    Await.until("and later", () -> sweep(taken).contains(strange.serialNumber()));
  }

  private static long watermark(String condition) {
    return SERVER.number(ADDRESS, "SELECT count(*) FROM recovery_watermark WHERE " + condition);
  }

  private static void resetWatermark() {
    SERVER.execute(
        ADDRESS,
        "UPDATE recovery_watermark SET swept_before = '-infinity', announced = '-infinity'");
  }

  private static Set<SerialNumber> sweep(Set<SerialNumber> taken) {
    claimExpired(100).forEach(t -> taken.add(t.intent().serialNumber()));
    return taken;
  }

  private static List<TakenOver> claimExpired(int max) {
    List<TakenOver> all = new ArrayList<>();
    Await.until(
        "a sweep keeps its limits",
        () -> {
          try {
            all.addAll(store.claimExpired(TAKER, max));
            return true;
          } catch (LedgerUnavailable e) {
            return false;
          }
        });
    return all;
  }

  private static void record(Intent intent) throws SQLException, SerialNumberTaken {
    try (Connection connection = SERVER.connect(ADDRESS)) {
      new IntentInsert(connection).execute(List.of(new IntentRow(intent, OWNER, soon())));
    }
  }

  private static long listed(Intent intent) {
    return SERVER.number(
        ADDRESS, "SELECT count(*) FROM unresolved_intent WHERE serial = " + literal(intent));
  }

  private static int newestEpoch(Intent intent) {
    return Math.toIntExact(
        SERVER.number(ADDRESS, "SELECT max(epoch) FROM claim WHERE serial = " + literal(intent)));
  }

  private static String literal(Intent intent) {
    return "'\\x" + intent.serialNumber().hex() + "'";
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), System::nanoTime);
  }
}
