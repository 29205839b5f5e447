package org.sluiceca.load.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanFileTest {

  private static final String SMALL = "phases = p\nphase.p.offer = a 0.5, b 10\n";

  private static Plan parse(String text) throws IOException {
    return PlanFile.parse("small", new StringReader(text));
  }

  @Test
  void parse_smallPlan_hasDefaults() throws IOException {
    Plan plan = parse(SMALL);

    assertThat(plan.capacity()).isEqualTo(200);
    assertThat(plan.phases()).hasSize(1);
    assertThat(plan.phases().getFirst().load()).isEqualTo(10.5);
    assertThat(plan.requesters()).contains("a", "b");
  }

  @Test
  void parse_rate_givesServiceTime() throws IOException {
    HsmPlan hsm = parse(SMALL + "hsm.rate = 2000\nhsm.servers = 8\n").hsm();

    assertThat(hsm.serviceMillis()).isCloseTo(4, within(1e-9));
    assertThat(hsm.createWords()).contains("ec-p256=4.0");
  }

  @Test
  void with_changes_spareWarmUpAndEvents() throws IOException {
    Plan plan =
        parse(
            SMALL.replace("phases = p", "phases = p e")
                + "warm-up.seconds = 7\nphase.e.offer = a 1\nphase.e.seconds = 40\n"
                + "phase.e.events = 5 hsm fault hang; 9.5 join -> 1\n");

    Plan changed =
        plan.with(
            new Plan.Changes(
                OptionalInt.of(3),
                OptionalDouble.of(50),
                OptionalDouble.of(2),
                OptionalDouble.of(9)));

    assertThat(changed.nodes().count()).isEqualTo(3);
    assertThat(changed.capacity()).isEqualTo(50);
    assertThat(changed.phases().stream().map(Phase::seconds)).containsExactly(7.0, 2.0, 40.0);
    Happening join = changed.phases().get(2).happenings().get(1);
    assertThat(join.words()).isEqualTo(List.of("join"));
    assertThat(join.expected()).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "goal.each = lost <= 0",
        "phase.p.goals = goodput >= many",
        "phase.p.goals = happiness >= 1",
        "nodes = 0",
        "nodes = 31",
        "nodes = 1.5",
        "seconds = 601",
        "hsm.rate = 0",
        "phase.p.crowd = 201",
        "phase.p.events = 5 dance",
        "phase.p.events = 5 kill first",
        "phase.p.events = 5 join; 4 join",
        "phase.p.events = soon join",
        "phase.q.offer = a 1",
        "phase.p.crowd = 5\nphase.p.events = 1 join",
      })
  void parse_badLine_refused(String line) {
    assertThatExceptionOfType(PlanException.class).isThrownBy(() -> parse(SMALL + line));
  }

  @Test
  void parse_offerOfNothing_refused() {
    assertThatExceptionOfType(PlanException.class).isThrownBy(() -> parse("phases = p\n"));
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> parse("phases = p\nphase.p.offer = a 0\n"));
  }

  @Test
  void goal_boundary_bothSides() {
    Goal least = Goal.parse("jain-nodes >= 0.99");
    Goal most = Goal.parse("hsm-queue-p99<=26");

    assertThat(least.isMetBy(0.99)).isTrue();
    assertThat(least.isMetBy(0.9899)).isFalse();
    assertThat(most.isMetBy(26)).isTrue();
    assertThat(most.isMetBy(26.1)).isFalse();
    assertThat(most.isMetBy(Double.NaN)).isFalse();
    assertThat(most.isMetBy(Double.POSITIVE_INFINITY)).isFalse();
  }

  @Test
  void shippedPlans_areAllSound() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("basedir", ""), "plans"))) {
      List<Path> plans = files.toList();
      assertThat(plans).hasSizeGreaterThan(3);
      for (Path plan : plans) {
        assertThat(PlanFile.read(plan).phases()).as(plan.toString()).isNotEmpty();
      }
    }
  }
}
