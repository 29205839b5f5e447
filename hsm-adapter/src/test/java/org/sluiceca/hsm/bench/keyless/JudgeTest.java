package org.sluiceca.hsm.bench.keyless;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.hsm.bench.keyless.Results.Goal;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Results.Tracked;
import org.sluiceca.hsm.bench.keyless.Terms.Crew;

/** Each fault that a run may show is planted once, and is found for its own reason alone. */
class JudgeTest {
  private static final double SECONDS = 10;

  private final List<Pair> pairs = new ArrayList<>();
  private final List<Tracked> tracked = new ArrayList<>();
  private final List<Mixed> mixed = new ArrayList<>();

  /** A rate by a number of workers, each of which is always in a signature; all take alike. */
  private static Measurement loop(KeyKind kind, int workers, double perSecond) {
    return loop(kind, workers, perSecond, 1, 0);
  }

  /**
   * The same with a tail.
   *
   * @param tailTimes how many times as long as the others the longest take
   * @param tailPart how many of all they are
   */
  private static Measurement loop(
      KeyKind kind, int workers, double perSecond, double tailTimes, double tailPart) {
    long count = Math.round(perSecond * SECONDS);
    // Such that the mean stays what Little's law wants.
    double each = workers / perSecond * 1e9 / (1 - tailPart + tailPart * tailTimes);
    Durations durations = new Durations();
    for (long i = 0; i < count; i++) {
      durations.add((long) (i < tailPart * count ? each * tailTimes : each));
    }
    return new Measurement(kind, workers, count, SECONDS, 2 * SECONDS, durations);
  }

  private static Pair pair(KeyKind kind, int workers, double bare, double adapter) {
    return new Pair(
        kind,
        Crew.of(workers),
        List.of(loop(kind, workers, bare)),
        List.of(loop(kind, workers, adapter)));
  }

  private static Tracked device(Measurement adapter, int queueP99) {
    return new Tracked(
        "one HSM",
        2000,
        adapter,
        Optional.of(loop(KeyKind.EC_P256, 16, 2000)),
        Optional.of(new DeviceFigures(1, 3, queueP99)),
        14);
  }

  private static Mixed apart(Measurement alongside, double rsa) {
    return new Mixed(
        Judge.APART,
        Judge.ADAPTER,
        loop(KeyKind.EC_P256, 4, 700),
        alongside,
        loop(KeyKind.RSA_2048, 32, rsa),
        loop(KeyKind.EC_P256, 4, 720),
        800,
        80);
  }

  private static Mixed shared(double ec, double rsa) {
    return new Mixed(
        Judge.SHARED,
        Judge.ADAPTER,
        loop(KeyKind.EC_P256, 16, 1580),
        loop(KeyKind.EC_P256, 16, ec),
        loop(KeyKind.RSA_2048, 32, rsa),
        loop(KeyKind.EC_P256, 16, 1580),
        1600,
        160);
  }

  private static Mixed processors(String by, double alongside) {
    return new Mixed(
        Judge.PROCESSORS,
        by,
        loop(KeyKind.EC_P256, 4, 10_000),
        loop(KeyKind.EC_P256, 4, alongside),
        loop(KeyKind.RSA_2048, 16, 900),
        loop(KeyKind.EC_P256, 4, 10_000),
        0,
        0);
  }

  private void plantNothing() {
    pairs.add(pair(KeyKind.EC_P256, 2, 14_000, 6_000));
    pairs.add(pair(KeyKind.EC_P256, 8, 14_000, 11_000));
    pairs.add(pair(KeyKind.RSA_2048, 8, 2_000, 1_950));
    tracked.add(device(loop(KeyKind.EC_P256, 64, 1_990), 9));
    mixed.add(apart(loop(KeyKind.EC_P256, 4, 690), 79));
    mixed.add(shared(790, 79));
    mixed.add(processors(Judge.ADAPTER, 4_900));
    mixed.add(processors(Judge.BARE, 1_900));
  }

  private List<String> missed() {
    return Judge.goals(pairs, tracked, mixed).stream()
        .filter(goal -> !goal.isMet())
        .map(Goal::what)
        .toList();
  }

  @Test
  void nothingPlanted_allGoalsMet() {
    plantNothing();

    assertThat(missed()).isEmpty();
    assertThat(Judge.goals(pairs, tracked, mixed)).hasSize(14);
  }

  @Test
  void adapterThatTakesHalfOfAQuickToken_found() {
    plantNothing();
    pairs.set(1, pair(KeyKind.EC_P256, 8, 14_000, 7_000));

    assertThat(missed())
        .containsExactly("ec-p256, 8 sessions, 8 requesters: adapter's rate by the bare token's");
  }

