package org.sluiceca.core.intent;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.failure.CaUnavailable.ClaimLost;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.PayloadHash;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Steps 5 and 8: mints {@link RecordedIntent}s, which alone can be signed, and outcomes, which
 * alone can be released. Thread-safe; blocks as {@link LedgerStore} does.
 */
public final class Ledger {

  /**
   * The outcome of an intent that stands for good.
   *
   * @param isOurs whether this call recorded it: of all that learn an outcome, one did
   */
  public record Decided(Outcome outcome, boolean isOurs) {}

  /**
   * How long a caller of {@link #recordIntent} sleeps on for what was begun. Nearly all signatures
   * come sooner; a token that hangs is to be noticed by those who wait, which is only then.
   */
  public static final Duration RETURN_MAX = Duration.ofMillis(100);

  private final LedgerStore store;
  private final OrderStore orders;
  private final ClaimTerms terms;
  private final Ticker ticker;

  /** Records for the owner of {@code terms} into {@code store}; takes no orders. */
  public Ledger(LedgerStore store, ClaimTerms terms, Ticker ticker) {
    this(store, OrderStore.none(), terms, ticker);
  }

  /**
   * Records for the owner of {@code terms} into {@code store}.
   *
   * @param orders the same store's backlog
   */
  public Ledger(LedgerStore store, OrderStore orders, ClaimTerms terms, Ticker ticker) {
    this.store = store;
    this.orders = orders;
    this.terms = terms;
    this.ticker = ticker;
  }

  /** What is begun with an intent the moment it is durable. */
  public interface Beginning {

    /** Called once, on the thread that made it durable. Must not block or throw. */
    void begin(RecordedIntent intent);

    /** As {@link LedgerStore.Continuation#isUnderWay}. */
    boolean isUnderWay();

    /** When the caller of {@link Ledger#recordIntent} stops waiting for what was begun. */
    Deadline answerBy();
  }

  /**
   * Step 5: makes a plan durable before anything is signed. May return later than that, while what
   * was begun with the intent is under way: {@link #RETURN_MAX} later at the latest, and no later
   * than its client wants an answer.
   */
  public Recording recordIntent(IssuancePlan plan, Deadline deadline, Beginning beginning) {
    Intent intent = intent(plan);
    Deadline until = Deadline.after(terms.lifetime(), ticker);
    Continued continued = new Continued(intent, until, beginning);
    return switch (store.recordIntent(intent, terms, deadline, continued)) {
      case IntentAnswer.Recorded recorded -> new Recording.Recorded(continued.recorded());
      case IntentAnswer.KeyInUse(LedgerEntry first) -> inUse(intent, first);
      case IntentAnswer.KeyCompromised compromised -> new Recording.KeyCompromised();
    };
  }

  /** Mints the intent once it is durable, and has it begun. */
  private final class Continued implements LedgerStore.Continuation {
    private final Intent intent;
    private final Deadline until;
    private final Beginning beginning;
    private final Deadline returnBy;
    private @Nullable RecordedIntent minted;

    Continued(Intent intent, Deadline until, Beginning beginning) {
      this.intent = intent;
      this.until = until;
      this.beginning = beginning;
      this.returnBy = beginning.answerBy().min(Deadline.after(RETURN_MAX, ticker));
    }

    @Override
    public void start() {
      RecordedIntent recorded = new RecordedIntent(intent, new Claim(terms.owner(), 0, until));
      minted = recorded;
      beginning.begin(recorded);
    }

    @Override
    public boolean isUnderWay() {
      return beginning.isUnderWay() && !returnBy.hasPassed(ticker);
    }

    @Override
    public Deadline returnBy() {
      return returnBy;
    }

    RecordedIntent recorded() {
      Invariant.check(minted != null, "a durable intent was minted by its store's commit");
      return Objects.requireNonNull(minted);
    }
  }

  /**
   * Step 5 for an order, for which no client waits: durable in the backlog, owned by no node yet.
   */
  public Recording.OfOrder recordOrder(IssuancePlan plan, Deadline deadline) {
    Intent intent = intent(plan);
    return switch (orders.recordOrder(intent, terms.owner(), deadline)) {
      case IntentAnswer.Recorded recorded -> new Recording.Ordered(intent);
      case IntentAnswer.KeyInUse(LedgerEntry first) -> inUse(intent, first);
      case IntentAnswer.KeyCompromised compromised -> new Recording.KeyCompromised();
    };
  }

  private static Intent intent(IssuancePlan plan) {
    EnrollmentRequest request = plan.authorized().request();
    return new Intent(
        plan.serialNumber(),
        plan.tbsCertificate(),
        plan.signatureAlgorithm(),
        new Intent.Origin(
            request.requester().id(),
            plan.authorized().profile().name(),
            plan.authorized().profile().issuer(),
            OptionalInt.of(plan.authorized().profile().version().number())),
        request.idempotencyKey(),
        PayloadHash.of(request));
  }

