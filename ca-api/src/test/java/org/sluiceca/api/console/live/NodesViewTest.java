package org.sluiceca.api.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.api.console.live.nodes.NodeRowsForTests.second;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.console.live.nodes.NodeSecond;
import org.sluiceca.api.console.live.nodes.NodesFeed.Minute;
import org.sluiceca.api.console.live.nodes.NodesFeed.Neighbour;
import org.sluiceca.api.console.live.nodes.NodesFeed.Neighbours;

/** Which words and numbers a page shows of all nodes. */
class NodesViewTest {

  private static final NodeSecond OWN = second("node-0", "calm", 30, 0.2);

  private static Map<String, List<LiveView.Row>> lists(Neighbour... others) {
    return NodesView.lists(OWN, true, new Neighbours(Arrays.asList(others), true, 0.5));
  }

  private static Neighbour heard(NodeSecond second) {
    return new Neighbour(second, 0.8, false);
  }

  private static LiveView.Row row(Map<String, List<LiveView.Row>> lists, String list, int index) {
    return Objects.requireNonNull(lists.get(list)).get(index);
  }

  private static String sentence(Map<String, List<LiveView.Row>> lists) {
    return Objects.requireNonNull(row(lists, "cluster", 0).fields().get("text"));
  }

  @Test
  void calm_rowsAndSum() {
    var lists = lists(heard(second("node-1", "calm", 10, 0.4)));

    assertThat(sentence(lists))
        .isEqualTo("Calm: 40 certificates a second, and every HSM has room.");
    assertThat(row(lists, "nodes", 0).fields())
        .containsEntry("name", "node-0")
        .containsEntry("state", "calm")
        .containsEntry("issued", "30/s")
        .containsEntry("depth", "12")
        .containsEntry("wait", "10 ms");
    assertThat(row(lists, "sum", 0).fields())
        .containsEntry("state", "2 of 2 nodes")
        .containsEntry("issued", "40/s")
        .containsEntry("depth", "24")
        .containsEntry("used", "30 %")
        .containsEntry("tokens", "2 of 2");
  }

  @Test
  void full_namesTheHsmAndItsNode() {
    var lists = lists(heard(second("node-1", "full", 10, 0.99)));

    assertThat(sentence(lists))
        .isEqualTo(
            "Requests are refused for load on node-1: the window of net-1 is full on node-1.");
    assertThat(row(lists, "nodes", 1).fields()).containsEntry("state", "refusing");
    assertThat(row(lists, "nodes", 1).state()).isEqualTo("full");
  }

  @Test
  void lost_comesFirst() {
    var lists =
        lists(heard(second("node-1", "full", 10, 0.99)), heard(second("node-2", "lost", 0, 0)));

    assertThat(sentence(lists)).isEqualTo("No HSM can sign on node-2.");
    assertThat(row(lists, "nodes", 2).fields()).containsEntry("state", "no HSM");
  }

  @Test
  void busy_namesTheFullest() {
    assertThat(sentence(lists(heard(second("node-1", "busy", 10, 0.8)))))
        .isEqualTo(
            "Busy: the window of net-1 on node-1 is used at 80 %, and nothing is refused for"
                + " load.");
  }

  @Test
  void silent_shownAsSuchAndNotSummed() {
    var lists = lists(new Neighbour(second("node-1", "calm", 10, 0.4), 42.3, true));

    assertThat(sentence(lists))
        .isEqualTo(
            "Calm: 30 certificates a second, and every HSM has room. node-1 has stopped writing"
                + " figures: down, or cut off from the database.");
    assertThat(row(lists, "nodes", 1).fields())
        .containsEntry("state", "silent for 42 s")
        .containsEntry("issued", "–");
    assertThat(row(lists, "sum", 0).fields())
        .containsEntry("state", "1 of 2 nodes")
        .containsEntry("issued", "30/s");
  }

  /** Its last row is of the hour before the page: that it writes again takes two seconds. */
  @Test
  void notHeardYet_noAccusation() {
    var lists = lists(new Neighbour(second("node-1", "calm", 10, 0.4), 300, false));

    assertThat(sentence(lists)).startsWith("Calm: 30");
    assertThat(row(lists, "nodes", 1).fields()).containsEntry("state", "not heard yet");
  }

  @Test
  void databaseAway_saidSoAndOwnFiguresStay() {
    var lists =
        NodesView.lists(
            OWN,
            true,
            new Neighbours(List.of(heard(second("node-1", "calm", 10, 0.4))), true, 7.2));

    assertThat(sentence(lists))
        .isEqualTo("The database has not answered for 7 s: only this node is seen.");
    assertThat(row(lists, "nodes", 0).fields()).containsEntry("issued", "30/s");
  }

  @Test
  void firstMoment_nothingMadeUp() {
    var lists = NodesView.lists(OWN, false, new Neighbours(List.of(), false, 0));

    assertThat(sentence(lists)).isEqualTo("Looking for the other nodes.");
    assertThat(row(lists, "nodes", 0).fields())
        .containsEntry("state", "measuring")
        .containsEntry("issued", "–");
  }

  @Test
  void hour_minutes_asTextAndAsNumbers() {
    HourView view =
        HourView.of(
            List.of(new Minute(Instant.parse("2026-01-02T03:04:00Z"), 2, 57, 14.25, 0, 6, 0, 0.5)));

    assertThat(view.minutes().getFirst().fields())
        .containsEntry("time", "03:04")
        .containsEntry("issued", "14/s")
        .containsEntry("seconds", "57 s")
        .containsEntry("used", "50 %");
    assertThat(view.minutes().getFirst().point()).isEqualTo("1767323040 14.250 0.000 6.000");
  }
}
