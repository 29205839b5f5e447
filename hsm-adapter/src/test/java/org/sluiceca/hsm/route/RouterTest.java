package org.sluiceca.hsm.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.route.TokenPolicy.Preference;

/** One choice at a time, over tokens whose numbers are set. */
class RouterTest {
  private static final KeyRef KEY = FakeToken.key(1);

  private final Router router = new Router("here");
  private final List<TokenEndpoint> endpoints = new ArrayList<>();
  private long now = Duration.ofHours(1).toNanos();

  @Test
  void choose_lessWorkWaits_thatOne() {
    FakeToken busy = add("busy", Preference.PREFERRED, "here");
    FakeToken idle = add("idle", Preference.PREFERRED, "here");
    busy.queueDepth = 80;
    idle.queueDepth = 0;

    assertThat(chosen(1000)).isEqualTo("idle");
  }

  @Test
  void choose_hardlyBetter_staysWhereItWas() {
    FakeToken first = add("first", Preference.PREFERRED, "here");
    FakeToken second = add("second", Preference.PREFERRED, "here");
    first.meanServiceNanos = millis(10);
    second.meanServiceNanos = millis(20);
    assertThat(chosen(1000)).isEqualTo("first");

    // 11 ms against 10, then 14: the bounds are a quarter and 1 ms, so 13.5.
    second.meanServiceNanos = millis(10);
    first.meanServiceNanos = millis(11);
    assertThat(chosen(1000)).isEqualTo("first");
    first.meanServiceNanos = millis(14);
    assertThat(chosen(1000)).isEqualTo("second");
  }

  @Test
  void choose_farIsFaster_nearUntilFarTakesHalfAndLess() {
    FakeToken near = add("near", Preference.PREFERRED, "here");
    FakeToken far = add("far", Preference.PREFERRED, "there");
    far.meanServiceNanos = millis(100);

    near.meanServiceNanos = millis(220);
    assertThat(chosen(1000)).isEqualTo("near");
    near.meanServiceNanos = millis(221);
    assertThat(chosen(1000)).isEqualTo("far");
  }

  @Test
  void choose_nearWouldBeTooLate_far() {
    FakeToken near = add("near", Preference.PREFERRED, "here");
    FakeToken far = add("far", Preference.PREFERRED, "there");
    near.meanServiceNanos = millis(200);
    far.meanServiceNanos = millis(175);

    assertThat(chosen(200)).isEqualTo("near");
    assertThat(chosen(199)).isEqualTo("far");
  }

  @Test
  void choose_noRegion_isNearToEverybody() {
    FakeToken near = add("near", Preference.PREFERRED, "here");
    FakeToken anywhere = add("anywhere", Preference.PREFERRED, "");
    near.meanServiceNanos = millis(10);
    anywhere.meanServiceNanos = millis(5);

    assertThat(chosen(1000)).isEqualTo("anywhere");
  }

  @Test
  void choose_backup_onlyWhenNoPreferredIsInTime() {
    FakeToken far = add("far", Preference.PREFERRED, "there");
    FakeToken backup = add("backup", Preference.BACKUP, "here");
    far.meanServiceNanos = millis(175);
    backup.meanServiceNanos = millis(1);

    assertThat(chosen(1000)).isEqualTo("far");
    assertThat(chosen(100)).isEqualTo("backup");
    far.lose();
    assertThat(chosen(1000)).isEqualTo("backup");
  }

  @Test
  void choose_noneInTime_theSoonest() {
    FakeToken slow = add("slow", Preference.PREFERRED, "here");
    FakeToken slower = add("slower", Preference.PREFERRED, "here");
    slow.meanServiceNanos = millis(100);
    slower.meanServiceNanos = millis(200);

    assertThat(chosen(50)).isEqualTo("slow");
  }

  @Test
  void choose_keyElsewhere_notThere() {
    FakeToken without = new FakeToken(FakeToken.key(2));
    join("without", without, TokenPolicy.DEFAULT);
    add("with", Preference.BACKUP, "there");

    assertThat(chosen(1000)).isEqualTo("with");
    assertThat(router.choose(endpoints, Set.of(), ask(FakeToken.key(3), 1000))).isEmpty();
  }

  @Test
  void choose_triedOrLost_notAgain() {
    FakeToken lost = add("lost", Preference.PREFERRED, "here");
    add("tried", Preference.PREFERRED, "here");
    lost.lose();

    assertThat(router.choose(endpoints, Set.of(endpoints.get(1)), ask(KEY, 1000))).isEmpty();
  }

  @Test
  void choose_breakerOpen_theOtherAndWithoutOneThisOne() {
    add("broken", Preference.PREFERRED, "here");
    FakeToken other = add("other", Preference.BACKUP, "there");
    breakDown(endpoints.getFirst());

    assertThat(chosen(1000)).isEqualTo("other");
    other.lose();
    assertThat(chosen(1000)).isEqualTo("broken");
  }

