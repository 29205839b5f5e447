package org.sluiceca.core.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsNamesTest {

  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

  /** RFC 1123 2.1, and a last label that no IPv4 address could have. */
  private static final Pattern NAME =
      Pattern.compile("(?!(?:.*\\.)?[0-9]+$)" + LABEL + "(?:\\." + LABEL + ")*");

  @ParameterizedTest
  @ValueSource(strings = {"a", "a.b", "1.a", "a1", "a-b.c-d", "3com.example", "A.EXAMPLE", "0a.0b"})
  void isHostName_namesOfRfc1123_true(String name) {
    assertThat(DnsNames.isHostName(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        ".a",
        "a.",
        "a..b",
        "-a",
        "a-",
        "a.-b",
        "a-.b",
        "a_b",
        "a b",
        "*.a.b",
        "1",
        "a.1",
        "192.0.2.1",
        "a\u0000b",
        "ä.example",
        "a\uFF0Eb",
        "\u0661a",
        "ab--c.example",
        "a\n"
      })
  void isHostName_anythingElse_false(String name) {
    assertThat(DnsNames.isHostName(name)).isFalse();
  }

  @Test
  void isHostName_lengths_63InALabel253InAll() {
    String label = "a".repeat(63);
    String longest = String.join(".", label, label, label, "a".repeat(61));

    assertThat(DnsNames.isHostName(label)).isTrue();
    assertThat(DnsNames.isHostName(label + "a")).isFalse();
    assertThat(longest).hasSize(253);
    assertThat(DnsNames.isHostName(longest)).isTrue();
    assertThat(DnsNames.isHostName(longest + "a")).isFalse();
  }

  @Test
  void isHostName_randomNames_asThePatternSays() {
    Random random = new Random(1);
    String alphabet = "aZ09.-_";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder name = new StringBuilder();
      random
          .ints(random.nextInt(9), 0, alphabet.length())
          .forEach(at -> name.append(alphabet.charAt(at)));
      // Two hyphens in third and fourth place are a rule of their own.
      if (name.indexOf("--") < 0) {
        assertThat(DnsNames.isHostName(name.toString()))
            .as("%s", name)
            .isEqualTo(NAME.matcher(name).matches());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*.example.org", "*.a.b"})
  void isWildcard_twoLabelsBelow_true(String name) {
    assertThat(DnsNames.isWildcard(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "*.", "*.org", "*.*.org", "a*.example.org", "example.org", "*.1.2"})
  void isWildcard_anythingElse_false(String name) {
    assertThat(DnsNames.isWildcard(name)).isFalse();
  }
}
