package org.sluiceca.api.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.api.issuance.IntentFinisher;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.issuance.RecoveryPass;
import org.sluiceca.api.issuance.store.commit.SteppedLedgerStore;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.enroll.PendingFinish;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.intent.RecoveryPolicy;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.Recheck;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/** One run of one node: the real line over simulated ports. A restart is another run. */
final class SimNode extends Baton.Host implements RecoveryPass.Finisher {

  static final Duration CLAIM = Duration.ofSeconds(15);

  /** As in EnrollmentController. */
  private static final Duration ACCEPT_MAX = Duration.ofSeconds(10);

  private final World world;
  private final Mutant mutant;
  private final Oracle oracle;
  private final NodeId id;
  private final int places;
  private final long tickerOrigin;
  private long tickerStopped;
  private boolean wasTickerStopped;
  private boolean wasFrozen;
  private long clockAhead;
  private final Ticker ticker;
  private final Map<Baton.Task, boolean[]> admissions = new HashMap<>();
  private final SimSigner signer;
  private final SteppedLedgerStore stepped;
  private final Ledger ledger;
  private final Admission admission;
  private final Enrollment line;
  private final IntentFinisher finisher;
  private final Mutant.Finishing finishing;
  private final RecoveryPass pass;

  SimNode(World world, Simulation.Shared shared, int number, int run) {
    this.world = world;
    this.mutant = shared.mutant();
    this.oracle = shared.database().oracle();
    this.id = new NodeId("node-" + number + "-run-" + run);
    this.tickerOrigin = world.dice().nanos(Duration.ZERO, Duration.ofDays(9));
    this.clockAhead = world.dice().millis(0, 2_000) - 1_000_000_000L;
    this.ticker = () -> world.now() + tickerOrigin - tickerStopped;
    this.places = 2 + world.dice().below(5);
    this.signer = new SimSigner(world, this, shared.token());
    this.stepped =
        new SteppedLedgerStore(
            new Connection(world, shared.database(), this),
            commit -> mutant.commit(commit, this),
            world.baton(),
            this,
            ticker);
    LedgerStore store = mutant.store(stepped, this);
    this.ledger = new Ledger(store, new ClaimTerms(id, CLAIM), ticker);
    this.admission = new Admission(places, signer::isUsable, ticker, world.dice().generator());
    this.line =
        new Enrollment(
            new AcceptSteps(
                admission,
                new ProfileAuthorizer(Cast.PROFILES),
                Cast.CSR_VERIFIER,
                new Planner(
                    Cast.ISSUERS, new SerialNumbers(world.dice().generator()), this::instant)),
            new FinishSteps(
                mutant.signer(signer, this), mutant.postSignCheck(Cast.POST_SIGN_CHECK)),
            ledger,
            mutant.events(this::hear, this));
    this.finisher = new IntentFinisher(line, oracle::event, ticker);
    this.finishing = mutant.finishing(this::finished, this);
    this.pass =
        new RecoveryPass(
            ledger,
            this,
            new RecoveryDecider(
                ledger,
                new RecoveryPolicy(Duration.ofHours(24)),
                new Recheck(Cast.PROFILES, Cast.ISSUERS),
                mutant.registry(shared.registry(), world),
                oracle::event));
    oracle.knows(this);
    world.baton().spawn("recovery", this, this::recover);
  }

  NodeId id() {
    return id;
  }

  World world() {
    return world;
  }

  Ticker ticker() {
    return ticker;
  }

  Admission admission() {
    return admission;
  }

  SimSigner signer() {
    return signer;
  }

  Oracle oracle() {
    return oracle;
  }

  Enrollment line() {
    return line;
  }

  boolean wasTickerStopped() {
    return wasTickerStopped;
  }

  boolean wasFrozen() {
    return wasFrozen;
  }

  int places() {
    return places;
  }

  /** The node's wall clock. */
  Instant instant() {
    return World.START.plusNanos(world.now() + clockAhead);
  }

  long clockAhead() {
    return clockAhead;
  }

  /** A border of a port, where a node may die, stand still or lose its sense of time. */
  void boundary(String what) {
    world.baton().dieIfDead();
    world.trace().note(world.now(), what, id.value().hashCode(), 0);
    Weather.Nodes weather = world.weather().nodes();
    if (world.strikes(weather.crash(), "crash")) {
      world.baton().kill(this);
      world.baton().dieIfDead();
    }
    if (world.strikes(weather.freeze(), "freeze")) {
      long nanos = world.dice().millis(100, 45_000);
      wasFrozen = true;
      if (world.dice().chance(weather.stopsTicker())) {
        wasTickerStopped = true;
        tickerStopped += nanos;
      }
      freezeUntil(world.now() + nanos);
      world.baton().pass(0);
    }
    if (world.strikes(weather.clockStep(), "clock set")) {
      long step = world.dice().millis(0, 200_000_000);
      clockAhead += world.dice().chance(0.5) ? step : -step;
    }
    oracle.sizes(this, stepped.waiting(), signer.sizes());
  }

