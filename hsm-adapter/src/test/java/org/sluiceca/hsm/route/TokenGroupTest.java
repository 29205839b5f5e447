package org.sluiceca.hsm.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.testkit.Await;

/** Tokens that come, fail and go, over scripted ones. */
@Execution(ExecutionMode.CONCURRENT)
class TokenGroupTest {
  private static final KeyRef KEY = FakeToken.key(1);
  private static final KeyRef OTHER = FakeToken.key(2);

  private final Map<String, FakeToken> tokens = new ConcurrentHashMap<>();
  private final RecordingGroup observer = new RecordingGroup();
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private @Nullable TokenGroup opened;

  @AfterEach
  void close() {
    tokens.values().forEach(FakeToken::release);
    if (opened != null) {
      opened.close();
    }
    requests.close();
  }

  // --- failover

  static Set<HsmException> notBegun() {
    return Set.of(
        new HsmException.TokenLost("lost", false),
        new HsmException.Closed(),
        new HsmException.PinRefused("pin"),
        new HsmException.PinUnreadable("pin"),
        new HsmException.KeyMissing("missing"),
        new HsmException.KeyMismatch("mismatch"),
        new HsmException.SessionLost("session", false),
        new HsmException.Saturated(8, Duration.ZERO),
        new HsmException.Busy("busy"),
        new HsmException.Unexpected("unknown", false));
  }

  @ParameterizedTest
  @MethodSource("notBegun")
  void sign_notBegunThere_doneByAnother(HsmException failure) {
    TokenGroup group = open(token("a", KEY), token("b", KEY));
    first().failures.add(failure);

    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(first().asked).hasValue(1);
    assertThat(second().signed).hasValue(1);
    assertThat(observer.failovers).containsExactly("b after " + failure.getMessage());
  }

  @Test
  void engines_ofAKey_thoseOfAllTokensThatHoldItWorkingOrNot() {
    TokenGroup group = open(token("a", KEY), token("b", KEY), token("c", OTHER));
    first().lose();

    assertThat(group.engines(KEY, Mechanism.ECDSA_SHA256))
        .extracting(each -> each.token() + " " + each.stats().isUsable())
        .containsExactly("a false", "b true");
    assertThat(group.engines(OTHER, Mechanism.ECDSA_SHA256))
        .extracting(TokenGroup.Engines::token)
        .containsExactly("c");
    assertThat(group.engines(FakeToken.key(3), Mechanism.ECDSA_SHA256)).isEmpty();
  }

  @Test
  void costNanos_severalHoldTheKey_thatOfTheFastest() {
    TokenGroup group = open(token("a", KEY), token("b", KEY), token("c", OTHER));
    first().meanServiceNanos = 30_000_000;
    second().meanServiceNanos = 20_000_000;

    assertThat(group.costNanos(KEY, Mechanism.ECDSA_SHA256)).isEqualTo(20_000_000);
    assertThat(group.costNanos(OTHER, Mechanism.ECDSA_SHA256)).isEqualTo(1_000_000);
    assertThat(group.costNanos(FakeToken.key(3), Mechanism.ECDSA_SHA256)).isZero();
    second().lose();
    assertThat(group.costNanos(KEY, Mechanism.ECDSA_SHA256)).isEqualTo(20_000_000);
  }

  static Set<HsmException> final_() {
    return Set.of(
        new HsmException.TokenLost("lost", true),
        new HsmException.SessionLost("session", true),
        new HsmException.Unexpected("unknown", true),
        new HsmException.SignTimedOut(Duration.ofSeconds(5)),
        new HsmException.RequestRefused("mechanism"),
        new HsmException.DeadlineExceeded("late"));
  }

  @ParameterizedTest
  @MethodSource("final_")
  void sign_mayHaveExecutedOrNoTokensFault_notAskedOfAnother(HsmException failure) {
    TokenGroup group = open(token("a", KEY), token("b", KEY));
    first().failures.add(failure);

    assertThatThrownBy(() -> group.sign(request(KEY, 60))).isSameAs(failure);
    assertThat(second().asked).hasValue(0);
  }

  /** The planted bug: every failure goes elsewhere. The test above must see it. */
  @Test
  void sign_mutantThatRepeatsWhatMayHaveExecuted_isSeen() {
    FailureRules mutant = new FailureRules(FailureRules.STANDARD.isDeviceLoss(), failure -> true);
    TokenGroup group = open(mutant, token("a", KEY), token("b", KEY));
    first().failures.add(new HsmException.TokenLost("lost", true));

    byte[] _ = group.sign(request(KEY, 60));
    assertThat(second().asked).hasValue(1);
  }

