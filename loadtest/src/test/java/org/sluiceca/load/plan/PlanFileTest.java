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
import org.sluiceca.load.cli.InputException;

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
    assertThat(plan.requesters())
        .containsOnlyKeys("a", "b", Plan.CROWD)
        .containsEntry("a", Offer.PROFILE);
  }

  @Test
  void parse_rate_givesServiceTime() throws IOException {
    HsmPlan hsm = parse(SMALL + "hsm.rate = 2000\nhsm.servers = 8\n").hsms().getFirst();

    assertThat(hsm.serviceMillis("ec-p256")).isCloseTo(4, within(1e-9));
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
                OptionalDouble.of(9),
                OptionalInt.empty()));

    assertThat(changed.nodes().count()).isEqualTo(3);
    assertThat(changed.capacity()).isEqualTo(50);
    assertThat(changed.phases().stream().map(Phase::seconds)).containsExactly(7.0, 2.0, 40.0);
    FaultEvent join = changed.phases().get(2).faults().get(1);
    assertThat(join.words()).isEqualTo(List.of("join"));
    assertThat(join.expected()).hasValue(1);
  }

  private static final String TWO =
      SMALL
          + "hsms = near far\nhsm.rate = 100\nhsm.rtt = 1\nhsm.far.rtt = 175\n"
          + "hsm.far.rate = 50\nhsm.far.preference = backup\n";

  @Test
  void parse_twoHsms_ownKeysBeforeThoseOfAll() throws IOException {
    Plan plan = parse(TWO);

    assertThat(plan.capacity()).isEqualTo(100);
    HsmPlan near = plan.hsms().getFirst();
    HsmPlan far = plan.hsms().getLast();
    assertThat(near.name()).isEqualTo("near");
    assertThat(near.createWords()).containsSequence("--rtt", "1.0");
    assertThat(near.isBackup()).isFalse();
    assertThat(far.rate()).isEqualTo(50);
    assertThat(far.rttMillis()).isEqualTo(175);
    assertThat(far.isBackup()).isTrue();
  }

  private static final String DIVIDED =
      TWO.replace("b 10", "b 10 @remote")
          + "issuers = remote rsa-4096\nhsm.far.service.rsa-4096 = 900\n"
          + "hsm.near.issuers = issuing\nhsm.far.issuers = remote\n";

  @Test
  void parse_issuersOfHsms_eachHoldsItsOwnAlone() throws IOException {
    Plan plan = parse(DIVIDED);

    assertThat(parse(TWO).isDivided()).isFalse();
    assertThat(plan.isDivided()).isTrue();
    assertThat(plan.hsms().getFirst().holds("issuing")).isTrue();
    assertThat(plan.hsms().getFirst().holds("remote")).isFalse();
    assertThat(plan.hsms().getLast().holds("remote")).isTrue();
    assertThat(plan.serviceMillis("a")).isEqualTo(80);
    assertThat(plan.serviceMillis("b")).isEqualTo(900);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hsm.near.issuers = nobody",
        "hsm.near.issuers = remote",
        "hsm.far.issuers = issuing",
        "hsm.issuers = issuing"
      })
  void parse_issuerThatIsNowhereOrNobody_refused(String line) {
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> parse(DIVIDED + line));
  }

  @Test
  void parse_keyOfAllThatEachOverrides_isKnown() throws IOException {
    assertThat(parse(TWO + "hsm.near.rtt = 2\n").hsms().getFirst().rttMillis()).isEqualTo(2);
  }

  @Test
  void with_rate_changesHsmsInProportion() throws IOException {
    Plan plan =
        parse(TWO)
            .with(
                new Plan.Changes(
                    OptionalInt.empty(),
                    OptionalDouble.of(20),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalInt.empty()));

    assertThat(plan.hsms().stream().map(HsmPlan::rate)).containsExactly(20.0, 10.0);
  }

  @Test
  void hsms_ofAPhase_areAllUnlessNamed() throws IOException {
    Plan plan = parse(TWO.replace("= p", "= p q") + "phase.q.offer = a 1\nphase.q.hsms = far\n");

    assertThat(plan.hsms(plan.phases().getFirst())).hasSize(2);
    assertThat(plan.hsms(plan.phases().getLast()).stream().map(HsmPlan::name))
        .containsExactly("far");
  }

  @Test
  void order_ofSeveralHsms_isWithoutTheName() throws IOException {
    FaultEvent alone =
        parse(SMALL + "phase.p.events = 5 hsm fault removed\n")
            .phases()
            .getFirst()
            .faults()
            .getFirst();
    Plan two = parse(TWO + "phase.p.events = 5 hsm near fault removed; 6 join\n");
    List<FaultEvent> faults = two.phases().getFirst().faults();

    assertThat(parse(SMALL).hsmOf(alone)).contains(HsmPlan.ALONE);
    assertThat(parse(SMALL).order(alone)).containsExactly("fault", "removed");
    assertThat(two.hsmOf(faults.getFirst())).contains("near");
    assertThat(two.order(faults.getFirst())).containsExactly("fault", "removed");
    assertThat(two.hsmOf(faults.getLast())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "phase.p.events = 5 hsm fault removed",
        "phase.p.events = 5 hsm middle fault removed",
        "phase.p.events = 5 hsm near fault",
        "phase.p.goals = hsm-queue-p99 <= 5",
        "phase.p.goals = hsm-queue-p99@middle <= 5",
        "phase.p.goals = nodes-dead@near <= 0",
        "phase.p.hsms = near middle",
        "hsm.middle.rtt = 5",
        "hsm.near.preference = preferably",
        "hsms = near near",
        "hsms = Near",
        "phase.p.goals = latency-p99 <= 1.1 of q",
        "phase.p.goals = latency-p99 <= 1.1 of p",
      })
  void parse_badLineOfTwoHsms_refused(String line) {
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> parse(TWO + line));
  }

  private static final String MIXED =
      """
      issuers = rsa rsa-4096
      hsm.rate = 200
      hsm.ec-servers = 4
      hsm.service.rsa-4096 = 320
      phases = alone beside
      phase.alone.offer = ec 0.4
      phase.beside.offer = ec 0.4, slow 0.1 @rsa
      """;

  @Test
  void parse_issuers_requestersAskThemByProfile() throws IOException {
    Plan plan = parse(MIXED);

    assertThat(plan.nodes().issuers()).containsExactly(new NodePlan.Issuer("rsa", "rsa-4096"));
    assertThat(plan.requesters())
        .containsEntry("ec", Offer.PROFILE)
        .containsEntry("slow", "rsa")
        .containsEntry(Plan.CROWD, Offer.PROFILE);
    assertThat(plan.serviceMillis("ec")).isEqualTo(40);
    assertThat(plan.serviceMillis("slow")).isEqualTo(320);
    assertThat(plan.issuer("slow")).isEqualTo("rsa");
    assertThat(plan.issuer("ec")).isEqualTo("issuing");
  }

  @Test
  void parse_services_areThoseOfTheKindAlone() throws IOException {
    List<String> words = parse(MIXED).hsms().getFirst().createWords();

    assertThat(words)
        .containsSequence("--ec-servers", "4")
        .containsSequence("--service", "rsa-4096=320.0")
        .containsSequence("--service", "ec-p256=40.0");
    assertThat(parse(SMALL).hsms().getFirst().createWords()).doesNotContain("--ec-servers");
  }

  @Test
  void with_rate_keepsTheProportionOfServices() throws IOException {
    Plan half =
        parse(MIXED)
            .with(
                new Plan.Changes(
                    OptionalInt.empty(),
                    OptionalDouble.of(100),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalInt.empty()));

    assertThat(half.serviceMillis("ec")).isEqualTo(80);
    assertThat(half.serviceMillis("slow")).isEqualTo(640);
  }

  @Test
  void parse_measureOfARequester_isKnownWhereItSends() throws IOException {
    Plan plan =
        parse(MIXED + "phase.beside.goals = latency-p99@ec <= 1.1 of alone; time-share@slow >= 0");

    assertThat(plan.phases().getLast().goals()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "issuers = rsa",
        "issuers = rsa rsa-1024",
        "issuers = rsa rsa-4096, rsa rsa-2048",
        "issuers = RSA rsa-4096",
        "issuers = issuing rsa-4096",
        "issuers = other rsa-4096",
        "hsm.ec-servers = 8",
        "hsm.ec-servers = -1",
        "hsm.service.rsa-4096 = 0",
        "hsm.service.rsa-1024 = 10",
        "phase.beside.offer = ec 0.4 @rsa",
        "phase.beside.offer = ec 0.4, slow 0.1 @slow",
        "phase.beside.offer = ec 0.4, slow 0.1 rsa",
        "phase.beside.goals = goodput@rsa >= 1",
        "phase.beside.goals = goodput@slow >= 0.9 of alone",
        "phase.alone.goals = goodput@slow >= 1",
        "phase.beside.goals = jain-nodes@ec >= 1",
        "phase.beside.goals = time-share >= 1",
      })
  void parse_badLineOfTwoIssuers_refused(String line) {
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> parse(MIXED + line));
  }

  @Test
  void parse_nameOfTheOneHsm_refused() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> parse(SMALL + "phase.p.goals = hsm-queue-p99@hsm <= 5"));
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
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> parse(SMALL + line));
  }

  @Test
  void parse_offerOfNothing_refused() {
    assertThatExceptionOfType(InputException.class).isThrownBy(() -> parse("phases = p\n"));
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> parse("phases = p\nphase.p.offer = a 0\n"));
  }

  @Test
  void goal_boundary_bothSides() {
    Goal least = Goal.parse("jain-nodes >= 0.99");
    Goal most = Goal.parse("hsm-queue-p99<=26");

    assertThat(least.isMetBy(0.99, 1)).isTrue();
    assertThat(least.isMetBy(0.9899, 1)).isFalse();
    assertThat(most.isMetBy(26, 1)).isTrue();
    assertThat(most.isMetBy(26.1, 1)).isFalse();
    assertThat(most.isMetBy(Double.NaN, 1)).isFalse();
    assertThat(most.isMetBy(Double.POSITIVE_INFINITY, 1)).isFalse();
  }

  @Test
  void goal_ofAnotherPhase_isTimesItsFigure() {
    Goal most = Goal.parse("latency-p99@near <= 1.1 of alone");

    assertThat(most.name()).isEqualTo("near");
    assertThat(most.base()).isEqualTo("alone");
    assertThat(most).hasToString("latency-p99@near <= 1.1 of alone");
    assertThat(most.isMetBy(55, 50)).isTrue();
    assertThat(most.isMetBy(55.1, 50)).isFalse();
  }

  /** What saw nothing proves nothing, whichever side the bound is on. */
  @Test
  void goal_ofAPhaseWithoutTheFigure_isMissed() {
    for (String text : List.of("goodput >= 0.9 of alone", "goodput <= 1.1 of alone")) {
      Goal goal = Goal.parse(text);
      assertThat(goal.isMetBy(0, 0)).isFalse();
      assertThat(goal.isMetBy(0, Double.NaN)).isFalse();
      assertThat(goal.isMetBy(5, Double.POSITIVE_INFINITY)).isFalse();
    }
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

  /** Another client would send another load. */
  @ParameterizedTest
  @ValueSource(strings = {"driver = gatling", "gatling.when-refused = obey"})
  void planWithGatling_saysSo(String line) throws IOException {
    String plan = "phases = p\nphase.p.offer = a 1\n";

    assertThat(PlanFile.parse("p", new StringReader(plan + line)).gatling()).isPresent();
    assertThat(PlanFile.parse("p", new StringReader(plan)).gatling()).isEmpty();
  }

  private static Plan shipped(String name) throws IOException {
    return PlanFile.read(Path.of(System.getProperty("basedir", ""), "plans", name + ".properties"));
  }

  /**
   * The first phase is the coldest: bound to it alone, a latency may be as long as that of a cold
   * node. And it may be met by 202 for the slow ones, or by asking for less.
   */
  @ParameterizedTest
  @ValueSource(strings = {"two-hsms", "engines-apart", "remote-hsm"})
  void shippedPlan_latencyOfAnotherPhase_isBoundBeforeAndAfter(String name) throws IOException {
    Plan plan = shipped(name);
    List<String> names = plan.phases().stream().map(Phase::name).toList();
    int bound = 0;
    for (Phase phase : plan.phases()) {
      List<String> bases =
          phase.goals().stream()
              .filter(goal -> goal.isRelative() && goal.measure() == Measure.LATENCY_P99)
              .map(Goal::base)
              .toList();
      if (bases.isEmpty()) {
        continue;
      }
      bound++;
      int own = names.indexOf(phase.name());
      assertThat(bases).anyMatch(base -> names.indexOf(base) < own);
      assertThat(bases).anyMatch(base -> names.indexOf(base) > own);
      assertThat(measures(phase)).contains(Measure.LATER_SHARE, Measure.UNSENT_SHARE);
      for (Phase base : plan.phases()) {
        if (bases.contains(base.name())) {
          assertThat(measures(base))
              .contains(Measure.GOODPUT_SHARE, Measure.LATER_SHARE, Measure.UNSENT_SHARE);
        }
      }
    }
    assertThat(bound).isPositive();
  }

  private static List<Measure> measures(Phase phase) {
    return phase.goals().stream().map(Goal::measure).toList();
  }

  /** Else an event that does nothing meets the goals of the HSM's loss. */
  @Test
  void twoHsms_lossOfTheNearOne_isSeenInBoth() throws IOException {
    List<Phase> phases = shipped("two-hsms").phases();
    Phase dies = phases.get(phases.size() - 2);
    Phase returns = phases.getLast();

    assertThat(dies.goals())
        .extracting(Goal::toString)
        .contains(
            "hsm-signed@near <= 0.5 of near-again",
            "hsm-utilisation@far >= 0.3",
            "goodput-share >= 0.85");
    assertThat(returns.goals()).extracting(Goal::toString).contains("goodput-share >= 0.85");
  }

  /** What happens when the flood begins is what is asked; and its tenant has to be refused. */
  @Test
  void remoteHsm_flood_isMeasuredFromItsFirstSecond() throws IOException {
    Plan plan = shipped("remote-hsm");
    Phase flooded =
        plan.phases().stream()
            .filter(phase -> phase.name().equals("flooded"))
            .findFirst()
            .orElseThrow();

    assertThat(flooded.settleSeconds()).isZero();
    assertThat(plan.issuer("mover")).isEqualTo("remote");
    assertThat(plan.hsms().getFirst().holds("remote")).isFalse();
    double ofFar =
        flooded.offers().getLast().load() * plan.capacity() / plan.hsms().getLast().rate();
    assertThat(ofFar).isCloseTo(4, within(0.1));
    assertThat(flooded.goals())
        .extracting(Goal::toString)
        .contains(
            "refused-share@local <= 0",
            "refused-share@mover >= 0.5",
            "hsm-utilisation@far >= 0.9",
            "retry-after-share >= 1",
            "ladder-faults <= 0");
  }
}
