package org.sluiceca.core.testkit;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.sluiceca.core.crl.CrlSnapshot;
import org.sluiceca.core.crl.CrlSnapshot.Scheduled;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.crl.PlannedCrl.Kind;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/** Revocations and CRLs in memory, under the contracts of the real stores. Thread-safe. */
public final class InMemoryRevocations implements RevocationStore, CrlStore {

  private record Row(
      RevocationEvent event, long revision, Instant recordedAt, RevocationStatus made) {}

  private record Crl(PlannedCrl crl, Instant recordedAt, Optional<Signature> signature) {}

  private record Signature(OctetString octets, Instant recordedAt) {}

  private final InstantSource clock;
  private final List<Row> rows = new ArrayList<>();
  private final Map<CrlScope, Map<Long, Crl>> crls =
      new TreeMap<>(Comparator.comparing(CrlScope::toString));

  private final Fault fault;

  /** What a store may get wrong about deltas. */
  public enum Fault {
    NONE,
    /** What was revoked since the base is missing. */
    FORGETS_REVOKED,
    /** What was released since the base is missing. */
    FORGETS_RELEASED,
    /** What has left because it expired is missing. */
    FORGETS_EXPIRED,
    /** A CRL without a signature counts. */
    UNSIGNED_BASE,
    /** The second caller gets a number as well. */
    NO_COMPARISON
  }

  /** Dates by {@code clock}. */
  public InMemoryRevocations(InstantSource clock) {
    this(clock, Fault.NONE);
  }

  /** Does one thing wrong. */
  public InMemoryRevocations(InstantSource clock, Fault fault) {
    this.clock = clock;
    this.fault = fault;
  }

  @Override
  public synchronized RevocationStatus status(SerialNumber serialNumber) {
    return rows.stream()
        .filter(r -> r.event.serialNumber().equals(serialNumber))
        .reduce((a, b) -> b)
        .map(Row::made)
        .orElse(RevocationStatus.NEVER_REVOKED);
  }

  @Override
  public synchronized Optional<RevocationStatus> append(RevocationEvent event) {
    if (event.number() <= status(event.serialNumber()).events()) {
      return Optional.empty();
    }
    open(event.scope());
    Instant now = clock.instant();
    RevocationStatus made =
        new RevocationStatus(
            event.number(),
            switch (event.change()) {
              case Change.Revoked revoked ->
                  Optional.of(
                      new Revocation(
                          revoked.reason(),
                          revoked.since().orElse(now.truncatedTo(ChronoUnit.SECONDS)),
                          revoked.invalidityDate()));
              case Change.Released released -> Optional.empty();
            });
    rows.add(new Row(event, revision(event.scope()) + 1, now, made));
    return Optional.of(made);
  }

  private long revision(CrlScope scope) {
    return rows.stream().filter(r -> r.event.scope().equals(scope)).count();
  }

  @Override
  public synchronized void open(CrlScope scope) {
    var _ = crls.computeIfAbsent(scope, s -> new TreeMap<>());
  }

  @Override
  public synchronized List<ScopeState> states() {
    return crls.keySet().stream().map(this::state).toList();
  }

  private ScopeState state(CrlScope scope) {
    Optional<Crl> newest = newest(scope, c -> c.base().isEmpty());
    Optional<Crl> delta = newest(scope, c -> c.base().isPresent());
    long signed = newest(scope, c -> true).map(c -> c.crl.number()).orElse(0L);
    return new ScopeState(
        scope,
        clock.instant(),
        newest.map(InMemoryRevocations::newest),
        of(scope).values().stream()
            .filter(c -> c.crl.number() > signed)
            .reduce((a, b) -> b)
            .map(Crl::recordedAt),
        pending(scope, newest),
        delta.map(d -> new ScopeState.Delta(newest(d), pending(scope, delta))));
  }

  private static ScopeState.Newest newest(Crl crl) {
    return new ScopeState.Newest(
        crl.crl.number(),
        crl.crl.terms().issuedAt(),
        crl.crl.terms().nextUpdate(),
        crl.signature.orElseThrow().recordedAt,
        crl.crl.terms().entries());
  }

