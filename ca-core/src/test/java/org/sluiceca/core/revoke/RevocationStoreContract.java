package org.sluiceca.core.revoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** What every store of revocations does. */
public abstract class RevocationStoreContract {

  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final Instant NOT_AFTER = Fixtures.NOW.plus(Duration.ofDays(47));

  private final Revocable certificates = new Revocable(17);

  /** Returns the store under test, in which the intents of {@code entries} are recorded. */
  protected abstract RevocationStore store(List<LedgerEntry> entries);

  @Test
  void status_neverRevoked_none() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");

    assertThat(store(List.of(entry)).status(entry.intent().serialNumber()))
        .isEqualTo(RevocationStatus.NEVER_REVOKED);
  }

  @Test
  void append_revoked_isTheStatus() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    RevocationStore store = store(List.of(entry));
    Instant date = Fixtures.NOW.minus(Duration.ofDays(3));

    RevocationStatus made =
        store
            .append(
                event(
                    entry,
                    1,
                    new Change.Revoked(
                        RevocationReason.KEY_COMPROMISE, Optional.of(date), Optional.empty())))
            .orElseThrow();

    Revocation revocation = made.revocation().orElseThrow();
    assertThat(made.events()).isEqualTo(1);
    assertThat(revocation.reason()).isEqualTo(RevocationReason.KEY_COMPROMISE);
    assertThat(revocation.invalidityDate()).contains(date);
    assertThat(revocation.revokedAt())
        .isEqualTo(revocation.revokedAt().truncatedTo(ChronoUnit.SECONDS));
    assertThat(store.status(entry.intent().serialNumber())).isEqualTo(made);
  }

  @Test
  void append_everyReason_readBack() {
    for (RevocationReason reason : RevocationReason.values()) {
      LedgerEntry entry = certificates.onCrl("issuing.crl");
      RevocationStore store = store(List.of(entry));

      assertThat(store.append(event(entry, 1, revoked(reason)))).isPresent();

      assertThat(store.status(entry.intent().serialNumber()).revocation().orElseThrow().reason())
          .isEqualTo(reason);
    }
  }

  @Test
  void append_sinceStands_keptNotDatedAnew() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    RevocationStore store = store(List.of(entry));
    Instant since = Fixtures.NOW.minus(Duration.ofDays(9));
    assertThat(store.append(event(entry, 1, revoked(RevocationReason.SUPERSEDED)))).isPresent();

    RevocationStatus made =
        store
            .append(
                event(
                    entry,
                    2,
                    new Change.Revoked(
                        RevocationReason.KEY_COMPROMISE, Optional.empty(), Optional.of(since))))
            .orElseThrow();

    assertThat(made.revocation().orElseThrow().revokedAt()).isEqualTo(since);
  }

  @Test
  void append_released_notRevokedAnyMore() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    RevocationStore store = store(List.of(entry));
    assertThat(store.append(event(entry, 1, revoked(RevocationReason.CERTIFICATE_HOLD))))
        .isPresent();

    assertThat(store.append(event(entry, 2, new Change.Released()))).isPresent();

    assertThat(store.status(entry.intent().serialNumber()))
        .isEqualTo(new RevocationStatus(2, Optional.empty()));
  }

  @Test
  void append_numberTaken_nothingRecorded() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    RevocationStore store = store(List.of(entry));
    assertThat(store.append(event(entry, 1, revoked(RevocationReason.SUPERSEDED)))).isPresent();

    assertThat(store.append(event(entry, 1, revoked(RevocationReason.KEY_COMPROMISE)))).isEmpty();

    assertThat(store.status(entry.intent().serialNumber()).revocation().orElseThrow().reason())
        .isEqualTo(RevocationReason.SUPERSEDED);
  }

  @Test
  void append_manyAtOnce_oneOfEachNumber() throws Exception {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    RevocationStore store = store(List.of(entry));
    List<Future<Optional<RevocationStatus>>> answers = new ArrayList<>();

    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 12; i++) {
        answers.add(
            threads.submit(
                () -> store.append(event(entry, 1, revoked(RevocationReason.SUPERSEDED)))));
      }
    }

    long recorded = 0;
    for (Future<Optional<RevocationStatus>> answer : answers) {
      recorded += answer.get().isPresent() ? 1 : 0;
    }
    assertThat(recorded).isEqualTo(1);
  }

  private static Change revoked(RevocationReason reason) {
    return new Change.Revoked(reason, Optional.empty(), Optional.empty());
  }

  private static RevocationEvent event(LedgerEntry entry, int number, Change change) {
    SerialNumber serialNumber = entry.intent().serialNumber();
    return new RevocationEvent(serialNumber, number, SCOPE, Intents.ALICE, NOT_AFTER, change);
  }
}
