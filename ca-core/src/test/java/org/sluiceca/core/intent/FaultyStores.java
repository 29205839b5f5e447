package org.sluiceca.core.intent;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.sluiceca.core.testkit.ForwardingLedgerStore;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/** Stores that each break one promise of {@link LedgerStore}. */
final class FaultyStores {

  /** Makes a faulty store of a sound one. */
  interface Fault extends BiFunction<LedgerStore, ManualTime, LedgerStore> {}

  private FaultyStores() {}

  static Map<String, Fault> all() {
    Map<String, Fault> faults = new LinkedHashMap<>();
    faults.put("forgets intents", (store, time) -> new Forgets(store));
    faults.put("records nothing but says so", (store, time) -> new SaysSo(store));
    faults.put("ignores deadlines", (store, time) -> new NeverLate(store, time));
    faults.put("frees no key", (store, time) -> new FreesNoKey(store));
    faults.put("keeps no keys", (store, time) -> new Keyless(store));
    faults.put(
        "reports to the loser that it won",
        (store, time) -> ForwardingLedgerStore.whereEverybodyWins(store));
    faults.put("lets zombies decide", (store, time) -> new ZombiesDecide(store));
    faults.put("loses claims that merely ran out", (store, time) -> new Impatient(store, time));
    faults.put("takes over one more than asked", (store, time) -> new OneMore(store));
    faults.put("takes over nothing", (store, time) -> new TakesNothing(store));
    faults.put("takes over the newest first", (store, time) -> new NewestFirst(store));
    faults.put("counts epochs from zero", (store, time) -> new EpochZero(store));
    faults.put("takes over before the time", (store, time) -> new TooEarly(store, time));
    faults.put("reports no time", (store, time) -> new Timeless(store));
    faults.put(
        "takes over no claim by serial number",
        (store, time) ->
            new ForwardingLedgerStore(store) {
              @Override
              public Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms) {
                return Optional.empty();
              }
            });
    faults.put(
        "says that it took over and does not",
        (store, time) ->
            new ForwardingLedgerStore(store) {
              @Override
              public Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms) {
                return store
                    .find(serialNumber)
                    .filter(e -> e.outcome().isEmpty())
                    .map(e -> new TakenOver(e.intent(), e.recordedAt(), e.recordedAt(), 1));
              }
            });
    return faults;
  }

  private static final class Forgets extends ForwardingLedgerStore {
    Forgets(LedgerStore sound) {
      super(sound);
    }

    @Override
    public Optional<LedgerEntry> find(SerialNumber serialNumber) {
      return Optional.empty();
    }
  }

  private static final class SaysSo extends ForwardingLedgerStore {
    SaysSo(LedgerStore sound) {
      super(sound);
    }

    @Override
    public OutcomeAnswer recordOutcome(
        SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
      return new OutcomeAnswer.Recorded();
    }
  }

  private static final class NeverLate extends ForwardingLedgerStore {
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

  private static final class FreesNoKey extends ForwardingLedgerStore {
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

  private static final class Keyless extends ForwardingLedgerStore {
    Keyless(LedgerStore sound) {
      super(sound);
    }

    @Override
    public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
      return sound.recordIntent(Intents.keyless(intent), terms, deadline);
    }
  }

  private static final class ZombiesDecide extends ForwardingLedgerStore {
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

  private static final class Impatient extends ForwardingLedgerStore {
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

  private static final class OneMore extends ForwardingLedgerStore {
    OneMore(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return sound.claimExpired(terms, max + 1);
    }
  }

  private static final class TakesNothing extends ForwardingLedgerStore {
    TakesNothing(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return List.of();
    }
  }

  private static final class NewestFirst extends ForwardingLedgerStore {
    NewestFirst(LedgerStore sound) {
      super(sound);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return sound.claimExpired(terms, max).reversed();
    }
  }

  private static final class EpochZero extends ForwardingLedgerStore {
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

  private static final class TooEarly extends ForwardingLedgerStore {
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

  private static final class Timeless extends ForwardingLedgerStore {
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
