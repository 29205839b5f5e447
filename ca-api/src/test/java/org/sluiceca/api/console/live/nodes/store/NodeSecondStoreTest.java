package org.sluiceca.api.console.live.nodes.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.console.live.nodes.NodeRowsForTests;
import org.sluiceca.api.console.live.nodes.NodeSecond;
import org.sluiceca.api.console.live.nodes.NodesFeed.Minute;
import org.sluiceca.api.console.live.nodes.NodesFeed.Row;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;

/** What the database keeps of nodes, on a real PostgreSQL. */
class NodeSecondStoreTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final String ROWS = "SELECT count(*) FROM node_second";

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final NodeSecondStore store = new NodeSecondStore(database);

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static NodeSecond second(String node, double issued) {
    return NodeRowsForTests.second(node, "calm", issued, 0.25);
  }

  private void add(String node, String at, double issued) {
    SERVER.execute(
        address,
        String.format(
            Locale.ROOT,
            "INSERT INTO node_second (second, node, state, stage, token, depth, wait_seconds,"
                + " utilization, issued, refused, window_jobs, tokens_usable, tokens)"
                + " VALUES (%s, '%s', 'calm', '', 't', 4, 0.5, 0.25, %f, 1, 10, 1, 1)",
            at,
            node,
            issued));
  }

  private void looked(String ago) {
    SERVER.execute(address, "UPDATE console_watch SET looked_at = now() - interval '" + ago + "'");
  }

  @Test
  void write_then_readByAnotherNodeAsItWas() {
    NodeSecond row = second("node-1", 7);
    store.write(row);

    List<Row> read = store.exchange(Optional.empty(), 15).rows();

    assertThat(read).extracting(Row::second).extracting(NodeSecond::node).containsExactly("node-1");
    NodeSecond first = read.getFirst().second();
    assertThat(first.state()).isEqualTo("calm");
    assertThat(first.token()).isEqualTo("net-1");
    assertThat(first.load().issued()).isEqualTo(7);
    assertThat(first.load().waitSeconds()).isCloseTo(0.01, within(1e-6));
    assertThat(first.load().tokensUsable()).isOne();
    assertThat(read.getFirst().ageSeconds()).isBetween(0.0, 600.0);
  }

  /** In one transaction now() stands still, as within one second. */
  @Test
  void write_twiceInASecond_oneRow() {
    add("node-1", "date_trunc('second', now()) + interval '1 hour'", 3);
    String again =
        "INSERT INTO node_second SELECT second, node, state, stage, token, depth, wait_seconds,"
            + " utilization, 9, refused, window_jobs, tokens_usable, tokens FROM node_second"
            + " ON CONFLICT (second, node) DO NOTHING";
    SERVER.execute(address, again);

    assertThat(SERVER.number(address, ROWS)).isOne();
  }

  @Test
  void exchange_withoutARow_writesNone() {
    assertThat(store.exchange(Optional.empty(), 15).rows()).isEmpty();
    assertThat(SERVER.number(address, ROWS)).isZero();

    store.exchange(Optional.of(second("node-0", 1)), 15);
    assertThat(SERVER.number(address, ROWS)).isOne();
  }

  @Test
  void exchange_pageOpen_notedOnceInTenSeconds() {
    String fresh =
        "SELECT count(*) FROM console_watch WHERE looked_at > now() - interval '5 seconds'";
    assertThat(SERVER.number(address, fresh)).isZero();
    store.exchange(Optional.empty(), 15);
    assertThat(SERVER.number(address, fresh)).isOne();

    looked("8 seconds");
    store.exchange(Optional.empty(), 15);
    assertThat(SERVER.number(address, fresh)).isZero();
    looked("11 seconds");
    store.exchange(Optional.empty(), 15);
    assertThat(SERVER.number(address, fresh)).isOne();
  }

  @Test
  void exchange_watchedSeconds_sincePagesWereOpenWithoutAPause() {
    assertThat(store.exchange(Optional.empty(), 15).watchedSeconds()).isZero();
    SERVER.execute(
        address,
        "UPDATE console_watch SET began_at = now() - interval '1 hour',"
            + " looked_at = now() - interval '15 seconds'");
    assertThat(store.exchange(Optional.empty(), 15).watchedSeconds()).isGreaterThan(3_599);

    looked("21 seconds");
    assertThat(store.exchange(Optional.empty(), 15).watchedSeconds()).isZero();
    assertThat(store.exchange(Optional.empty(), 15).watchedSeconds()).isLessThan(600);
  }

  /** Nodes would write without end, and a page would show the figures of before. */
  @Test
  void exchange_afterTheClockOfTheDatabaseWasSetBack_goesOn() {
    add("node-1", "now() + interval '10 minutes'", 3);
    add("node-1", "now() - interval '2 seconds'", 4);
    SERVER.execute(
        address,
        "UPDATE console_watch SET began_at = now() + interval '9 minutes',"
            + " looked_at = now() + interval '10 minutes'");
    String watched =
        "SELECT count(*) FROM console_watch WHERE looked_at BETWEEN now() - interval '5 seconds'"
            + " AND now() AND began_at <= now()";

    assertThat(store.exchange(Optional.empty(), 900).rows())
        .extracting(row -> row.second().load().issued())
        .containsExactly(4.0);

    assertThat(SERVER.number(address, watched)).isOne();
    assertThat(store.hour()).hasSize(1);
  }

  @Test
  void exchange_newestOfEachNode_ofTheSecondsAskedFor() {
    add("node-1", "now() - interval '2 seconds'", 3);
    add("node-1", "now() - interval '5 seconds'", 4);
    add("node-2", "now() - interval '30 minutes'", 5);

    assertThat(store.exchange(Optional.empty(), 900).rows())
        .extracting(row -> row.second().node() + " " + row.second().load().issued())
        .containsExactly("node-1 3.0");
    assertThat(store.exchange(Optional.empty(), 3_600).rows())
        .extracting(row -> row.second().node())
        .containsExactly("node-1", "node-2");
  }

  @Test
  void exchange_rowsOfMoreThanAnHour_removed() {
    add("node-1", "now() - interval '61 minutes'", 3);
    add("node-1", "now() - interval '50 minutes'", 3);

    store.exchange(Optional.empty(), 15);

    assertThat(SERVER.number(address, ROWS)).isOne();
  }

  /** 500 at once, so that no page waits for the removal of what a night has left. */
  @Test
  void exchange_manyOldRows_removedInParts() {
    SERVER.execute(
        address,
        "INSERT INTO node_second SELECT now() - interval '2 hours' - n * interval '1 second', 'a',"
            + " 'calm', '', 't', 0, 0, 0, 0, 0, 0, 1, 1 FROM generate_series(1, 1200) n");

    store.exchange(Optional.empty(), 15);
    assertThat(SERVER.number(address, ROWS)).isEqualTo(700);
    store.exchange(Optional.empty(), 15);
    store.exchange(Optional.empty(), 15);
    assertThat(SERVER.number(address, ROWS)).isZero();
  }

  /**
   * A node that wrote for half of a minute counts half, and a second that all missed not at all.
   */
  @Test
  void hour_minutes_sumsOfNodes() {
    String minute = "date_trunc('minute', now()) - interval '5 minutes'";
    for (int i = 0; i < 4; i++) {
      add("node-1", minute + " + interval '" + i + " seconds'", 10);
    }
    add("node-2", minute + " + interval '1 second'", 8);
    add("node-2", minute + " + interval '2 seconds'", 8);
    add("node-1", "date_trunc('minute', now()) - interval '70 minutes'", 10);

    List<Minute> hour = store.hour();

    assertThat(hour).hasSize(1);
    assertThat(hour.getFirst().nodes()).isEqualTo(2);
    assertThat(hour.getFirst().seconds()).isEqualTo(4);
    assertThat(hour.getFirst().issued()).isEqualTo(14);
    assertThat(hour.getFirst().refused()).isEqualTo(1.5);
    assertThat(hour.getFirst().depth()).isEqualTo(6);
    assertThat(hour.getFirst().waitSeconds()).isCloseTo(0.5, within(1e-6));
    assertThat(hour.getFirst().utilization()).isCloseTo(0.25, within(1e-6));
  }
}
