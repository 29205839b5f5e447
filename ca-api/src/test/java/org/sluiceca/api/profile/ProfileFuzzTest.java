package org.sluiceca.api.profile;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.der.Mutations;

/**
 * The fuzz target over the shipped profiles, damaged by seed, and over what breaks YAML parsers.
 */
class ProfileFuzzTest {

  private static final int MUTATIONS = 200;

  @Test
  void target_shippedProfilesWithSeededDamage_holds() throws IOException {
    for (String name : List.of("tls-server", "sub-ca")) {
      byte[] yaml = shipped(name);
      for (long seed = 1; seed <= MUTATIONS; seed++) {
        byte[] mutant = Mutations.of(yaml, new SplittableRandom(seed));
        assertThatCode(() -> ProfileFuzz.fuzzerTestOneInput(mutant))
            .as("%s, seed %d", name, seed)
            .doesNotThrowAnyException();
      }
    }
  }

  /** Found by the fuzzer: a key with nothing behind it ended in an exception without the file. */
  @Test
  void target_everyKeyWithoutAValue_holds() throws IOException {
    String yaml = new String(shipped("sub-ca"), StandardCharsets.UTF_8);
    List<String> lines = yaml.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      List<String> emptied = new ArrayList<>(lines);
      emptied.set(i, lines.get(i).replaceFirst(":.*", ":"));
      byte[] mutant = String.join("\n", emptied).getBytes(StandardCharsets.UTF_8);
      assertThatCode(() -> ProfileFuzz.fuzzerTestOneInput(mutant))
          .as(emptied.get(i))
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "- a",
        "name",
        "name: [",
        "a: &a [*a]",
        "a: &a {b: *a}",
        "? {a: b}\n: c",
        "%YAML 9.9\n---\na: b",
        "---\n...\n---\n",
        "!!java.net.URL [\"http://a.test\"]",
        "name: !!binary AAAA",
        "validity: {duration: P99999999999D}",
        "\u0000",
        "\ufeffname: a"
      })
  void target_yamlThatIsNoProfile_holds(String yaml) {
    assertThatCode(() -> ProfileFuzz.fuzzerTestOneInput(yaml.getBytes(StandardCharsets.UTF_8)))
        .doesNotThrowAnyException();
  }

  @Test
  void target_deepAndWideYaml_holds() {
    for (String yaml :
        List.of(
            "[".repeat(50_000),
            "a: ".repeat(20_000),
            "{a: ".repeat(20_000),
            "a: &a [1]\n" + "b: [" + "*a,".repeat(20_000) + "]")) {
      assertThatCode(() -> ProfileFuzz.fuzzerTestOneInput(yaml.getBytes(StandardCharsets.UTF_8)))
          .as(yaml.substring(0, 9))
          .doesNotThrowAnyException();
    }
  }

  private static byte[] shipped(String name) throws IOException {
    try (InputStream in = ProfileFuzz.class.getResourceAsStream("/profiles/" + name + ".yaml")) {
      if (in == null) {
        throw new IOException("no profile " + name);
      }
      return in.readAllBytes();
    }
  }
}
