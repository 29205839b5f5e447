package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Demand.Kind;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;

class SizingTest {

  private static final Hsm HSM =
      new Hsm("hsm", Map.of(KeyKind.EC_P256, 400.0, KeyKind.RSA_2048, 100.0), 4, "a test");

  /** 1,000,000 of 90 days are renewed every 60 days: 0.1929 a second. */
  @Test
  void perSecond_renewedAtTwoThirds() {
    assertThat(demand(1_000_000, 90, KeyKind.EC_P256).perSecond())
        .isCloseTo(1_000_000 / (60 * 86_400.0), within(1e-9));
  }

  @Test
  void hsms_workOfThePeak_roundedUpAndSpare() {
    // 1/s over the day, 500/s in the busiest hour: 1.25 HSMs at work, 1.56 at 80 %.
    Sized sized = plan(with(5_184_000, 500, 0), HSM);

    assertThat(sized.peakPerSecond()).isCloseTo(500, within(1e-6));
    assertThat(sized.hsm().work()).isCloseTo(1.25, within(1e-6));
    assertThat(sized.hsm().perRegion()).isEqualTo(2 + 1);
    assertThat(sized.hsm().utilisation()).isCloseTo(0.625, within(1e-6));
    assertThat(sized.hsm().queue().serviceSeconds()).isCloseTo(4 / 400.0, within(1e-9));
  }

  @Test
  void hsms_littlesLaw_jobsAreRateTimesTime() {
    Sized.Signing signing = plan(with(5_184_000, 500, 0), HSM).hsm();

    Sized.Queue queue = signing.queue();
    assertThat(queue.jobs())
        .isCloseTo(500 * (queue.waitSeconds() + queue.serviceSeconds()), within(1e-6));
    // What is being signed is the work in engines.
    assertThat(queue.jobs()).isGreaterThan(1.25 * 4);
  }

  /**
   * Half of the jobs take 10 ms and half 40: of a mean of 25 the variance is 225, 0.36 of its
   * square, and all wait so much longer.
   */
  @Test
  void hsms_jobsOfSeveralTimes_waitLonger() {
    Demand both =
        Demands.of(
                ec(5_184_000),
                Demands.renewed("r", 5_184_000, 90, KeyKind.RSA_2048, KeyKind.EC_P256))
            .peakFactor(100)
            .demand();
    Sized.Signing signing = plan(both, HSM).hsm();

    Sized.Queue queue = signing.queue();
    assertThat(queue.serviceSeconds()).isCloseTo(0.025, within(1e-9));
    assertThat(queue.variation()).isCloseTo(0.36, within(1e-9));
    assertThat(queue.waitSeconds())
        .isCloseTo(1.36 * Waiting.seconds(8, signing.utilisation(), 0.025, 0), within(1e-12));
    assertThat(plan(with(5_184_000, 500, 0), HSM).hsm().queue().variation())
        .isCloseTo(0, within(1e-9));
  }

  @Test
  void hsms_exactlyFull_notOneMore() {
    assertThat(plan(with(5_184_000, 640, 0), HSM).hsm().perRegion()).isEqualTo(2 + 1);
    assertThat(plan(with(5_184_000, 641, 0), HSM).hsm().perRegion()).isEqualTo(3 + 1);
  }

  @Test
  void hsms_rsaIssuer_costsByItsRate() {
    Demand rsa =
        Demands.of(Demands.renewed("r", 5_184_000, 90, KeyKind.RSA_2048, KeyKind.EC_P256))
            .peakFactor(500)
            .spare(0)
            .demand();

    assertThat(plan(rsa, HSM).hsm().work()).isCloseTo(5, within(1e-6));
    assertThat(plan(rsa, HSM).alternatives())
        .filteredOn(a -> a.issuerKey() == KeyKind.RSA_2048)
        .singleElement()
        .satisfies(
            a -> {
              assertThat(a.times()).hasValue(4);
              assertThat(a.hsms()).hasValue(7);
            });
  }

  @Test
  void regions_eachCarriesItsPart() {
    Demand two = Demands.of(ec(5_184_000)).peakFactor(1_000).regions(2).demand();

    Sized sized = plan(two, HSM);

    assertThat(sized.hsm().work()).isCloseTo(1.25, within(1e-6));
    assertThat(sized.hsm().total()).isEqualTo(6);
  }

  /** One answer a certificate in the time that it is kept, however often it is asked for. */
  @Test
  void ocsp_askedOften_signedOnceAnAnswersLife() {
    Demand often = ocsp(100);
    Demand seldom = ocsp(0.5);

    assertThat(often.ocspAtPeak()).isCloseTo(100_000_000 / 86_400.0, within(1e-6));
    assertThat(often.ocspSignedAtPeak()).isCloseTo(1_000_000 / 86_400.0, within(1e-6));
    assertThat(seldom.ocspSignedAtPeak()).isCloseTo(seldom.ocspAtPeak(), within(1e-9));
    assertThat(plan(often, HSM).hsm().work()).isGreaterThan(plan(seldom, HSM).hsm().work());
  }

