package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/** What every {@link LedgerStore} must do. Each test starts with an empty ledger. */
public abstract class LedgerStoreContract {

  /** A claim's lifetime, as in production. */
  protected static final Duration LIFETIME = Duration.ofSeconds(15);

  protected static final ClaimTerms NODE_0 = new ClaimTerms(new NodeId("node-0"), LIFETIME);
  protected static final ClaimTerms NODE_1 = new ClaimTerms(new NodeId("node-1"), LIFETIME);

  private static final int WRITERS = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicLong SEEDS = new AtomicLong();

  private final long seed = SEEDS.incrementAndGet();

  /** Different intents for each test. */
  protected final Intents intents = new Intents(seed);

  /** The store under test, the same one throughout a test, empty at its start. */
  protected abstract LedgerStore store();

  /** The ticker by which the store judges deadlines. */
  protected abstract Ticker ticker();

  /** Lets time pass as the database sees it; what is recorded grows older. */
  protected abstract void pass(Duration databaseTime);

  @Test
  void recordIntent_new_foundPending() {
    Intent intent = intents.next(Intents.ALICE, key("new"));

    assertThat(record(intent)).isEqualTo(new IntentAnswer.Recorded());

    LedgerEntry entry = found(intent);
    assertThat(entry.intent()).isEqualTo(intent);
    assertThat(entry.outcome()).isEmpty();
  }

  @Test
  void recordIntent_repeated_recordedOnce() {
    Intent intent = recorded();

    assertThat(record(intent)).isEqualTo(new IntentAnswer.Recorded());

    pass(LIFETIME);
    assertThat(store().claimExpired(NODE_1, 10)).hasSize(1);
  }

  @Test
  void recordIntent_serialNumberOfAnother_brokenInvariant() {
    Intent first = recorded();
    Intent other = intents.next();
    Intent collision =
        new Intent(
            first.serialNumber(),
            other.tbsCertificate(),
            other.signatureAlgorithm(),
            other.origin(),
            Optional.of(key("collision")),
            other.payloadHash());

    assertThatExceptionOfType(Invariant.Broken.class).isThrownBy(() -> record(collision));

    assertThat(found(first).intent()).isEqualTo(first);
    assertThat(record(intents.next(Intents.ALICE, key("collision"))))
        .isEqualTo(new IntentAnswer.Recorded());
  }

  @Test
  void recordIntent_deadlinePassed_unavailableAndNothingRecorded() {
    Intent intent = intents.next(Intents.ALICE, key("late"));
    Deadline passed = Deadline.after(Duration.ofMillis(-1), ticker());

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> store().recordIntent(intent, NODE_0, passed));

