package org.sluiceca.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.core.audit.AuditEvent;

/** One actor's flood of denied requests takes no row from another, and is counted. */
class DenialSharesTest {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00Z");
  private static final Instant LATER = AT.plus(DenialShares.WINDOW);

  private final DenialShares shares = new DenialShares();

  DenialSharesTest() {
    shares.renew(AT);
  }

  private static Fact denied(String actor, int number) {
    return new Fact(AuditKind.ACCESS_DENIED, actor, Map.of("path", "p" + number));
  }

  private static Fact failed(String address) {
    return new Fact(AuditKind.LOGIN_FAILED, AuditEvent.UNKNOWN_ACTOR, Map.of("address", address));
  }

  private static Fact counted(String actor, String kind, long requests) {
    return new Fact(AuditKind.DENIALS_COUNTED, actor, Map.of("kind", kind, "requests", requests));
  }

  @Test
  void admits_beyondTheShare_countedAndOthersAdmitted() {
    for (int i = 0; i < DenialShares.ROWS_PER_ACTOR; i++) {
      assertThat(shares.admits(denied("flood", i), true)).isTrue();
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(shares.admits(denied("flood", 100 + i), true)).isFalse();
    }

    assertThat(shares.admits(denied("other", 0), true)).isTrue();
    assertThat(shares.isDue(AT, false)).isFalse();
    assertThat(shares.isDue(AT, true)).isTrue();
    assertThat(shares.next(LATER.minusMillis(1))).isEmpty();
    assertThat(shares.next(LATER)).containsExactly(counted("flood", "access.denied", 1_000));
    assertThat(shares.unrecorded(DenialShares.Reason.SHARE)).isEqualTo(1_000);
    assertThat(shares.admits(denied("flood", 0), true)).isTrue();
  }

  @Test
  void admits_noRoomInTheBatch_counted() {
    assertThat(shares.admits(denied("a", 0), false)).isFalse();

    assertThat(shares.rest()).containsExactly(counted("a", "access.denied", 1));
    assertThat(shares.unrecorded(DenialShares.Reason.BATCH)).isOne();
  }

  /** Made-up networks take no share from requesters, nor memory without bound. */
  @Test
  void admits_moreNetworksThanFit_countedTogetherAndRequestersAdmitted() {
    for (int i = 0; i < DenialShares.NETWORKS_MAX; i++) {
      assertThat(shares.admits(failed("10.0." + i + ".1"), true)).isTrue();
    }
    assertThat(shares.admits(failed("10.1.0.1"), true)).isFalse();
    assertThat(shares.admits(failed("10.1.1.1"), true)).isFalse();

    assertThat(shares.admits(denied("requester", 0), true)).isTrue();
    assertThat(shares.rest())
        .containsExactly(
            new Fact(
                AuditKind.DENIALS_COUNTED,
                AuditEvent.UNKNOWN_ACTOR,
                Map.of("kind", "login.failed", "requests", 2L, "network", "others")));
    assertThat(shares.unrecorded(DenialShares.Reason.ACTORS)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1,192.0.2.0/24",
    "2001:db8:1:2:3:4:5:6,2001:db8:1:2:0:0:0:0/64",
    "0:0:0:0:0:0:0:1,0:0:0:0:0:0:0:0/64",
    "not an address,others"
  })
  void rest_addressOfUnknownClient_itsNetwork(String address, String network) {
    for (int i = 0; i <= DenialShares.ROWS_PER_ACTOR; i++) {
      boolean _ = shares.admits(failed(address), true);
    }

    assertThat(shares.rest())
        .singleElement()
        .satisfies(fact -> assertThat(fact.details()).containsEntry("network", network));
  }

  @Test
  void admits_manyActorsBeyondTheirShares_countsBounded() {
    for (int actor = 0; actor < 2 * DenialShares.COUNTED_MAX; actor++) {
      boolean _ = shares.admits(denied("a" + actor, 0), false);
    }

    List<Fact> counts = shares.rest();

    assertThat(counts).hasSizeLessThanOrEqualTo(DenialShares.COUNTED_MAX + 4);
    assertThat(
            counts.stream().mapToLong(f -> (long) f.details().getOrDefault("requests", 0L)).sum())
        .isEqualTo(2L * DenialShares.COUNTED_MAX);
  }

  @Test
  void next_clockSetBack_minuteEnds() {
    for (int i = 0; i <= DenialShares.ROWS_PER_ACTOR; i++) {
      boolean _ = shares.admits(denied("a", i), true);
    }

    assertThat(shares.next(AT.minusSeconds(3_600))).hasSize(1);
  }
}