  @Test
  void sign_everyTokenFails_eachAskedOnceAndTheLastFailureTold() {
    TokenGroup group = open(token("a", KEY), token("b", KEY), token("c", KEY));
    tokens.values().forEach(t -> IntStream.range(0, 9).forEach(i -> t.failures.add(lost(false))));

    assertThatThrownBy(() -> group.sign(request(KEY, 60)))
        .isInstanceOf(HsmException.TokenLost.class);
    tokens.values().forEach(t -> assertThat(t.asked).hasValue(1));
  }

  @Test
  void sign_deadlinePassedMeanwhile_notTriedElsewhere() {
    TokenGroup group = open(token("a", KEY), token("b", KEY));
    first().failures.add(lost(false));

    assertThatThrownBy(() -> group.sign(request(KEY, -1)))
        .isInstanceOf(HsmException.TokenLost.class);
    assertThat(second().asked).hasValue(0);
  }

  @Test
  void sign_noTokenUsable_saidWithEachReason() {
    TokenGroup group = open(token("a", KEY), token("b", OTHER));
    first().lose();

    HsmException.NoUsableToken none =
        catchThrowableOfType(HsmException.NoUsableToken.class, () -> group.sign(request(KEY, 60)));
    assertThat(none)
        .hasMessage(
            "no token can sign with the key with CKA_ID 01 (a: TOKEN_LOST; b: without this key)");
    assertThat(none.mayHaveExecuted()).isFalse();
    assertThat(group.isUsable()).as("b signs with its own").isTrue();
    second().lose();
    assertThat(group.isUsable()).isFalse();
  }

  // --- isolation

  @Test
  void sign_aTokenHangs_noRequestOfAnotherWaits() throws Exception {
    FakeToken far = named("far", new FakeToken(Duration.ofHours(1), KEY));
    TokenGroup group = open(far, token("near", OTHER));
    far.hang();
    List<Future<byte[]>> stuck =
        IntStream.range(0, 200)
            .mapToObj(i -> requests.submit(() -> group.sign(request(KEY, 3600))))
            .toList();
    Await.until("all are in the far token", () -> far.asked.get() == 200);

    for (int i = 0; i < 1000; i++) {
      var _ = requests.submit(() -> group.sign(request(OTHER, 3600)));
    }

    Await.until("near has signed for all", () -> named("near").signed.get() == 1000);
    assertThat(stuck).noneMatch(Future::isDone);
  }

  @Test
  // The start waits five seconds for the module.
  @Tag("slow")
  void open_aModuleHangs_theOthersTokensServe() {
    FakeToken hung = token("hung", KEY);
    CountDownLatch opening = new CountDownLatch(1);
    hung.openingHangs = opening;
    FakeToken works = token("works", KEY);

    TokenGroup group = open(hung, works);

    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    opening.countDown();
    Await.until("joined", () -> observer.joined.contains("hung"));
  }

  // --- start

  @Test
  void open_oneTokenAway_startsAndItJoinsWhenItIsThere() {
    FakeToken away = token("a", KEY);
    away.unopenable = new HsmException.TokenMissing("no token labelled a");
    TokenGroup group = open(away, token("b", KEY));

    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(group.statuses().getFirst().state()).isEqualTo(HsmState.TOKEN_LOST);
    assertThat(group.statuses().getFirst().trouble()).isEqualTo("no token labelled a");
    assertThat(observer.away).contains("a: no token labelled a");

    away.unopenable = null;
    Await.until("joined", () -> observer.joined.contains("a"));
    assertThat(group.statuses().getFirst().state()).isEqualTo(HsmState.READY);
  }

  @Test
  void open_singleToken_failsWithItsOwnReason() {
    FakeToken only = token("hsm-0", KEY);
    HsmException why = new HsmException.PinRefused("token x refuses the PIN");
    only.unopenable = why;

    assertThatThrownBy(() -> open(only)).isSameAs(why);
    only.unopenable = null;
    only.holds.clear();
    assertThatThrownBy(() -> open(only))
        .isInstanceOf(HsmException.KeyMissing.class)
        .hasMessage("no key has CKA_ID 01");
  }

  @Test
  void open_requiredKeyNowhere_oneLineWithEachReason() {
    FakeToken a = token("a", OTHER);
    FakeToken b = token("b", OTHER);
    b.unopenable = new HsmException.ModuleMissing("no PKCS#11 module at /x.so");

    assertThatThrownBy(() -> open(a, b))
        .isInstanceOf(HsmException.NoUsableToken.class)
        .hasMessage(
            "no token that can be opened holds the key with CKA_ID 01 "
                + "(a: no key has CKA_ID 01; b: no PKCS#11 module at /x.so)");
    assertThat(a.closes).hasValue(1);
  }

