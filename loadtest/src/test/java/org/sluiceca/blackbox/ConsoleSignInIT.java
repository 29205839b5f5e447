package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Sign-in to the console by a client certificate, as TLS and the ledger know it. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ConsoleSignInIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String SESSION = "__Host-sluice-console";
  private static final String SIGN_IN = "/console/sign-in";
  private static final String ACCOUNT = "/console/account";
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([\\w-]+)\"");

  /** Docs: 5 s; the rest is for a loaded machine. */
  private static final Duration WITHIN = Duration.ofSeconds(20);

  /** A browser with a certificate of the issuing CA. */
  private record Browser(Api api, String chain, String path) {

    static Browser of(Csr csr) {
      Answer issued =
          TRIAL
              .trial()
              .enroller()
              .with("Accept", "application/pem-certificate-chain")
              .enroll("tls-client", csr.pemBytes())
              .is(201);
      return new Browser(
          Api.trusting(
              TRIAL.trial().https(0),
              TRIAL.trial().data().resolve("root.pem"),
              csr.pkcs12(TRIAL.trial().folder(), issued.text())),
          issued.text(),
          issued.header("Location"));
    }

    /** Registers its certificate, and returns the registration's path. */
    String register(String requester) {
      return "/v1/credentials/"
          + TRIAL
              .trial()
              .api(0, "admin")
              .postJson(
                  "/v1/credentials",
                  Map.of("requester", requester, "roles", List.of("AUDITOR"), "certificate", chain))
              .is(201)
              .json()
              .path("id")
              .asString();
    }

    Answer signIn() {
      Answer page = api.get(SIGN_IN).is(200);
      Matcher csrf = CSRF.matcher(page.text());
      assertThat(csrf.find()).isTrue();
      return api.with("Cookie", cookie(page, "__Host-sluice-sign-in"))
          .post(
              SIGN_IN,
              "application/x-www-form-urlencoded",
              Api.ascii("by=certificate&csrf=" + csrf.group(1)));
    }

    String session() {
      return cookie(signIn().is(303), SESSION);
    }

    int account(String session) {
      return api.with("Cookie", session).get(ACCOUNT).status();
    }
  }

  private static Csr csr(String name) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name);
  }

  private static String cookie(Answer answer, String name) {
    return answer.headers("Set-Cookie").stream()
        .filter(header -> header.startsWith(name + "="))
        .map(header -> header.split(";", 2)[0])
        .findFirst()
        .orElseThrow();
  }

  @Test
  void registeredCertificate_offered_sessionNeedsItOnEveryConnection() {
    Browser browser = Browser.of(csr("console-machine"));
    assertThat(browser.api().get(SIGN_IN).is(200).text()).doesNotContain("by certificate");
    assertThat(browser.signIn().is(401).text()).contains("is not registered");
    browser.register("console-certificate");
    // What was unknown is asked for again after some seconds.
    Poll.until(
        "it is offered",
        WITHIN,
        () -> browser.api().get(SIGN_IN).is(200).text().contains("Sign in by certificate"));

    String session = browser.session();

    assertThat(browser.api().with("Cookie", session).get(ACCOUNT).is(200).text())
        .contains(">console-certificate<", ">auditor<", ">client certificate<");
    Api other = TRIAL.trial().api(0, "admin").anonymous();
    other.with("Cookie", session).get(ACCOUNT).is(303);
    assertThat(other.get(SIGN_IN).is(200).text()).doesNotContain("by certificate");
    // The certificate alone opens no page.
    browser.api().get(ACCOUNT).is(303);
    browser
        .api()
        .post(SIGN_IN, "application/x-www-form-urlencoded", Api.ascii("by=certificate"))
        .is(403);
  }

  @Test
  void revokedCertificate_sessionEnds_theNextOfTheSameKeyGoesOn() {
    Csr csr = csr("console-superseded");
    Browser old = Browser.of(csr);
    Browser next = Browser.of(csr);
    old.register("console-superseded");
    String session = old.session();
    assertThat(old.account(session)).isEqualTo(200);

    TRIAL
        .trial()
        .api(0, "admin")
        .postJson(old.path() + "/revocation", Map.of("reason", "superseded"))
        .is(200);

    Poll.until("the session ends", WITHIN, () -> old.account(session) == 303);
    assertThat(old.signIn().is(401).text()).contains("is revoked (superseded)");
    assertThat(next.account(session)).isEqualTo(200);
  }

  @Test
  void revokedRegistration_sessionEndsWithTheNextRequest() {
    Browser browser = Browser.of(csr("console-unregistered"));
    String registration = browser.register("console-unregistered");
    String session = browser.session();
    assertThat(browser.account(session)).isEqualTo(200);

    TRIAL.trial().api(0, "admin").delete(registration).is(204);

    assertThat(browser.account(session)).isEqualTo(303);
  }
}
