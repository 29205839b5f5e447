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
import org.sluiceca.core.crl.CrlSnapshot;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.PlannedCrl;
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

  /** Dates by {@code clock}. */
  public InMemoryRevocations(InstantSource clock) {
    this.clock = clock;
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
    var ignored = crls.computeIfAbsent(scope, s -> new TreeMap<>());
  }

  @Override
  public synchronized List<ScopeState> states() {
    return crls.keySet().stream().map(this::state).toList();
  }

  private ScopeState state(CrlScope scope) {
    Optional<Crl> newest = newest(scope, false);
    long number = newest.map(c -> c.crl.number()).orElse(0L);
    long seen = newest.map(c -> c.crl.terms().revision()).orElse(0L);
    List<Row> pending =
        rows.stream().filter(r -> r.event.scope().equals(scope) && r.revision > seen).toList();
    return new ScopeState(
        scope,
        clock.instant(),
        newest.map(
            c ->
                new ScopeState.Newest(
                    number,
                    c.crl.terms().thisUpdate(),
                    c.crl.terms().nextUpdate(),
                    c.signature.orElseThrow().recordedAt,
                    c.crl.terms().entries())),
        of(scope).values().stream()
            .filter(c -> c.crl.number() > number)
            .reduce((a, b) -> b)
            .map(Crl::recordedAt),
        pending.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ScopeState.Pending(
                    pending.getFirst().recordedAt,
                    pending.stream().anyMatch(InMemoryRevocations::isCompromise))));
  }

  private static boolean isCompromise(Row row) {
    return row.event.change() instanceof Change.Revoked revoked && revoked.reason().isCompromise();
  }

  private Map<Long, Crl> of(CrlScope scope) {
    return crls.getOrDefault(scope, Map.of());
  }

  private Optional<Crl> newest(CrlScope scope, boolean scheduledOnly) {
    return of(scope).values().stream()
        .filter(c -> c.signature.isPresent())
        .filter(c -> !scheduledOnly || c.crl.terms().isScheduled())
        .reduce((a, b) -> b);
  }

  @Override
  public synchronized CrlSnapshot read(CrlScope scope, RevokedCertificates entries) {
    Optional<Crl> turn = newest(scope, true);
    Instant scheduled = turn.map(c -> c.crl.terms().thisUpdate()).orElse(Instant.MIN);
    long known = turn.map(c -> c.crl.terms().revision()).orElse(0L);
    for (Row row : rows) {
      boolean isLast = status(row.event.serialNumber()).events() == row.event.number();
      if (row.event.scope().equals(scope)
          && isLast
          && (!row.event.notAfter().isBefore(scheduled) || row.revision > known)
          && row.made.revocation().isPresent()) {
        Revocation revocation = row.made.revocation().get();
        entries.add(
            row.event.serialNumber(),
            revocation.revokedAt(),
            revocation.reason(),
            revocation.invalidityDate());
      }
    }
    return new CrlSnapshot(
        clock.instant(),
        of(scope).keySet().stream().reduce((a, b) -> b).orElse(0L),
        revision(scope),
        turn.map(c -> c.crl.terms().thisUpdate()),
        crls.keySet().stream().noneMatch(s -> s.issuer().equals(scope.issuer()) && s.shard() > 0));
  }

  @Override
  public synchronized boolean record(PlannedCrl crl, String node) {
    open(crl.scope());
    long last = of(crl.scope()).keySet().stream().reduce((a, b) -> b).orElse(0L);
    return last == crl.after()
        && crls.getOrDefault(crl.scope(), new TreeMap<>())
                .putIfAbsent(crl.number(), new Crl(crl, clock.instant(), Optional.empty()))
            == null;
  }

  @Override
  public synchronized void recordSignature(CrlScope scope, long number, OctetString signature) {
    var ignored =
        of(scope)
            .computeIfPresent(
                number,
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