  /** Of a slow one even an eighth is too much. */
  @Test
  void adapterThatTakesAnEighthOfASlowToken_found() {
    plantNothing();
    pairs.set(2, pair(KeyKind.RSA_2048, 8, 2_000, 1_750));

    assertThat(missed())
        .containsExactly("rsa-2048, 8 sessions, 8 requesters: adapter's rate by the bare token's");
  }

  /** One bad round of three is chance; the median is not moved by it. */
  @Test
  void oneBadRoundOfThree_isNotTheAdapters() {
    plantNothing();
    Measurement bare = loop(KeyKind.EC_P256, 8, 14_000);
    Measurement good = loop(KeyKind.EC_P256, 8, 11_000);
    Measurement bad = loop(KeyKind.EC_P256, 8, 2_000);
    pairs.set(
        1,
        new Pair(KeyKind.EC_P256, Crew.of(8), List.of(bare, bare, bare), List.of(good, bad, good)));
    assertThat(missed()).isEmpty();

    pairs.set(
        1,
        new Pair(KeyKind.EC_P256, Crew.of(8), List.of(bare, bare, bare), List.of(bad, bad, good)));
    assertThat(missed()).hasSize(1);
  }

  private static Arguments fault(String goal, Consumer<JudgeTest> plant) {
    return Arguments.of(goal, plant);
  }

  static Stream<Arguments> faults() {
    KeyKind ec = KeyKind.EC_P256;
    return Stream.of(
        fault(
            "one HSM, ec-p256: rate by capacity",
            run -> run.tracked.set(0, device(loop(ec, 64, 1_900), 9))),
        // Some wait twice as long.
        fault(
            "one HSM, ec-p256: p99 by mean",
            run -> run.tracked.set(0, device(loop(ec, 64, 1_990, 2, 0.02), 9))),
        fault(
            "one HSM, ec-p256: p99 of the HSM's queue, jobs",
            run -> run.tracked.set(0, device(loop(ec, 64, 1_990), 40))),
        fault(
            "engines apart: EC's rate alongside RSA by alone",
            run -> run.mixed.set(0, apart(loop(ec, 4, 600), 79))),
        fault(
            "engines apart: EC's p99 alongside RSA by alone",
            run -> run.mixed.set(0, apart(loop(ec, 4, 690, 5, 0.015), 79))),
        fault(
            "engines apart: RSA by its engines' capacity",
            run -> run.mixed.set(0, apart(loop(ec, 4, 690), 40))),
        fault("engines shared: engines' time used", run -> run.mixed.set(1, shared(600, 60))),
        fault("engines shared: EC's part of it", run -> run.mixed.set(1, shared(320, 125))),
        fault(
            "processors shared: EC's rate alongside RSA by alone",
            run -> run.mixed.set(2, processors(Judge.ADAPTER, 1_900))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void planted_found(String goal, Consumer<JudgeTest> plant) {
    plantNothing();
    plant.accept(this);

    assertThat(missed()).containsExactly(goal);
  }

  /** Signatures that were counted and not made, or made and not counted. */
  @Test
  void wrongCount_foundByLittlesLaw() {
    plantNothing();
    Measurement was = loop(KeyKind.EC_P256, 2, 6_000);
    Measurement halfOfTheTime =
        new Measurement(KeyKind.EC_P256, 2, was.count(), 2 * SECONDS, 1, was.durations());
    pairs.set(
        0, new Pair(KeyKind.EC_P256, Crew.of(2), pairs.getFirst().bare(), List.of(halfOfTheTime)));

    assertThat(missed()).containsExactly("Little's law, rate by mean time by workers, the least");
  }

  @Test
  void nothingMeasured_reachesNothing() {
    tracked.add(device(new Measurement(KeyKind.EC_P256, 64, 0, 10, 1, new Durations()), 9));

    assertThat(missed())
        .contains("one HSM, ec-p256: rate by capacity", "one HSM, ec-p256: p90 by mean");
  }

  @Test
  void page_tellsWhatWasMissed() {
    plantNothing();
    mixed.set(1, shared(600, 60));
    Results results =
        new Results(
            Map.of("commit", "abc\"1"), pairs, tracked, mixed, Judge.goals(pairs, tracked, mixed));

    assertThat(Page.of(results, 2))
        .contains(
            "**1 of 14 goals missed.**",
            "| engines shared: engines' time used | ≥ 0.90 | 0.750 | **MISSED** |",
            "| ECDSA P-256 | 11,090 | 7,000 | 5,500 |");
    assertThat(ResultsJson.of(results))
        .contains("\"commit\": \"abc\\\"1\"", "\"goalsMissed\": 1", "\"p99.9\": ");
  }
}