  @Test
  void nodes_handshakesCost_connectionsToo() {
    Sized kept = plan(with(5_184_000, 500, 0), HSM);
    Sized anew = plan(with(5_184_000, 500, 1), HSM);

    // 500/s x 1,000 us of certificate with two verifications of 100 us; handshakes of 2,000 us.
    assertThat(kept.nodes().coresBusy()).isCloseTo(0.6, within(1e-6));
    assertThat(anew.nodes().coresBusy()).isCloseTo(1.6, within(1e-6));
    assertThat(kept.nodes().perRegion()).isEqualTo(1 + 1);
    assertThat(anew.nodes().perRegion()).isEqualTo(2 + 1);
    assertThat(kept.nodes().neededFor()).isEqualTo("one carries it all");
    assertThat(anew.nodes().neededFor()).isEqualTo("for its work");
    Demand open = Demands.of(ec(5_184_000)).peakFactor(1).openConnections(25_000).demand();
    assertThat(plan(open, HSM).nodes().perRegion()).isEqualTo(3 + 1);
    assertThat(plan(open, HSM).nodes().neededFor()).isEqualTo("for its connections");
    assertThat(plan(open, HSM).nodes().memoryMb())
        .isCloseTo(200 + 8_334 * 10 / 1024.0, within(0.01));
  }

  @Test
  void database_growsByTheLedger() {
    Sized.Database database = plan(with(86_400 * 60, 1, 0), HSM).database();

    assertThat(database.bytesPerDay()).isCloseTo(86_400 * 3_000.0, within(1.0));
    assertThat(database.coresBusy()).isCloseTo(200 / 1e6, within(1e-9));
  }

  /** 1,000 us in full, 400 of them resumed; 300 us more with a client's P-256 certificate. */
  @Test
  void handshakes_resumedAndClients_costTheirOwn() {
    Machine measured =
        Machines.of(
            new Machine.Handshakes(
                Map.of(), OptionalDouble.of(500), Map.of(KeyKind.EC_P256, 300.0)));
    Demands demands = Demands.of(ec(5_184_000)).peakFactor(500).handshakesPerRequest(1);

    assertThat(handshakes(demands, measured).micros()).isCloseTo(2_000, within(1e-6));
    assertThat(handshakes(demands.resumed(0.5), measured).micros()).isCloseTo(1_250, within(1e-6));
    assertThat(handshakes(demands.clientCertificates(1), measured).micros())
        .isCloseTo(0.5 * 500 + 0.5 * 2_300, within(1e-6));
    assertThat(handshakes(demands, measured).perSecond()).isCloseTo(500, within(1e-6));
  }

  /** What was not measured is not for nothing: a resumed one costs as one in full. */
  @Test
  void handshakes_notMeasured_byWhatIsKnown() {
    Demands demands = Demands.of(ec(5_184_000)).peakFactor(500).handshakesPerRequest(1);

    assertThat(handshakes(demands.resumed(1), machine()).micros()).isCloseTo(2_000, within(1e-6));
    assertThat(handshakes(demands.resumed(0).clientCertificates(1), machine()).micros())
        .isCloseTo(2_000 + 2 * 100, within(1e-6));
  }

  /** 120,000 handshakes of 2 ms are 240 s of a core: in 10 s with half a core busy, 24.5 cores. */
  @Test
  void crowd_nodesForIt_connectedInTime() {
    Demand demand = Demands.of(ec(5_184_000)).peakFactor(500).spare(0).crowd(120_000, 10).demand();

    Sized.Nodes nodes = plan(demand, HSM).nodes();

    assertThat(nodes.coresBusy()).isCloseTo(0.6, within(1e-6));
    assertThat(nodes.perRegion()).isEqualTo(13);
    assertThat(nodes.neededFor()).isEqualTo("for its handshakes at once");
    assertThat(nodes.handshakes().crowdSeconds()).isCloseTo(240 / 25.4, within(1e-6));
  }

  @Test
  void hsmsGiven_fewerThanNeeded_saidHowFullAndWhatTheyCarry() {
    // 1.25 HSMs at work, one of the two is spare.
    Sized few = given(with(5_184_000, 500, 0), 2);
    Sized enough = given(with(5_184_000, 500, 0), 4);

    assertThat(few.hsm().utilisation()).isCloseTo(1.25, within(1e-6));
    assertThat(few.hsm().needed()).isEqualTo(3);
    assertThat(few.hsm().queue().waitSeconds()).isInfinite();
    assertThat(few.hsm().carriesPerSecond()).isCloseTo(320, within(1e-6));
    assertThat(few.lacks()).singleElement().asString().contains("3 are needed");
    assertThat(enough.lacks()).isEmpty();
    assertThat(enough.hsm().carriesPerSecond()).isCloseTo(960, within(1e-6));
  }

