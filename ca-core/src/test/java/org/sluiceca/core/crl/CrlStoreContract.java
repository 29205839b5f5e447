package org.sluiceca.core.crl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.crl.CrlStore.SignedCrl;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/** What every store of CRLs does, next to the store of the revocations on them. */
public abstract class CrlStoreContract {

  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final CrlScope SHARD = new CrlScope(Fixtures.ISSUING, 3);

  private final Revocable certificates = new Revocable(23);

  /** The stores under test, joined. */
  public record Stores(CrlStore crls, RevocationStore revocations) {}

  /** Returns empty stores, in which the intents of {@code entries} are recorded. */
  protected abstract Stores stores(List<LedgerEntry> entries);

  @Test
  void read_scopeWithoutEvents_empty() {
    Stores stores = stores(List.of());
    stores.crls().open(SCOPE);
    RevokedCertificates entries = new RevokedCertificates();

    CrlSnapshot snapshot = stores.crls().read(SCOPE, entries);

    assertThat(entries.count()).isZero();
    assertThat(snapshot.lastNumber()).isZero();
    assertThat(snapshot.revision()).isZero();
    assertThat(snapshot.isOnly()).isTrue();
  }

  @Test
  void read_events_thoseOfTheScopeThatStand() {
    LedgerEntry revoked = certificates.onCrl("issuing.crl");
    LedgerEntry released = certificates.onCrl("issuing.crl");
    LedgerEntry changed = certificates.onCrl("issuing.crl");
    LedgerEntry elsewhere = certificates.onCrl("issuing/3.crl");
    Stores stores = stores(List.of(revoked, released, changed, elsewhere));
    append(stores, SCOPE, revoked, 1, revoked(RevocationReason.SUPERSEDED));
    append(stores, SCOPE, released, 1, revoked(RevocationReason.CERTIFICATE_HOLD));
    append(stores, SCOPE, released, 2, new Change.Released());
    append(stores, SCOPE, changed, 1, revoked(RevocationReason.SUPERSEDED));
    append(stores, SCOPE, changed, 2, revoked(RevocationReason.KEY_COMPROMISE));
    append(stores, SHARD, elsewhere, 1, revoked(RevocationReason.SUPERSEDED));
    RevokedCertificates entries = new RevokedCertificates();

    CrlSnapshot snapshot = stores.crls().read(SCOPE, entries);

    assertThat(entries.count()).isEqualTo(2);
    assertThat(snapshot.revision()).isEqualTo(5);
    assertThat(snapshot.isOnly()).isFalse();
  }

  @Test
  void read_expired_leavesAfterAScheduledCrlLaterThanItsEnd() {
    Stores stores = stores(List.of());
    stores.crls().open(SCOPE);
    Instant now = stores.crls().read(SCOPE, new RevokedCertificates()).now();
    Instant end = now.minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    LedgerEntry expired = certificates.silent(end);
    RevocationEvent event =
        new RevocationEvent(
            expired.intent().serialNumber(),
            1,
            SCOPE,
            Intents.ALICE,
            end,
            revoked(RevocationReason.SUPERSEDED));
    prepare(stores, expired);
    assertThat(stores.revocations().append(event)).isPresent();

    assertThat(entriesOf(stores)).isEqualTo(1);
    sign(stores, crl(1, false, end.plusSeconds(60)));
    assertThat(entriesOf(stores)).isEqualTo(1);
    sign(stores, crl(2, true, end));
    assertThat(entriesOf(stores)).isEqualTo(1);
    sign(stores, crl(3, true, end.plusSeconds(1)));
    assertThat(entriesOf(stores)).isZero();
  }

  /** Lets the store make room for a revocation of an entry that it did not know at the start. */
  protected void prepare(Stores stores, LedgerEntry entry) {}

  @Test
  void record_readAtTheSameTime_oneGoesOnWhateverTheNumbers() {
    Stores stores = stores(List.of());
    stores.crls().open(SCOPE);

    assertThat(stores.crls().record(crl(7, 0, 2, true, Fixtures.NOW), "node-0")).isTrue();
    assertThat(stores.crls().record(crl(9, 0, 2, true, Fixtures.NOW), "node-1")).isFalse();
    assertThat(stores.crls().record(crl(6, 0, 2, true, Fixtures.NOW), "node-1")).isFalse();
    assertThat(stores.crls().record(crl(9, 7, 2, true, Fixtures.NOW), "node-1")).isTrue();
  }

