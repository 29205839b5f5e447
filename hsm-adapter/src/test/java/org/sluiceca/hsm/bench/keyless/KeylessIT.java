package org.sluiceca.hsm.bench.keyless;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Terms.Crew;
import org.sluiceca.hsm.testkit.SoftHsm;

/**
 * Whether the benchmark works: a second each, of two kinds of keys. Its bounds are wide: a test may
 * run beside anything.
 */
class KeylessIT {

  // Not deleted at the end: the modules stay loaded.
  @TempDir(cleanup = CleanupMode.NEVER)
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void shortRun_bothWaysSign_andEcKeepsItsEngines() throws InterruptedException {
    Path program = folder.resolve("bare_token");
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
    Terms terms =
        new Terms(
            program,
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            1,
            List.of(KeyKind.EC_P256, KeyKind.RSA_2048),
            List.of(Crew.of(4)));
    Sections sections = new Sections(terms, folder, System.out::println);

    List<Pair> pairs = sections.pairs();
    Mixed apart = sections.apart();

    assertThat(pairs).hasSize(2);
    assertThat(pairs).extracting(Pair::rateRatio).allMatch(ratio -> ratio > 0.1 && ratio < 2);
    assertThat(
            pairs.stream()
                .flatMap(pair -> Stream.concat(pair.bare().stream(), pair.adapter().stream()))
                .map(Measurement::underWayPerWorker))
        .allMatch(share -> share > 0.3 && share < 1.5);
    assertThat(apart.rateKept()).isGreaterThan(0.5);
    assertThat(apart.rsaTime()).isGreaterThan(0.5);
    Results results =
        new Results(
            Map.of(),
            pairs,
            List.of(),
            List.of(apart),
            Judge.goals(pairs, List.of(), List.of(apart)));
    assertThat(Page.of(results, 2)).contains("## EC beside RSA-2048");
  }
}
