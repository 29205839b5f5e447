package org.sluiceca.api.ocsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.IntentFinisher;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.IssuanceParts;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.ocsp.store.RegisteredResponder;
import org.sluiceca.api.ocsp.store.ResponderStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.ocsp.Responder;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/** Whose responder is renewed, on a real database; that a renewal ends well is tested elsewhere. */
class ResponderRenewalTest {

  private static final SoftwareKey ISSUER_KEY = SoftwareKey.named("issuer-ec-p256");
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final Issuer ISSUER = Fixtures.issuing(ISSUER_KEY);
  private static final IssuerName GONE = new IssuerName("gone");

  private final ManualTime time = new ManualTime(Fixtures.NOW.plus(Duration.ofHours(1)));
  private final List<IssuerName> tried = new ArrayList<>();
  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final ResponderStore store = new ResponderStore(database);

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    for (IssuerName issuer : List.of(Fixtures.ISSUING, Fixtures.ROOT, GONE)) {
      byte[] some = issuer.value().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      new IssuerStore(database)
          .insert(
              new IssuerStore.NewIssuer(
                  issuer,
                  OctetString.copyOf(some),
                  CertificateDer.of(some),
                  List.of(),
                  new RegisteredIssuer.Key(OctetString.copyOf(some), "ec-p256", "token")));
      store.insert(responder(issuer, KEY));
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void renewAll_everyOneFails_everyKnownIssuerTriedAndNoOther() throws Exception {
    renewAll();

    assertThat(tried).containsExactlyInAnyOrder(Fixtures.ISSUING, Fixtures.ROOT);
    assertThat(store.list()).hasSize(3);
  }

  /** This node started before the key was replaced. */
  @Test
  void renewAll_newestRowOfAnotherKey_olderKeyNotBroughtBack() throws Exception {
    store.insert(responder(Fixtures.ISSUING, ISSUER_KEY));

    renewAll();

    assertThat(tried).containsExactly(Fixtures.ROOT);
  }

  private void renewAll() throws InterruptedException {
    OctetString key = OctetString.copyOf(KEY.publicKey().encoded());
    Responders responders =
        new Responders(
            store::list, Map.of(Fixtures.ISSUING, key, Fixtures.ROOT, key, GONE, key), time);
    IssuerCatalog issuers = new IssuerCatalog(List.of(ISSUER, Fixtures.root(ISSUER_KEY)));
    Enrollment enrollment = enrollment(issuers);
    try (IssuanceExecutor executor =
            new IssuanceExecutor(
                new IntentFinisher(enrollment, event -> {}, System::nanoTime), System::nanoTime);
        ResponderRenewal renewal =
            new ResponderRenewal(
                new ResponderRenewal.Line(
                    this::fail,
                    responder -> new IssuanceService(enrollment, IssuanceParts.of(executor)),
                    Fixtures.tlsServer().name(),
                    issuers),
                responders,
                store,
                time)) {
      renewal.renewAll();
    }
  }

  /** One way for the first, another for the second. */
  private CsrDer fail(Responder responder) {
    tried.add(responder.issuer());
    if (tried.size() == 1) {
      throw new LedgerUnavailable("planted");
    }
    throw new IllegalStateException("planted");
  }

  private Enrollment enrollment(IssuerCatalog issuers) {
    BouncyCastleVerifier signatures = new BouncyCastleVerifier();
    return new Enrollment(
        new AcceptSteps(
            new Admission(1, () -> true, time, new SplittableRandom(1)),
            new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
            new CsrVerifier(signatures, KeyBlocklist.EMPTY),
            new Planner(issuers, new SerialNumbers(new SplittableRandom(2)), time)),
        new FinishSteps(
            new FakeSigner(Fixtures.ISSUING, ISSUER_KEY, KEY),
            new PostSignCheck(issuers::publicKey, signatures)),
        new Ledger(
            new InMemoryLedgerStore(time, time),
            new ClaimTerms(new NodeId("here"), Duration.ofSeconds(15)),
            time),
        event -> {});
  }

  private static RegisteredResponder responder(IssuerName issuer, SoftwareKey key) {
    Instant now = Fixtures.NOW;
    var tbs =
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(new byte[] {1}),
                SignatureAlgorithm.ECDSA_SHA256,
                ISSUER.subject(),
                new Validity(now.minus(Duration.ofDays(20)), now.plus(Duration.ofDays(10))),
                ISSUER.subject(),
                key.publicKey(),
                List.of(
                    Extensions.basicConstraints(false, OptionalInt.empty()),
                    Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.OCSP_SIGNING)))));
    return new RegisteredResponder(
        issuer,
        TbsCertificateWriter.assemble(
            tbs,
            SignatureAlgorithm.ECDSA_SHA256,
            ISSUER_KEY.sign(SignatureAlgorithm.ECDSA_SHA256, OctetString.copyOf(tbs.encoded()))),
        OctetString.copyOf(key.publicKey().encoded()),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "token"));
  }
}
