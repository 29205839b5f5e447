package org.sluiceca.api.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.sluiceca.api.simulation.Seeds.Summary;
import org.sluiceca.api.simulation.Simulation.Counts;
import org.sluiceca.api.simulation.Simulation.Result;

/**
 * No promise of the line is broken, whatever crashes, hangs, lies or comes late.
 *
 * <p>{@code -Dsim.seeds=N} runs N seeds from {@code -Dsim.from}, {@code -Dsim.seed=N} one with its
 * whole trace; {@code -Dsim.threads} says on how many threads.
 */
class SimulationTest {

  /** Enough for every kind of fault, in the time of a build. */
  private static final long SMOKE = 100;

  /** A mutant that survives this number of worlds is not noticed. */
  private static final int MUTANT_SEEDS = 500;

  private static final int REPLAYED = 5;

  @BeforeAll
  static void quiet() {
    Quiet.logs();
  }

  @Test
  void worlds_ofManySeeds_breakNoPromise() throws InterruptedException {
    if (Long.getLong("sim.seed") != null) {
      replay(Long.getLong("sim.seed"));
      return;
    }
    long count = Long.getLong("sim.seeds", SMOKE);
    int threads = Integer.getInteger("sim.threads", 1);
    long start = System.nanoTime();

    Summary summary = Seeds.run(Long.getLong("sim.from", 1), count, threads, Mutant.NONE);

    System.out.printf(
        "simulation: %s, %.1f worlds/s on %d thread(s)%n",
        summary.counts(), count * 1e9 / (System.nanoTime() - start), threads);
    assertThat(summary.failures()).as(String.join("\n", summary.failures())).isEmpty();
    Counts counts = summary.counts();
    assertThat(counts.worlds()).isEqualTo(count);
    if (count >= SMOKE) {
      // A world in which nothing goes wrong proves nothing.
      assertThat(counts.crashes()).isPositive();
      assertThat(counts.takenOver()).isPositive();
      assertThat(counts.abandoned()).isPositive();
      assertThat(counts.issued()).isGreaterThan(counts.worlds());
    }
  }

  @Test
  void world_ofARandomSeed_breaksNoPromise() throws InterruptedException {
    long seed = new SecureRandom().nextInt() & 0x7FFF_FFFFL;
    System.out.println("simulation: random seed " + seed);

    Summary summary = Seeds.run(seed, 1, 1, Mutant.NONE);

    assertThat(summary.failures()).as(String.join("\n", summary.failures())).isEmpty();
  }

  @Test
  void seed_runTwice_sameTrace() throws InterruptedException {
    assertThat(Replay.hash(1, REPLAYED)).isEqualTo(Replay.hash(1, REPLAYED));
    assertThat(Replay.hash(1, 1)).isNotEqualTo(Replay.hash(2, 1));
  }

  @Test
  @Tag("slow")
  void seed_runInAnotherProcess_sameTrace() throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Replay.class.getName(),
                "1",
                String.valueOf(REPLAYED))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed =
        new String(other.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();

    assertThat(other.waitFor()).isZero();
    assertThat(printed.lines().toList().getLast())
        .isEqualTo(Long.toHexString(Replay.hash(1, REPLAYED)));
  }

  @TestFactory
  Stream<DynamicTest> mutant_inSomeWorld_isNoticed() {
    return Mutants.all().entrySet().stream()
        .map(m -> DynamicTest.dynamicTest(m.getKey(), () -> assertNoticed(m)));
  }

  @Test
  void failure_isMadeSmallAndTellsHowToReplayIt() throws InterruptedException {
    Mutant mutant = Objects.requireNonNull(Mutants.all().get("place given back twice"));
    Workload workload = Workload.of(1);

    Workload small = Seeds.smallest(workload, mutant);

    assertThat(small.clients()).isLessThan(workload.clients());
    assertThat(small.faults()).isZero();
    assertThat(Seeds.report(workload, mutant))
        .contains("more places than there are", "-Dsim.seed=1 -Dsim.clients=" + small.clients());
  }

  private static void assertNoticed(Map.Entry<String, Mutant> mutant) throws InterruptedException {
    int first = mutant.getValue().firstSeed();
    for (int seed = first; seed < first + MUTANT_SEEDS; seed++) {
      Result result = Simulation.run(Workload.of(seed), mutant.getValue(), false);
      if (!result.found().isEmpty()) {
        System.out.printf(
            "mutant \"%s\": noticed by seed %d: %s%n",
            mutant.getKey(), seed, result.found().getFirst());
        return;
      }
    }
    throw new AssertionError("survived " + MUTANT_SEEDS + " worlds: " + mutant.getKey());
  }

  private static void replay(long seed) throws InterruptedException {
    Workload usual = Workload.of(seed);
    Workload workload =
        new Workload(
            seed,
            Integer.getInteger("sim.clients", usual.clients()),
            Integer.getInteger("sim.nodes", usual.nodes()),
            Integer.getInteger("sim.faults", usual.faults()));

    Result result = Simulation.run(workload, Mutant.NONE, true);

    result.lines().forEach(System.out::println);
    System.out.println(workload + ": " + result.counts());
    assertThat(result.found()).isEqualTo(List.of());
  }
}
