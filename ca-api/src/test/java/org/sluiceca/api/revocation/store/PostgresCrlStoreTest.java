package org.sluiceca.api.revocation.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.crl.CrlEntries;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlStore.SignedCrl;
import org.sluiceca.core.crl.CrlStoreContract;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.DeltaTerms;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.RevocationReason;

/** CRLs on a real PostgreSQL keep the contract, and what only many nodes can break. */
class PostgresCrlStoreTest extends CrlStoreContract {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();
  private static final CrlScope SCOPE = new CrlScope(Fixtures.ISSUING, 0);
  private static final CrlTerms TERMS = new CrlTerms(Duration.ofHours(1), Duration.ofHours(24));

  private final PostgresCrlStore crls = new PostgresCrlStore(DATABASE.database(), true);
  private final PostgresRevocationStore revocations =
      new PostgresRevocationStore(DATABASE.database());
  private final SoftwareKey key = SoftwareKey.named("issuer-ec-p256");
  private final Issuer issuer = Fixtures.issuing(key);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  @Override
  protected Stores stores(List<LedgerEntry> entries) {
    DATABASE.empty();
    DATABASE.expect(entries);
    return new Stores(new PostgresCrlStore(DATABASE.database(), true), revocations);
  }

  @Override
  protected int histories() {
    return 4;
  }

  @Override
  protected void prepare(Stores stores, LedgerEntry entry) {
    DATABASE.expect(List.of(entry));
  }

