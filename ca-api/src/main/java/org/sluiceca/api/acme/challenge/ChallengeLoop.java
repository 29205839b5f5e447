package org.sluiceca.api.acme.challenge;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.endpoint.Proofs;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.registration.store.ProofQueue;
import org.sluiceca.api.registration.store.ProofQueue.Due;
import org.sluiceca.api.validation.Challenge;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.api.validation.Verdict;
import org.sluiceca.api.validation.service.UnexpectedFaults;
import org.sluiceca.api.validation.service.Validators;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.registration.Authorization.Fault;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.name.Identifier;

/**
 * Looks for proofs that clients say are there. Every node runs it; at most {@value
 * RunningProofs#SLOTS} at once a node, and fewer of one account, of accounts from one network and
 * at one endpoint ({@link RunningProofs}). What a node had claimed when it died is looked for by
 * another one after {@link #LEASE}. Proofs of an endpoint that this node does not serve stay due: a
 * node that serves it looks, or their order expires.
 */
public final class ChallengeLoop implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ChallengeLoop.class);

  /** Longer than the longest attempt: one deadline, or a node's and its perspectives'. */
  static final Duration LEASE = Duration.ofSeconds(90);

  /** Where a client's own node has not woken this one. */
  private static final Duration PERIOD = Duration.ofSeconds(2);

  /** The longest rest while no proof is to be looked for: the change watch ends it. */
  private static final Duration PERIOD_RESTING = Duration.ofSeconds(30);

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  /** RFC 8555 8.2: a record of DNS or a server may come a little later than its client says. */
  private static final List<Duration> AGAIN =
      List.of(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10));

  private final ProofQueue queue;
  private final AcmeEndpoints endpoints;
  private final AcmeUrls urls;
  private final BiFunction<Challenge, ValidationTerms, Verdict> validator;
  private final UnexpectedFaults faults;
  private final AuditTrail trail;
  private final MeterRegistry registry;
  private final InstantSource clock;
  private final RunningProofs running = new RunningProofs();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final PeriodicTask task;

  // Set before the thread starts.
  private Rest rest = Rest.never();

  /** Does nothing before {@link #start}. */
  public ChallengeLoop(
      ProofQueue queue,
      AcmeEndpoints endpoints,
      AcmeUrls urls,
      AuditTrail trail,
      MeterRegistry registry,
      InstantSource clock) {
    this(
        queue,
        endpoints,
        urls,
        trail,
        registry,
        clock,
        faults -> new Validators(clock, faults)::validate);
  }

  /** Looks for proofs by a validator that reports its unexpected faults. */
  ChallengeLoop(
      ProofQueue queue,
      AcmeEndpoints endpoints,
      AcmeUrls urls,
      AuditTrail trail,
      MeterRegistry registry,
      InstantSource clock,
      Function<UnexpectedFaults, BiFunction<Challenge, ValidationTerms, Verdict>> validator) {
    this.queue = queue;
    this.endpoints = endpoints;
    this.urls = urls;
    this.faults = new UnexpectedFaults(LOG, clock);
    this.validator = validator.apply(faults);
    this.trail = trail;
    this.registry = registry;
    this.clock = clock;
    FunctionCounter.builder("ca.acme.validation.faults", faults, UnexpectedFaults::count)
        .register(registry);
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                ChallengeLoop.class,
                "challenges",
                "challenges cannot be looked at",
                PERIOD,
                PERIOD,
                STOP_MAX),
            this::step);
  }

  /** Rests from now on while no proof is to be looked for. Before {@link #start}. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.PROOFS), task::wake);
  }

  /** Starts, with or without endpoints that have challenges: one may be activated at any time. */
  public void start() {
    task.start();
  }

  /** There is something to look at. */
  public void wake() {
    task.wake();
  }

  /** Claims what is due; returns how long to wait. Of the owned thread, or in its place. */
  Duration step(BooleanSupplier isStopping) {
    rest.begin();
    int free = running.free();
    if (free == 0 || isStopping.getAsBoolean()) {
      // The end of one that runs wakes the loop.
      return PERIOD;
    }
    // Others may be served by other nodes, or by this one in a moment.
    Set<String> served =
        endpoints.all().stream()
            .map(endpoint -> endpoint.name().value())
            .collect(Collectors.toSet());
    Instant now = clock.instant();
    List<Due> claimed = queue.claim(free, served, running.shares(), now, LEASE);
    for (Due due : claimed) {
      running.begin(due);
      threads.execute(() -> look(due));
    }
    return claimed.isEmpty() ? rest.pause(PERIOD, PERIOD_RESTING) : PERIOD;
  }

  private void look(Due due) {
    try {
      record(due, judged(due));
    } catch (CaUnavailable e) {
      LOG.warn(
          "A verdict could not be recorded, and the proof is looked for again: {}", e.toString());
    } catch (RuntimeException | Error e) {
      // The claim ends by itself, and a node looks again.
      faults.report("recording of a verdict at endpoint " + due.request().endpoint(), e);
    } finally {
      running.end(due);
      task.wake();
    }
  }

  private Verdict judged(Due due) {
    Timer.Sample sample = Timer.start();
    Verdict verdict;
    try {
      verdict = verdict(due);
    } catch (RuntimeException | Error e) {
      // Without a verdict the proof would be looked for again until its order expires.
      faults.report("validation at endpoint " + due.request().endpoint(), e);
      verdict = Verdict.unexpected();
    }
    sample.stop(
        registry.timer(
            "ca.acme.validations",
            "endpoint",
            due.request().endpoint().value(),
            "method",
            due.method(),
            "outcome",
            verdict instanceof Verdict.Failed failed ? failed.kind().text() : "valid"));
    return verdict;
  }

  private Verdict verdict(Due due) {
    CertificateRequest request = due.request();
    if (request.isExpired(clock.instant())) {
      return new Verdict.Failed(Verdict.Kind.UNAUTHORIZED, "the order has expired");
    }
    Optional<Proofs> proofs =
        endpoints.find(request.endpoint().value()).flatMap(endpoint -> endpoint.proofs());
    Optional<Method> method = Method.parse(due.method());
    Identifier identifier = request.identifiers().get(due.number());
    if (method.isEmpty() || proofs.filter(p -> p.of(identifier).contains(method.get())).isEmpty()) {
      return new Verdict.Failed(
          Verdict.Kind.UNAUTHORIZED, "this endpoint no longer offers the method for this name");
    }
    Verdict verdict =
        validator.apply(
            new Challenge(
                method.get(),
                Proofs.base(identifier),
                Proofs.isWildcard(identifier),
                due.token(),
                due.token() + "." + due.thumbprint(),
                new Challenge.Account(
                    urls.account(request.endpoint(), request.actor()),
                    urls.accountHashPrefix(request.endpoint()),
                    List.of(due.thumbprint()))),
            proofs.get().terms());
    // The order is the only one that uses it, and may do so until it expires.
    return verdict instanceof Verdict.Valid(String evidence, Optional<Instant> until)
            && until.filter(request.expiresAt()::isAfter).isPresent()
        ? new Verdict.Failed(
            Verdict.Kind.UNAUTHORIZED, "the record ends before the order does: " + evidence)
        : verdict;
  }

  private void record(Due due, Verdict verdict) {
    switch (verdict) {
      case Verdict.Valid valid -> {
        trail.record(
            new Fact(
                AuditKind.ACME_AUTHORIZATION,
                "acme:" + due.request().endpoint().value() + ":" + due.request().actor().text(),
                Map.of(
                    "order", due.request().id().text(),
                    "name", due.request().identifiers().get(due.number()).value(),
                    "method", due.method(),
                    "evidence", valid.evidence())));
        queue.valid(due, clock.instant());
      }
      case Verdict.Failed failed ->
          queue.failed(
              due,
              new Fault(failed.kind().text(), failed.detail()),
              due.attempt() <= AGAIN.size()
                  ? Optional.of(clock.instant().plus(AGAIN.get(due.attempt() - 1)))
                  : Optional.empty(),
              clock.instant());
    }
  }

  @Override
  public void close() {
    task.close();
    threads.shutdownNow();
  }
}
