package org.sluiceca.api.console.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.console.Assets;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.console.form.ConsoleForm;
import org.sluiceca.api.console.session.Session;
import org.sluiceca.api.issuance.IntentFinisher;
import org.sluiceca.api.issuance.IssuanceExecutor;
import org.sluiceca.api.issuance.IssuanceParts;
import org.sluiceca.api.issuance.IssuanceService;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Preview;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.WholeLine;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.OctetString;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** The page that enrolls, over a whole line whose token can be lost. */
@Timeout(60)
class EnrollPageTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  private static final String CSR =
      Base64.getEncoder().encodeToString(CsrFixture.file("openssl-ec-p256").encoded());

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, System::nanoTime);
  private final List<CaEvent> events = new CopyOnWriteArrayList<>();
  private final List<Fact> facts = new CopyOnWriteArrayList<>();
  private boolean isUsable = true;
  private final Enrollment line =
      WholeLine.of(
          KEY,
          new Admission(4, () -> isUsable, time, new SplittableRandom(1)),
          store,
          new FakeSigner(Fixtures.ISSUING, KEY, SoftwareKey.named("ec-p256")),
          time,
          System::nanoTime,
          events::add);
  private final IssuanceExecutor executor =
      new IssuanceExecutor(
          new IntentFinisher(line, event -> {}, System::nanoTime), System::nanoTime);
  private final EnrollController controller =
      new EnrollController(
          new IssuanceService(line, IssuanceParts.of(executor)),
          new Previews(
              new Preview(
                  new ProfileCatalog(Fixtures.profiles()),
                  new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
                  new Planner(
                      new IssuerCatalog(List.of(Fixtures.issuing(KEY))),
                      new SerialNumbers(new SplittableRandom(2)),
                      time),
                  System::nanoTime,
                  new SplittableRandom(3)),
              facts::add),
          new Pages(new Assets(), "node-0"));

  @AfterEach
  void close() {
    executor.close();
  }

  private MockHttpServletResponse sent(String csr, String key) throws IOException {
    return sent(csr, key, Fixtures.tlsServer().name().value());
  }

  private MockHttpServletResponse sent(String csr, String key, String profile) throws IOException {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/console/enroll");
    request.setContentType("application/x-www-form-urlencoded");
    request.setContent(
        ("profile="
                + profile
                + "&csr="
                + URLEncoder.encode(csr, StandardCharsets.UTF_8)
                + "&key="
                + key)
            .getBytes(StandardCharsets.US_ASCII));
    ConsoleForm _ = ConsoleForm.read(request, ConsoleForm.REQUEST_OCTETS_MAX);
    Instant now = Instant.now();
    request.setAttribute(
        SessionFilter.class.getName(),
        new Session(
            OctetString.copyOf(new byte[32]),
            Tokens.next(),
            Fixtures.requester(),
            now,
            now.plus(Duration.ofDays(1))));
    MockHttpServletResponse response = new MockHttpServletResponse();
    controller.send(request, response);
    return response;
  }

  @Test
  void send_firstStep_explainsAndIssuesNothing() throws IOException {
    MockHttpServletResponse page = sent(CSR, "");

    assertThat(page.getStatus()).isEqualTo(200);
    assertThat(page.getContentAsString())
        .contains("This is what it becomes", "Nothing has been issued yet.", "name=\"key\"");
    assertThat(events).isEmpty();
    assertThat(facts).isEmpty();
  }

  /** Nothing can be tried out that the audit trail does not have. */
  @Test
  void send_firstStepOfWhatWouldBeRefused_isInTheTrail() throws IOException {
    assertThat(sent(CSR, "", "of-others").getContentAsString()).doesNotContain("name=\"key\"");

    assertThat(facts)
        .singleElement()
        .satisfies(
            fact ->
                assertThat(fact.details())
                    .containsEntry("profile", "of-others")
                    .containsKey("reason"));
  }

  @Test
  void send_secondStepTwice_oneCertificate() throws IOException {
    String key = Tokens.next();

    MockHttpServletResponse first = sent(CSR, key);
    MockHttpServletResponse second = sent(CSR, key);

    assertThat(first.getStatus()).isEqualTo(303);
    assertThat(first.getHeader("Location")).matches("/console/certificates/[0-9a-f]{38}");
    assertThat(second.getHeader("Location")).isEqualTo(first.getHeader("Location"));
    assertThat(events.stream().filter(CaEvent.CertificateIssued.class::isInstance)).hasSize(1);
  }

  /** Refused for load, it can be sent again as it is, and is then the same request. */
  @Test
  void send_tokenLost_retryAfterAndTheSameRequestAgain() throws IOException {
    isUsable = false;
    String key = Tokens.next();

    MockHttpServletResponse refused = sent(CSR, key);

    assertThat(refused.getStatus()).isEqualTo(503);
    String wait = String.valueOf(refused.getHeader("Retry-After"));
    assertThat(wait).matches("[1-9][0-9]*");
    assertThat(refused.getContentAsString())
        .contains("Try again in " + wait + " s.", "Send it again", "value=\"" + key + "\"");
    isUsable = true;
    assertThat(sent(CSR, key).getStatus()).isEqualTo(303);
  }

  @Test
  void send_privateKey_nothingOfItComesBack() throws IOException {
    for (String text :
        List.of(
            "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----",
            CSR + "\n-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0",
            "begin private key c2VjcmV0")) {
      MockHttpServletResponse refused = sent(text, "");

      assertThat(refused.getStatus()).isEqualTo(400);
      assertThat(refused.getContentAsString()).contains("keyCompromise").doesNotContain("c2VjcmV0");
    }
  }
}
