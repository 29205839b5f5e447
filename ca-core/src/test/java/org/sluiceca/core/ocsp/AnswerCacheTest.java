package org.sluiceca.core.ocsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.ocsp.AnswerCache.Flight;
import org.sluiceca.core.ocsp.AnswerCache.Limits;
import org.sluiceca.core.ocsp.AnswerCache.Look;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.OctetString;

class AnswerCacheTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Duration LIFETIME = Duration.ofHours(1);

  private final AnswerCache<Object> cache = cache(100, 1_000_000, 4, 8);

  @Test
  void look_unknown_leadsAndIsKeptOnceLanded() {
    Flight<Object> flight = lead(key(1), NOW);

    cache.land(flight, answer(NOW));

    assertThat(cache.look(key(1), NOW)).isEqualTo(new Look.Hit<>(answer(NOW)));
    assertThat(cache.look(key(2), NOW)).isInstanceOf(Look.Lead.class);
  }

  @Test
  void look_underWay_followsAndGetsTheSame() {
    Flight<Object> flight = lead(key(1), NOW);

    Look<Object> second = cache.look(key(1), NOW);
    cache.land(flight, answer(NOW));

    assertThat(second).isInstanceOf(Look.Follow.class);
    assertThat(((Look.Follow<Object>) second).flight().reply()).contains(answer(NOW));
    assertThat(((Look.Follow<Object>) second).flight().latch()).isSameAs(flight.latch());
  }

  @Test
  void look_otherHashOrParameters_anotherAnswer() {
    keep(key(1), NOW);

    assertThat(cache.look(key(1).by(CertId.SHA_256, true), NOW)).isInstanceOf(Look.Lead.class);
    assertThat(cache.look(key(1).by(CertId.SHA_1, false), NOW)).isInstanceOf(Look.Lead.class);
  }

  @Test
  void look_tenthOfTheLifetimeLeft_leadsAndOthersGetTheOldOne() {
    keep(key(1), NOW);
    Instant late = NOW.plus(Duration.ofMinutes(54));

    assertThat(cache.look(key(1), late.minusNanos(1))).isInstanceOf(Look.Hit.class);
    Look<Object> renewing = cache.look(key(1), late);

    assertThat(renewing).isInstanceOf(Look.Lead.class);
    assertThat(((Look.Lead<Object>) renewing).old()).contains(answer(NOW));
    assertThat(cache.look(key(1), late)).isEqualTo(new Look.Hit<>(answer(NOW)));
  }

  @Test
  void look_ended_neverServed() {
    keep(key(1), NOW);

    Look<Object> look = cache.look(key(1), NOW.plus(LIFETIME));

    assertThat(look).isInstanceOf(Look.Lead.class);
    assertThat(((Look.Lead<Object>) look).old()).isEmpty();
  }

  @Test
  void land_refusal_keptForNobody() {
    Flight<Object> flight = lead(key(1), NOW);

    cache.land(flight, new Reply.Refused(OcspResponseStatus.TRY_LATER));

    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Lead.class);
  }

  @Test
  void drop_kept_forgottenInEveryForm() {
    for (String hash : new String[] {CertId.SHA_1, CertId.SHA_256}) {
      keep(key(1).by(hash, false), NOW);
      keep(key(1).by(hash, true), NOW);
    }
    keep(key(2), NOW);

    cache.drop(Fixtures.ISSUING, key(1).serialNumber());

    assertThat(cache.entries()).isEqualTo(1);
    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Lead.class);
    assertThat(cache.look(key(2), NOW)).isInstanceOf(Look.Hit.class);
  }

  /** The answer was read before the revocation and signed after it: it must not outlive it. */
  @Test
  void drop_whileTheAnswerIsMade_itIsNotKeptAndNobodyJoins() {
    Flight<Object> before = lead(key(1), NOW);

    cache.drop(Fixtures.ISSUING, key(1).serialNumber());
    Look<Object> after = cache.look(key(1), NOW);
    cache.land(before, answer(NOW));

    assertThat(after).isInstanceOf(Look.Lead.class);
    assertThat(cache.entries()).isZero();
    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Follow.class);
  }

  @Test
  void drop_otherIssuersSameSerial_stays() {
    keep(key(1), NOW);

    cache.drop(Fixtures.ROOT, key(1).serialNumber());

    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Hit.class);
  }

  @Test
  void land_moreThanTheEntries_leastRecentlyAskedLeaves() {
    AnswerCache<Object> small = cache(2, 1_000_000, 4, 8);
    keep(small, key(1));
    keep(small, key(2));
    assertThat(small.look(key(1), NOW)).isInstanceOf(Look.Hit.class);

    keep(small, key(3));

    assertThat(small.entries()).isEqualTo(2);
    assertThat(small.look(key(1), NOW)).isInstanceOf(Look.Hit.class);
    assertThat(small.look(key(2), NOW)).isInstanceOf(Look.Lead.class);
  }

  @Test
  void land_moreThanTheBytes_evictsAndCountsBack() {
    int one = AnswerRoom.ENTRY_BYTES + 100;
    AnswerCache<Object> small = cache(1_000, 3L * one, 4, 8);

    for (int i = 1; i <= 10; i++) {
      keep(small, key(i));
      keep(small, key(i));
    }

    assertThat(small.entries()).isEqualTo(3);
    assertThat(small.bytes()).isEqualTo(3L * one);
    small.drop(Fixtures.ISSUING, key(10).serialNumber());
    assertThat(small.bytes()).isEqualTo(2L * one);
  }

  /** Anybody can ask for any number of serial numbers that never were. */
  @Test
  void land_floodOfNeverIssued_pushesNoIssuedOut() {
    AnswerCache<Object> small = cache(32, 1_000_000, 4, 8);
    keep(small, key(1));

    for (int i = 2; i < 200; i++) {
      Flight<Object> flight = ((Look.Lead<Object>) small.look(key(i), NOW)).flight();
      small.land(flight, answer(NOW, true, true));
    }

    assertThat(small.look(key(1), NOW)).isInstanceOf(Look.Hit.class);
    assertThat(small.entries()).isEqualTo(1 + 32 / 16);
  }

  @Test
  void land_notReusable_keptForNobody() {
    cache.land(lead(key(1), NOW), answer(NOW, false, false));

    assertThat(cache.entries()).isZero();
  }

  @Test
  void look_everyFlightTaken_fullUntilOneLands() {
    Flight<Object> first = lead(key(1), NOW);
    for (int i = 2; i <= 4; i++) {
      assertThat(lead(key(i), NOW)).isNotNull();
    }

    assertThat(cache.look(key(5), NOW)).isInstanceOf(Look.Full.class);
    assertThat(cache.beginAlone()).isFalse();
    cache.land(first, answer(NOW));

    assertThat(cache.look(key(5), NOW)).isInstanceOf(Look.Lead.class);
  }

  @Test
  void look_everyFollowerTaken_fullForThatAnswerAlone() {
    Flight<Object> flight = lead(key(1), NOW);
    for (int i = 1; i <= 8; i++) {
      assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Follow.class);
    }

    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Full.class);
    assertThat(cache.look(key(2), NOW)).isInstanceOf(Look.Lead.class);
    cache.leave();
    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Follow.class);
    cache.land(flight, answer(NOW));
    for (int i = 1; i <= 8; i++) {
      cache.leave();
    }
    for (int i = 11; i <= 13; i++) {
      assertThat(lead(key(i), NOW)).isNotNull();
    }
  }

  @Test
  void look_fullWithAValidOldAnswer_thatOne() {
    keep(key(9), NOW);
    for (int i = 1; i <= 4; i++) {
      assertThat(lead(key(i), NOW)).isNotNull();
    }

    assertThat(cache.look(key(9), NOW.plus(Duration.ofMinutes(55))))
        .isEqualTo(new Look.Hit<>(answer(NOW)));
  }

  @Test
  void beginAlone_countsAsAFlight() {
    for (int i = 0; i < 4; i++) {
      assertThat(cache.beginAlone()).isTrue();
    }

    assertThat(cache.beginAlone()).isFalse();
    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Full.class);
    cache.endAlone();
    assertThat(cache.look(key(1), NOW)).isInstanceOf(Look.Lead.class);
  }

  @Test
  void limits_none_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Limits(0, 1, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Limits(1, 0, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Limits(1, 1, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Limits(1, 1, 1, 0));
  }

  @Test
  void maxAge_freshAndLate_neverBeyondTheAnswer() {
    Reply.Signed answer = answer(NOW);

    assertThat(answer.maxAge(NOW)).isEqualTo(Duration.ofMinutes(54));
    assertThat(answer.maxAge(NOW.plus(Duration.ofMinutes(55)))).isEqualTo(Duration.ofMinutes(5));
    assertThat(answer.maxAge(NOW.plus(Duration.ofHours(2)))).isZero();
  }

  private static AnswerCache<Object> cache(int entries, long bytes, int flights, int followers) {
    return new AnswerCache<>(new Limits(entries, bytes, flights, followers), Object::new);
  }

  private Flight<Object> lead(AnswerKey key, Instant now) {
    return ((Look.Lead<Object>) cache.look(key, now)).flight();
  }

  private void keep(AnswerKey key, Instant now) {
    cache.land(lead(key, now), answer(now));
  }

  private static void keep(AnswerCache<Object> cache, AnswerKey key) {
    if (cache.look(key, NOW) instanceof Look.Lead<Object>(Flight<Object> flight, var old)) {
      cache.land(flight, answer(NOW));
    }
  }

  private static AnswerKey key(int serial) {
    return new AnswerKey(
        Fixtures.ISSUING, OctetString.copyOf(new byte[] {(byte) serial}), CertId.SHA_1, true);
  }

  private static Reply.Signed answer(Instant now) {
    return answer(now, true, false);
  }

  private static Reply.Signed answer(Instant now, boolean isReusable, boolean isNeverIssued) {
    return new Reply.Signed(
        OctetString.copyOf(new byte[100]),
        Reply.Kind.GOOD,
        now,
        now.plus(LIFETIME),
        now.plus(Duration.ofMinutes(54)),
        isReusable,
        isNeverIssued);
  }
}
