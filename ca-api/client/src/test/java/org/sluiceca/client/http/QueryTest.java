package org.sluiceca.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryTest {

  @Test
  void put_anyText_everyOctetEscaped() {
    assertThat(new Query().put("san", "a&b=c%_*.é +").put("status", "").put("none", null))
        .hasToString("?san=a%26b%3Dc%25_*.%C3%A9%20%2B");
  }
}
