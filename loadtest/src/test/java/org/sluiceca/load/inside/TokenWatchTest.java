package org.sluiceca.load.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TokenWatchTest {

  private static final String NODE =
      """
      ca_hsm_sessions{hsm="near",state="open"} 8.0
      ca_hsm_sessions{hsm="far",state="open"} 20.0
      ca_hsm_inflight_limit{hsm="near"} 2.5
      ca_hsm_inflight_limit{hsm="far"} 6.5
      ca_hsm_inflight{hsm="near"} 1.0
      ca_hsm_inflight{hsm="far"} 6.0
      ca_sign_queue_depth{hsm="near",lane="interactive"} 0.0
      ca_sign_queue_depth{hsm="far",lane="interactive"} 40.0
      ca_sign_queue_depth{hsm="far",lane="bulk"} 2.0
      """;

  @Test
  void of_twoNodes_areSumsOfEachToken() {
    List<TokenLook> looks =
        TokenLook.of(7, List.of(Meter.parse(NODE), Meter.parse(NODE), Meter.parse("")));

    assertThat(looks)
        .containsExactly(
            new TokenLook(7, "far", 2, 40, 13, 12, 84), new TokenLook(7, "near", 2, 16, 5, 2, 0));
  }

  @Test
  void watch_asksEachNode_andKeepsWhatTheySaid() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(4);
    List<TokenLook> seen;
    try (TokenWatch watch =
        new TokenWatch(
            node -> {
              asked.countDown();
              return node == 0 ? Optional.of(NODE) : Optional.empty();
            },
            2)) {
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      seen = watch.seen();
    }

    // What was asked last may not be kept yet; the round before is.
    assertThat(seen).isNotEmpty().allMatch(look -> look.nodes() == 1);
    assertThat(seen).extracting(TokenLook::hsm).startsWith("far", "near");
  }

  @Test
  void watch_ofNobody_seesNothing() {
    try (TokenWatch watch =
        new TokenWatch(
            node -> {
              throw new IllegalStateException("nobody is there");
            },
            0)) {
      assertThat(watch.seen()).isEmpty();
    }
  }
}
