package org.sluiceca.api.issuer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.Insertion;
import org.sluiceca.api.auth.store.CredentialStore.ListedCredential;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.IdentityHistory;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.issuer.store.IssuerStore.NewIssuer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/** The registers alongside the ledger: issuers and credentials. */
class RegistersTest {

  private static final Instant EXPIRES = Instant.parse("2027-11-21T00:00:00Z");
  private static final RequesterId ALICE = new RequesterId("alice");

  private static LedgerDatabase database;
  private static CredentialStore credentials;
  private static IssuerStore issuers;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(PostgresForTests.get().freshDatabase());
    PostgresForTests.awaitLogin(database);
    credentials = new CredentialStore(database);
    issuers = new IssuerStore(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void insertCredential_new_foundByKindAndHash() {
    NewCredential token = credential(Kind.TOKEN, 1);

    RegisteredCredential inserted = credentials.insert(token).orElseThrow();

    assertThat(inserted.requester()).isEqualTo(ALICE);
    assertThat(inserted.grant()).isEqualTo(token.grant());
    assertThat(inserted.revokedAt()).isEmpty();
    assertThat(credentials.find(Kind.TOKEN, hash(1))).contains(inserted);
    assertThat(credentials.find(Kind.CERTIFICATE, hash(1))).isEmpty();
    assertThat(credentials.find(Kind.TOKEN, hash(99))).isEmpty();
  }

  @Test
  void insertCredential_hashTaken_emptyAndUnchanged() {
    RegisteredCredential first = credentials.insert(credential(Kind.TOKEN, 2)).orElseThrow();

    assertThat(credentials.insert(credential(Kind.CERTIFICATE, 2))).isEmpty();

    assertThat(credentials.find(Kind.TOKEN, hash(2))).contains(first);
  }

  @Test
  void insertCredential_notAHash_unavailable() {
    NewCredential wrong =
        new NewCredential(
            ALICE,
            Kind.TOKEN,
            OctetString.copyOf(new byte[31]),
            new Grant(Set.of(), Set.of(), EXPIRES));

    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(() -> credentials.insert(wrong));
  }

  @Test
  void revoke_once_foundAsRevoked() {
    RegisteredCredential inserted = credentials.insert(credential(Kind.TOKEN, 3)).orElseThrow();

    assertThat(credentials.revoke(inserted.id())).isTrue();
    Optional<Instant> revokedAt =
        credentials.find(inserted.kind(), inserted.sha256()).orElseThrow().revokedAt();
    assertThat(credentials.revoke(inserted.id())).isTrue();
    assertThat(credentials.find(inserted.kind(), inserted.sha256()).orElseThrow().revokedAt())
        .isEqualTo(revokedAt);
    assertThat(credentials.revoke(UUID.randomUUID())).isFalse();

    RegisteredCredential revoked = credentials.find(Kind.TOKEN, hash(3)).orElseThrow();
    assertThat(revoked.revokedAt()).isPresent();
    assertThat(revoked.isValidAt(EXPIRES.minus(Duration.ofDays(1)))).isFalse();
  }

  @Test
  void isValidAt_aroundExpiry_endsAtIt() {
    RegisteredCredential inserted = credentials.insert(credential(Kind.TOKEN, 4)).orElseThrow();

    assertThat(inserted.isValidAt(EXPIRES.minusSeconds(1))).isTrue();
    assertThat(inserted.isValidAt(EXPIRES)).isFalse();
  }

  @Test
  void listCredentials_ofOneRequester_oldestFirst() {
    RequesterId bob = new RequesterId("bob");
    RegisteredCredential first =
        credentials
            .insert(new NewCredential(bob, Kind.TOKEN, hash(5), credential(Kind.TOKEN, 5).grant()))
            .orElseThrow();
    RegisteredCredential second =
        credentials
            .insert(new NewCredential(bob, Kind.TOKEN, hash(6), credential(Kind.TOKEN, 6).grant()))
            .orElseThrow();

    assertThat(credentials.list(bob)).containsExactly(first, second);
  }

  @Test
  void page_afterAPosition_theNextInOrder() {
    RequesterId pages = new RequesterId("zz-pages");
    RegisteredCredential first =
        credentials.insert(of(pages, Kind.TOKEN, 20, Role.REQUESTER)).orElseThrow();
    RegisteredCredential second =
        credentials.insert(of(pages, Kind.TOKEN, 21, Role.REQUESTER)).orElseThrow();

    assertThat(credentials.page(position(first), 10))
        .extracting(ListedCredential::credential)
        .startsWith(second)
        .doesNotContain(first);
    assertThat(credentials.page(CredentialStore.Position.START, 1)).hasSize(1);
    assertThat(credentials.page(position(second), 10))
        .extracting(ListedCredential::credential)
        .doesNotContain(first, second);
  }

  @Test
  void history_asCredentialsComeAndGo_whatItHasAndHad() {
    RequesterId eve = new RequesterId("eve");
    assertThat(credentials.history(eve))
        .isEqualTo(new IdentityHistory(false, false, false, false, false));
    assertThat(credentials.insert(of(eve, Kind.TOKEN, 22, Role.AUDITOR))).isPresent();
    assertThat(credentials.history(eve))
        .isEqualTo(new IdentityHistory(true, false, false, false, true));
    RegisteredCredential officer =
        credentials.insert(of(eve, Kind.CERTIFICATE, 23, Role.OFFICER)).orElseThrow();
    assertThat(credentials.history(eve))
        .isEqualTo(new IdentityHistory(true, true, false, true, true));
    RegisteredCredential admin =
        credentials.insert(of(eve, Kind.CERTIFICATE, 24, Role.ADMIN)).orElseThrow();
    assertThat(credentials.history(eve))
        .isEqualTo(new IdentityHistory(true, true, true, true, true));

    credentials.revoke(officer.id());
    credentials.revoke(admin.id());

    assertThat(credentials.history(eve))
        .isEqualTo(new IdentityHistory(true, true, false, false, true));
  }

  @Test
  void insertIf_disallowed_nothingChanges() {
    RequesterId fay = new RequesterId("fay");
    NewCredential wanted = of(fay, Kind.TOKEN, 25, Role.REQUESTER);

    assertThat(credentials.insertIf(wanted, history -> false))
        .isInstanceOf(Insertion.Disallowed.class);
    assertThat(credentials.find(Kind.TOKEN, hash(25))).isEmpty();
    assertThat(credentials.insertIf(wanted, history -> !history.isKnown()))
        .isInstanceOf(Insertion.Inserted.class);
    assertThat(credentials.insertIf(wanted, history -> true))
        .isInstanceOf(Insertion.KeyTaken.class);
  }

  /** Of two at once, one on each of two nodes, the second must see the first. */
  @Test
  void insertIf_twoAtOnceForANewId_oneIsTheFirst() throws Exception {
    RequesterId gus = new RequesterId("gus");
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Insertion>> both =
          List.of(26, 27).stream()
              .map(
                  n ->
                      threads.submit(
                          () -> {
                            start.await();
                            return credentials.insertIf(
                                of(gus, Kind.TOKEN, n, Role.REQUESTER), h -> !h.isKnown());
                          }))
              .toList();
      start.countDown();
      List<Insertion> answers = List.of(both.get(0).get(), both.get(1).get());

      assertThat(answers).hasAtLeastOneElementOfType(Insertion.Inserted.class);
      assertThat(answers).hasAtLeastOneElementOfType(Insertion.Disallowed.class);
    }
  }