    assertThat(store().find(intent.serialNumber())).isEmpty();
  }

  @Test
  void find_unknown_empty() {
    assertThat(store().find(intents.next().serialNumber())).isEmpty();
    assertThat(
            store().find(intents.expiringAt(Instant.parse("3000-01-01T00:00:00Z")).serialNumber()))
        .isEmpty();
  }

  @Test
  void recordOutcome_issued_found() {
    Intent intent = recorded();
    Outcome outcome = issued(1);

    assertThat(decide(intent, outcome, claim(NODE_0, 0))).isEqualTo(new OutcomeAnswer.Recorded());

    assertThat(found(intent).outcome()).contains(outcome);
    assertThat(found(intent).certificate()).isPresent();
  }

  @Test
  void recordOutcome_abandoned_found() {
    for (Outcome.Reason reason : Outcome.Reason.values()) {
      Intent intent = recorded();
      Outcome outcome = new Outcome.Abandoned(reason, reason == Outcome.Reason.TOO_OLD);

      assertThat(decide(intent, outcome, claim(NODE_0, 0))).isEqualTo(new OutcomeAnswer.Recorded());

      assertThat(found(intent).outcome()).contains(outcome);
    }
  }

  @Test
  void recordOutcome_second_getsTheFirst() {
    Intent intent = recorded();
    decide(intent, issued(1), claim(NODE_0, 0));

    OutcomeAnswer second = decide(intent, abandoned(), claim(NODE_0, 0));

    assertThat(second).isEqualTo(new OutcomeAnswer.AlreadyDecided(issued(1)));
    assertThat(found(intent).outcome()).contains(issued(1));
  }

  @Test
  void recordOutcome_manyAtOnce_oneStandsAndAllGetIt() {
    Intent intent = recorded();

    List<OutcomeAnswer> answers =
        together(WRITERS, i -> decide(intent, issued(i), claim(NODE_0, 0)));

    Outcome first = found(intent).outcome().orElseThrow();
    assertThat(answers.stream().filter(new OutcomeAnswer.Recorded()::equals)).hasSize(1);
    assertThat(answers.indexOf(new OutcomeAnswer.Recorded()))
        .satisfies(i -> assertThat(first).isEqualTo(issued(i)));
    assertThat(answers.stream().filter(new OutcomeAnswer.AlreadyDecided(first)::equals))
        .hasSize(WRITERS - 1);
  }

  @Test
  void recordOutcome_unknownIntent_brokenInvariant() {
    SerialNumber unknown = intents.next().serialNumber();

    assertThatExceptionOfType(Invariant.Broken.class)
        .isThrownBy(() -> store().recordOutcome(unknown, issued(1), claim(NODE_0, 0), soon()));
  }

  @Test
  void recordOutcome_deadlinePassed_unavailableAndStillPending() {
    Intent intent = recorded();
    Deadline passed = Deadline.after(Duration.ofMillis(-1), ticker());

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(
            () ->
                store().recordOutcome(intent.serialNumber(), issued(1), claim(NODE_0, 0), passed));

    assertThat(found(intent).outcome()).isEmpty();
  }

  @Test
  void recordOutcome_otherOwner_claimLost() {
    Intent intent = recorded();

    assertThat(decide(intent, issued(1), claim(NODE_1, 0)))
        .isEqualTo(new OutcomeAnswer.ClaimLost());
    assertThat(decide(intent, issued(1), claim(NODE_0, 1)))
        .isEqualTo(new OutcomeAnswer.ClaimLost());

    assertThat(found(intent).outcome()).isEmpty();
  }

  @Test
  void recordOutcome_claimRunOutButNotTaken_recorded() {
    Intent intent = recorded();
    pass(LIFETIME.multipliedBy(2));

    assertThat(decide(intent, issued(1), claim(NODE_0, 0))).isEqualTo(new OutcomeAnswer.Recorded());
  }

  @Test
  void recordOutcome_zombieAfterTakeOver_claimLostUntilDecided() {
    Intent intent = recorded();
    pass(LIFETIME);
    store().claimExpired(NODE_1, 10);

    assertThat(decide(intent, issued(1), claim(NODE_0, 0)))
        .isEqualTo(new OutcomeAnswer.ClaimLost());

    assertThat(decide(intent, issued(2), claim(NODE_1, 1))).isEqualTo(new OutcomeAnswer.Recorded());
    assertThat(decide(intent, issued(1), claim(NODE_0, 0)))
        .isEqualTo(new OutcomeAnswer.AlreadyDecided(issued(2)));
  }

  @Test
  void claimExpired_claimLives_notTaken() {
    recorded();
    pass(LIFETIME.minus(slack()));

    assertThat(store().claimExpired(NODE_1, 10)).isEmpty();
  }

  @Test
  void claimExpired_decided_notTaken() {
    decide(recorded(), issued(1), claim(NODE_0, 0));
    decide(recorded(), abandoned(), claim(NODE_0, 0));
    pass(LIFETIME);

    assertThat(store().claimExpired(NODE_1, 10)).isEmpty();
  }

  @Test
  void claimExpired_pending_takenWithItsContent() {
    Intent intent = recorded();
    pass(LIFETIME);

    List<TakenOver> taken = store().claimExpired(NODE_1, 10);

    assertThat(taken).hasSize(1);
    assertThat(taken.getFirst().intent()).isEqualTo(intent);
    assertThat(taken.getFirst().epoch()).isEqualTo(1);
    assertThat(taken.getFirst().takenAt())
        .isBetween(
            taken.getFirst().recordedAt().plus(LIFETIME),
            taken.getFirst().recordedAt().plus(LIFETIME).plus(PATIENCE));
  }

  @Test
  void claimExpired_more_oldestFirstAtMostMax() {
    List<SerialNumber> oldestFirst = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      oldestFirst.add(recorded().serialNumber());
      pass(Duration.ofSeconds(1));
    }
    pass(LIFETIME);

    assertThat(serialNumbers(store().claimExpired(NODE_1, 3))).isEqualTo(oldestFirst.subList(0, 3));
    assertThat(serialNumbers(store().claimExpired(NODE_1, 3))).isEqualTo(oldestFirst.subList(3, 6));
    assertThat(serialNumbers(store().claimExpired(NODE_1, 3))).isEqualTo(oldestFirst.subList(6, 7));
    assertThat(store().claimExpired(NODE_1, 3)).isEmpty();
  }

  @Test
  void claimExpired_takerLetsItLie_epochGrows() {
    Intent intent = recorded();
    for (int epoch = 1; epoch <= 3; epoch++) {
      pass(LIFETIME);
      assertThat(store().claimExpired(NODE_1, 10))
          .extracting(TakenOver::epoch)
          .containsExactly(epoch);
      assertThat(store().claimExpired(NODE_0, 10)).isEmpty();
    }

    assertThat(decide(intent, issued(1), claim(NODE_1, 2)))
        .isEqualTo(new OutcomeAnswer.ClaimLost());
    assertThat(decide(intent, issued(1), claim(NODE_1, 3))).isEqualTo(new OutcomeAnswer.Recorded());
  }

  @Test
  void claimExpired_severalCallersAtOnce_oneGetsEach() {
    List<SerialNumber> pending =
        IntStream.range(0, 20).mapToObj(i -> recorded().serialNumber()).toList();
    pass(LIFETIME);

    List<List<TakenOver>> taken =
        together(
            8, i -> store().claimExpired(new ClaimTerms(new NodeId("taker-" + i), LIFETIME), 20));

    assertThat(taken.stream().flatMap(List::stream).map(t -> t.intent().serialNumber()))
        .containsExactlyInAnyOrderElementsOf(pending);
  }

  @Test
  void recordIntent_keyInUse_nothingRecordedAndFirstReturned() {
    Intent first = intents.next(Intents.ALICE, key("again"));
    Intent second = intents.next(Intents.ALICE, key("again"));
    record(first);

    assertThat(record(second)).isEqualTo(new IntentAnswer.KeyInUse(found(first)));

    assertThat(store().find(second.serialNumber())).isEmpty();
  }

  @Test
  void recordIntent_keyOfIssued_certificateReturned() {
    Intent first = intents.next(Intents.ALICE, key("issued"));
    record(first);
    decide(first, issued(1), claim(NODE_0, 0));

    IntentAnswer answer = record(intents.next(Intents.ALICE, key("issued")));

    assertThat(answer).isEqualTo(new IntentAnswer.KeyInUse(found(first)));
    assertThat(found(first).certificate()).isPresent();
  }

  @Test
  void recordIntent_keyOfOtherRequester_independent() {
    record(intents.next(Intents.ALICE, key("shared")));

    assertThat(record(intents.next(Intents.BOB, key("shared"))))
        .isEqualTo(new IntentAnswer.Recorded());
  }

  @Test
  void recordIntent_keyOfAbandoned_passesToTheNewIntent() {
    Intent first = intents.next(Intents.ALICE, key("freed"));
    record(first);
    decide(first, abandoned(), claim(NODE_0, 0));
    Intent second = intents.next(Intents.ALICE, key("freed"));

    assertThat(record(second)).isEqualTo(new IntentAnswer.Recorded());

    assertThat(record(intents.next(Intents.ALICE, key("freed"))))
        .isEqualTo(new IntentAnswer.KeyInUse(found(second)));
  }

  @Test
  void recordIntent_manyWithOneFreedKey_oneGetsIt() {
    Intent first = intents.next(Intents.ALICE, key("race"));
    record(first);
    decide(first, abandoned(), claim(NODE_0, 0));

    assertOneGetsKey("race");
  }

  @Test
  void recordIntent_manyWithOneNewKey_oneGetsIt() {
    assertOneGetsKey("fresh");
  }

  @Test
  void recordIntent_manyWritersSomeInConflict_eachAnsweredForItself() {
    Intent holder = intents.next(Intents.ALICE, key("held"));
    record(holder);
    List<Intent> all =
        IntStream.range(0, WRITERS)
            .mapToObj(i -> i % 4 == 0 ? intents.next(Intents.ALICE, key("held")) : intents.next())
            .toList();

    List<IntentAnswer> answers = together(WRITERS, i -> record(all.get(i)));

    for (int i = 0; i < WRITERS; i++) {
      boolean conflict = i % 4 == 0;
      assertThat(answers.get(i))
          .isEqualTo(
              conflict ? new IntentAnswer.KeyInUse(found(holder)) : new IntentAnswer.Recorded());
      assertThat(store().find(all.get(i).serialNumber()).isPresent()).isEqualTo(!conflict);
    }
  }

  @Test
  void recordIntent_manyWriters_eachRecordedExactlyOnce() {
    List<Intent> all = IntStream.range(0, 4 * WRITERS).mapToObj(i -> intents.next()).toList();

    together(all.size(), i -> record(all.get(i)));
    together(all.size(), i -> decide(all.get(i), issued(i), claim(NODE_0, 0)));

    for (int i = 0; i < all.size(); i++) {
      LedgerEntry entry = found(all.get(i));
      assertThat(entry.intent()).isEqualTo(all.get(i));
      assertThat(entry.outcome()).contains(issued(i));
    }
  }

  @Test
  void takeOver_claimLives_takenAndItsOwnerLosesIt() {
    Intent intent = recorded();

    TakenOver taken = store().takeOver(intent.serialNumber(), NODE_1).orElseThrow();

    assertThat(taken.intent()).isEqualTo(intent);
    assertThat(taken.epoch()).isEqualTo(1);
    assertThat(decide(intent, issued(1), claim(NODE_0, 0)))
        .isEqualTo(new OutcomeAnswer.ClaimLost());
    assertThat(decide(intent, abandoned(), claim(NODE_1, 1)))
        .isEqualTo(new OutcomeAnswer.Recorded());
    assertThat(decide(intent, issued(1), claim(NODE_0, 0)))
        .isEqualTo(new OutcomeAnswer.AlreadyDecided(abandoned()));
  }

  @Test
  void takeOver_takerLetsItLie_recoveryGoesOn() {
    Intent intent = recorded();
    assertThat(store().takeOver(intent.serialNumber(), NODE_1)).isPresent();
    assertThat(store().claimExpired(NODE_0, 10)).isEmpty();
    pass(LIFETIME);

    assertThat(store().claimExpired(NODE_0, 10)).extracting(TakenOver::epoch).containsExactly(2);
    assertThat(store().takeOver(intent.serialNumber(), NODE_1).orElseThrow().epoch()).isEqualTo(3);
  }

  @Test
  void takeOver_decidedOrUnknown_empty() {
    Intent intent = recorded();
    decide(intent, issued(1), claim(NODE_0, 0));

    assertThat(store().takeOver(intent.serialNumber(), NODE_1)).isEmpty();
    assertThat(store().takeOver(intents.next().serialNumber(), NODE_1)).isEmpty();
  }

  /** Of all that want one epoch one gets it; who comes later gets the next. */
  @Test
  void takeOver_manyAtOnce_noEpochTwice() {
    Intent intent = recorded();

    List<Optional<TakenOver>> taken =
        together(
            8,
            i ->
                store()
                    .takeOver(
                        intent.serialNumber(), new ClaimTerms(new NodeId("taker-" + i), LIFETIME)));

    assertThat(taken.stream().flatMap(Optional::stream).map(TakenOver::epoch))
        .isNotEmpty()
        .doesNotHaveDuplicates();
  }

  private void assertOneGetsKey(String name) {
    List<Intent> all =
        IntStream.range(0, WRITERS).mapToObj(i -> intents.next(Intents.ALICE, key(name))).toList();

    List<IntentAnswer> answers = together(WRITERS, i -> record(all.get(i)));

    assertThat(answers.stream().filter(new IntentAnswer.Recorded()::equals)).hasSize(1);
    Intent winner = all.get(answers.indexOf(new IntentAnswer.Recorded()));
    assertThat(answers.stream().filter(new IntentAnswer.KeyInUse(found(winner))::equals))
        .hasSize(WRITERS - 1);
    assertThat(all.stream().filter(i -> store().find(i.serialNumber()).isPresent()))
        .containsExactly(winner);
  }

  /** Records the next intent for node 0. */
  protected final Intent recorded() {
    Intent intent = intents.next();
    assertThat(record(intent)).isEqualTo(new IntentAnswer.Recorded());
    return intent;
  }

  /** Records {@code intent} for node 0. */
  protected final IntentAnswer record(Intent intent) {
    return store().recordIntent(intent, NODE_0, soon());
  }

  /** Records an outcome under {@code claim}. */
  protected final OutcomeAnswer decide(Intent intent, Outcome outcome, Claim claim) {
    return store().recordOutcome(intent.serialNumber(), outcome, claim, soon());
  }

  /** Returns what the ledger has of {@code intent}, which must be something. */
  protected final LedgerEntry found(Intent intent) {
    return store().find(intent.serialNumber()).orElseThrow();
  }

  /** Returns the claim of {@code terms}' owner at {@code epoch}. */
  protected final Claim claim(ClaimTerms terms, int epoch) {
    return new Claim(terms.owner(), epoch, soon());
  }

  /** Returns how long before its end a claim must still be there: more than a test takes. */
  protected Duration slack() {
    return Duration.ofSeconds(1);
  }

  /** Returns a deadline that a healthy store meets. */
  protected final Deadline soon() {
    return Deadline.after(PATIENCE, ticker());
  }

  /** Returns a success that differs for each {@code seed}. */
  protected static Outcome issued(long seed) {
    OctetString signature = Intents.signature(seed);
    return new Outcome.Issued(signature);
  }

  private static Outcome abandoned() {
    return new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true);
  }

  private static List<SerialNumber> serialNumbers(List<TakenOver> taken) {
    return taken.stream().map(t -> t.intent().serialNumber()).toList();
  }

  private IdempotencyKey key(String name) {
    return new IdempotencyKey(name + "-" + seed);
  }

  /** Something done by the {@code i}th of several threads. */
  protected interface Deed<T> {
    T by(int i) throws Exception;
  }

  /** Lets {@code threads} virtual threads do it at once; returns the results in their order. */
  protected static <T> List<T> together(int threads, Deed<T> deed) {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        Callable<T> call = () -> deed.by(number);
        futures.add(executor.submit(call));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      }
      return results;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("one of several threads failed", e);
    }
  }
}
