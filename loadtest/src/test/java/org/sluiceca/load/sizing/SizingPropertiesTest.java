package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Demand.Kind;
import org.sluiceca.load.sizing.given.Hsm;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;

/** What holds of every plan. */
class SizingPropertiesTest {

  private static final int CASES = 500;
  private static final List<KeyKind> KINDS = List.of(KeyKind.values());
  private static final long SEED = Long.getLong("seed", new SplittableRandom().nextLong());

  /** One demand, and a larger one: more certificates, handshakes, connections, OCSP. */
  private record Case(Demands smaller, Demands larger, Hsm hsm, Machine machine) {}

  @Test
  void moreDemand_neverNeedsFewerOfAnything() {
    forEach(
        (one, told) -> {
          Sized small = plan(one.smaller().demand(), one, 0);
          Sized large = plan(one.larger().demand(), one, 0);

          assertThat(large.hsm().needed()).as(told).isGreaterThanOrEqualTo(small.hsm().needed());
          assertThat(large.nodes().perRegion())
              .as(told)
              .isGreaterThanOrEqualTo(small.nodes().perRegion());
          assertThat(large.database().coresBusy())
              .as(told)
              .isGreaterThanOrEqualTo(small.database().coresBusy());
          assertThat(large.database().bytesInAYear())
              .as(told)
              .isGreaterThanOrEqualTo(small.database().bytesInAYear());
        });
  }

  /**
   * With the spare ones lost what is left is planned anew, as it is, by no formula of the plan's
   * own but the sum of its work.
   */
  @Test
  void sparesLost_whatIsLeftKeepsUp() {
    forEach(
        (one, told) -> {
          Demand demand = one.smaller().demand();
          Sized sized = plan(demand, one, 0);
          int spare = demand.spare();
          double hsmSeconds =
              demand.peakByIssuerKey().entrySet().stream()
                      .mapToDouble(e -> e.getValue() * one.hsm().secondsOf(e.getKey()))
                      .sum()
                  + demand.ocspSignedAtPeak() * one.hsm().secondsOf(KeyKind.EC_P256);
          double left = (sized.hsm().perRegion() - spare) * (double) demand.regions();

          assertThat(hsmSeconds / left).as(told).isLessThanOrEqualTo(0.8 + 1e-9);
          int nodes = sized.nodes().perRegion() - spare;
          assertThat(sized.nodes().coresBusy() / (nodes * 2))
              .as(told)
              .isLessThanOrEqualTo(0.6 + 1e-9);
          assertThat((long) nodes * sized.nodes().connections() * demand.regions())
              .as(told)
              .isGreaterThanOrEqualTo(demand.openConnections());
          assertThat(sized.nodes().connections())
              .as(told)
              .isLessThanOrEqualTo(one.machine().memory().connectionsMax());
          assertThat(sized.nodes().handshakes().crowdSeconds())
              .as(told)
              .isLessThanOrEqualTo(demand.handshakesWithinSeconds() + 1e-6);
        });
  }

  /** One HSM fewer is too few: a plan buys none for nothing. */
  @Test
  void hsms_oneFewer_isNotEnough() {
    forEach(
        (one, told) -> {
          Demand demand = one.smaller().demand();
          int needed = plan(demand, one, 0).hsm().needed();

          assertThat(plan(demand, one, needed).lacks()).as(told).isEmpty();
          if (needed - 1 > demand.spare()) {
            assertThat(plan(demand, one, needed - 1).lacks()).as(told).hasSize(1);
          }
        });
  }

