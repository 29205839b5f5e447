package org.sluiceca.core.admit.share;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;

class RequestersTest {

  private static final long SECOND = 1_000_000_000;

  private final Requesters requesters = new Requesters(10 * SECOND);
  private long now = 7 * SECOND;

  @Test
  void requesters_moreThanAreKnown_idleOnesAreForgotten() {
    Share holder = requesters.asks(who(0), Lane.BULK, now);
    holder.take(Lane.BULK, 1);
    Share idle = requesters.asks(who(1), Lane.BULK, now);

    for (int i = 2; i < 3 * Requesters.KNOWN_MAX; i++) {
      Share _ = requesters.asks(who(i), Lane.BULK, now);
    }

    assertThat(requesters.size()).isEqualTo(Requesters.KNOWN_MAX);
    assertThat(requesters.asks(who(0), Lane.BULK, now)).isSameAs(holder);
    assertThat(requesters.asks(who(1), Lane.BULK, now)).isNotSameAs(idle);
  }

  @Test
  void requesters_wanting_thoseWhoAskedOfLateInThatLane() {
    for (int i = 0; i < 5; i++) {
      Share _ = requesters.asks(who(i), i < 2 ? Lane.BULK : Lane.INTERACTIVE, now);
    }
    assertThat(requesters.wanting(Lane.INTERACTIVE, now)).isEqualTo(3);

    now += 10 * SECOND;
    assertThat(requesters.wanting(Lane.BULK, now)).isEqualTo(2);
    now += 1;
    assertThat(requesters.wanting(Lane.BULK, now)).isZero();
  }

  private static RequesterId who(int number) {
    return new RequesterId("r" + number);
  }
}
