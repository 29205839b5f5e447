package org.sluiceca.load.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.load.cli.InputException;

class GatlingPlanTest {

  private static final Plan.Changes NONE = changes(OptionalDouble.empty(), OptionalInt.empty());

  private static final String SHORT =
      """
      driver = gatling
      hsm.rate = 20
      settle = 1
      seconds = 10
      phases = p
      phase.p.offer = a 0.5
      """;

  private static Plan.Changes changes(OptionalDouble seconds, OptionalInt clients) {
    return new Plan.Changes(
        OptionalInt.empty(), OptionalDouble.empty(), seconds, OptionalDouble.empty(), clients);
  }

  private static Plan parse(String more) throws IOException {
    return PlanFile.parse("test", new StringReader(SHORT + more));
  }

  private static boolean hasGatling(Path file) {
    try {
      return Files.readAllLines(file).contains("driver = gatling");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is promised to be there, and nothing that cannot be run. */
  @TestFactory
  Stream<DynamicTest> shipped_areScenariosWithLimits() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("basedir", ""), "plans"))) {
      files = all.filter(GatlingPlanTest::hasGatling).sorted().toList();
    }
    assertThat(files)
        .extracting(file -> (file.getFileName() + "").replace(".properties", ""))
        .containsExactly(
            "burst", "mixed", "overload", "ramp", "smoke", "soak", "steady", "two-keys", "unfair");
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName() + "",
                    () -> {
                      Plan plan = PlanFile.read(file).with(NONE);
                      assertThat(plan.phases()).anyMatch(Phase::isMeasured);
                      assertThat(plan.phases())
                          .filteredOn(Phase::isMeasured)
                          .allMatch(phase -> !phase.goals().isEmpty());
                    }));
  }

  @Test
  void ownKeys_areRead() throws IOException {
    Plan plan =
        parse(
            """
            gatling.connections = new
            gatling.when-refused = obey
            gatling.client-keys = a rsa-2048
            gatling.operations = search 0.1, ocsp 2
            gatling.limits = rss-growth <= 0.05; latency-p99@ocsp <= 200
            gatling.knee = goodput-share >= 0.9
            """);

    assertThat(plan.client().keepsConnections()).isFalse();
    assertThat(plan.client().isMutual()).isFalse();
    assertThat(plan.client().whenRefused()).isEqualTo(Client.WhenRefused.OBEY);
    assertThat(plan.client().keys()).isEqualTo(Map.of("a", "rsa-2048"));
    GatlingPlan gatling = plan.gatling().orElseThrow();
    assertThat(gatling.operations())
        .isEqualTo(Map.of(Offer.Kind.SEARCH, 0.1, Offer.Kind.OCSP, 2.0));
    assertThat(gatling.limits())
        .extracting(Goal::toString)
        .containsExactly("rss-growth <= 0.05", "latency-p99@ocsp <= 200");
    assertThat(gatling.knee()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gatling.limit = rss-growth <= 1",
        "gatling.limits = rss <= 1",
        "gatling.limits = rss-growth < 1",
        "gatling.limits = rss-growth@ocsp <= 1",
        "gatling.limits = latency-p99 <= 1",
        "gatling.limits = latency-p99@a <= 1",
        "phase.p.goals = rss-growth <= 1",
        "phase.p.goals = served <= 1",
        "gatling.limits = latency-p99@nothing <= 1",
        "gatling.connections = some",
        "gatling.credentials = password",
        "gatling.when-refused = cry",
        "gatling.client-keys = a",
        "gatling.client-keys = a rsa-1024",
        "gatling.client-keys = b rsa-2048",
        "gatling.client-keys = a rsa-2048, a ec-p256",
        "gatling.crowd = revoke",
        "gatling.operations = enroll 1",
        "gatling.operations = ocsp",
        "gatling.operations = ocsp 0",
        "gatling.operations = ocsp 1, ocsp 2",
        "gatling.sample-seconds = 0",
        "gatling.soak-seconds = 1.5",
        "phase.p.events = 1 hsm fault slow 2",
        "phase.p.no = 1",
        "phase.p.offer = a 5x4",
        "phase.p.windows = fixed",
        "wan.rtt = 50\nwan.mbit = 10",
        "needs = a miracle",
        "driver = own\ngatling.crowd = renew",
        "driver = someone",
      })
  void whatIsNone_isRefused(String line) {
    assertThatThrownBy(() -> parse(line)).isInstanceOf(InputException.class);
  }

  /**
   * Whose measure it is would else be forgotten, and a phase above the knee be taken for one below.
   */
  @Test
  void knee_ofAnotherPhaseOrOfFallingPhases_isRefused() {
    assertThatThrownBy(() -> parse("gatling.knee = latency-p99 <= 1.1 of p"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("by itself");
    assertThatThrownBy(
            () ->
                parse(
                    """
                    phases = p q
                    phase.p.offer = a 0.5
                    phase.q.offer = a 0.4
                    gatling.knee = goodput-share >= 0.9
                    """))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("q does not");
  }

  /** All connections of Gatling's shared pool show the one certificate. */
  @Test
  void certificatesOfTwoRequesters_needConnectionsOfTheirOwn() throws IOException {
    String two = "phase.p.offer = a 0.5, b 0.5\ngatling.credentials = certificate\n";

    assertThatThrownBy(() -> parse(two))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("one requester, not [a, b], or connections = new");
    assertThat(parse(two + "gatling.connections = new\n").client().isMutual()).isTrue();
  }

  @Test
  void clients_haveKeysOfTheirRequester() throws IOException {
    Plan plan =
        parse(
            "client.key = rsa-2048\nphase.p.offer = a 0.5, b 0.5\ngatling.client-keys = b ec-p256\n");

    assertThat(plan.client().key("a")).isEqualTo("rsa-2048");
    assertThat(plan.client().key("b")).isEqualTo("ec-p256");
    assertThat(plan.client().description()).contains("b's clients have keys of ec-p256");
  }

  /** A switch that does nothing would be believed. */
  @Test
  void clientsWithoutACrowd_areRefused() {
    assertThatThrownBy(() -> parse("").with(clients(100)))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("no crowd");
  }

  @Test
  void moreClientsThanTheHsmServesInItsTime_areRefusedByTheirNumber() throws IOException {
    Plan herd = parse("phase.p.offer =\nphase.p.crowd = 10\n");

    assertThatThrownBy(() -> herd.with(clients(4001)))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("4001 clients")
        .hasMessageContaining("at most 4000");
    assertThat(herd.with(clients(4000)).phases()).hasSize(1);
  }

  private static Plan.Changes clients(int clients) {
    return changes(OptionalDouble.empty(), OptionalInt.of(clients));
  }

  @Test
  void crowd_beforeAnotherPhase_isRefused() {
    assertThatThrownBy(() -> parse("phases = p q\nphase.p.crowd = 3\nphase.q.offer = a 0.5\n"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("after a crowd");
  }

  @Test
  void soak_isCutIntoSegmentsOfAtMostFiveMinutes() throws IOException {
    Plan soak =
        parse("gatling.soak-seconds = 5400\nwarm-up.seconds = 300\nphase.p.goals = lost <= 0");

    List<Phase> whole = soak.with(NONE).phases();
    List<Phase> quick = soak.with(seconds(180)).phases();

    assertThat(whole).hasSize(1 + 18).last().extracting(Phase::seconds).isEqualTo(300.0);
    assertThat(whole.getFirst().seconds()).isEqualTo(300.0);
    assertThat(quick).hasSize(1 + 18).last().extracting(Phase::seconds).isEqualTo(10.0);
    assertThat(quick.getFirst().seconds()).isEqualTo(45.0);
    assertThat(quick).extracting(Phase::name).doesNotHaveDuplicates();
    assertThatThrownBy(() -> soak.with(seconds(50))).isInstanceOf(InputException.class);
  }

  /** A run that was killed while it was judged is resumed with nothing left to measure. */
  @Test
  void soak_ofWhichAllIsMeasured_isAPlanStill() throws IOException {
    Plan soak = parse("gatling.soak-seconds = 180\nwarm-up.seconds = 30\n").with(NONE);

    assertThat(soak.with(List.of(soak.phases().getFirst())).phases())
        .singleElement()
        .matches(phase -> !phase.isMeasured());
  }

  private static Plan.Changes seconds(int seconds) {
    return changes(OptionalDouble.of(seconds), OptionalInt.empty());
  }

  /** Everyone needs a certificate before it can be renewed. */
  @Test
  void herd_ofMoreClients_isEnrolledForLonger() throws IOException {
    Plan herd =
        parse(
            """
            warm-up.seconds = 5
            warm-up.offer = crowd 0.5
            phase.p.offer =
            phase.p.crowd = 10
            gatling.crowd = renew
            """);

    Plan larger = herd.with(clients(2000));

    assertThat(larger.phases().getLast().crowdSeconds()).isEqualTo(100);
    // 10 a second, and a tenth more than 2,000.
    assertThat(larger.phases().getFirst().seconds()).isEqualTo(220);
  }

  @Test
  void requests_withoutBound_areRefused() {
    assertThatThrownBy(() -> parse("hsm.rate = 1000\nseconds = 600\nphase.p.offer = a 100\n"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("requests");
  }
}
