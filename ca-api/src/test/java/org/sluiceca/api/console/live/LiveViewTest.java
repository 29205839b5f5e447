package org.sluiceca.api.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.console.live.feed.Causes;
import org.sluiceca.api.console.live.feed.Figures;
import org.sluiceca.api.console.live.feed.Rates;
import org.sluiceca.api.console.live.feed.Reading;
import org.sluiceca.api.console.live.feed.Readings;
import org.sluiceca.api.console.live.feed.Tally;
import org.sluiceca.api.console.live.feed.Verdict;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.request.Role;

/** Which words and numbers a page shows of readings, and to whom. */
class LiveViewTest {

  private static final Map<String, Tally> NONE = Map.of();

  private static Reading first() {
    return Readings.reading(
        0,
        Readings.counts(100, 90, Map.of("saturated", 5.0, "over_share", 0.0), Map.of("lint", 1.0)),
        NONE,
        Readings.token("t", 2, 0, 1_000));
  }

  private static LiveView view(Reading now, String... viewer) {
    List<Reading> readings = List.of(first(), now);
    return LiveView.of(
        now,
        Rates.of(readings),
        viewer.length == 0 ? Readings.OFFICER : Readings.requester(viewer[0], Role.REQUESTER));
  }

  private static List<LiveView.Row> rows(LiveView view, String list) {
    return Objects.requireNonNull(view.lists().get(list));
  }

  private static Map<String, String> stage(LiveView view, int index) {
    return rows(view, "stages").get(index).fields();
  }

  @Test
  void calm_ratesOfTheLastSeconds_nothingMarked() {
    LiveView view =
        view(
            Readings.reading(
                5,
                Readings.counts(
                    300, 280, Map.of("saturated", 5.0, "over_share", 0.0), Map.of("lint", 1.0)),
                NONE,
                Readings.token("t", 4, 0, 1_195)));

    assertThat(view.verdict().state()).isEqualTo("calm");
    assertThat(view.verdict().text())
        .isEqualTo("Calm: 38 certificates a second, and the HSM has room.");
    assertThat(stage(view, 0)).containsEntry("value", "40").containsEntry("unit", "requests/s");
    assertThat(stage(view, 1))
        .containsEntry("value", "12")
        .containsEntry("unit", "of 512 places taken");
    assertThat(stage(view, 3)).containsEntry("note", "0 before it; mean wait 10 ms");
    assertThat(stage(view, 4)).containsEntry("value", "30 %");
    assertThat(stage(view, 5)).containsEntry("value", "38");
    assertThat(rows(view, "stages")).noneMatch(LiveView.Row::isMarked);
    assertThat(rows(view, "tokens").getFirst().fields()).containsEntry("rate", "39/s");
    assertThat(rows(view, "refusals"))
        .extracting(row -> row.fields().get("name"))
        .containsExactly("saturated", "lint");
  }

  @Test
  void shed_causeIsNamedAndItsStageMarked() {
    LiveView view =
        view(
            Readings.reading(
                5,
                Readings.counts(
                    200, 180, Map.of("saturated", 5.0, "over_share", 50.0), Map.of("lint", 1.0)),
                NONE,
                Readings.token("t", 10, 40, 1_100)));

    assertThat(view.verdict().state()).isEqualTo("full");
    assertThat(view.verdict().text())
        .isEqualTo(
            "10 requests a second are refused for load: a requester wants more than its fair share"
                + " of the line.");
    assertThat(rows(view, "stages").get(1).isMarked()).isTrue();
    assertThat(rows(view, "refusals").getFirst().fields())
        .containsEntry("name", "over share")
        .containsEntry("rate", "10/s")
        .containsEntry("count", "50");
  }

  /** That the line is full is no bottleneck: it is filled by what is behind it. */
  @Test
  void fullLine_bottleneckIsBehindIt() {
    Reading.Counts counts =
        Readings.counts(
            200, 180, Map.of("saturated", 55.0, "over_share", 0.0), Map.of("lint", 1.0));
    LiveView hsm = view(Readings.reading(5, counts, NONE, Readings.token("t", 9, 40, 6_000)));
    LiveView node = view(Readings.reading(5, counts, NONE, Readings.token("t", 0, 0, 1_010)));

    assertThat(hsm.verdict())
        .isEqualTo(
            new Verdict(
                "full",
                "hsm",
                "The HSM is the bottleneck: the window of t is full, and 10 requests a second are"
                    + " refused for load."));
    assertThat(node.verdict())
        .isEqualTo(
            new Verdict(
                "full",
                "admission",
                "10 requests a second are refused for load, and the HSM has room: the node or its"
                    + " database is the bottleneck."));
  }

