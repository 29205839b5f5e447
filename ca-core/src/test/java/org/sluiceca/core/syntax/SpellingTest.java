package org.sluiceca.core.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpellingTest {

  private static final List<String> REASONS =
      List.of("unspecified", "keyCompromise", "cACompromise", "superseded");

  @Test
  void nearest_caseSeparatorsAndTypingErrors_found() {
    for (String word :
        List.of(
            "keycompromise", "key-compromise", "KEY_COMPROMISE", "keyComprimise", "eyCompromise")) {
      assertThat(Spelling.nearest(word, REASONS)).as(word).contains("keyCompromise");
    }
    assertThat(Spelling.nearest("supersede", REASONS)).contains("superseded");
  }

  @Test
  void nearest_anotherWordEmptyOrTooLong_none() {
    assertThat(Spelling.nearest("revoked", REASONS)).isEmpty();
    assertThat(Spelling.nearest("", REASONS)).isEmpty();
    assertThat(Spelling.nearest("k".repeat(65), REASONS)).isEmpty();
  }

  @Test
  void distance_editsOfEachKind_one() {
    assertThat(Spelling.distance("issuer", "isuer")).isEqualTo(1);
    assertThat(Spelling.distance("issuer", "issuers")).isEqualTo(1);
    assertThat(Spelling.distance("issuer", "issver")).isEqualTo(1);
    assertThat(Spelling.distance("issuer", "isseur")).isEqualTo(1);
    assertThat(Spelling.distance("issuer", "")).isEqualTo(6);
  }

  @Test
  void hint_anyWord_listsWhatIsAllowed() {
    assertThat(Spelling.hint("superseeded", REASONS))
        .isEqualTo(
            "did you mean superseded? allowed: unspecified, keyCompromise, cACompromise,"
                + " superseded");
    assertThat(Spelling.hint("x", List.of("name"))).isEqualTo("allowed: name");
  }

  @Test
  void shown_longOrControl_cutAndReplaced() {
    assertThat(Spelling.shown("a\nb\u001bc\u00e9")).isEqualTo("a?b?c?");
    assertThat(Spelling.shown("x".repeat(100_000))).hasSize(43).endsWith("...");
  }
}