  @Test
  void choose_breakerHalfOpen_oneProbe() {
    add("back", Preference.PREFERRED, "here");
    add("other", Preference.PREFERRED, "here");
    breakDown(endpoints.getFirst());
    endpoints.getFirst().breaker(KEY, Mechanism.ECDSA_SHA256).halfOpen();

    Optional<Router.Choice> probe = router.choose(endpoints, Set.of(), ask(KEY, 1000));
    assertThat(probe).get().extracting(c -> c.endpoint().name()).isEqualTo("back");
    assertThat(probe).get().extracting(Router.Choice::isProbe).isEqualTo(true);
    assertThat(chosen(1000)).isEqualTo("other");

    endpoints.getFirst().breaker(KEY, Mechanism.ECDSA_SHA256).succeeded();
    assertThat(endpoints.getFirst().breaker(KEY, Mechanism.ECDSA_SHA256).isClosed()).isTrue();
  }

  @Test
  void choose_backupBroken_notProbedWhileAPreferredWorks() {
    add("preferred", Preference.PREFERRED, "here");
    add("backup", Preference.BACKUP, "here");
    breakDown(endpoints.get(1));
    endpoints.get(1).breaker(KEY, Mechanism.ECDSA_SHA256).halfOpen();

    assertThat(chosen(1000)).isEqualTo("preferred");
  }

  @Test
  void choose_slowOncePassedOverForLong_oneRequestLooksAgain() {
    FakeToken fast = add("fast", Preference.PREFERRED, "here");
    FakeToken once = add("once", Preference.PREFERRED, "here");
    fast.meanServiceNanos = millis(1);
    once.meanServiceNanos = millis(50);
    // Its first look, which every token gets.
    for (int i = 0; i <= Router.FORGOTTEN_AFTER_REQUESTS; i++) {
      var _ = chosen(1000);
    }

    int looks = 0;
    for (int i = 0; i < 2 * Router.FORGOTTEN_AFTER_REQUESTS; i++) {
      looks += chosen(1000).equals("once") ? 1 : 0;
    }
    assertThat(looks).as("10 s have not passed").isZero();
    now += Router.FORGOTTEN_AFTER.toNanos();
    assertThat(chosen(199)).as("not a request that has no time for it").isEqualTo("fast");
    for (int i = 0; i < 2 * Router.FORGOTTEN_AFTER_REQUESTS; i++) {
      looks += chosen(1000).equals("once") ? 1 : 0;
    }
    assertThat(looks).isEqualTo(1);
  }

  /** RSA's engines are lost, EC's are not: neither closes or opens the way for the other. */
  @Test
  void choose_oneGroupOfEnginesLost_theOtherGoesOnThere() {
    FakeToken near = add("near", Preference.PREFERRED, "");
    near.enginesOf = mechanism -> mechanism == Mechanism.RSA_PKCS1_SHA256 ? 1 : 0;
    add("far", Preference.BACKUP, "");
    TokenEndpoint endpoint = endpoints.getFirst();
    for (int i = 0; i < 4; i++) {
      endpoint.failed(
          KEY, Mechanism.RSA_PKCS1_SHA256, new HsmException.TokenLost("lost", true), false);
    }

    assertThat(chosen(1000)).isEqualTo("near");
    endpoint.breaker(KEY, Mechanism.ECDSA_SHA256).succeeded();
    assertThat(
            router
                .choose(
                    endpoints,
                    Set.of(),
                    new Router.Ask(KEY, Mechanism.RSA_PKCS1_SHA256, millis(1000), now))
                .map(c -> c.endpoint().name()))
        .contains("far");
    assertThat(endpoint.status().breaker()).isEqualTo("open");
  }

  private FakeToken add(String name, Preference preference, String region) {
    FakeToken token = new FakeToken(KEY);
    join(name, token, new TokenPolicy(preference, region));
    return token;
  }

  private void join(String name, FakeToken token, TokenPolicy policy) {
    TokenSettings settings = new TokenSettings(name, FakeToken.settings(name).hsm(), policy);
    TokenEndpoint endpoint =
        new TokenEndpoint(settings, GroupObserver.NONE, FailureRules.STANDARD, Clock.systemUTC());
    endpoint.open(
        token.opened(Set.of(KEY, FakeToken.key(2)), endpoint.tokenObserver(HsmObserver.NONE)));
    endpoints.add(endpoint);
  }

  static void breakDown(TokenEndpoint endpoint) {
    for (int i = 0; i < 4; i++) {
      endpoint
          .breaker(KEY, Mechanism.ECDSA_SHA256)
          .failed(new HsmException.TokenLost("scripted", true), false);
    }
    assertThat(endpoint.breaker(KEY, Mechanism.ECDSA_SHA256).state())
        .isEqualTo(TokenBreaker.State.OPEN);
  }

  private String chosen(long answerInMillis) {
    return router
        .choose(endpoints, Set.of(), ask(KEY, answerInMillis))
        .map(c -> c.endpoint().name())
        .orElse("none");
  }

  private Router.Ask ask(KeyRef key, long answerInMillis) {
    return new Router.Ask(key, Mechanism.ECDSA_SHA256, millis(answerInMillis), now);
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }
}