  /** The secret may end; only an administrator ends what was granted. */
  @Test
  void grants_untilRevoked_whetherExpiredOrNot() {
    RequesterId hal = new RequesterId("hal");
    ProfileName web = new ProfileName("tls-server");
    RegisteredCredential expired =
        credentials
            .insert(
                new NewCredential(
                    hal,
                    Kind.TOKEN,
                    hash(28),
                    new Grant(
                        Set.of(Role.REQUESTER),
                        Set.of(web),
                        Instant.parse("2020-01-01T00:00:00Z"))))
            .orElseThrow();

    assertThat(credentials.grants(hal, web)).isTrue();
    assertThat(credentials.grants(hal, new ProfileName("device"))).isFalse();
    assertThat(credentials.grants(new RequesterId("unknown"), web)).isFalse();
    credentials.revoke(expired.id());
    assertThat(credentials.grants(hal, web)).isFalse();
  }

  /** Whatever certificate of the key is presented: the registration is the key's. */
  @Test
  void find_keyReportedAsCompromised_endedAndGrantsNothing() throws Exception {
    RequesterId ida = new RequesterId("ida");
    ProfileName web = new ProfileName("tls-server");
    for (Kind kind : Kind.values()) {
      int number = kind == Kind.TOKEN ? 40 : 41;
      credentials.insert(
          new NewCredential(
              ida, kind, hash(number), new Grant(Set.of(Role.REQUESTER), Set.of(web), EXPIRES)));
      try (Connection connection = database.general().getConnection();
          PreparedStatement statement =
              connection.prepareStatement(
                  "INSERT INTO compromised_key (spki_sha256, expiry_week, serial)"
                      + " VALUES (?, 1, decode(repeat('01', 19), 'hex'))")) {
        statement.setBytes(1, hash(number).octets());
        statement.executeUpdate();
      }
    }

    RegisteredCredential ended = credentials.find(Kind.CERTIFICATE, hash(41)).orElseThrow();
    assertThat(ended.revokedAt()).isPresent();
    // The hash of a token is not one of a key.
    RegisteredCredential token = credentials.find(Kind.TOKEN, hash(40)).orElseThrow();
    assertThat(token.revokedAt()).isEmpty();
    assertThat(credentials.isCompromised(ended.sha256())).isTrue();
    assertThat(credentials.isCompromised(hash(99))).isFalse();
    assertThat(isEndedByTheWordOf("mallory")).isFalse();
    assertThat(isEndedByTheWordOf("ida")).isTrue();
    assertThat(credentials.grants(ida, web)).isTrue();
    credentials.revoke(token.id());
    assertThat(credentials.grants(ida, web)).isFalse();
    assertThat(credentials.history(ida))
        .isEqualTo(new IdentityHistory(true, false, false, false, false));
  }

