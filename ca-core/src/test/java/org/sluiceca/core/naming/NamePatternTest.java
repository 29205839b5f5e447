package org.sluiceca.core.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePatternTest {

  @ParameterizedTest
  @CsvSource({
    "a, a, true",
    "a, b, false",
    "a, aa, false",
    "a, '', false",
    "a*, '', true",
    "a*, aaaa, true",
    "a+, '', false",
    "a?b, b, true",
    "a?b, aab, false",
    "'a{2}', a, false",
    "'a{2}', aa, true",
    "'a{2}', aaa, false",
    "'a{2,3}', aaa, true",
    "'a{2,3}', aaaa, false",
    "'a{2,}', a, false",
    "'a{2,}', aaaaaa, true",
    "'a{0,2}', '', true",
    "'a{0,2}', aaa, false",
    "., é, true",
    "., 😀, true",
    "., '', false",
    "'[a-c]', c, true",
    "'[a-c]', d, false",
    "'[^a-c]', d, true",
    "'[^a-c]', b, false",
    "'[a-c0-9-]+', b-7, true",
    "'[a\\-c]', -, true",
    "'[a\\-c]', b, false",
    "'[\\d.]+', 1.2, true",
    "'\\d{2}', 12, true",
    "'\\d', a, false",
    "'\\w+', aZ_9, true",
    "'\\w', -, false",
    "'a|b', b, true",
    "'a|b', ab, false",
    "'(ab)+', abab, true",
    "'(ab)+', aba, false",
    "'(a|)b', b, true",
    "'a\\.b', a.b, true",
    "'a\\.b', axb, false",
    "'host-\\d{2,5}\\.example\\.com', host-12.example.com, true",
    "'host-\\d{2,5}\\.example\\.com', host-12.example.com.evil.test, false",
    "'host-\\d{2,5}\\.example\\.com', evil-host-12.example.com, false",
  })
  void matches_wholeValueOnly(String pattern, String value, boolean expected) {
    assertThat(NamePattern.of(pattern).matches(value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "(",
        ")",
        "a)",
        "(a",
        "[",
        "[a",
        "[]",
        "[^]",
        "*",
        "+a",
        "?",
        "a**",
        "a{2}{3}",
        "a{",
        "a{}",
        "a{x}",
        "a{,2}",
        "a{3,2}",
        "\\",
        "\\1",
        "(?=a)",
        "[[a]",
        "[z-a]",
        "(a{255}){255}",
        "a{1001}",
        "(?<=a)",
        "\\Qa\\E",
        "[[:alpha:]]",
        "[]a]",
        "((((((a{999}){999}){999}){999}){999}){999}){999}",
        "([(]a{100}){100}",
        "(a{100}[)(\\]]){100}",
        "(\\(a{100}){100}",
        "(\\p{Lu}{100}){100}",
        "(.*a{99}|b){99}",
        "((((a{500}){0,}b){300}){0,}b){300}",
        "((a{999}){0,}){300}",
        "((a{999}){0}){300}"
      })
  void of_otherSyntax_refusedAtStart(String pattern) {
    assertThatIllegalArgumentException().isThrownBy(() -> NamePattern.of(pattern));
  }

  @Test
  void of_bounds_bothSides() {
    assertThat(NamePattern.of("a".repeat(200)).matches("a".repeat(200))).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> NamePattern.of("a".repeat(201)));
    // One state a letter, one to accept, one to fail.
    assertThat(NamePattern.of("a{499}b{499}").matches("a".repeat(499))).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> NamePattern.of("a{499}b{500}"));
    assertThat(NamePattern.of("(".repeat(99) + "a" + ")".repeat(99)).matches("a")).isTrue();
  }

  @Test
  void matches_lengthOfValue_bothSidesOfTheBound() {
    NamePattern any = NamePattern.of(".*");

    assertThat(any.matches("a".repeat(512))).isTrue();
    assertThat(any.matches("a".repeat(513))).isFalse();
  }

  /** Each of these takes java.util.regex longer than the universe has lasted. */
  @ParameterizedTest
  @ValueSource(
      strings = {"(a+)+b", "(a*)*b", "(a|a)*b", "(a|aa)+b", "(.*a){12}b", "(a?){99}a{99}b"})
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void matches_evilPatternAndValue_ends(String pattern) {
    NamePattern evil = NamePattern.of(pattern);

    assertThat(evil.matches("a".repeat(511) + "c")).isFalse();
    assertThat(evil.matches("a".repeat(511) + "b")).isEqualTo(!pattern.startsWith("(a?)"));
  }

  /** What would be written out into more states than memory holds is refused before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "((((((){999}){999}){999}){999}){999}){999}a",
        "((((a{999}){999}){999}){999}){999}",
        "((((a?){999,}){999,}){999,}){1,999}"
      })
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void of_countsInCounts_ends(String pattern) {
    assertThatIllegalArgumentException().isThrownBy(() -> NamePattern.of(pattern));
  }

  /** An optional copy costs RE2/J a state more; what is not far too low bounds the memory. */
  @Test
  void size_randomPatterns_atLeastHalfOfTheProgram() {
    SplittableRandom random = new SplittableRandom(20261121L);
    for (int i = 0; i < 3_000; i++) {
      String pattern = pattern(random, 3);
      int program = com.google.re2j.Pattern.compile(pattern).programSize();
      assertThat(2 * PatternSize.of(pattern) + 3).as(pattern).isGreaterThanOrEqualTo(program);
    }
  }

  /** The JDK's engine is the oracle, on short inputs that it can cope with. */
  @Test
  void matches_randomPatterns_likeTheJdk() {
    long seed = Long.getLong("seed", 20261121L);
    SplittableRandom random = new SplittableRandom(seed);
    int matched = 0;
    for (int i = 0; i < 3_000; i++) {
      String pattern = pattern(random, 2);
      NamePattern ours = NamePattern.of(pattern);
      Pattern theirs = Pattern.compile(pattern, Pattern.DOTALL);
      for (int j = 0; j < 10; j++) {
        String value = value(random);
        boolean expected = theirs.matcher(value).matches();
        matched += expected ? 1 : 0;
        assertThat(ours.matches(value))
            .as("pattern %s, value %s, seed %d", pattern, value, seed)
            .isEqualTo(expected);
      }
    }
    assertThat(matched).isGreaterThan(1_000);
  }

  private static String pattern(SplittableRandom random, int depth) {
    StringBuilder text = new StringBuilder();
    int atoms = random.nextInt(1, 4);
    for (int i = 0; i < atoms; i++) {
      text.append(
          switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> "a";
            case 1 -> "b";
            case 2 -> "[a-b]";
            case 3 -> "[^a]";
            case 4 -> "(" + pattern(random, depth - 1) + ")";
            default -> "(" + pattern(random, depth - 1) + "|" + pattern(random, depth - 1) + ")";
          });
      text.append(
          switch (random.nextInt(7)) {
            case 0 -> "*";
            case 1 -> "+";
            case 2 -> "?";
            case 3 -> "{1,2}";
            default -> "";
          });
    }
    return text.toString();
  }

  private static String value(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(7);
    for (int i = 0; i < length; i++) {
      text.append("abc".charAt(random.nextInt(3)));
    }
    return text.toString();
  }
}