  /**
   * Twice as fast an HSM is worked half as long; twice as slow a core is busy for twice as long.
   */
  @Test
  void units_scale() {
    forEach(
        (one, told) -> {
          Map<KeyKind, Double> twice = new EnumMap<>(KeyKind.class);
          one.hsm().perSecond().forEach((kind, rate) -> twice.put(kind, 2 * rate));
          Hsm fast = new Hsm("fast", twice, one.hsm().engines(), "a test");
          Sized slow = plan(one.smaller().demand(), one, 0);
          Sized quick =
              plan(
                  one.smaller().demand(),
                  new Case(one.smaller(), one.larger(), fast, one.machine()),
                  0);

          assertThat(quick.hsm().work() * 2).as(told).isCloseTo(slow.hsm().work(), within(1e-9));
          assertThat(quick.nodes()).as(told).isEqualTo(slow.nodes());
        });
  }

  private static Sized plan(Demand demand, Case one, int hsms) {
    return Sizing.of(demand, one.machine(), one.hsm(), new Sizing.Targets(0.8, 0.6, 2, 256, hsms));
  }

  private interface Check {
    void of(Case one, String told);
  }

  private static void forEach(Check check) {
    SplittableRandom seeds = new SplittableRandom(SEED);
    for (int i = 0; i < CASES; i++) {
      check.of(made(seeds.split()), "case " + i + " of -Dseed=" + SEED);
    }
  }

  private static Case made(SplittableRandom random) {
    Map<KeyKind, Double> rates = new EnumMap<>(KeyKind.class);
    for (KeyKind kind : KeyKind.values()) {
      rates.put(kind, random.nextDouble(50, 5_000));
    }
    List<Kind> asked = new ArrayList<>();
    int kinds = random.nextInt(1, 4);
    for (int i = 0; i < kinds; i++) {
      KeyKind issuer = KINDS.get(random.nextInt(KINDS.size()));
      KeyKind subject = KINDS.get(random.nextInt(KINDS.size()));
      double living = Math.pow(10, random.nextDouble(2, 8));
      double days = random.nextDouble(1, 800);
      asked.add(Demands.renewed("k" + i, living, days, issuer, subject));
    }
    Hsm hsm = new Hsm("an HSM", rates, random.nextInt(1, 33), "a test");
    Machine machine =
        Machines.of(
            random.nextBoolean()
                ? Machines.NOT_MEASURED
                : new Machine.Handshakes(
                    Map.of(),
                    OptionalDouble.of(random.nextDouble(100, 2_000)),
                    Map.of(KeyKind.EC_P256, random.nextDouble(50, 900))));
    // What both share; only what is asked for is larger, and not its mixture.
    double factor = random.nextDouble(1, 10);
    double resumed = random.nextDouble();
    double clients = random.nextDouble();
    long open = random.nextLong(200_000);
    long crowd = random.nextLong(50_000);
    double ocsp = random.nextDouble(2);
    int regions = random.nextInt(1, 5);
    int spare = random.nextInt(0, 3);
    double more = random.nextDouble(1, 3);
    return new Case(
        demands(asked, factor, resumed, clients)
            .openConnections(open)
            .crowd(crowd, 20)
            .ocspPerDay(ocsp)
            .regions(regions)
            .spare(spare),
        demands(scaled(asked, more), factor, resumed, clients)
            .openConnections((long) (open * more))
            .crowd((long) (crowd * more), 20)
            .ocspPerDay(ocsp * more)
            .regions(regions)
            .spare(spare),
        hsm,
        machine);
  }

  /** Of one factor: another mixture of clients' keys may be a cheaper one. */
  private static List<Kind> scaled(List<Kind> asked, double factor) {
    return asked.stream()
        .map(
            kind ->
                Demands.renewed(
                    kind.name(),
                    kind.living() * factor,
                    kind.lifetimeDays(),
                    kind.issuerKey(),
                    kind.subjectKey()))
        .toList();
  }

  private static Demands demands(List<Kind> kinds, double factor, double resumed, double clients) {
    return Demands.of(kinds.toArray(Kind[]::new))
        .peakFactor(factor)
        .handshakesPerRequest(0.5)
        .resumed(resumed)
        .clientCertificates(clients);
  }
}
