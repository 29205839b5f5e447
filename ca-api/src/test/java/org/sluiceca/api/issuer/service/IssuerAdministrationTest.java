package org.sluiceca.api.issuer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.IssuerStore.NewIssuer;
import org.sluiceca.api.issuer.store.IssuingKeyStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;

/** Each reason for which an issuer is not put into service or out of it: on PostgreSQL. */
@Execution(ExecutionMode.CONCURRENT)
class IssuerAdministrationTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final RequesterId ADMIN = new RequesterId("alice");
  private static final IssuerName OLD = new IssuerName("issuing");
  private static final IssuerName NEW = new IssuerName("second");
  private static final IssuerName ROOT_NAME = new IssuerName("root");
  private static final Instant NOW = Fixtures.NOW;
  private static final RegisteredIssuer.Key PLACE =
      new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "tokens");

  private static final TestCa ROOT =
      TestCa.of("Root", "issuer-ec-p384").valid(until(NOW.plus(Duration.ofDays(3650))));
  private static final TestCa STRANGER = TestCa.of("Root", "issuer-ec-p521");
  private static final TestCa MIDDLE = TestCa.of("Middle", "issuer-ed25519");
  private static final TestCa ISSUING = TestCa.of("Issuing", "issuer-ec-p256");
  private static final TestCa SECOND =
      ISSUING.named("Second").keyed(SoftwareKey.named("ec-p256")).identified("Second");
  private static final CertificateDer ANCHOR = ROOT.selfSigned();

  // Made once: a signature by EC is another each time.
  private static final List<CertificateDer> PRESENT = List.of(ISSUING.by(ROOT), ANCHOR);
  private static final List<CertificateDer> CHAIN = List.of(SECOND.by(ROOT), ANCHOR);

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final IssuerStore issuers = new IssuerStore(database);
  private final IssuingKeyStore keys = new IssuingKeyStore(database);
  private final IssuerRegistry registry = new IssuerRegistry(issuers);
  private final AtomicInteger changes = new AtomicInteger();
  private final AuditTrail trail =
      new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());
  private final IssuerAdministration administration =
      new IssuerAdministration(
          new IssuerAdministration.Stores(issuers, keys),
          new BouncyCastleVerifier(),
          InstantSource.fixed(NOW),
          name -> name.value().equals("nodes"),
          trail,
          changes::incrementAndGet);

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    trail.start();
    issuers.insert(row(ROOT_NAME, ROOT, List.of(ANCHOR)));
    issuers.insert(row(OLD, ISSUING, PRESENT));
    keys.add(NEW, SECOND.publicKey(), PLACE);
    keys.add(new IssuerName("elsewhere"), STRANGER.publicKey(), PLACE);
    keys.add(NEW, ISSUING.publicKey(), PLACE);
  }

  @AfterEach
  void close() {
    trail.close();
    database.close();
  }

  private static NewIssuer row(IssuerName name, TestCa ca, List<CertificateDer> chain) {
    return new NewIssuer(
        name, ca.publicKey(), chain.getFirst(), chain.subList(1, chain.size()), PLACE);
  }

  private static List<CertificateDer> below(TestCa ca) {
    return List.of(ca.by(ROOT), ANCHOR);
  }

  private static Validity until(Instant notAfter) {
    return new Validity(TestCa.YEAR.notBefore(), notAfter);
  }

  private static Validity from(Instant notBefore) {
    return new Validity(notBefore, TestCa.YEAR.notAfter());
  }

  /** A chain, and why it is refused. */
  private record Bad(String reason, List<CertificateDer> chain) {}

  private static void assertRefused(
      Function<List<CertificateDer>, IssuerAnswer> judging, Stream<Bad> all) {
    SoftAssertions softly = new SoftAssertions();
    all.forEach(
        bad ->
            softly
                .assertThat(judging.apply(bad.chain()))
                .isInstanceOfSatisfying(
                    IssuerAnswer.Invalid.class,
                    invalid -> softly.assertThat(invalid.detail()).contains(bad.reason())));
    softly.assertAll();
  }

  private static Stream<Bad> badChains() {
    return Stream.of(
        new Bad("has 1 certificates", List.of(SECOND.by(ROOT))),
        new Bad("has 10 certificates", Collections.nCopies(10, ANCHOR)),
        new Bad("twice", List.of(SECOND.by(ROOT), ANCHOR, ANCHOR)),
        new Bad(
            "1 of the chain does not parse",
            List.of(CertificateDer.of(new byte[] {0x30, 0x00}), ANCHOR)),
        new Bad("1 of the chain is no CA's", below(SECOND.noCa())),
        new Bad("1 of the chain may not sign certificates", below(SECOND.using(Set.of()))),
        new Bad(
            "1 of the chain may not sign certificates",
            below(SECOND.using(Set.of(KeyUsage.CRL_SIGN)))),
        new Bad(
            "1 of the chain may not sign CRLs",
            below(SECOND.using(Set.of(KeyUsage.KEY_CERT_SIGN)))),
        new Bad("1 of the chain is not valid now", below(SECOND.valid(from(NOW.plusSeconds(1))))),
        new Bad("1 of the chain is not valid now", below(SECOND.valid(until(NOW.minusSeconds(1))))),
        new Bad(
            "2 of the chain is not valid now",
            List.of(SECOND.by(MIDDLE), MIDDLE.valid(until(NOW.minusSeconds(1))).by(ROOT), ANCHOR)),
        new Bad(
            "2 of the chain may not sign certificates",
            List.of(SECOND.by(MIDDLE), MIDDLE.using(Set.of(KeyUsage.CRL_SIGN)).by(ROOT), ANCHOR)),
        new Bad(
            "2 of the chain allows 0 CAs",
            List.of(SECOND.by(MIDDLE), MIDDLE.atMost(0).by(ROOT), ANCHOR)),
        new Bad(
            "3 of the chain allows 1 CAs",
            List.of(SECOND.by(MIDDLE), MIDDLE.by(ROOT), ROOT.atMost(1).selfSigned())),
        // ASN.1 NULL for nameConstraints: a node that read it at its start would not start.
        new Bad(
            "constraints of the chain do not parse",
            below(SECOND.with(Extension.of("2.5.29.30", true, new byte[] {5, 0})))),
        new Bad("1 of the chain is not signed", List.of(SECOND.by(STRANGER), ANCHOR)),
        new Bad("1 of the chain is not signed", List.of(SECOND.by(ROOT.named("Other")), ANCHOR)),
        new Bad("2 of the chain does not sign itself", List.of(SECOND.by(MIDDLE), MIDDLE.by(ROOT))),
        new Bad("trust anchor is not that of", List.of(SECOND.by(STRANGER), STRANGER.selfSigned())),
        // The same root in other bytes: only the ceremony says that it is the same.
        new Bad(
            "trust anchor is not that of",
            List.of(SECOND.by(ROOT), ROOT.valid(TestCa.YEAR).selfSigned())),
        new Bad("issuer issuing has this key", below(ISSUING.named("Second"))),
        new Bad("issuer root has this key", below(ROOT.named("Second"))),
        new Bad("issuer issuing has this subject", below(SECOND.named("Issuing"))),
        new Bad("none that the ceremony has recorded", below(STRANGER.named("Not Made Here"))));
  }

  @Test
  void judgeInstall_badChain_refusedForItsReason() {
    assertRefused(chain -> administration.judgeInstall(NEW, chain), badChains());
  }

  private static List<List<CertificateDer>> goodChains() {
    return List.of(
        below(SECOND),
        below(SECOND.atMost(0)),
        below(SECOND.valid(from(NOW))),
        below(SECOND.valid(until(NOW))),
        List.of(SECOND.by(MIDDLE), MIDDLE.atMost(1).by(ROOT), ANCHOR));
  }

  @Test
  void judgeInstall_goodChain_ready() {
    assertThat(goodChains())
        .extracting(chain -> administration.judgeInstall(NEW, chain))
        .hasOnlyElementsOfType(IssuerAnswer.Ready.class);
    assertThat(issuers.find(NEW)).isEmpty();
  }

  /** RFC 5280 6.1.1 d: an anchor is a name and a key. */
  @Test
  void judgeInstall_anchorWithoutKeyUsage_ready() {
    CertificateDer bare = ROOT.using(Set.of()).selfSigned();
    issuers.insert(row(new IssuerName("bare"), STRANGER, List.of(bare)));

    assertThat(administration.judgeInstall(NEW, List.of(SECOND.by(ROOT), bare)))
        .isInstanceOf(IssuerAnswer.Ready.class);
  }

  @Test
  void judgeInstall_keyOfAnotherName_refused() {
    assertThat(administration.judgeInstall(new IssuerName("elsewhere"), below(SECOND)))
        .isInstanceOf(IssuerAnswer.Invalid.class);
  }

  @Test
  void install_recordedWithWhoAndWhereItsKeyIs_andAgainTheSame() {
    install();

    RegisteredIssuer row = issuers.find(NEW).orElseThrow();
    assertThat(row.certificates()).isEqualTo(CHAIN);
    assertThat(row.key()).isEqualTo(PLACE);
    assertThat(row.origin().installedBy()).contains(ADMIN);
    assertThat(row.state()).isEqualTo(State.ACTIVE);
    assertThat(rows("issuer.install")).isOne();
    assertThat(changes).hasValue(1);
    assertThat(administration.judgeInstall(NEW, CHAIN))
        .isEqualTo(new IssuerAnswer.Standing(NEW, false));
    assertThat(administration.judgeInstall(NEW, below(SECOND.atMost(0))))
        .isInstanceOf(IssuerAnswer.Contradicted.class);
    assertThat(administration.judgeInstall(OLD, CHAIN))
        .isInstanceOf(IssuerAnswer.Contradicted.class);
  }

  static Stream<Arguments> twins() {
    IssuerName name = new IssuerName("twin");
    return Stream.of(
        Arguments.of("issuer second has this subject", name, STRANGER.named("Second")),
        Arguments.of("issuer second has this key", name, SECOND.named("Twin")));
  }

  /** Both were judged before either was done: relying parties must tell issuers apart. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("twins")
  void install_overtakenByItsTwin_refused(String reason, IssuerName name, TestCa twin) {
    keys.add(name, twin.publicKey(), PLACE);
    IssuerWish wish = ready(administration.judgeInstall(name, below(twin)));
    install();

    IssuerAnswer answer = administration.carryOut(wish, ADMIN);

    assertThat(answer).isInstanceOf(IssuerAnswer.Invalid.class);
    assertThat(((IssuerAnswer.Invalid) answer).detail()).contains(reason);
    assertThat(issuers.find(name)).isEmpty();
  }

  private static Stream<Bad> badRenewals() {
    return Stream.of(
        new Bad("another key", below(ISSUING.keyed(SoftwareKey.named("ec-p256")))),
        new Bad("another subject", below(ISSUING.named("Issuing 2"))),
        new Bad("subjectKeyIdentifier is another", below(ISSUING.identified("moved"))),
        new Bad(
            "before the present one",
            below(ISSUING.valid(until(TestCa.YEAR.notAfter().minusSeconds(1))))),
        new Bad("is not valid now", below(ISSUING.valid(from(NOW.plusSeconds(1))))),
        new Bad("by another CA", List.of(ISSUING.by(MIDDLE), MIDDLE.by(ROOT), ANCHOR)),
        new Bad(
            "another trust anchor",
            List.of(ISSUING.by(ROOT), ROOT.valid(TestCa.YEAR).selfSigned())),
        new Bad(
            "1 of the chain may not sign CRLs",
            below(ISSUING.using(Set.of(KeyUsage.KEY_CERT_SIGN)))));
  }

  @Test
  void judgeRenewal_bad_refusedForItsReason() {
    assertRefused(chain -> administration.judgeRenewal(OLD, chain), badRenewals());
  }

  @Test
  void renew_sameKeyAndSubject_countsAndIsKept() {
    List<CertificateDer> later =
        below(ISSUING.valid(until(TestCa.YEAR.notAfter().plus(Duration.ofDays(365)))));
    IssuerWish wish = ready(administration.judgeRenewal(OLD, later));

    assertThat(administration.carryOut(wish, ADMIN))
        .isEqualTo(new IssuerAnswer.Standing(OLD, true));

    assertThat(issuers.find(OLD).orElseThrow().certificates()).isEqualTo(later);
    assertThat(issuers.find(OLD).orElseThrow().origin().first()).isEqualTo(PRESENT.getFirst());
    assertThat(rows("issuer.renew")).isOne();
    assertThat(administration.judgeRenewal(OLD, later))
        .isEqualTo(new IssuerAnswer.Standing(OLD, false));
    // The same wish once more, as by another node: done, and not twice.
    assertThat(administration.carryOut(wish, ADMIN))
        .isEqualTo(new IssuerAnswer.Standing(OLD, false));
    assertThat(issuers.extent().renewals()).isOne();
  }

  @Test
  void judgeRenewal_unknownRetiredOrRoot_refused() {
    install();
    administration.carryOut(ready(administration.judgeRetirement(NEW)), ADMIN);

    assertThat(administration.judgeRenewal(new IssuerName("unknown"), CHAIN))
        .isInstanceOf(IssuerAnswer.Unknown.class);
    assertThat(administration.judgeRenewal(NEW, CHAIN))
        .isInstanceOf(IssuerAnswer.Contradicted.class);
    assertThat(
            administration.judgeRenewal(
                ROOT_NAME, List.of(ROOT.by(MIDDLE), MIDDLE.valid(ROOT.validity()).selfSigned())))
        .isInstanceOf(IssuerAnswer.Invalid.class);
  }

  @Test
  void retire_forGood() {
    install();
    registry.look();
    assertThat(registry.retired()).isEmpty();

    assertThat(administration.carryOut(ready(administration.judgeRetirement(NEW)), ADMIN))
        .isEqualTo(new IssuerAnswer.Standing(NEW, true));

    assertThat(issuers.find(NEW).orElseThrow().state()).isEqualTo(State.RETIRED);
    assertThat(registry.retired()).containsExactly(NEW);
    assertThat(rows("issuer.retire")).isOne();
    assertThat(administration.judgeRetirement(NEW))
        .isEqualTo(new IssuerAnswer.Standing(NEW, false));
    assertThat(administration.judgeInstall(NEW, CHAIN))
        .isInstanceOf(IssuerAnswer.Contradicted.class);
  }

  @Test
  void retire_whatMustStay_refused() {
    issuers.insert(row(new IssuerName("nodes"), STRANGER, below(STRANGER)));

    assertThat(administration.judgeRetirement(new IssuerName("unknown")))
        .isInstanceOf(IssuerAnswer.Unknown.class);
    assertThat(administration.judgeRetirement(new IssuerName("nodes")))
        .isInstanceOf(IssuerAnswer.Contradicted.class);
    assertThat(administration.judgeRetirement(ROOT_NAME))
        .isInstanceOf(IssuerAnswer.Contradicted.class);
  }

  /** Another node, whose own issuer is another, was faster: one must be left. */
  @Test
  void retire_lastOfAll_refused() {
    IssuerWish wish = ready(administration.judgeRetirement(OLD));

    assertThat(administration.carryOut(wish, ADMIN)).isInstanceOf(IssuerAnswer.Contradicted.class);

    assertThat(issuers.find(OLD).orElseThrow().state()).isEqualTo(State.ACTIVE);
  }

  @Test
  void standings_tellWhatThisNodeHasTakenUp() {
    install();
    registry.look();
    IssuerStates states = new IssuerStates(registry, new IssuerCatalog(List.of()));

    assertThat(states.find(NEW))
        .contains(new IssuerStates.Standing(NEW, CHAIN, State.ACTIVE, false, true));
    administration.carryOut(ready(administration.judgeRetirement(NEW)), ADMIN);
    registry.look();
    assertThat(states.find(NEW))
        .contains(new IssuerStates.Standing(NEW, CHAIN, State.RETIRED, false, false));
    assertThat(states.list()).hasSize(3);
  }

  /** Another node has done it, and this one has not looked since. */
  @Test
  void findNow_doneByAnotherNode_told() {
    IssuerStates states = new IssuerStates(registry, new IssuerCatalog(List.of()));
    install();
    assertThat(states.find(NEW)).isEmpty();
    assertThat(states.findNow(NEW)).isPresent();

    issuers.retire(NEW);

    assertThat(states.findNow(NEW).orElseThrow().state()).isEqualTo(State.RETIRED);
  }

  /** A node that started before it was installed has it in no catalogue. */
  @Test
  void published_retired_untilItsEnd() {
    IssuerStates states = new IssuerStates(registry, new IssuerCatalog(List.of()));
    install();
    registry.look();
    assertThat(states.published(NEW, NOW)).contains(CHAIN);
    issuers.retire(NEW);
    registry.look();

    Instant end = TestCa.YEAR.notAfter();
    assertThat(states.published(NEW, end.minusSeconds(1))).contains(CHAIN);
    assertThat(states.published(NEW, end)).isEmpty();
    assertThat(states.published(new IssuerName("unknown"), NOW)).isEmpty();
  }

  private void install() {
    assertThat(administration.carryOut(ready(administration.judgeInstall(NEW, CHAIN)), ADMIN))
        .isEqualTo(new IssuerAnswer.Standing(NEW, true));
  }

  private static IssuerWish ready(IssuerAnswer answer) {
    assertThat(answer).isInstanceOf(IssuerAnswer.Ready.class);
    return ((IssuerAnswer.Ready) answer).wish();
  }

  private long rows(String kind) {
    return SERVER.number(address, "SELECT count(*) FROM audit_event WHERE kind = '" + kind + "'");
  }
}