  @Test
  void fullWindowWithAQueue_hsmIsTheBottleneck() {
    Reading full =
        Readings.reading(5, first().counts(), NONE, Readings.token("net-1", 10, 310, 1_400));
    LiveView view = LiveView.of(full, Rates.of(List.of(full)), Readings.OFFICER);

    assertThat(view.verdict().state()).isEqualTo("busy");
    assertThat(view.verdict().text())
        .isEqualTo(
            "The HSM is the bottleneck: the window of net-1 is full, and 310 signatures wait for"
                + " it.");
    assertThat(rows(view, "stages").get(4).isMarked()).isTrue();
  }

  /** A fast token is seen idle at each look. */
  @Test
  void shortCalls_neverSeenInTheToken_utilizationByTheirRate() {
    LiveView view =
        view(Readings.reading(5, first().counts(), NONE, Readings.token("t", 0, 0, 5_000)));

    assertThat(stage(view, 4))
        .containsEntry("value", "80 %")
        .containsEntry("note", "800 of 1,000 signatures/s");
    assertThat(view.verdict().state()).isEqualTo("busy");
  }

  @Test
  void lostTokens_saidSo() {
    LiveView view = view(Readings.reading(5, first().counts(), NONE, Readings.lostToken("net-1")));

    assertThat(view.verdict().state()).isEqualTo("lost");
    assertThat(stage(view, 4)).containsEntry("value", "lost");
    assertThat(rows(view, "tokens").getFirst())
        .satisfies(row -> assertThat(row.state()).isEqualTo("lost"))
        .satisfies(row -> assertThat(row.fields()).containsEntry("state", "token lost"));
  }

  @Test
  void oneReading_ratesAreNotMadeUp() {
    LiveView view = LiveView.of(first(), Rates.of(List.of(first())), Readings.OFFICER);

    assertThat(view.verdict().text()).startsWith("Measuring.");
    assertThat(stage(view, 0)).containsEntry("value", "–");
    assertThat(stage(view, 5)).containsEntry("note", "90 since the node began");
  }

  @Test
  void requesters_namedToStaff_toOthersOnlyThemselves() {
    Map<String, Tally> tallies =
        Map.of("web", new Tally(150, 0), "bulk", new Tally(50, 10), "mail", new Tally(0, 0));
    Reading now = Readings.reading(5, first().counts(), tallies, Readings.token("t", 1, 0, 1_000));

    assertThat(rows(view(now), "shares"))
        .extracting(row -> row.fields().get("name") + " " + row.fields().get("share"))
        .containsExactly("web 75 %", "bulk 25 %");
    assertThat(rows(view(now, "bulk"), "shares"))
        .extracting(row -> row.fields().get("name") + " " + row.fields().get("share"))
        .containsExactly("bulk 25 %", "all others 75 %");
    assertThat(rows(view(now, "mail"), "shares"))
        .extracting(row -> row.fields().get("name"))
        .containsExactly("all others");
  }

  @Test
  void protocols_forEveryone_busiestFirst() {
    Reading before = Readings.protocols(0, Map.of("REST", new Tally(10, 0)));
    Reading now =
        Readings.protocols(
            5,
            Map.of(
                "REST",
                new Tally(60, 5),
                "ACME",
                new Tally(150, 0),
                "REST, batch",
                new Tally(0, 0)));
    LiveView view =
        LiveView.of(
            now, Rates.of(List.of(before, now)), Readings.requester("mail", Role.REQUESTER));

    assertThat(rows(view, "protocols"))
        .extracting(row -> row.fields().get("name") + " " + row.fields().get("share"))
        .containsExactly("ACME 75 %", "REST 25 %");
    assertThat(rows(view, "protocols").getLast().fields())
        .containsEntry("granted", "10/s")
        .containsEntry("refused", "1.0/s");
  }

  @Test
  void figures_readWell() {
    assertThat(Figures.rate(0)).isEqualTo("0");
    assertThat(Figures.rate(0.24)).isEqualTo("0.2");
    assertThat(Figures.rate(4_321.4)).isEqualTo("4,321");
    assertThat(Figures.seconds(0)).isEqualTo("0 s");
    assertThat(Figures.seconds(0.0023)).isEqualTo("2.3 ms");
    assertThat(Figures.seconds(0.23)).isEqualTo("230 ms");
    assertThat(Figures.seconds(2.34)).isEqualTo("2.3 s");
    assertThat(Figures.seconds(23.4)).isEqualTo("23 s");
    assertThat(Figures.seconds(160)).isEqualTo("3 min");
  }

  /** A cause that is added to the admission needs its words here. */
  @Test
  void causes_ofTheAdmission_allExplained() {
    for (var cause : AdmissionDecision.Cause.values()) {
      String name = cause.name().toLowerCase(Locale.ROOT);
      assertThat(Causes.explanation(name)).isNotEqualTo(Causes.words(name) + ".");
    }
  }
}