  @Test
  void open_anotherKeyUnderTheCkaId_neverAskedAndAlarm() {
    FakeToken wrong = token("wrong", OTHER);
    wrong.shadows.add(KEY);
    TokenGroup group = open(wrong, token("right", KEY));

    for (int i = 0; i < 20; i++) {
      byte[] _ = group.sign(request(KEY, 60));
    }
    assertThat(wrong.asked).hasValue(0);
    assertThat(observer.mismatches).containsExactly("wrong 01");
    assertThat(group.sign(request(OTHER, 60))).hasSize(32);
    assertThat(wrong.signed).hasValue(1);
  }

  @Test
  void sign_keyChangedInTheToken_neverAskedForItAgainAndOneAlarm() {
    TokenGroup group = open(token("a", KEY), token("b", KEY));
    first().failures.add(new HsmException.KeyMismatch("another"));
    first().failures.add(new HsmException.KeyMismatch("another"));

    for (int i = 0; i < 20; i++) {
      byte[] _ = group.sign(request(KEY, 60));
    }
    assertThat(first().asked).hasValue(1);
    assertThat(observer.mismatches).containsExactly("a 01");
    assertThat(group.statuses().getFirst().keys()).isZero();
  }

  // --- breakers

  @Test
  void sign_tokenLostAtLoad_theOtherDoesItAndTheFirstIsUsedWhenBack() {
    TokenGroup group = open(token("a", KEY), token("b", KEY));
    second().meanServiceNanos = Duration.ofMillis(50).toNanos();
    for (int i = 0; i < 20; i++) {
      first().failures.add(lost(false));
      byte[] _ = group.sign(request(KEY, 60));
    }
    // Open after two; a probe comes only where the machine pauses the test for 2 s, then for 4.
    assertThat(first().asked.get()).isBetween(2, 10);
    assertThat(group.statuses().getFirst().breaker()).isEqualTo("open");
    first().failures.clear();

    first().lose();
    first().giveBack();

    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(first().signed).as("the probe, at once").hasValue(1);
    assertThat(group.statuses().getFirst().breaker()).isEqualTo("closed");
  }

  @Test
  void sign_onlyTokensBreakerOpen_itIsAskedAllTheSame() {
    TokenGroup group = open(token("a", KEY));
    for (int i = 0; i < 3; i++) {
      first().failures.add(lost(true));
      assertThatThrownBy(() -> group.sign(request(KEY, 60)))
          .isInstanceOf(HsmException.TokenLost.class);
    }
    assertThat(group.statuses().getFirst().breaker()).isEqualTo("open");

    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(group.statuses().getFirst().breaker()).isEqualTo("closed");
  }

  // --- changes

  @Test
  void reconfigure_tokenAdded_joinsAndSigns() {
    TokenGroup group = open(token("a", KEY));
    FakeToken b = token("b", KEY);
    group.reconfigure(List.of(FakeToken.settings("a"), FakeToken.settings("b")));
    Await.until("joined", () -> observer.joined.contains("b"));

    first().lose();
    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(b.signed).hasValue(1);
    assertThat(first().opens).as("a was left alone").hasValue(1);
  }

  @Test
  void reconfigure_tokenRemoved_closedAndItsWorkGoesElsewhere() {
    TokenGroup group = open(token("a", KEY), token("b", KEY));
    first().failures.add(new HsmException.Closed());
    group.reconfigure(List.of(FakeToken.settings("b")));

    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    Await.until("left", () -> observer.left.contains("a"));
    assertThat(first().closes).hasValue(1);
    assertThat(group.statuses()).extracting(TokenStatus::name).containsExactly("b");
  }

  @Test
  void reconfigure_settingsChanged_theOldOneServesUntilTheNewOneIsOpen() {
    FakeToken a = token("a", KEY);
    TokenGroup group = open(a);
    FakeToken again = new FakeToken(KEY);
    CountDownLatch opening = new CountDownLatch(1);
    again.openingHangs = opening;
    tokens.put("a", again);
    TokenSettings before = FakeToken.settings("a");
    group.reconfigure(
        List.of(new TokenSettings("a", before.hsm().withSessions(3), before.policy())));

    Await.until("opening", () -> again.opens.get() == 1);
    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(a.signed).hasValue(1);
    assertThat(group.statuses()).hasSize(1);
    assertThat(Objects.requireNonNull(observer.added.get("a")).get().state())
        .isEqualTo(HsmState.READY);
    opening.countDown();
    Await.until("the old one is closed", () -> a.closes.get() == 1);
    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(again.signed).hasValue(1);
    assertThat(observer.left).as("the name stays").isEmpty();
  }

