package org.sluiceca.hsm.ceremony;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.hsm.ceremony.EngineGrouping.Group;
import org.sluiceca.hsm.ceremony.EngineGrouping.Kind;
import org.sluiceca.hsm.ceremony.EngineGrouping.Rates;

class EngineGroupingTest {

  private static final Kind<String> EC = new Kind<>("ec", "ec", 0.001, 8, 16, 8000);
  private static final Kind<String> ED = new Kind<>("ed", "ed", 0.002, 7, 16, 4000);
  private static final Kind<String> RSA = new Kind<>("rsa", "rsa", 0.3, 4, 8, 13);

  @Test
  void one_itself() {
    assertThat(new EngineGrouping<String>((a, n, b, m) -> Optional.empty()).group(List.of(RSA)))
        .containsExactly(new Group(List.of("rsa"), 4));
  }

  /** Each keeps so much of what it makes alone; a busy host and noise count in. */
  @ParameterizedTest
  @ValueSource(doubles = {0.4, 0.5, 0.65, 0.74})
  void two_halvingEachOther_oneGroupWithTheEnginesOfTheSlower(double kept) {
    assertThat(grouping(kept).group(List.of(EC, RSA)))
        .containsExactly(new Group(List.of("ec", "rsa"), 4));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.76, 0.9, 1, 1.1})
  void two_leavingEachOtherAlone_apart(double kept) {
    assertThat(grouping(kept).group(List.of(EC, RSA)))
        .containsExactly(new Group(List.of("ec"), 8), new Group(List.of("rsa"), 4));
  }

  @Test
  void three_twoOfThemShared_twoGroups() {
    EngineGrouping<String> curvesTogether =
        new EngineGrouping<>(
            (a, n, b, m) -> {
              double kept = a.equals("rsa") || b.equals("rsa") ? 1 : 0.5;
              return Optional.of(new Rates(kept * rate(a), kept * rate(b)));
            });

    assertThat(curvesTogether.group(List.of(EC, ED, RSA)))
        .containsExactly(new Group(List.of("ec", "ed"), 7), new Group(List.of("rsa"), 4));
  }

  /** Something else ran while each was alone: they seem to keep all that they had. */
  @Test
  void two_disturbedWhenAlone_measuredAgain() {
    EngineGrouping<String> disturbed =
        new EngineGrouping<>(
            (a, n, b, m) -> {
              double kept = m == 0 ? 2 : 1;
              return Optional.of(new Rates(kept * rate(a), kept * rate(b)));
            });

    assertThat(disturbed.group(List.of(EC, RSA))).hasSize(1);
  }

  @Test
  void noRoomForBoth_triedWithFewerUntilOneOfEachThenTakenForShared() {
    EngineGrouping<String> narrow =
        new EngineGrouping<>(
            (a, n, b, m) ->
                n + m > 6 ? Optional.empty() : Optional.of(new Rates(rate(a), rate(b))));
    assertThat(narrow.group(List.of(EC, RSA))).hasSize(2);

    EngineGrouping<String> single = new EngineGrouping<>((a, n, b, m) -> Optional.empty());
    assertThat(single.group(List.of(EC, RSA))).hasSize(1);
  }

  private static EngineGrouping<String> grouping(double kept) {
    return new EngineGrouping<>(
        (a, n, b, m) -> Optional.of(new Rates(kept * rate(a), kept * rate(b))));
  }

  private static double rate(String key) {
    return List.of(EC, ED, RSA).stream()
        .filter(kind -> kind.key().equals(key))
        .mapToDouble(Kind::rate)
        .sum();
  }
}
