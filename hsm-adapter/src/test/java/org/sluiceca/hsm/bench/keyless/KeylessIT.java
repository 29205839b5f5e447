package org.sluiceca.hsm.bench.keyless;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Terms.Crew;
import org.sluiceca.hsm.testkit.SoftHsm;

/**
 * Whether the benchmark works, whatever else the machine does: no speed is judged here, for a test
 * may run alongside anything. What {@link Judge} makes of speeds, {@link JudgeTest} says.
 */
class KeylessIT {

  /** The bare token and the adapter take turns, so that both are there in whatever happens. */
  private static final int ROUNDS = 5;

  private static final Duration TURN = Duration.ofMillis(100);
  private static final List<KeyKind> KINDS = List.of(KeyKind.EC_P256, KeyKind.RSA_2048);

  // Not deleted at the end: the modules stay loaded.
  @TempDir(cleanup = CleanupMode.NEVER)
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path program;

  @BeforeEach
  void buildBareToken() {
    program = folder.resolve("bare_token");
    SoftHsm.run(
        "cc",
        "-O2",
        "-isystem",
        "/usr/include/p11-kit-1",
        "-D_GNU_SOURCE",
        "-o",
        program.toString(),
        "src/test/c/bare_token.c",
        "-ldl",
        "-lpthread");
  }

  @Test
  void pairs_manyShortTurns_bothWaysSignWithEachKind() throws InterruptedException {
    List<Pair> pairs = sections(TURN).pairs();

    assertThat(pairs).extracting(Pair::kind).containsExactlyElementsOf(KINDS);
    for (Pair pair : pairs) {
      for (List<Measurement> way : List.of(pair.bare(), pair.adapter())) {
        assertThat(way).hasSize(ROUNDS);
        Measurement all = Measurement.together(way);
        assertThat(all.count()).as("%s", pair.kind()).isPositive();
        assertThat(all.meanMicros()).isPositive();
        assertThat(all.cpuMicros()).isPositive();
      }
    }
    assertThat(pageOf(pairs, List.of()))
        .contains("## On this machine's processors", "| " + KeyKind.RSA_2048 + " | 4 | 4 |");
  }

  /**
   * RSA alone would fill a device whose engines all sign with all; EC that waited behind it would
   * sign a tenth as often as RSA, and signs ten times as often.
   */
  @Test
  void apart_rsaInPlenty_ecSignsTheMore() throws InterruptedException {
    Mixed apart = sections(Duration.ofSeconds(1)).apart();

    assertThat(apart.before().count()).isPositive();
    assertThat(apart.after().count()).isPositive();
    assertThat(apart.rsa().count()).isPositive();
    // Of the same second.
    assertThat(apart.alongside().count()).isGreaterThan(apart.rsa().count());
    assertThat(pageOf(List.of(), List.of(apart))).contains("## EC alongside RSA-2048", Judge.APART);
  }

  private Sections sections(Duration length) {
    Terms terms =
        new Terms(
            program,
            Duration.ofSeconds(1),
            TURN.dividedBy(2),
            Duration.ofSeconds(1),
            length,
            ROUNDS,
            KINDS,
            List.of(Crew.of(4)));
    return new Sections(terms, folder, System.out::println);
  }

  private static String pageOf(List<Pair> pairs, List<Mixed> mixed) {
    return Page.of(
        new Results(Map.of(), pairs, List.of(), mixed, Judge.goals(pairs, List.of(), mixed)), 2);
  }
}