  /** What the old keeper says late must not retire the new one. */
  @Test
  void reconfigure_manyTimesAtOnce_theLastOneStays() {
    TokenGroup group = open(token("a", KEY));
    TokenSettings a = FakeToken.settings("a");
    FakeToken last = first();
    for (int sessions = 2; sessions <= 30; sessions++) {
      last = new FakeToken(KEY);
      tokens.put("a/" + sessions, last);
      group.reconfigure(
          List.of(new TokenSettings("a", a.hsm().withSessions(sessions), a.policy())));
    }

    FakeToken wanted = last;
    Await.until("the last one is open", () -> wanted.opens.get() == 1);
    Await.until(
        "and signs",
        () -> {
          byte[] _ = group.sign(request(KEY, 60));
          return wanted.signed.get() > 0;
        });
    assertThat(wanted.closes).hasValue(0);
  }

  @Test
  void reconfigure_policyChanged_nothingIsOpenedAgain() {
    TokenGroup group = open(token("a", KEY), token("b", KEY));
    TokenSettings a = FakeToken.settings("a");
    TokenPolicy backup = new TokenPolicy(TokenPolicy.Preference.BACKUP, "");
    group.reconfigure(List.of(new TokenSettings("a", a.hsm(), backup), FakeToken.settings("b")));

    assertThat(group.sign(request(KEY, 60))).hasSize(32);
    assertThat(second().signed).hasValue(1);
    assertThat(first().opens).hasValue(1);
  }

  @Test
  void reconfigure_nothingOrTwiceTheSame_refusedAndNothingChanged() {
    TokenGroup group = open(token("a", KEY));

    assertThatThrownBy(() -> group.reconfigure(List.of()))
        .hasMessage("there must be 1 to 8 tokens, not 0");
    assertThatThrownBy(
            () -> group.reconfigure(List.of(FakeToken.settings("b"), FakeToken.settings("b"))))
        .hasMessage("two tokens are named b");
    assertThat(group.sign(request(KEY, 60))).hasSize(32);
  }

  @Test
  void close_everything_closedAndRefusing() {
    TokenGroup group = open(token("a", KEY), token("b", KEY));

    group.close();

    assertThat(first().closes).hasValue(1);
    assertThat(second().closes).hasValue(1);
    assertThat(group.isUsable()).isFalse();
    assertThatThrownBy(() -> group.sign(request(KEY, 60)))
        .isInstanceOf(HsmException.NoUsableToken.class);
  }

  private FakeToken first() {
    return named("a");
  }

  private FakeToken second() {
    return named("b");
  }

  private FakeToken named(String name) {
    return Objects.requireNonNull(tokens.get(name), name);
  }

  private FakeToken token(String name, KeyRef... keys) {
    return named(name, new FakeToken(keys));
  }

  private FakeToken named(String name, FakeToken token) {
    tokens.put(name, token);
    return token;
  }

  private TokenGroup open(FakeToken... inOrder) {
    return open(FailureRules.STANDARD, inOrder);
  }

  private TokenGroup open(FailureRules rules, FakeToken... inOrder) {
    List<TokenSettings> settings =
        List.of(inOrder).stream().map(this::nameOf).map(FakeToken::settings).toList();
    TokenGroup.Setup setup =
        new TokenGroup.Setup(
            (hsm, keys, listener) ->
                tokens
                    .getOrDefault(
                        hsm.hsm().tokenLabel() + "/" + hsm.hsm().sessions(),
                        named(hsm.hsm().tokenLabel()))
                    .opened(keys, listener),
            Set.of(KEY, OTHER),
            Set.of(KEY),
            "",
            observer);
    TokenGroup group = TokenGroup.open(setup, settings, rules);
    opened = group;
    return group;
  }

  private String nameOf(FakeToken token) {
    return tokens.entrySet().stream()
        .filter(e -> e.getValue() == token)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private static HsmException lost(boolean mayHaveExecuted) {
    return new HsmException.TokenLost("scripted", mayHaveExecuted);
  }

  private static SignRequest request(KeyRef key, int seconds) {
    return new SignRequest(
        key,
        Mechanism.ECDSA_SHA256,
        new byte[] {1, 2, 3},
        SignSchedule.by(System.nanoTime() + Duration.ofSeconds(seconds).toNanos()));
  }
}
