package org.sluiceca.core.registration;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A database, a ledger and nodes that die at any of their calls, in virtual time: {@link
 * Registration} as in production, everything else a model that is fixed by its seed.
 */
final class RegistrationWorld {

  /** A node died: its caller gets no answer, and what it was doing stays half done. */
  static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Died() {
      super("the node died", null, false, false);
    }
  }

  /** What is planted into the model to see that the checks find it. */
  enum Fault {
    NONE,
    /** Each attempt has a key of its own. */
    KEY_OF_THE_ATTEMPT,
    /** A refusal counts although an earlier attempt may have recorded an intent. */
    NO_LOOK_AT_EARLIER,
    /** A refusal of another node hides what was issued. */
    REFUSAL_STAYS,
    /** The second CSR takes the place of the first. */
    LAST_CSR_WINS
  }

  static final Duration LIFE = Duration.ofHours(1);

  final SplittableRandom random;
  final Fault fault;
  final Map<RegistrationId, CertificateRequest> rows = new LinkedHashMap<>();
  final Map<SerialNumber, LedgerEntry> ledger = new LinkedHashMap<>();
  final Map<SerialNumber, CsrDer> signed = new HashMap<>();
  final Map<SerialNumber, RegistrationId> issuedFor = new HashMap<>();
  private final Map<IdempotencyKey, SerialNumber> keys = new HashMap<>();
  final Map<RegistrationId, CsrDer> firstCsr = new HashMap<>();
  final Map<RegistrationId, Instant> triedAt = new HashMap<>();
  private final Intents intents;
  Instant now = Instant.parse("2026-11-27T12:00:00Z");
  double death = 0.03;
  double refusing = 0.1;
  double shedding = 0.2;
  double unavailable = 0.03;
  double interleaved = 0.1;

  /** What another node does between two calls of one; it may die in the middle. */
  Runnable other = () -> {};

  /** A request whose profile or issuer does not answer. */
  @Nullable RegistrationId outOfService;

  private boolean isOther;
  private int attempts;

  RegistrationWorld(long seed, Fault fault) {
    this.random = new SplittableRandom(seed);
    this.intents = new Intents(seed);
    this.fault = fault;
  }

  /** A node's view of the world. */
  Registration node() {
    return new Registration(new Rows(), new Line(), () -> now);
  }

  /** Each call of a node to the world: it may die here, or another one may be faster. */
  private void call() {
    if (random.nextDouble() < death) {
      throw new Died();
    }
    if (!isOther && random.nextDouble() < interleaved) {
      isOther = true;
      other.run();
      isOther = false;
    }
  }

  /** Signs or gives up some of what has no outcome. */
  void sign(double part) {
    for (LedgerEntry entry : List.copyOf(ledger.values())) {
      if (entry.outcome().isEmpty() && random.nextDouble() < part) {
        Outcome outcome =
            random.nextInt(10) == 0
                ? new Outcome.Abandoned(Outcome.Reason.TOO_OLD, false)
                : new Outcome.Issued(Intents.signature(random.nextLong()));
        ledger.put(
            entry.intent().serialNumber(),
            new LedgerEntry(entry.intent(), entry.recordedAt(), Optional.of(outcome)));
      }
    }
  }

  private final class Rows implements RequestStore {

    @Override
    public boolean add(CertificateRequest request) {
      call();
      rows.put(request.id(), request);
      call();
      return true;
    }

    @Override
    public Optional<CertificateRequest> find(RegistrationId id) {
      call();
      return Optional.ofNullable(rows.get(id));
    }

    @Override
    public boolean finalizeBy(RegistrationId id, CsrDer csr, Instant at) {
      call();
      CertificateRequest row = row(id);
      boolean isFirst = row.state() instanceof RequestState.Ready && !row.isExpired(at);
      if (isFirst
          || (fault == Fault.LAST_CSR_WINS && row.state() instanceof RequestState.Finalized)) {
        rows.put(id, row.in(new RequestState.Finalized(csr)));
        triedAt.put(id, at);
        firstCsr.putIfAbsent(id, csr);
      }
      call();
      return isFirst || fault == Fault.LAST_CSR_WINS;
    }

    @Override
    public void recorded(RegistrationId id, SerialNumber serialNumber) {
      call();
      if (row(id).state() instanceof RequestState.WithCsr state
          && !(state instanceof RequestState.Refused && fault == Fault.REFUSAL_STAYS)) {
        rows.put(id, row(id).in(new RequestState.Recorded(state.csr(), serialNumber)));
      }
      call();
    }

    @Override
    public void refuse(RegistrationId id, Refusal refusal) {
      call();
      if (row(id).state() instanceof RequestState.Finalized(CsrDer csr)) {
        rows.put(id, row(id).in(new RequestState.Refused(csr, refusal)));
      }
      call();
    }

    @Override
    public void postpone(RegistrationId id, Instant at) {
      call();
      triedAt.put(id, at);
    }

    @Override
    public List<CertificateRequest> unrecorded(Instant before, int max) {
      call();
      return rows.values().stream()
          .filter(row -> row.state() instanceof RequestState.Finalized)
          .filter(row -> at(row).isBefore(before))
          .sorted(Comparator.comparing(RegistrationWorld.this::at))
          .limit(max)
          .toList();
    }
  }

  CertificateRequest row(RegistrationId id) {
    return Objects.requireNonNull(rows.get(id));
  }

  private Instant at(CertificateRequest row) {
    return Objects.requireNonNull(triedAt.get(row.id()));
  }

  private final class Line implements Issuing {

    @Override
    public Answer issue(EnrollmentRequest request, Duration wait) {
      call();
      if (random.nextDouble() < shedding) {
        return new Answer.Later(Duration.ofSeconds(2));
      }
      if (random.nextDouble() < unavailable || isOutOfService(request)) {
        throw new LedgerUnavailable("the database does not answer");
      }
      // Before the ledger is asked, as in production.
      if (random.nextDouble() < refusing) {
        return new Answer.Refused(new Refusal(Refusal.Kind.NOT_ALLOWED, "the profile says no"));
      }
      SerialNumber serialNumber = keys.computeIfAbsent(key(request), key -> record(request));
      call();
      return new Answer.Recorded(serialNumber);
    }

    private boolean isOutOfService(EnrollmentRequest request) {
      return outOfService != null
          && request.idempotencyKey().orElseThrow().value().endsWith("/" + outOfService.text());
    }

    private IdempotencyKey key(EnrollmentRequest request) {
      IdempotencyKey key = request.idempotencyKey().orElseThrow();
      return fault == Fault.KEY_OF_THE_ATTEMPT
          ? IdempotencyKey.internal(key.value().substring(1) + "/" + attempts++)
          : key;
    }

    private SerialNumber record(EnrollmentRequest request) {
      Intent intent = intents.next();
      ledger.put(intent.serialNumber(), new LedgerEntry(intent, now, Optional.empty()));
      signed.put(intent.serialNumber(), request.csr());
      String key = request.idempotencyKey().orElseThrow().value();
      issuedFor.put(
          intent.serialNumber(),
          RegistrationId.parse(key.substring(key.indexOf('/') + 1)).orElseThrow());
      return intent.serialNumber();
    }

    @Override
    public Optional<SerialNumber> earlier(RequesterId requester, IdempotencyKey key) {
      call();
      @Nullable SerialNumber found = keys.get(key);
      return fault == Fault.NO_LOOK_AT_EARLIER ? Optional.empty() : Optional.ofNullable(found);
    }

    @Override
    public LedgerEntry entry(SerialNumber serialNumber) {
      call();
      return Objects.requireNonNull(ledger.get(serialNumber));
    }

    @Override
    public Duration pollAfter(SerialNumber serialNumber) {
      return Duration.ofSeconds(1);
    }
  }

  /** What is wrong at the end, when every node has had the time to finish everything. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    Map<RegistrationId, List<SerialNumber>> intentsOf = new HashMap<>();
    issuedFor.forEach(
        (serial, id) -> intentsOf.computeIfAbsent(id, i -> new ArrayList<>()).add(serial));
    Registration quiet = node();
    for (CertificateRequest row : List.copyOf(rows.values())) {
      List<SerialNumber> had = intentsOf.getOrDefault(row.id(), List.of());
      Progress progress = quiet.progress(row);
      if (had.size() > 1) {
        faults.add("two intents of one request");
      }
      if (had.stream().anyMatch(s -> !Objects.equals(signed.get(s), firstCsr.get(row.id())))) {
        faults.add("issued for another CSR than the first");
      }
      if (row.state() instanceof RequestState.Finalized
          || progress instanceof Progress.Processing) {
        faults.add("a request that never ends");
      }
      boolean isIssued =
          had.stream()
              .map(ledger::get)
              .anyMatch(e -> e != null && e.outcome().orElse(null) instanceof Outcome.Issued);
      if (isIssued && !(progress instanceof Progress.Issued)) {
        faults.add("a certificate that its client does not get");
      }
      if (isIssued && !(row(row.id()).state() instanceof RequestState.Recorded)) {
        faults.add("a certificate that its request does not name");
      }
      if (!isIssued && progress instanceof Progress.Issued) {
        faults.add("a certificate that is not there");
      }
    }
    return faults;
  }
}
