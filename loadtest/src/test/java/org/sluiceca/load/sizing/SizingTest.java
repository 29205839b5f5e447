package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.sizing.Demand.Kind;
import org.sluiceca.load.sizing.Demand.Redundancy;

class SizingTest {

  private static final Hsm HSM =
      new Hsm("hsm", Map.of(KeyKind.EC_P256, 400.0, KeyKind.RSA_2048, 100.0), 4);

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
    assertThat(sized.hsm().serviceSeconds()).isCloseTo(4 / 400.0, within(1e-9));
  }

  @Test
  void hsms_littlesLaw_jobsAreRateTimesTime() {
    Sized.Signing signing = plan(with(5_184_000, 500, 0), HSM).hsm();

    assertThat(signing.inHsm())
        .isCloseTo(500 * (signing.waitSeconds() + signing.serviceSeconds()), within(1e-6));
    // What is being signed is the work in engines.
    assertThat(signing.inHsm()).isGreaterThan(1.25 * 4);
  }

  @Test
  void hsms_exactlyFull_notOneMore() {
    assertThat(plan(with(5_184_000, 640, 0), HSM).hsm().perRegion()).isEqualTo(2 + 1);
    assertThat(plan(with(5_184_000, 641, 0), HSM).hsm().perRegion()).isEqualTo(3 + 1);
  }

  @Test
  void hsms_rsaIssuer_costsByItsRate() {
    Demand rsa =
        new Demand(
            List.of(Kind.renewed("r", 5_184_000, 90, KeyKind.RSA_2048, KeyKind.EC_P256)),
            500,
            0,
            0,
            0,
            0,
            24,
            new Redundancy(1, 0));

    assertThat(plan(rsa, HSM).hsm().work()).isCloseTo(5, within(1e-6));
    assertThat(plan(rsa, HSM).alternatives())
        .filteredOn(a -> a.issuerKey() == KeyKind.RSA_2048)
        .singleElement()
        .satisfies(
            a -> {
              assertThat(a.times()).isEqualTo(4);
              assertThat(a.hsms()).isEqualTo(7);
            });
  }

  @Test
  void regions_eachCarriesItsPart() {
    Demand two =
        new Demand(with(5_184_000, 1_000, 0).kinds(), 1_000, 0, 0, 0, 0, 24, new Redundancy(2, 1));

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
    Demand open = new Demand(kept(5_184_000), 1, 0, 25_000, 0, 0, 24, new Redundancy(1, 1));
    assertThat(plan(open, HSM).nodes().perRegion()).isEqualTo(3 + 1);
    assertThat(plan(open, HSM).nodes().memoryMb())
        .isCloseTo(200 + 8_334 * 10 / 1024.0, within(0.01));
  }

  @Test
  void database_growsByTheLedger() {
    Sized.Database database = plan(with(86_400 * 60, 1, 0), HSM).database();

    assertThat(database.bytesPerDay()).isCloseTo(86_400 * 3_000.0, within(1.0));
    assertThat(database.coresBusy()).isCloseTo(200 / 1e6, within(1e-9));
  }

  @Test
  void resources_fullestFirst_timesUntilFull() {
    Sized sized = plan(with(5_184_000, 500, 0), HSM);

    assertThat(sized.resources().getFirst().name()).isEqualTo("HSM");
    assertThat(sized.resources().getFirst().timesUntilFull()).isCloseTo(1.6, within(1e-6));
    assertThat(sized.resources())
        .isSortedAccordingTo((a, b) -> Double.compare(b.utilisation(), a.utilisation()));
  }

  @Test
  void plan_rateNotGiven_said() {
    assertThatExceptionOfType(SizingException.class)
        .isThrownBy(() -> plan(demand(1, 90, KeyKind.ED25519), HSM))
        .withMessageContaining("ed25519");
  }

  @Test
  void plan_absurdDemand_said() {
    assertThatExceptionOfType(SizingException.class)
        .isThrownBy(() -> plan(demand(1e12, 1, KeyKind.RSA_2048), HSM))
        .withMessageContaining("100,000");
  }

  private static Sized plan(Demand demand, Hsm hsm) {
    return Sizing.of(demand, machine(), hsm, new Sizing.Targets(0.8, 0.6, 2, 8));
  }

  private static Demand demand(double living, double days, KeyKind issuerKey) {
    return new Demand(
        List.of(Kind.renewed("k", living, days, issuerKey, KeyKind.EC_P256)),
        3,
        1,
        0,
        0,
        0,
        24,
        new Redundancy(1, 1));
  }

  private static Demand with(double living, double peakFactor, double handshakes) {
    return new Demand(kept(living), peakFactor, handshakes, 0, 0, 0, 24, new Redundancy(1, 1));
  }

  private static Demand ocsp(double perDay) {
    return new Demand(
        List.of(Kind.renewed("k", 1_000_000, 90, KeyKind.EC_P256, KeyKind.EC_P256)),
        1,
        0,
        0,
        0,
        perDay,
        24,
        new Redundancy(1, 1));
  }

  private static List<Kind> kept(double living) {
    return List.of(Kind.renewed("k", living, 90, KeyKind.EC_P256, KeyKind.EC_P256));
  }

  private static Machine machine() {
    Map<KeyKind, Double> verify = new EnumMap<>(KeyKind.class);
    for (KeyKind kind : KeyKind.values()) {
      verify.put(kind, 100.0);
    }
    return new Machine(
        "a machine",
        new Machine.NodeMicros(1_000, 2_000, 100),
        verify,
        200,
        new Machine.Memory(200, 10, 10_000),
        new Machine.Disk(2_000, 1_000, 5_000));
  }
}