  @Test
  void read_revokedTooLateForTheLastScheduledCrl_staysOnceMore() {
    Stores stores = stores(List.of());
    stores.crls().open(SCOPE);
    Instant now = stores.crls().read(SCOPE, new RevokedCertificates()).now();
    Instant end = now.minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    LedgerEntry expired = certificates.silent(end);
    prepare(stores, expired);
    sign(stores, crl(1, 0, 0, true, end.plusSeconds(60)));
    RevocationEvent event =
        new RevocationEvent(
            expired.intent().serialNumber(),
            1,
            SCOPE,
            Intents.ALICE,
            end,
            revoked(RevocationReason.SUPERSEDED));
    assertThat(stores.revocations().append(event)).isPresent();

    assertThat(entriesOf(stores)).isEqualTo(1);
    sign(stores, crl(2, 1, 1, true, end.plusSeconds(120)));
    assertThat(entriesOf(stores)).isZero();
  }

  @Test
  void record_sameNumberTwice_oneGetsIt() {
    Stores stores = stores(List.of());
    stores.crls().open(SCOPE);

    assertThat(stores.crls().record(crl(7, true, Fixtures.NOW), "node-0")).isTrue();
    assertThat(stores.crls().record(crl(7, true, Fixtures.NOW.plusSeconds(9)), "node-1")).isFalse();
    assertThat(stores.crls().read(SCOPE, new RevokedCertificates()).lastNumber()).isEqualTo(7);
  }

  @Test
  void recordSignature_twice_theFirstStands() {
    Stores stores = stores(List.of());
    stores.crls().open(SCOPE);
    PlannedCrl crl = crl(7, true, Fixtures.NOW);
    assertThat(stores.crls().record(crl, "node-0")).isTrue();
    assertThat(stores.crls().find(SCOPE, 7)).isEmpty();

    stores.crls().recordSignature(crl, Intents.signature(1));
    stores.crls().recordSignature(crl, Intents.signature(2));

    assertThat(stores.crls().find(SCOPE, 7)).contains(new SignedCrl(crl, Intents.signature(1)));
  }

  @Test
  void states_lifeOfAScope_followed() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    Stores stores = stores(List.of(entry));
    stores.crls().open(SCOPE);
    assertThat(state(stores).newest()).isEmpty();
    assertThat(state(stores).pending()).isEmpty();

    append(stores, SCOPE, entry, 1, revoked(RevocationReason.SUPERSEDED));
    assertThat(state(stores).pending().orElseThrow().isCompromise()).isFalse();
    append(stores, SCOPE, entry, 2, revoked(RevocationReason.KEY_COMPROMISE));
    assertThat(state(stores).pending().orElseThrow().isCompromise()).isTrue();

    PlannedCrl crl = crl(5, true, Fixtures.NOW);
    assertThat(stores.crls().record(crl, "node-0")).isTrue();
    assertThat(state(stores).reservedAt()).isPresent();
    stores.crls().recordSignature(crl, Intents.signature(1));
    ScopeState signed = state(stores);
    assertThat(signed.reservedAt()).isEmpty();
    assertThat(signed.pending()).isEmpty();
    assertThat(signed.newest().orElseThrow().number()).isEqualTo(5);
    assertThat(signed.newest().orElseThrow().issuedAt()).isEqualTo(Fixtures.NOW);