  /** Nodes that revoke and sign at the same time: the numbers are one rising line. */
  @Test
  void issue_fourNodesRevokingMeanwhile_higherNumberNeverKnowsLess() throws Exception {
    crls.open(SCOPE);
    List<Future<List<SignedCrl>>> nodes = new ArrayList<>();

    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int node = 0; node < 4; node++) {
        int seed = node;
        nodes.add(threads.submit(() -> revokeAndIssue(seed)));
      }
    }

    List<SignedCrl> all = new ArrayList<>();
    for (Future<List<SignedCrl>> node : nodes) {
      all.addAll(node.get());
    }
    all.sort(Comparator.comparingLong(s -> s.crl().number()));
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).crl().number()).isGreaterThan(all.get(i - 1).crl().number());
      assertThat(all.get(i).crl().terms().revision())
          .isGreaterThanOrEqualTo(all.get(i - 1).crl().terms().revision());
      assertThat(all.get(i).crl().terms().entries())
          .isEqualTo((int) all.get(i).crl().terms().revision());
    }
    assertThat(all).isNotEmpty();
    assertThat(all.getLast().crl().terms().entries()).isEqualTo(40);
  }

  private List<SignedCrl> revokeAndIssue(int seed) {
    Revoker revoker = new Revoker(revocations, () -> Fixtures.NOW, event -> {});
    CrlIssuance issuance = issuance();
    Revocable certificates = new Revocable(seed);
    List<SignedCrl> issued = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      LedgerEntry entry = certificates.onCrl("issuing.crl");
      DATABASE.expect(List.of(entry));
      assertThat(
              revoker.revoke(entry, Intents.ALICE, RevocationReason.SUPERSEDED, Optional.empty()))
          .isNotNull();
      // The loser of a number has another try, as the loop has.
      Optional<SignedCrl> crl = Optional.empty();
      while (crl.isEmpty()) {
        crl = issuance.issue(issuer, SCOPE, Due.UNSCHEDULED, TERMS, "node-" + seed);
      }
      issued.add(crl.get());
    }
    return issued;
  }

  /** The same with deltas between: they are of one line of numbers, and each fits every base. */
  @Test
  void issueDelta_fourNodesRevokingMeanwhile_noNumberTwiceAndNothingForgotten() throws Exception {
    crls.open(SCOPE);
    List<SignedCrl> all = new ArrayList<>();
    all.add(issuance().issue(issuer, SCOPE, Due.SCHEDULED, TERMS, "first").orElseThrow());
    List<Future<List<SignedCrl>>> nodes = new ArrayList<>();

    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int node = 0; node < 2; node++) {
        int seed = node;
        nodes.add(threads.submit(() -> revokeAndIssue(seed)));
        nodes.add(threads.submit(this::deltas));
      }
    }

    for (Future<List<SignedCrl>> node : nodes) {
      all.addAll(node.get());
    }
    assertThat(all.stream().map(s -> s.crl().number())).doesNotHaveDuplicates();
    List<SignedCrl> deltas = all.stream().filter(s -> s.crl().base().isPresent()).toList();
    assertThat(deltas).hasSize(20);
    for (SignedCrl delta : deltas) {
      long base = delta.crl().base().orElseThrow();
      for (SignedCrl complete : all) {
        long number = complete.crl().number();
        if (complete.crl().base().isEmpty() && number >= base && number < delta.crl().number()) {
          assertThat(
                  CrlEntries.combine(
                      CrlEntries.of(complete.crl().tbsCertList()),
                      CrlEntries.of(delta.crl().tbsCertList())))
              .hasSize((int) delta.crl().terms().revision());
        }
      }
    }
  }

  private List<SignedCrl> deltas() {
    DeltaTerms terms = new DeltaTerms(Duration.ofMinutes(1), Duration.ofHours(1));
    List<SignedCrl> issued = new ArrayList<>();
    while (issued.size() < 10) {
      issuance().issueDelta(issuer, SCOPE, terms, "deltas").signed().ifPresent(issued::add);
    }
    return issued;
  }

  /** Deltas come more often: they must not push out the CRL that is served. */
  @Test
  void record_manyDeltas_theCompleteCrlsStay() {
    crls.open(SCOPE);
    DeltaTerms terms = new DeltaTerms(Duration.ofMinutes(1), Duration.ofHours(1));
    CrlIssuance issuance = issuance();
    long base = number(issuance.issue(issuer, SCOPE, Due.SCHEDULED, TERMS, "n"));
    long newest = number(issuance.issue(issuer, SCOPE, Due.UNSCHEDULED, TERMS, "n"));
    long last = 0;
    for (int i = 0; i < 40; i++) {
      last = number(issuance.issueDelta(issuer, SCOPE, terms, "n").signed());
    }

    assertThat(crls.find(SCOPE, base)).isPresent();
    assertThat(crls.find(SCOPE, newest)).isPresent();
    assertThat(crls.find(SCOPE, last)).isPresent();
    assertThat(DATABASE.number("SELECT count(*) FROM crl")).isEqualTo(2 + 32);
  }

  /** A node of the former version looks there for what it publishes as complete. */
  @Test
  void recordSignature_delta_notAmongThoseOfCompleteCrls() {
    crls.open(SCOPE);
    DeltaTerms terms = new DeltaTerms(Duration.ofMinutes(1), Duration.ofHours(1));
    long base = number(issuance().issue(issuer, SCOPE, Due.SCHEDULED, TERMS, "n"));
    assertThat(number(issuance().issueDelta(issuer, SCOPE, terms, "n").signed()))
        .isGreaterThan(base);

    assertThat(DATABASE.number("SELECT max(number) FROM crl_signature")).isEqualTo(base);
  }

  /** Recorded by a version that knew of no deltas. */
  @Test
  void issueDelta_baseOfAFormerVersion_none() {
    crls.open(SCOPE);
    DeltaTerms terms = new DeltaTerms(Duration.ofMinutes(1), Duration.ofHours(1));
    assertThat(issuance().issue(issuer, SCOPE, Due.SCHEDULED, TERMS, "n")).isPresent();
    DATABASE.execute("UPDATE crl SET expired_before = NULL, known_revision = NULL");

    assertThat(issuance().issueDelta(issuer, SCOPE, terms, "n").signed()).isEmpty();
    assertThat(issuance().issue(issuer, SCOPE, Due.SCHEDULED, TERMS, "n")).isPresent();
    assertThat(issuance().issueDelta(issuer, SCOPE, terms, "n").signed()).isPresent();
  }

  /** A delta may be old for long, and nodes look four times a second. */
  @Test
  void states_manyEventsUnknownToTheDelta_eachReadOnceAndSoManyInALook() {
    crls.open(SCOPE);
    DeltaTerms terms = new DeltaTerms(Duration.ofMinutes(1), Duration.ofHours(1));
    assertThat(issuance().issue(issuer, SCOPE, Due.SCHEDULED, TERMS, "n")).isPresent();
    assertThat(number(issuance().issueDelta(issuer, SCOPE, terms, "n").signed())).isPositive();
    assertThat(unknown()).isEmpty();
    revoked(1, ScopeStates.NEWS_MAX, RevocationReason.SUPERSEDED);
    revoked(ScopeStates.NEWS_MAX + 1, ScopeStates.NEWS_MAX + 1, RevocationReason.KEY_COMPROMISE);

    Pending first = unknown().orElseThrow();
    assertThat(first.isCompromise()).as("the last event is left to the next look").isFalse();
    DATABASE.execute("DELETE FROM revocation WHERE revision <= " + ScopeStates.NEWS_MAX);
    Pending all = unknown().orElseThrow();
    assertThat(all)
        .as("what was read is not read again")
        .isEqualTo(new Pending(first.since(), true));
    DATABASE.execute("DELETE FROM revocation");
    assertThat(unknown()).contains(all);

    assertThat(number(issuance().issueDelta(issuer, SCOPE, terms, "n").signed())).isPositive();
    assertThat(unknown()).as("the next delta knows").isEmpty();
  }

  /** Switched off, the last delta stays in the database: no reader may look for what it lacks. */
  @Test
  void states_deltasOff_nowhere() {
    crls.open(SCOPE);
    DeltaTerms terms = new DeltaTerms(Duration.ofMinutes(1), Duration.ofHours(1));
    assertThat(issuance().issue(issuer, SCOPE, Due.SCHEDULED, TERMS, "n")).isPresent();
    assertThat(number(issuance().issueDelta(issuer, SCOPE, terms, "n").signed())).isPositive();
    revoked(1, 1, RevocationReason.KEY_COMPROMISE);

    ScopeState state = new PostgresCrlStore(DATABASE.database(), false).states().getFirst();

    assertThat(state.delta()).isEmpty();
    assertThat(state.reservedAt()).as("the delta's number was signed").isEmpty();
    assertThat(state.pending().map(Pending::isCompromise)).contains(true);
    assertThat(unknown().map(Pending::isCompromise)).contains(true);
  }

  private Optional<Pending> unknown() {
    return crls.states().getFirst().delta().orElseThrow().pending();
  }

  /** Inserts events of that number of certificates. */
  private static void revoked(int first, int last, RevocationReason reason) {
    DATABASE.execute(
        "SELECT ensure_expiry_weeks(ARRAY[3000])",
        String.format(Locale.ROOT, "UPDATE crl_scope SET revision = %d", last),
        String.format(
            Locale.ROOT,
            "INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester,"
                + " reason, revoked_at, not_after) SELECT 3000, decode(lpad(to_hex(i), 38, '0'),"
                + " 'hex'), 1, 'issuing', 0, i, 'alice', %d, now(), now() + interval '1 year'"
                + " FROM generate_series(%d, %d) AS i",
            reason.code(),
            first,
            last));
  }

  private static long number(Optional<SignedCrl> signed) {
    return signed.orElseThrow().crl().number();
  }

  private CrlIssuance issuance() {
    return new CrlIssuance(
        crls,
        new FakeSigner(Fixtures.ISSUING, key, key),
        new PostSignCheck(
            new IssuerCatalog(List.of(issuer))::publicKey, new BouncyCastleVerifier()),
        event -> {},
        System::nanoTime);
  }

  @Test
  void sweep_givenUpAndPerhapsSigned_onTheCrlOnce() {
    LedgerEntry perhaps = certificate(true);
    LedgerEntry never = certificate(false);
    MaybeSignedSweep sweep = new MaybeSignedSweep(DATABASE.database(), revocations);

    assertThat(sweep.sweep()).isEqualTo(1);
    assertThat(sweep.sweep()).isZero();

    assertThat(revocations.status(perhaps.intent().serialNumber()).revocation())
        .map(Revocation::reason)
        .contains(RevocationReason.UNSPECIFIED);
    assertThat(revocations.status(never.intent().serialNumber()).revocation()).isEmpty();
  }

  /** Inserts an intent that was given up. */
  private LedgerEntry certificate(boolean isMaybeSigned) {
    LedgerEntry entry =
        new Revocable(isMaybeSigned ? 1 : 2)
            .silent(Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1_000_000));
    DATABASE.expect(List.of(entry));
    String serial = entry.intent().serialNumber().hex();
    int week = entry.intent().serialNumber().expiryWeek().number();
    String tbs = HexFormat.of().formatHex(entry.intent().tbsCertificate().encoded());
    DATABASE.execute(
        String.format(
            Locale.ROOT,
            "INSERT INTO intent (expiry_week, serial, recorded_at, claim_owner, claim_until, requester,"
                + " profile, issuer, signature_algorithm, payload_hash, tbs) VALUES (%d,"
                + " '\\x%s', now(), 'n', now(), 'alice', 'tls-server', 'issuing',"
                + " 'ECDSA_SHA256', '\\x%s', '\\x%s')",
            week,
            serial,
            "00".repeat(32),
            tbs),
        String.format(
            Locale.ROOT,
            "INSERT INTO outcome (expiry_week, serial, kind, reason, maybe_signed, owner, epoch)"
                + " VALUES (%d, '\\x%s', 'abandoned', 'TOO_OLD', %s, 'n', 0)",
            week,
            serial,
            isMaybeSigned));
    return entry;
  }
}
