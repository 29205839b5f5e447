package org.sluiceca.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplyTest {

  private static Reply reply(String... fields) {
    return new Reply(503, "HTTP/1.1 503 \r\n" + String.join("\r\n", fields));
  }

  @Test
  void header_inEitherCase_found() {
    assertThat(reply("Date: x", "RETRY-after:  7 ").retryAfterSeconds()).hasValue(7);
  }

  @Test
  void retryAfter_missingOrNoNumber_none() {
    assertThat(reply("X-Retry-After: 7").retryAfterSeconds()).isEmpty();
    assertThat(reply("Retry-After: soon").retryAfterSeconds()).isEmpty();
  }

  @Test
  void serial_isLastSegmentOfLocation() {
    assertThat(reply("Location: /v1/orders/0aff").serial()).hasValue("0aff");
  }

  @Test
  void connection_closedOnlyIfSaid() {
    assertThat(reply("Connection: close").keepsConnection()).isFalse();
    assertThat(reply("Connection: keep-alive").keepsConnection()).isTrue();
    assertThat(reply().keepsConnection()).isTrue();
  }
}
