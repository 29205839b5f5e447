package org.sluiceca.api.rest;

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
    assertThat(Preference.of("respond-async, wait=3").longestWait())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(Preference.of("wait=999999").longestWait()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void of_unknownOrMalformed_isIgnored() {
    assertThat(Preference.of("wait=soon").longestWait()).isEqualTo(Duration.ofSeconds(10));
    assertThat(Preference.of("respond-asynchronously").longestWait())
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(Preference.of("wait=99999999999999999999").longestWait())
        .isLessThanOrEqualTo(Duration.ofSeconds(30));
  }
}