  @Test
  void hsmsGiven_allSpare_said() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> given(with(5_184_000, 500, 0), 1))
        .withMessageContaining("none is left");
  }

  /** 200 us of the database: 24,000/s are 4.8 of 8 processors, the 60 % that they may be. */
  @Test
  void database_fullerThanItMay_lacks() {
    Hsm fast = new Hsm("fast", Map.of(KeyKind.EC_P256, 100_000.0), 64, "a test");

    assertThat(plan(with(518_400_000, 239, 0), fast).lacks()).isEmpty();
    assertThat(plan(with(518_400_000, 241, 0), fast).lacks())
        .singleElement()
        .asString()
        .contains("9 are needed");
  }

  /** Each case has one thing that is planted to be full first. */
  @Test
  void saturatesFirst_planted_isFirst() {
    Hsm fast = new Hsm("fast", Map.of(KeyKind.EC_P256, 1e6), 64, "a test");

    assertThat(first(plan(with(5_184_000, 600, 0), HSM))).isEqualTo("HSM");
    assertThat(first(plan(with(518_400_000, 11, 1), fast))).isEqualTo("processors of nodes");
    assertThat(first(plan(with(518_400_000, 300, 0), fast)))
        .isEqualTo("processors of the database");
    assertThat(first(plan(Demands.of(ec(1_000)).openConnections(9_999).demand(), fast)))
        .isEqualTo("connections of nodes");
    assertThat(first(plan(Demands.of(ec(1_000)).crowd(59_000, 60).demand(), fast)))
        .isEqualTo("handshakes at once");
  }

  @Test
  void resources_fullestFirst_timesUntilFull() {
    Sized sized = plan(with(5_184_000, 500, 0), HSM);

    assertThat(sized.resources().getFirst().name()).isEqualTo("HSM");
    assertThat(sized.resources().getFirst().timesUntilFull()).isCloseTo(1.6, within(1e-6));
    assertThat(sized.resources())
        .isSortedAccordingTo((a, b) -> Double.compare(b.utilisation(), a.utilisation()));
  }

  /** Nothing is asked for: nothing divides by it. */
  @Test
  void plan_noDemand_oneOfEach() {
    Sized sized = plan(with(0, 3, 1), HSM);

    assertThat(sized.hsm().perRegion()).isEqualTo(1 + 1);
    assertThat(sized.hsm().queue()).isEqualTo(new Sized.Queue(0, 0, 0, 0));
    assertThat(sized.nodes().perRegion()).isEqualTo(1 + 1);
    assertThat(sized.resources()).allMatch(resource -> resource.utilisation() == 0);
  }

  @Test
  void plan_rateNotGiven_said() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> plan(demand(1, 90, KeyKind.ED25519), HSM))
        .withMessageContaining("ed25519");
  }

  @Test
  void plan_absurdDemand_said() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> plan(demand(1e12, 1, KeyKind.RSA_2048), HSM))
        .withMessageContaining("100,000");
  }

  private static String first(Sized sized) {
    return sized.resources().getFirst().name();
  }

  private static Sized given(Demand demand, int hsms) {
    return Sizing.of(demand, machine(), HSM, new Sizing.Targets(0.8, 0.6, 2, 8, hsms));
  }

  private static Sized.Handshakes handshakes(Demands demands, Machine machine) {
    return Sizing.of(demands.demand(), machine, HSM, Sizing.Targets.DEFAULT).nodes().handshakes();
  }

  private static Sized plan(Demand demand, Hsm hsm) {
    return Sizing.of(demand, machine(), hsm, new Sizing.Targets(0.8, 0.6, 2, 8, 0));
  }

  private static Demand demand(double living, double days, KeyKind issuerKey) {
    return Demands.of(Demands.renewed("k", living, days, issuerKey, KeyKind.EC_P256))
        .handshakesPerRequest(1)
        .demand();
  }

  private static Demand with(double living, double peakFactor, double handshakes) {
    return Demands.of(ec(living)).peakFactor(peakFactor).handshakesPerRequest(handshakes).demand();
  }

  private static Demand ocsp(double perDay) {
    return Demands.of(ec(1_000_000)).peakFactor(1).ocspPerDay(perDay).demand();
  }

  private static Kind ec(double living) {
    return Demands.renewed("k", living, 90, KeyKind.EC_P256, KeyKind.EC_P256);
  }

  private static Machine machine() {
    return Machines.of(Machines.NOT_MEASURED);
  }
}
