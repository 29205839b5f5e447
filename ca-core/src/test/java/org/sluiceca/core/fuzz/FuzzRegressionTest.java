package org.sluiceca.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.der.Mutations;
import org.sluiceca.mutant.fuzz.AddressBeforeItsLength;

/** The fuzz targets over their seeds, seeded damage to these, and what the fuzzer found before. */
class FuzzRegressionTest {

  /** A second's work on a slow machine; the fuzzer itself does the rest. */
  private static final int MUTATIONS = 150;

  enum Target {
    CSR("CsrFuzz"),
    SIGNED_CSR("SignedCsrFuzz"),
    TEXT("TextFuzz"),
    JWS("JwsFuzz");

    private final String name;

    Target(String name) {
      this.name = name;
    }

    void take(byte[] data) {
      switch (this) {
        case CSR -> CsrFuzz.fuzzerTestOneInput(data);
        case SIGNED_CSR -> SignedCsrFuzz.fuzzerTestOneInput(data);
        case TEXT -> TextFuzz.fuzzerTestOneInput(data);
        case JWS -> JwsFuzz.fuzzerTestOneInput(data);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void target_seedsAndSeededDamage_holds(Target target) {
    List<byte[]> seeds = Seeds.of(target.name);
    assertThat(seeds).hasSizeGreaterThan(5);
    for (byte[] seed : seeds) {
      target.take(seed);
      for (long number = 1; number <= MUTATIONS; number++) {
        byte[] mutant = Mutations.of(seed, new SplittableRandom(number));
        assertThatCode(() -> target.take(mutant))
            .as("%s, seed %d", target, number)
            .doesNotThrowAnyException();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void target_earlierFinds_holds(Target target) throws IOException {
    for (byte[] find : finds(target.name)) {
      target.take(find);
    }
  }

  /**
   * The fuzzer's own find in the planted bug: the mutant falls, the reader that checks does not.
   */
  @Test
  void plantedBug_inputThatTheFuzzerFound_mutantFallsTargetHolds() throws IOException {
    List<byte[]> finds = finds("AddressBeforeItsLength");
    assertThat(finds).isNotEmpty();
    for (byte[] find : finds) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> AddressBeforeItsLength.fuzzerTestOneInput(find));
      CsrFuzz.fuzzerTestOneInput(find);
    }
  }

  private static List<byte[]> finds(String target) throws IOException {
    URL folder = FuzzRegressionTest.class.getResource(target);
    List<byte[]> finds = new ArrayList<>();
    if (folder == null) {
      return finds;
    }
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      for (Path file : files.sorted().toList()) {
        finds.add(Files.readAllBytes(file));
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException("resources of the tests", e);
    }
    return finds;
  }
}