    append(stores, SCOPE, entry, 3, new Change.Released());
    assertThat(state(stores).pending().orElseThrow().isCompromise()).isFalse();
  }

  @Test
  void open_twice_oneScope() {
    Stores stores = stores(List.of());
    stores.crls().open(SCOPE);
    stores.crls().open(SCOPE);
    stores.crls().open(SHARD);

    assertThat(stores.crls().states().stream().map(ScopeState::scope))
        .containsExactly(SCOPE, SHARD);
  }

  /** Replay: {@code -Dseed=N}. */
  @Test
  void readChanges_anyHistory_makesOfEveryCrlSinceTheBaseWhatAFullOneSays() {
    long seed = Long.getLong("seed", System.nanoTime());
    for (int i = 0; i < histories(); i++) {
      try {
        Stores stores = stores(List.of());
        new DeltaHistory(new Random(seed + i), stores, entry -> prepare(stores, entry)).play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("replay with -Dseed=" + (seed + i) + ": " + e.getMessage(), e);
      }
    }
  }

  /** How many random histories a store can play in a second or so. */
  protected abstract int histories();

  @Test
  void readChanges_noScheduledCrlSigned_nothing() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    Stores stores = stores(List.of(entry));
    append(stores, SCOPE, entry, 1, revoked(RevocationReason.SUPERSEDED));
    sign(stores, crl(1, false, Fixtures.NOW));
    assertThat(stores.crls().record(crl(2, true, Fixtures.NOW), "node-0")).isTrue();
    RevokedCertificates changes = new RevokedCertificates();

    CrlSnapshot snapshot = stores.crls().readChanges(SCOPE, changes);

    assertThat(snapshot.lastScheduled()).isEmpty();
    assertThat(snapshot.lastNumber()).isEqualTo(2);
    assertThat(changes.count()).isZero();
  }

  @Test
  void record_delta_sharesTheNumbersAndIsNoCompleteCrl() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    Stores stores = stores(List.of(entry));
    stores.crls().open(SCOPE);
    sign(stores, crl(5, 0, 0, true, Fixtures.NOW));
    append(stores, SCOPE, entry, 1, revoked(RevocationReason.KEY_COMPROMISE));
    PlannedCrl delta = delta(7, 5, 1);

    assertThat(stores.crls().record(delta(5, 4, 1), "node-0")).isFalse();
    assertThat(stores.crls().record(delta, "node-0")).isTrue();
    assertThat(stores.crls().record(crl(7, 5, 1, true, Fixtures.NOW), "node-1")).isFalse();
    assertThat(state(stores).reservedAt()).isPresent();
    assertThat(state(stores).delta()).isEmpty();
    stores.crls().recordSignature(delta, Intents.signature(3));

    assertThat(stores.crls().find(SCOPE, 7)).contains(new SignedCrl(delta, Intents.signature(3)));
    ScopeState state = state(stores);
    assertThat(state.reservedAt()).isEmpty();
    assertThat(state.newest().orElseThrow().number()).isEqualTo(5);
    assertThat(state.pending()).as("the complete CRL does not know of it").isPresent();
    assertThat(state.delta().orElseThrow().newest().number()).isEqualTo(7);
    assertThat(state.delta().orElseThrow().pending()).isEmpty();
    CrlSnapshot snapshot = stores.crls().read(SCOPE, new RevokedCertificates());
    assertThat(snapshot.lastNumber()).isEqualTo(7);
    assertThat(snapshot.lastScheduled().orElseThrow().number()).isEqualTo(5);
    append(stores, SCOPE, entry, 2, revoked(RevocationReason.CA_COMPROMISE));
    assertThat(state(stores).delta().orElseThrow().pending().orElseThrow().isCompromise()).isTrue();
  }

  private static PlannedCrl delta(long number, long after, long revision) {
    return new PlannedCrl(
        SCOPE,
        number,
        after,
        SignatureAlgorithm.ECDSA_SHA256,
        TbsCertListDer.of(new byte[] {(byte) number}),
        new PlannedCrl.Terms(revision, false, Fixtures.NOW, Fixtures.NOW.plusSeconds(600), 1),
        new PlannedCrl.Kind.Delta(after));
  }

  private static int entriesOf(Stores stores) {
    RevokedCertificates entries = new RevokedCertificates();
    assertThat(stores.crls().read(SCOPE, entries)).isNotNull();
    return entries.count();
  }

  private static void sign(Stores stores, PlannedCrl crl) {
    assertThat(stores.crls().record(crl, "node-0")).isTrue();
    stores.crls().recordSignature(crl, Intents.signature(crl.number()));
  }

  private static ScopeState state(Stores stores) {
    return stores.crls().states().stream()
        .filter(s -> s.scope().equals(SCOPE))
        .findFirst()
        .orElseThrow();
  }

  private static PlannedCrl crl(long number, boolean isScheduled, Instant issuedAt) {
    return crl(number, number <= 3 ? number - 1 : 0, 2, isScheduled, issuedAt);
  }

  private static PlannedCrl crl(
      long number, long after, long revision, boolean isScheduled, Instant issuedAt) {
    return new PlannedCrl(
        SCOPE,
        number,
        after,
        SignatureAlgorithm.ECDSA_SHA256,
        TbsCertListDer.of(new byte[] {(byte) number}),
        new PlannedCrl.Terms(revision, isScheduled, issuedAt, issuedAt.plusSeconds(600), 0),
        new PlannedCrl.Kind.Complete(Instant.EPOCH, 0, Optional.empty()));
  }

  private static Change revoked(RevocationReason reason) {
    return new Change.Revoked(reason, Optional.empty(), Optional.empty());
  }

  private static void append(
      Stores stores, CrlScope scope, LedgerEntry entry, int number, Change change) {
    assertThat(
            stores
                .revocations()
                .append(
                    new RevocationEvent(
                        entry.intent().serialNumber(),
                        number,
                        scope,
                        Intents.ALICE,
                        Fixtures.NOW.plus(Duration.ofDays(47)),
                        change)))
        .isPresent();
  }
}
