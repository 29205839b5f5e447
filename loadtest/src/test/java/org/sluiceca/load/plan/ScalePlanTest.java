package org.sluiceca.load.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.load.cli.InputException;

/** What the field's test needs of a plan: closed loops, a WAN, fixed windows, times of the HSM. */
class ScalePlanTest {

  private static final String CLOSED =
      """
      nodes = 10
      hsm.servers = 8
      hsm.queue = 150
      node.settings = SLUICE_HSM_CALL_TIMEOUT=60s SLUICE_CRL_PERIOD=1h
      wan.rtt = 80
      wan.mbit = 2
      client.key = rsa-2048
      phases = one all fixed
      phase.one.offer = client 5x4 on 1
      phase.all.offer = client 5x4
      phase.all.seconds = 60
      phase.all.events = 5 revoke; 35 revoke
      phase.all.goals = revocation-published <= 1 scaled; hsm-latency-p50 <= 0.25 of fixed; spread-nodes <= 1.05
      phase.fixed.offer = client 5x4
      phase.fixed.windows = fixed
      """;

  private static Plan parse(String text) throws IOException {
    return PlanFile.parse("closed", new StringReader(text));
  }

  private static Plan.Changes changes(double rate, double seconds) {
    return new Plan.Changes(
        OptionalInt.empty(),
        OptionalDouble.of(rate),
        OptionalDouble.of(seconds),
        OptionalDouble.empty(),
        OptionalInt.empty());
  }

  private static Phase phase(Plan plan, String name) {
    return plan.phases().stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void parse_closedLoop_hasClientsSessionsAndNodes() throws IOException {
    Plan plan = parse(CLOSED);

    assertThat(phase(plan, "one").offers().getFirst().loop()).contains(new Offer.Loop(5, 4, 1));
    assertThat(phase(plan, "all").offers().getFirst().loop()).contains(new Offer.Loop(5, 4, 0));
    assertThat(phase(plan, "all").isClosed()).isTrue();
    assertThat(phase(plan, "all").load()).isInfinite();
    assertThat(plan.requesters())
        .containsOnlyKeys("client-1", "client-2", "client-3", "client-4", "client-5", Plan.CROWD);
  }

  @Test
  void parse_closedLoop_profileBehindIt() throws IOException {
    Plan plan =
        parse("issuers = rsa rsa-4096\nphases = p\nphase.p.offer = a 2x3 @rsa, b 1x1 on 2 @rsa\n");

    assertThat(plan.requesters())
        .containsEntry("a-1", "rsa")
        .containsEntry("a-2", "rsa")
        .containsEntry("b-1", "rsa");
  }

  @Test
  void parse_wan_isWhatItSays() throws IOException {
    assertThat(parse(CLOSED).wan()).contains(new WanPlan(80, 2, 200));
    assertThat(parse("phases = p\nphase.p.offer = a 1\n").wan()).isEqualTo(Optional.empty());
  }

  @Test
  void parse_settings_areOfAllNodes() throws IOException {
    assertThat(parse(CLOSED).nodes().settings())
        .isEqualTo(Map.of("SLUICE_HSM_CALL_TIMEOUT", "60s", "SLUICE_CRL_PERIOD", "1h"));
  }

  /** 8 + 150 jobs among ten nodes: 15 each, and none too many. */
  @Test
  void settings_fixedWindows_fillTheHsmAndNoMore() throws IOException {
    Plan plan = parse(CLOSED);
    Plan thirty =
        plan.with(
            new Plan.Changes(
                OptionalInt.of(30),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalInt.empty()));

    assertThat(plan.settings(phase(plan, "all"))).isEmpty();
    assertThat(plan.settings(phase(plan, "fixed")))
        .isEqualTo(Map.of("SLUICE_HSM_WINDOW", "fixed", "SLUICE_HSM_SESSIONS", "15"));
    assertThat(thirty.settings(phase(thirty, "fixed"))).containsEntry("SLUICE_HSM_SESSIONS", "5");
  }

  /** A tenth of the rate makes ten times of the HSM's time, and of no other. */
  @Test
  void with_rate_scalesTheGoalsThatSaySo() throws IOException {
    Phase all = phase(parse(CLOSED).with(changes(20, 120)), "all");

    assertThat(all.goals().stream().map(Goal::bound)).containsExactly(10.0, 0.25, 1.05);
  }

  @Test
  void with_seconds_changesPhasesThatOnlyRevoke_asFarAsTheyNeed() throws IOException {
    Plan plan = parse(CLOSED + "phase.one.events = 5 join\n");

    assertThat(plan.with(changes(200, 120)).phases().stream().map(Phase::seconds))
        .containsExactly(15.0, 120.0, 120.0);
    assertThat(plan.with(changes(200, 20)).phases().stream().map(Phase::seconds))
        .containsExactly(15.0, 45.0, 20.0);
  }

  @Test
  void with_nothing_leavesRevocationsTheirTime() throws IOException {
    Plan.Changes none =
        new Plan.Changes(
            OptionalInt.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalInt.empty());

    assertThat(
            phase(parse(CLOSED.replace("all.seconds = 60", "all.seconds = 36")).with(none), "all")
                .seconds())
        .isEqualTo(36);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "phase.all.offer = client 0x4",
        "phase.all.offer = client 5x",
        "phase.all.offer = client 5x4 on",
        "phase.all.offer = client 5x4 on 31",
        "phase.all.offer = client 5x4 on 0",
        "phase.all.offer = client 5 on 1",
        "phase.all.offer = client 5x4 rsa",
        "phase.all.offer = client",
        "phase.all.windows = wide",
        "phase.all.goals = revocation-published <= 1 sometimes",
        "phase.all.goals = revocation-published <= 1 scaled of fixed",
        "wan.rtt = -1",
        "wan.mbit = 0",
        "wan.queue = 0",
        "wan.loss = 1",
        "client.key = rsa-1024",
        "node.settings = SLUICE_X",
        "node.settings = PATH=/tmp",
      })
  void parse_badLine_refused(String line) {
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> parse(CLOSED + line));
  }

  @Test
  void parse_wanWithoutRoundTrip_refused() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> parse(CLOSED.replace("wan.rtt = 80\n", "")));
  }

  /** Both plans ask for the page; the one that the suite runs is judged by ratios alone. */
  @Test
  void shipped_scaledPlan_hasNoGoalThatIsATime() throws IOException {
    Path plans = Path.of(System.getProperty("basedir", ""), "plans");
    Plan scaled = PlanFile.read(plans.resolve("adcs-2009-scaled.properties"));

    assertThat(scaled.phases().stream().flatMap(p -> p.goals().stream()))
        .isNotEmpty()
        .allMatch(
            goal ->
                goal.isRelative()
                    || goal.measure().unit().isEmpty()
                    || goal.measure().unit().equals("jobs"));
  }
}
