package org.sluiceca.load.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.drill.Comparison.Row;
import org.sluiceca.load.drill.Comparison.Standing;
import org.sluiceca.load.drill.client.Granted;

/** Each fault that a restored ledger may have is distinguished from the others. */
class ComparisonTest {

  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

  private static final Granted GIVEN = new Granted("run-1", "01aa", "tbs", "signature", "", NOON);

  private static Standing standingWith(Map<String, Row> rows) {
    Comparison comparison = new Comparison(List.of(GIVEN), rows);
    for (Standing standing : Standing.values()) {
      if (comparison.count(standing) == 1) {
        return standing;
      }
    }
    throw new AssertionError("in no list: " + comparison);
  }

  @Test
  void of_theSameOctets_isSame() {
    assertThat(standingWith(Map.of("01aa", new Row("tbs", "issued", "signature"))))
        .isEqualTo(Standing.SAME);
  }

  @Test
  void of_noRow_isMissing() {
    assertThat(standingWith(Map.of("01ab", new Row("tbs", "issued", "signature"))))
        .isEqualTo(Standing.MISSING);
  }

  @Test
  void of_intentWithoutOutcome_isUndecided() {
    assertThat(standingWith(Map.of("01aa", new Row("tbs", "", "")))).isEqualTo(Standing.UNDECIDED);
  }

  @Test
  void of_givenUp_isGivenUp() {
    assertThat(standingWith(Map.of("01aa", new Row("tbs", "abandoned", ""))))
        .isEqualTo(Standing.GIVEN_UP);
  }

  @Test
  void of_anotherSignatureOrContent_isOther() {
    assertThat(standingWith(Map.of("01aa", new Row("tbs", "issued", "a second one"))))
        .isEqualTo(Standing.OTHER);
    assertThat(standingWith(Map.of("01aa", new Row("else", "issued", "signature"))))
        .isEqualTo(Standing.OTHER);
    assertThat(standingWith(Map.of("01aa", new Row("else", "", "")))).isEqualTo(Standing.OTHER);
  }

  @Test
  void notThereUntil_answeredAtThatMoment_counts() {
    Comparison comparison = new Comparison(List.of(GIVEN), Map.of());

    assertThat(comparison.notThereUntil(NOON)).containsExactly(GIVEN);
    assertThat(comparison.notThereUntil(NOON.minusMillis(1))).isEmpty();
    assertThat(comparison.notThere()).containsExactly(GIVEN);
  }
}