  private Optional<ScopeState.Pending> pending(CrlScope scope, Optional<Crl> knowing) {
    long seen = knowing.map(c -> c.crl.terms().revision()).orElse(0L);
    List<Row> pending =
        rows.stream().filter(r -> r.event.scope().equals(scope) && r.revision > seen).toList();
    return pending.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ScopeState.Pending(
                pending.getFirst().recordedAt,
                pending.stream().anyMatch(InMemoryRevocations::isCompromise)));
  }

  private static boolean isCompromise(Row row) {
    return row.event.change() instanceof Change.Revoked revoked && revoked.reason().isCompromise();
  }

  private Map<Long, Crl> of(CrlScope scope) {
    return crls.getOrDefault(scope, Map.of());
  }

  private Optional<Crl> newest(CrlScope scope, Predicate<PlannedCrl> which) {
    return of(scope).values().stream()
        .filter(c -> c.signature.isPresent() && which.test(c.crl))
        .reduce((a, b) -> b);
  }

  private Optional<Scheduled> scheduled(CrlScope scope) {
    return of(scope).values().stream()
        .filter(c -> c.signature.isPresent() || fault == Fault.UNSIGNED_BASE)
        .map(c -> c.crl)
        .filter(c -> c.terms().isScheduled())
        .reduce((a, b) -> b)
        .map(
            c ->
                new Scheduled(
                    c.number(),
                    c.terms().revision(),
                    c.terms().issuedAt(),
                    c.terms().nextUpdate(),
                    Optional.of((Kind.Complete) c.kind())));
  }

  @Override
  public synchronized CrlSnapshot read(CrlScope scope, RevokedCertificates entries) {
    Optional<Scheduled> schedule = scheduled(scope);
    for (Row row : standing(scope)) {
      if (row.made.revocation().isPresent() && isListed(row, schedule)) {
        add(entries, row);
      }
    }
    return snapshot(scope, schedule);
  }

  @Override
  public synchronized CrlSnapshot readChanges(CrlScope scope, RevokedCertificates changes) {
    Optional<Scheduled> base = scheduled(scope);
    Optional<Kind.Complete> made = base.flatMap(Scheduled::made);
    if (made.isEmpty()) {
      return snapshot(scope, base);
    }
    for (Row row : standing(scope)) {
      boolean isNew = row.revision > base.get().revision();
      boolean isListed = row.made.revocation().isPresent() && isListed(row, base);
      boolean wasListed =
          row.made.revocation().isPresent()
              && isListed(row, made.get().expiredBefore(), made.get().knownRevision());
      if (isNew && isListed && fault != Fault.FORGETS_REVOKED) {
        add(changes, row);
      } else if (!isListed && (isNew ? fault != Fault.FORGETS_RELEASED : wasListed)) {
        if (isNew || fault != Fault.FORGETS_EXPIRED) {
          changes.addRemoved(row.event.serialNumber(), row.recordedAt);
        }
      }
    }
    return snapshot(scope, base);
  }

  /** The last events of their certificates. */
  private List<Row> standing(CrlScope scope) {
    return rows.stream()
        .filter(r -> r.event.scope().equals(scope))
        .filter(r -> status(r.event.serialNumber()).events() == r.event.number())
        .toList();
  }

  private boolean isListed(Row row, Optional<Scheduled> schedule) {
    return isListed(
        row,
        schedule.map(Scheduled::issuedAt).orElse(Instant.MIN),
        schedule.map(Scheduled::revision).orElse(0L));
  }

  private static boolean isListed(Row row, Instant expiredBefore, long knownRevision) {
    return !row.event.notAfter().isBefore(expiredBefore) || row.revision > knownRevision;
  }

  private static void add(RevokedCertificates entries, Row row) {
    Revocation revocation = row.made.revocation().orElseThrow();
    entries.add(
        row.event.serialNumber(),
        revocation.revokedAt(),
        revocation.reason(),
        revocation.invalidityDate());
  }

  private CrlSnapshot snapshot(CrlScope scope, Optional<Scheduled> schedule) {
    return new CrlSnapshot(
        clock.instant(),
        of(scope).keySet().stream().reduce((a, b) -> b).orElse(0L),
        revision(scope),
        schedule,
        crls.keySet().stream().noneMatch(s -> s.issuer().equals(scope.issuer()) && s.shard() > 0));
  }

  @Override
  public synchronized boolean record(PlannedCrl crl, String node) {
    open(crl.scope());
    long last = of(crl.scope()).keySet().stream().reduce((a, b) -> b).orElse(0L);
    return (last == crl.after() || fault == Fault.NO_COMPARISON)
        && crls.getOrDefault(crl.scope(), new TreeMap<>())
                .putIfAbsent(crl.number(), new Crl(crl, clock.instant(), Optional.empty()))
            == null;
  }

  @Override
  public synchronized void recordSignature(PlannedCrl planned, OctetString signature) {
    var _ =
        of(planned.scope())
            .computeIfPresent(
                planned.number(),
                (n, crl) ->
                    crl.signature.isPresent()
                        ? crl
                        : new Crl(
                            crl.crl,
                            crl.recordedAt,
                            Optional.of(new Signature(signature, clock.instant()))));
  }

  @Override
  public synchronized Optional<SignedCrl> find(CrlScope scope, long number) {
    return Optional.ofNullable(of(scope).get(number))
        .flatMap(c -> c.signature.map(s -> new SignedCrl(c.crl, s.octets)));
  }
}