  private static CredentialStore.Position position(RegisteredCredential credential) {
    return new CredentialStore.Position(
        credential.requester().value(), credential.createdAt(), credential.id());
  }

  private static NewCredential of(RequesterId requester, Kind kind, int number, Role role) {
    return new NewCredential(
        requester, kind, hash(number), new Grant(Set.of(role), Set.of(), EXPIRES));
  }

  private static boolean isEndedByTheWordOf(String requester) throws Exception {
    OctetString key = hash(43);
    var _ =
        credentials.insert(
            new NewCredential(
                new RequesterId("ida"),
                Kind.CERTIFICATE,
                key,
                new Grant(Set.of(Role.REQUESTER), Set.of(), EXPIRES)));
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO compromised_key_claim (spki_sha256, requester, expiry_week, serial)"
                    + " VALUES (?, ?, 1, decode(repeat('01', 19), 'hex'))")) {
      statement.setBytes(1, key.octets());
      statement.setString(2, requester);
      statement.executeUpdate();
    }
    assertThat(credentials.isCompromised(key)).isTrue();
    return credentials.find(Kind.CERTIFICATE, key).orElseThrow().revokedAt().isPresent();
  }

  @Test
  void insertIssuer_new_foundWithItsChain() {
    NewIssuer issuer = issuer("issuing-a");

    assertThat(issuers.insert(issuer)).isTrue();

    RegisteredIssuer found = issuers.find(issuer.name()).orElseThrow();
    assertThat(found.certificate()).isEqualTo(issuer.certificate());
    assertThat(found.chain()).isEqualTo(issuer.chain());
    assertThat(found.key()).isEqualTo(issuer.key());
    assertThat(found.subjectPublicKeyInfo()).isEqualTo(issuer.subjectPublicKeyInfo());
    assertThat(found.state()).isEqualTo(RegisteredIssuer.State.ACTIVE);
    assertThat(issuers.list()).contains(found);
  }

  @Test
  void insertIssuer_nameTaken_falseAndUnchanged() {
    issuers.insert(issuer("issuing-b"));
    RegisteredIssuer first = issuers.find(new IssuerName("issuing-b")).orElseThrow();

    assertThat(issuers.insert(issuer("issuing-b"))).isFalse();

    assertThat(issuers.find(new IssuerName("issuing-b"))).contains(first);
  }

  @Test
  void retire_active_retiredForGood() {
    IssuerName name = new IssuerName("issuing-c");
    issuers.insert(issuer("issuing-c"));

    assertThat(issuers.retire(name)).isTrue();
    assertThat(issuers.retire(name)).isFalse();

    assertThat(issuers.find(name).orElseThrow().state()).isEqualTo(RegisteredIssuer.State.RETIRED);
  }

  @Test
  void renew_another_countsAndTheFirstStays() {
    issuers.insert(issuer("issuing-d"));
    RegisteredIssuer first = find("issuing-d");
    IssuerStore.Extent before = issuers.extent();

    assertThat(issuers.renew(first, certificates(1), "alice")).isTrue();
    // Who has not seen it does not override it.
    assertThat(issuers.renew(first, certificates(2), "bob")).isFalse();
    assertThat(issuers.renew(find("issuing-d"), certificates(3), "bob")).isTrue();

    RegisteredIssuer renewed = find("issuing-d");
    assertThat(renewed.certificates()).isEqualTo(certificates(3));
    assertThat(renewed.origin().renewals()).isEqualTo(2);
    assertThat(renewed.origin().first()).isEqualTo(first.certificate());
    assertThat(renewed.key()).isEqualTo(first.key());
    assertThat(issuers.list()).contains(renewed);
    assertThat(issuers.extent().renewals()).isEqualTo(before.renewals() + 2);
  }

  @Test
  void renew_retired_refused() {
    issuers.insert(issuer("issuing-e"));
    issuers.retire(new IssuerName("issuing-e"));

    assertThat(issuers.renew(find("issuing-e"), certificates(1), "alice")).isFalse();
  }

  @Test
  void insertBy_administrator_told() {
    assertThat(issuers.insertBy(issuer("issuing-f"), ALICE, others -> true)).isTrue();
    assertThat(issuers.insertBy(issuer("issuing-h"), ALICE, others -> false)).isFalse();
    assertThat(issuers.find(new IssuerName("issuing-h"))).isEmpty();
    issuers.insert(issuer("issuing-g"));

    assertThat(find("issuing-f").origin().installedBy()).contains(ALICE);
    assertThat(find("issuing-g").origin().installedBy()).isEmpty();
  }

  /** What the first is judged by must still hold when it is there. */
  @Test
  void insertBy_twoAtOnce_secondSeesTheFirst() throws Exception {
    CountDownLatch bothJudge = new CountDownLatch(2);
    List<IssuerName> twins = List.of(new IssuerName("twin-a"), new IssuerName("twin-b"));
    Predicate<List<RegisteredIssuer>> isAlone =
        others -> {
          bothJudge.countDown();
          try {
            // Under the lock the other cannot get here: the first waits in vain, and goes on.
            return !bothJudge.await(300, TimeUnit.MILLISECONDS)
                || others.stream().noneMatch(other -> twins.contains(other.name()));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };

    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Boolean>> done =
          threads.invokeAll(
              twins.stream()
                  .<Callable<Boolean>>map(
                      name -> () -> issuers.insertBy(issuer(name.value()), ALICE, isAlone))
                  .toList());

      assertThat(List.of(done.getFirst().get(), done.getLast().get()))
          .containsExactlyInAnyOrder(true, false);
    }
    assertThat(issuers.list()).filteredOn(row -> twins.contains(row.name())).hasSize(1);
  }

  /** Roots do not count: they issue by the ceremony alone. */
  @Test
  void retireUnlessLast_theLast_stays() {
    try (LedgerDatabase own = new LedgerDatabase(PostgresForTests.get().freshDatabase())) {
      PostgresForTests.awaitLogin(own);
      IssuerStore alone = new IssuerStore(own);
      alone.insert(issuer("one"));
      alone.insert(issuer("two"));
      NewIssuer root = issuer("root");
      alone.insert(
          new NewIssuer(
              root.name(), root.subjectPublicKeyInfo(), root.certificate(), List.of(), root.key()));

      assertThat(alone.retireUnlessLast(new IssuerName("one"))).isTrue();
      assertThat(alone.retireUnlessLast(new IssuerName("one"))).isFalse();
      assertThat(alone.retireUnlessLast(new IssuerName("two"))).isFalse();

      assertThat(alone.find(new IssuerName("two")).orElseThrow().state())
          .isEqualTo(RegisteredIssuer.State.ACTIVE);
      assertThat(alone.extent()).isEqualTo(new IssuerStore.Extent(3, List.of("one"), 0));
    }
  }

  /** Planted: the count of its certificates fails as a statement that takes too long does. */
  @Test
  void retireUnlessLast_certificatesCannotBeCounted_retiredAndRecordedLater() {
    Address address = PostgresForTests.get().freshDatabase();
    try (LedgerDatabase own = new LedgerDatabase(address)) {
      PostgresForTests.awaitLogin(own);
      IssuerStore issuers = new IssuerStore(own);
      issuers.insert(issuer("one"));
      issuers.insert(issuer("two"));
      PostgresForTests.get().execute(address, "ALTER TABLE certificate_feed RENAME TO away");

      assertThat(issuers.retireUnlessLast(new IssuerName("one"))).isTrue();

      assertThat(issuers.find(new IssuerName("one")).orElseThrow().state())
          .isEqualTo(RegisteredIssuer.State.RETIRED);
      ReplacementStore replacements = new ReplacementStore(own);
      issuers.recordReplacements();
      assertThat(replacements.ofRetired(new IssuerName("one"))).isEmpty();

      PostgresForTests.get().execute(address, "ALTER TABLE away RENAME TO certificate_feed");
      issuers.recordReplacements();

      assertThat(replacements.ofRetired(new IssuerName("one"))).isPresent();
      assertThat(replacements.ofRetired(new IssuerName("two"))).isEmpty();
    }
  }

  @Test
  void issuingKey_foundByNameAndKeyAlone() {
    IssuingKeyStore keys = new IssuingKeyStore(database);
    IssuerName name = new IssuerName("keyed");
    RegisteredIssuer.Key key = issuer("keyed").key();

    keys.add(name, hash(8), key);
    keys.add(name, hash(8), new RegisteredIssuer.Key(key.ckaId(), "ec-p256", "another"));

    assertThat(keys.find(name, hash(8))).contains(key);
    assertThat(keys.find(name, hash(9))).isEmpty();
    assertThat(keys.find(new IssuerName("other"), hash(8))).isEmpty();
  }

  private static NewCredential credential(Kind kind, int number) {
    return new NewCredential(
        ALICE,
        kind,
        hash(number),
        new Grant(
            Set.of(Role.REQUESTER, Role.AUDITOR), Set.of(new ProfileName("tls-server")), EXPIRES));
  }

  private static OctetString hash(int number) {
    byte[] octets = new byte[32];
    octets[31] = (byte) number;
    return OctetString.copyOf(octets);
  }

  private static RegisteredIssuer find(String name) {
    return issuers.find(new IssuerName(name)).orElseThrow();
  }

  private static List<CertificateDer> certificates(int number) {
    return List.of(
        CertificateDer.of(new byte[] {0x30, 0x01, (byte) number}),
        CertificateDer.of(new byte[] {0x30, 0x01, 0x00}));
  }

  private static NewIssuer issuer(String name) {
    return new NewIssuer(
        new IssuerName(name),
        hash(7),
        CertificateDer.of(new byte[] {0x30, 0x00}),
        List.of(CertificateDer.of(new byte[] {0x30, 0x01, 0x00})),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1, 2}), "ec-p256", "issuing"));
  }
}
