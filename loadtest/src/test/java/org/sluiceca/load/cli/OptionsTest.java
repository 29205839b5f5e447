package org.sluiceca.load.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class OptionsTest {

  private static Options parse(String... arguments) {
    return Options.parse("--out --rate --nodes", arguments);
  }

  private static void assertRefused(String because, String... arguments) {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> parse(arguments))
        .withMessageContaining(because);
  }

  @Test
  void parse_known_values() {
    Options options = parse("plan", "--out", "", "--rate", "0.5", "@two", "--nodes", "3");

    assertThat(options.text("--out")).isEmpty();
    assertThat(options.findNumber("--rate")).hasValue(0.5);
    assertThat(options.findWhole("--nodes")).hasValue(3);
    assertThat(options.words()).containsExactly("plan", "@two");
  }

  @Test
  void parse_unknownOrWithoutValueOrTwice_refused() {
    assertRefused("--crowd", "--crowd", "5");
    assertRefused("--crowd", "--out", "x", "--crowd");
    assertRefused("--rate", "--out", "x", "--rate");
    assertRefused("--rate", "--rate", "1", "--rate", "2");
  }

  @Test
  void missing_refusedWhereItIsNeeded() {
    assertThat(parse().find("--out")).isEmpty();
    assertThat(parse().findWhole("--nodes")).isEmpty();
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> parse().path("--out"))
        .withMessage("missing option: --out");
  }

  @Test
  void number_thatIsNone_refused() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> parse("--nodes", "many").findWhole("--nodes"))
        .withMessageContaining("--nodes is to be a number, not 'many'");
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> parse("--nodes", "1.5").findWhole("--nodes"));
  }
}
