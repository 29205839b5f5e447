package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/** The contract notices every store that breaks one of its promises. */
class LedgerStoreMutantsTest {

  /** Makes a faulty store of a sound one. */
  private interface Fault extends BiFunction<LedgerStore, ManualTime, LedgerStore> {}

  /** The contract as it is run against one store. */
  private static final class Contract extends LedgerStoreContract {
    private final ManualTime time = new ManualTime(Fixtures.NOW);
    private final LedgerStore store;

    Contract(Fault fault) {
      store = fault.apply(new InMemoryLedgerStore(time, time), time);
    }

    @Override
    protected LedgerStore store() {
      return store;
    }

    @Override
    protected Ticker ticker() {
      return time;
    }

    @Override
    protected void pass(Duration databaseTime) {
      time.pass(databaseTime);
    }
  }

  @Test
  void contract_soundStore_kept() throws Exception {
    assertThat(broken((store, time) -> store)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> contract_faultyStore_noticed() {
    return faults().entrySet().stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.getKey(), () -> assertThat(broken(fault.getValue())).isNotEmpty()));
  }

  /** Returns which tests of the contract fail on such a store. */
  private static List<String> broken(Fault fault) throws IllegalAccessException {
    List<String> broken = new ArrayList<>();
    List<Method> tests =
        Arrays.stream(LedgerStoreContract.class.getDeclaredMethods())
            .filter(m -> m.isAnnotationPresent(Test.class))
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    assertThat(tests).isNotEmpty();
    for (Method test : tests) {
      try {
        test.invoke(new Contract(fault));
      } catch (InvocationTargetException e) {
        broken.add(test.getName());
      }
    }
    return broken;
  }

  private static Map<String, Fault> faults() {
    Map<String, Fault> faults = new LinkedHashMap<>();
    faults.put("forgets intents", (store, time) -> new Forgets(store));
    faults.put("records nothing but says so", (store, time) -> new SaysSo(store));
    faults.put("ignores deadlines", (store, time) -> new NeverLate(store, time));
    faults.put("frees no key", (store, time) -> new FreesNoKey(store));
    faults.put("keeps no keys", (store, time) -> new Keyless(store));
    faults.put("tells the loser that it won", (store, time) -> new EverybodyWins(store));
    faults.put("lets zombies decide", (store, time) -> new ZombiesDecide(store));
    faults.put("loses claims that merely ran out", (store, time) -> new Impatient(store, time));
    faults.put("takes over one more than asked", (store, time) -> new OneMore(store));
    faults.put("takes over nothing", (store, time) -> new TakesNothing(store));
    faults.put("takes over the newest first", (store, time) -> new NewestFirst(store));
    faults.put("counts epochs from zero", (store, time) -> new EpochZero(store));
    faults.put("takes over before the time", (store, time) -> new TooEarly(store, time));
    faults.put("tells no time", (store, time) -> new Timeless(store));
    return faults;
  }

  /** Hands on to a sound store but for what is overridden. */
  private static class Faulty implements LedgerStore {
    final LedgerStore sound;

    Faulty(LedgerStore sound) {
      this.sound = sound;
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      return sound.recordIntent(intent, terms, deadline);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      return sound.recordOutcome(serialNumber, outcome, claim, deadline);
    }

    @Override
    public Optional<LedgerEntry> find(SerialNumber serialNumber) {
      return sound.find(serialNumber);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return sound.claimExpired(terms, max);
    }
  }

  private static final class Forgets extends Faulty {
    Forgets(LedgerStore sound) {
      super(sound);
    }

    @Override
    public Optional<LedgerEntry> find(SerialNumber serialNumber) {
      return Optional.empty();
    }
  }

  private static final class SaysSo extends Faulty {
    SaysSo(LedgerStore sound) {
      super(sound);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      return new OutcomeAnswer.Recorded();
    }
  }

  private static final class NeverLate extends Faulty {
    private final ManualTime time;

    NeverLate(LedgerStore sound, ManualTime time) {
      super(sound);
      this.time = time;
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      return sound.recordIntent(intent, terms, Deadline.after(Duration.ofHours(1), time));
    }
  }

  private static final class FreesNoKey extends Faulty {
    FreesNoKey(LedgerStore sound) {
      super(sound);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      return outcome instanceof Outcome.Abandoned
          ? new OutcomeAnswer.ClaimLost()
          : sound.recordOutcome(serialNumber, outcome, claim, deadline);
    }
  }

  private static final class Keyless extends Faulty {
    Keyless(LedgerStore sound) {
      super(sound);
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      Intent keyless =
          new Intent(
              intent.serialNumber(),
              intent.tbsCertificate(),
              intent.signatureAlgorithm(),
              intent.origin(),
              Optional.empty(),
              intent.payloadHash());
      return sound.recordIntent(keyless, terms, deadline);
    }
  }

  private static final class EverybodyWins extends Faulty {
    EverybodyWins(LedgerStore sound) {
      super(sound);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      OutcomeAnswer answer = sound.recordOutcome(serialNumber, outcome, claim, deadline);
      return answer instanceof OutcomeAnswer.AlreadyDecided ? new OutcomeAnswer.Recorded() : answer;
    }
  }

  private static final class ZombiesDecide extends Faulty {
    ZombiesDecide(LedgerStore sound) {
      super(sound);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      OutcomeAnswer answer = sound.recordOutcome(serialNumber, outcome, claim, deadline);
      return answer instanceof OutcomeAnswer.ClaimLost ? new OutcomeAnswer.Recorded() : answer;
    }
  }

  private static final class Impatient extends Faulty {
    private final ManualTime time;

    Impatient(LedgerStore sound, ManualTime time) {
      super(sound);
      this.time = time;
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      boolean ranOut =
          sound
              .find(serialNumber)
              .filter(
                  e -> !e.recordedAt().plus(LedgerStoreContract.LIFETIME).isAfter(time.instant()))
              .isPresent();
      return ranOut && claim.epoch() == 0
          ? new OutcomeAnswer.ClaimLost()
          : sound.recordOutcome(serialNumber, outcome, claim, deadline);
    }
  }

  private static final class OneMore extends Faulty {
    OneMore(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return sound.claimExpired(terms, max + 1);
    }
  }

  private static final class TakesNothing extends Faulty {
    TakesNothing(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return List.of();
    }
  }

  private static final class NewestFirst extends Faulty {
    NewestFirst(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return sound.claimExpired(terms, max).reversed();
    }
  }

  private static final class EpochZero extends Faulty {
    EpochZero(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return sound.claimExpired(terms, max).stream()
          .map(t -> new TakenOver(t.intent(), t.recordedAt(), t.takenAt(), t.epoch() - 1))
          .toList();
    }
  }

  private static final class TooEarly extends Faulty {
    private final ManualTime time;

    TooEarly(LedgerStore sound, ManualTime time) {
      super(sound);
      this.time = time;
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      time.pass(LedgerStoreContract.LIFETIME);
      return sound.claimExpired(terms, max);
    }
  }

  private static final class Timeless extends Faulty {
    Timeless(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return sound.claimExpired(terms, max).stream()
          .map(t -> new TakenOver(t.intent(), t.recordedAt(), t.recordedAt(), t.epoch()))
          .toList();
    }
  }
}
