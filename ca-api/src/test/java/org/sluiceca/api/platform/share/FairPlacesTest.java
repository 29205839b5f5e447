package org.sluiceca.api.platform.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.sluiceca.core.request.RequesterId;

class FairPlacesTest {

  private static final RequesterId A = new RequesterId("a");
  private static final RequesterId B = new RequesterId("b");
  private static final RequesterId C = new RequesterId("c");
  private static final RequesterId D = new RequesterId("d");
  private static final RequesterId E = new RequesterId("e");

  private final FairPlaces<RequesterId> places = new FairPlaces<>(4);

  private int takeAll(RequesterId requester) {
    int taken = 0;
    while (places.take(requester)) {
      taken++;
    }
    return taken;
  }

  @Test
  void take_oneAlone_leavesHalf() {
    assertThat(takeAll(A)).isEqualTo(2);
    assertThat(places.taken()).isEqualTo(2);
  }

  /** Two requesters held all places of batches when each might have two of four. */
  @Test
  void take_twoThatTakeAllTheyCan_leaveAPlaceForOthers() {
    takeAll(A);
    takeAll(B);

    assertThat(takeAll(C)).isEqualTo(1);
    assertThat(places.taken()).isEqualTo(4);
    assertThat(places.take(D)).isFalse();
  }

  @Test
  void take_asManyRequestersAsPlaces_oneEach() {
    for (RequesterId requester : new RequesterId[] {A, B, C, D}) {
      assertThat(places.take(requester)).isTrue();
    }

    assertThat(places.take(E)).isFalse();
    places.giveBack(B);
    assertThat(places.take(E)).isTrue();
  }

  @Test
  void take_onePlace_isForAnybody() {
    FairPlaces<RequesterId> one = new FairPlaces<>(1);

    assertThat(one.take(A)).isTrue();
    assertThat(one.take(B)).isFalse();
    one.giveBack(A);
    assertThat(one.take(B)).isTrue();
  }

  @Test
  void giveBack_notTaken_isABug() {
    places.take(A);

    assertThatThrownBy(() -> places.giveBack(B)).isInstanceOf(IllegalStateException.class);
    assertThat(places.taken()).isEqualTo(1);
  }

  @Test
  void max_zero_isRefused() {
    assertThatThrownBy(() -> new FairPlaces<>(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
