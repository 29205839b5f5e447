package org.sluiceca.api.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PreferenceTest {

  @Test
  void of_noHeader_tenSeconds() {
    assertThat(Preference.of(null).longestWait()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void of_respondAsync_doesNotWait() {
    assertThat(Preference.of("respond-async").longestWait()).isZero();
    assertThat(Preference.of("Respond-Async").longestWait()).isZero();
    assertThat(Preference.of("handling=lenient, respond-async").longestWait()).isZero();
  }

  @Test
  void of_wait_takesItUpToTheBound() {
    assertThat(Preference.of("wait=3").longestWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(Preference.of("wait = \"3\"").longestWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(Preference.of("wait=0").longestWait()).isZero();
    assertThat(Preference.of("respond-async, wait=3").longestWait())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(Preference.of("wait=30").longestWait()).isEqualTo(Duration.ofSeconds(30));
    assertThat(Preference.of("wait=31").longestWait()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void of_repeated_firstCounts() {
    assertThat(Preference.of("wait=3, wait=4").longestWait()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void of_unknownOrMalformed_isIgnored() {
    for (String prefer :
        new String[] {
          "wait=soon",
          "wait",
          "wait=\"",
          "wait=\"\"",
          "wait=-1",
          "respond-asynchronously",
          "",
          ",",
          "=",
          "a;wait=3",
          "a=\"x, wait=3\"",
          "a=\"\\\", wait=3\"",
          "a; b=\"respond-async\"",
          "\""
        }) {
      assertThat(Preference.of(prefer).longestWait()).as(prefer).isEqualTo(Duration.ofSeconds(10));
    }
    assertThat(Preference.of("wait=99999999999999999999").longestWait())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void applied_whatWasHonoured_isNamed() {
    Preference both = Preference.of("respond-async, wait=40");

    assertThat(both.applied(true, true)).contains("respond-async, wait=30");
    assertThat(both.applied(false, true)).contains("wait=30");
    assertThat(both.applied(true, false)).contains("respond-async");
    assertThat(Preference.of("respond-async").applied(false, true)).isEmpty();
    assertThat(Preference.of(null).applied(true, true)).isEmpty();
    assertThat(Preference.of("handling=strict").applied(true, true)).isEmpty();
  }
}
