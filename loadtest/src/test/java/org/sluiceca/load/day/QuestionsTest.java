package org.sluiceca.load.day;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class QuestionsTest {

  @Test
  void described_answer_statusPlaceAndTextInOneLine() {
    byte[] body = "{\n  \"status\": 503\n}".getBytes(StandardCharsets.UTF_8);

    assertThat(Questions.described(503, body, 4, 5_012.4))
        .isEqualTo("503 after 4 others, in 5012 ms: { \"status\": 503 }");
  }

  @Test
  void described_longAnswer_beginningAlone() {
    byte[] body = "x".repeat(100_000).getBytes(StandardCharsets.UTF_8);

    assertThat(Questions.described(200, body, 0, 1)).hasSizeLessThan(300);
  }
}
