package org.sluiceca.api.issuer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.approval.ApprovedAct.Result;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.issuer.store.IssuerStore;
import org.sluiceca.api.issuer.store.IssuingKeyStore;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a second person has approved about issuers is judged again, and done once. */
class IssuerActsTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final UUID APPROVAL = new UUID(1, 1);
  private static final RequesterId ALICE = new RequesterId("alice");
  private static final IssuerName SECOND_NAME = new IssuerName("second");
  private static final TestCa ROOT = TestCa.of("Root", "issuer-ec-p384").valid(until(3650));
  private static final TestCa SECOND = TestCa.of("Second", "issuer-ec-p256");
  private static final CertificateDer ANCHOR = ROOT.selfSigned();
  private static final RegisteredIssuer.Key PLACE =
      new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "tokens");

  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final IssuerStore issuers = new IssuerStore(database);
  private final AuditTrail trail =
      new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());
  private final IssuerAdministration administration =
      new IssuerAdministration(
          new IssuerAdministration.Stores(issuers, new IssuingKeyStore(database)),
          new BouncyCastleVerifier(),
          InstantSource.fixed(Fixtures.NOW),
          name -> false,
          trail,
          () -> {});
  private final IssuerInstallAct install = new IssuerInstallAct(administration);
  private final IssuerRetirementAct retirement = new IssuerRetirementAct(administration);

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    trail.start();
    issuers.insert(
        new IssuerStore.NewIssuer(
            new IssuerName("root"), ROOT.publicKey(), ANCHOR, List.of(), PLACE));
    new IssuingKeyStore(database).add(SECOND_NAME, SECOND.publicKey(), PLACE);
  }

  @AfterEach
  void close() {
    trail.close();
    database.close();
  }

  @Test
  void install_approved_doneOnce_asLongAsItCounts() {
    JsonNode asked = asked(administration.judgeInstall(SECOND_NAME, chain(365)));
    assertThat(asked.path("kind").asString()).isEqualTo("install");
    assertThat(asked.path("subject").asString()).contains("Second");

    assertThat(install.carryOut(APPROVAL, asked, ALICE).isDone()).isTrue();
    assertThat(install.carryOut(APPROVAL, asked, ALICE).isDone()).isTrue();
    List<CertificateDer> later = chain(730);
    JsonNode renewal = asked(administration.judgeRenewal(SECOND_NAME, later));
    assertThat(renewal.path("kind").asString()).isEqualTo("renew");
    assertThat(install.carryOut(APPROVAL, renewal, ALICE).isDone()).isTrue();
    assertThat(install.carryOut(APPROVAL, renewal, ALICE).isDone()).isTrue();
    assertFailed(asked, "an issuer has this name");

    RegisteredIssuer row = issuers.find(SECOND_NAME).orElseThrow();
    assertThat(row.certificates()).isEqualTo(later);
    assertThat(row.origin().installedBy()).contains(ALICE);
    assertThat(row.origin().renewals()).isOne();
  }

  /** Between asking and approving another person has renewed: what was approved would go back. */
  @Test
  void renewal_overtaken_failed() {
    assertThat(
            install
                .carryOut(
                    APPROVAL, asked(administration.judgeInstall(SECOND_NAME, chain(365))), ALICE)
                .isDone())
        .isTrue();
    JsonNode asked = asked(administration.judgeRenewal(SECOND_NAME, chain(400)));
    install.carryOut(APPROVAL, asked(administration.judgeRenewal(SECOND_NAME, chain(730))), ALICE);

    Result result = install.carryOut(APPROVAL, asked, ALICE);

    assertThat(result.isDone()).isFalse();
    assertThat(result.detail()).contains("before the present one");
  }

  /** What it once had is not in force: {@code done} would say that it is. */
  @Test
  void renewal_toWhatItHadBefore_failed() {
    install.carryOut(APPROVAL, asked(administration.judgeInstall(SECOND_NAME, chain(365))), ALICE);
    JsonNode before = asked(administration.judgeRenewal(SECOND_NAME, chain(400)));
    install.carryOut(APPROVAL, before, ALICE);
    install.carryOut(APPROVAL, asked(administration.judgeRenewal(SECOND_NAME, chain(730))), ALICE);

    assertFailed(before, "before the present one");
  }

  @Test
  void installOrRenewal_retiredSince_failed() {
    JsonNode asked = asked(administration.judgeInstall(SECOND_NAME, chain(365)));
    install.carryOut(APPROVAL, asked, ALICE);
    JsonNode renewal = asked(administration.judgeRenewal(SECOND_NAME, chain(400)));
    install.carryOut(APPROVAL, renewal, ALICE);

    issuers.retire(SECOND_NAME);

    assertFailed(asked, "an issuer has this name");
    assertFailed(renewal, "it is retired");
  }

  @Test
  void install_otherCertificatesThanShown_failed() {
    JsonNode asked = asked(administration.judgeInstall(SECOND_NAME, chain(365)));
    JsonNode other = asked(administration.judgeInstall(SECOND_NAME, chain(400)));
    Map<String, Object> mixed = new TreeMap<>();
    asked.properties().forEach(e -> mixed.put(e.getKey(), e.getValue()));
    mixed.put("certificates", other.path("certificates"));

    assertThat(install.carryOut(APPROVAL, JSON.valueToTree(mixed), ALICE).isDone()).isFalse();
    assertThat(issuers.find(SECOND_NAME)).isEmpty();
  }

  @Test
  void retirement_approved_doneOnce_andNeverTheLast() {
    issuers.insert(
        new IssuerStore.NewIssuer(
            SECOND_NAME, SECOND.publicKey(), SECOND.by(ROOT), List.of(ANCHOR), PLACE));
    JsonNode asked =
        JSON.valueToTree(IssuerRetirementAct.content(new IssuerWish.Retire(SECOND_NAME)));
    assertThat(retirement.carryOut(APPROVAL, asked, ALICE).isDone()).isFalse();
    issuers.insert(
        new IssuerStore.NewIssuer(
            new IssuerName("third"), SECOND.publicKey(), SECOND.by(ROOT), List.of(ANCHOR), PLACE));

    assertThat(retirement.carryOut(APPROVAL, asked, ALICE).isDone()).isTrue();
    assertThat(retirement.carryOut(APPROVAL, asked, ALICE).isDone()).isTrue();

    assertThat(issuers.find(SECOND_NAME).orElseThrow().state()).isEqualTo(State.RETIRED);
  }

  private void assertFailed(JsonNode asked, String reason) {
    Result result = install.carryOut(APPROVAL, asked, ALICE);

    assertThat(result.isDone()).isFalse();
    assertThat(result.detail()).contains(reason);
  }

  private static JsonNode asked(IssuerAnswer judged) {
    assertThat(judged).isInstanceOf(IssuerAnswer.Ready.class);
    IssuerWish.Certified wish = (IssuerWish.Certified) ((IssuerAnswer.Ready) judged).wish();
    return JSON.valueToTree(IssuerInstallAct.content(wish).orElseThrow());
  }

  private static List<CertificateDer> chain(int days) {
    return List.of(SECOND.valid(until(days)).by(ROOT), ANCHOR);
  }

  private static Validity until(int days) {
    return new Validity(TestCa.YEAR.notBefore(), Fixtures.NOW.plus(Duration.ofDays(days)));
  }
}