  private static Recording.Unrecorded inUse(Intent intent, LedgerEntry first) {
    return first.intent().payloadHash().equals(intent.payloadHash())
        ? new Recording.Replayed(first)
        : new Recording.KeyReused(first);
  }

  /**
   * Refuses to go on with an intent whose claim this node must consider lost at {@code latest}.
   *
   * @throws ClaimLost if {@code latest} has passed
   */
  public void requireClaim(RecordedIntent intent, Deadline latest) {
    if (latest.hasPassed(ticker)) {
      throw new ClaimLost("the claim to intent " + intent.serialNumber() + " ran out");
    }
  }

  /**
   * Step 8: makes the outcome of a checked signature durable.
   *
   * @return the outcome that stands, which may be another node's: only that one may leave
   * @throws ClaimLost if another node has taken the intent over and has not finished it yet
   */
  public Decided recordOutcome(
      RecordedIntent intent, CheckedSignature certificate, Deadline deadline) {
    return decide(intent, issued(intent, certificate), deadline);
  }

  /** Step 8 without waiting; what is waited for then ends as {@link #recordOutcome} does. */
  public Pending<Decided> startOutcome(
      RecordedIntent intent, CheckedSignature certificate, Deadline deadline) {
    Outcome outcome = issued(intent, certificate);
    Pending<OutcomeAnswer> recording =
        store.startOutcome(intent.serialNumber(), outcome, intent.claim(), deadline);
    return until -> recording.await(until).map(answer -> decided(intent, outcome, answer));
  }

  private static Outcome issued(RecordedIntent intent, CheckedSignature certificate) {
    Invariant.check(
        certificate.signable() == intent, "the checked signature is that of this intent");
    return new Outcome.Issued(certificate.signature());
  }

  /** Gives an intent up, durably, unless it has an outcome already, which is then returned. */
  public Decided abandon(RecordedIntent intent, Outcome.Abandoned outcome, Deadline deadline) {
    return decide(intent, outcome, deadline);
  }

  /**
   * Gives an intent up at its requester's wish, whichever node is working on it. Unless it waited
   * in the backlog, its signature may exist by then, so the serial number counts as perhaps signed.
   *
   * @return what stands, which may have come first; empty if the serial number is unknown
   * @throws ClaimLost if another node takes it over at this very moment; asking again is safe
   */
  public Optional<Decided> cancel(SerialNumber serialNumber, Deadline deadline) {
    Deadline until = Deadline.after(terms.lifetime(), ticker);
    Optional<TakenOver> taken = store.takeOver(serialNumber, terms);
    if (taken.isPresent()) {
      ExpiredIntent intent = mint(taken.get(), until);
      return Optional.of(
          decide(
              intent.intent(),
              new Outcome.Abandoned(Outcome.Reason.CANCELLED, !intent.untouched()),
              deadline));
    }
    Optional<LedgerEntry> entry = store.find(serialNumber);
    if (entry.isPresent() && entry.get().outcome().isEmpty()) {
      throw new ClaimLost("intent " + serialNumber + " is being taken over");
    }
    return entry.flatMap(LedgerEntry::outcome).map(first -> new Decided(first, false));
  }

  /** Returns what the ledger knows of a serial number. */
  public Optional<LedgerEntry> find(SerialNumber serialNumber) {
    return store.find(serialNumber);
  }

  /** Takes over at most {@code max} pending intents whose owners let their claims run out. */
  public List<ExpiredIntent> takeOverExpired(int max) {
    Deadline until = Deadline.after(terms.lifetime(), ticker);
    return store.claimExpired(terms, max).stream().map(taken -> mint(taken, until)).toList();
  }

  /**
   * Takes orders out of the backlog, at most the given number for each requester, and claims them.
   */
  public List<ExpiredIntent> takeOrders(SequencedMap<RequesterId, Integer> most) {
    Deadline until = Deadline.after(terms.lifetime(), ticker);
    return orders.takeOrders(terms, most).stream().map(taken -> mint(taken, until)).toList();
  }

  private ExpiredIntent mint(TakenOver taken, Deadline until) {
    Claim claim = new Claim(terms.owner(), taken.epoch(), until);
    return new ExpiredIntent(
        new RecordedIntent(taken.intent(), claim),
        taken.recordedAt(),
        taken.takenAt(),
        taken.untouched());
  }

  private Decided decide(RecordedIntent intent, Outcome outcome, Deadline deadline) {
    return decided(
        intent,
        outcome,
        store.recordOutcome(intent.serialNumber(), outcome, intent.claim(), deadline));
  }

  private static Decided decided(RecordedIntent intent, Outcome outcome, OutcomeAnswer answer) {
    return switch (answer) {
      case OutcomeAnswer.Recorded recorded -> new Decided(outcome, true);
      case OutcomeAnswer.AlreadyDecided(Outcome first) -> new Decided(first, false);
      case OutcomeAnswer.ClaimLost lost ->
          throw new ClaimLost("intent " + intent.serialNumber() + " was taken over");
    };
  }
}