  /** Handles POST /v1/certificates as its controller does. */
  Answer enroll(EnrollmentRequest request, Duration wait) {
    boundary("request arrives");
    Deadline answerBy = Deadline.after(wait, ticker);
    Acceptance acceptance;
    boolean[] isOnLine = new boolean[1];
    admissions.put(world.baton().current(), isOnLine);
    try {
      acceptance = mutant.accept(line, request, Deadline.after(ACCEPT_MAX, ticker));
    } catch (CaUnavailable e) {
      leave(isOnLine);
      return new Answer.Unavailable();
    } finally {
      admissions.remove(world.baton().current());
    }
    if (!(acceptance instanceof Acceptance.Accepted)) {
      leave(isOnLine);
    }
    return switch (acceptance) {
      case Acceptance.Accepted accepted -> finish(accepted, answerBy);
      case Acceptance.Ordered _ -> throw new AssertionError("no client sends orders here");
      case Acceptance.Replayed(LedgerEntry first) -> certificate(first);
      case Acceptance.InProgress(LedgerEntry first) ->
          new Answer.InProgress(first.intent().serialNumber());
      case Acceptance.Rejected rejected -> new Answer.Rejected();
      case Acceptance.Shed shed -> new Answer.Shed(shed.decision().retryAfter().toNanos());
    };
  }

  private void leave(boolean[] isOnLine) {
    if (isOnLine[0]) {
      oracle.leavesLine(this);
    }
  }

  /** Hears of a place from the event, not from the admission that gave it. */
  private void hear(CaEvent event) {
    oracle.event(event);
    boolean[] isOnLine = admissions.get(world.baton().current());
    if (event instanceof CaEvent.RequestAdmitted && isOnLine != null) {
      isOnLine[0] = true;
      oracle.entersLine(this);
    }
  }

  private Answer finish(Acceptance.Accepted accepted, Deadline answerBy) {
    SerialNumber serial = accepted.intent().serialNumber();
    List<Optional<Finish>> result = new ArrayList<>();
    Baton.Task waiter = world.baton().current();
    world
        .baton()
        .spawn(
            "finish",
            this,
            () -> {
              Optional<Finish> finish = finishing.finish(accepted, answerBy);
              oracle.leavesLine(this);
              result.add(finish);
              world.baton().wake(waiter);
            });
    while (result.isEmpty() && !answerBy.hasPassed(ticker)) {
      world.baton().await(world.now() + answerBy.remainingNanos(ticker));
    }
    if (result.isEmpty() || result.getFirst().isEmpty()) {
      return new Answer.Accepted(serial);
    }
    return switch (result.getFirst().get()) {
      case Finish.Issued(var certificate) -> {
        oracle.inTime(this, answerBy);
        yield new Answer.Certificate(serial, certificate);
      }
      case Finish.Abandoned abandoned -> new Answer.GivenUp(serial);
    };
  }

  private Optional<Finish> finished(Acceptance.Accepted accepted, Deadline answerBy) {
    PendingFinish pending = accepted.pending();
    return finisher.finish(pending, accepted.place(), finisher.due(pending, answerBy));
  }

  /** Handles GET /v1/orders/{id} and GET /v1/certificates/{serial}. */
  Answer look(SerialNumber serial) {
    try {
      return ledger
          .find(serial)
          .map(e -> e.outcome().isEmpty() ? new Answer.Accepted(serial) : certificate(e))
          .orElse(new Answer.Unknown());
    } catch (CaUnavailable e) {
      return new Answer.Unavailable();
    }
  }

  private static Answer certificate(LedgerEntry entry) {
    SerialNumber serial = entry.intent().serialNumber();
    return entry
        .certificate()
        .<Answer>map(c -> new Answer.Certificate(serial, c))
        .orElseGet(() -> new Answer.GivenUp(serial));
  }

  @Override
  public int finishAll(List<RecordedIntent> intents) {
    AtomicInteger finished = new AtomicInteger();
    AtomicInteger over = new AtomicInteger();
    Baton.Task waiter = world.baton().current();
    for (RecordedIntent intent : intents) {
      world
          .baton()
          .spawn(
              "finish",
              this,
              () -> {
                if (finisher.finish(intent).isPresent()) {
                  finished.incrementAndGet();
                }
                over.incrementAndGet();
                world.baton().wake(waiter);
              });
    }
    for (RecordedIntent intent : intents) {
      Deadline until = intent.claim().until();
      while (over.get() < intents.size() && !until.hasPassed(ticker)) {
        world.baton().await(world.now() + until.remainingNanos(ticker));
      }
    }
    return finished.get();
  }

  private void recover() {
    var random = world.dice().generator();
    while (true) {
      try {
        pass.run(() -> false);
      } catch (CaUnavailable e) {
        world.trace().note(world.now(), "recovery waits", 0, 0);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nothing interrupts", e);
      }
      // As a PeriodicTask varies its pauses.
      world.baton().pass((long) (RecoveryPass.PAUSE.toNanos() * random.nextDouble(0.9, 1.1)));
    }
  }
}
