package org.sluiceca.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.Cookie;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.console.form.ConsoleCookies;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.testkit.SoftwareKey;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Sign-in by the client certificate of a connection, and what its session is worth without it. */
class ConsoleCertificateTest {

  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([\\w-]+)\"");

  private final ConsoleNode node = new ConsoleNode();
  private final Instant later =
      Instant.now().plus(Duration.ofDays(9)).truncatedTo(ChronoUnit.SECONDS);
  private final X509Certificate certificate = certificate(later);

  @AfterEach
  void close() {
    node.close();
  }

  private static X509Certificate certificate(Instant notAfter) {
    return read(new Revocable(1).silent(notAfter).certificate().orElseThrow().encoded());
  }

  private static X509Certificate read(byte[] encoded) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }

  private RegisteredCredential registered(String requester, X509Certificate of) {
    return node.credentials
        .insert(
            new NewCredential(
                new RequesterId(requester),
                Kind.CERTIFICATE,
                Authenticator.sha256(of.getPublicKey().getEncoded()),
                new Grant(Set.of(Role.AUDITOR), Set.of(), later.plus(Duration.ofDays(9)))))
        .orElseThrow();
  }

  private MockHttpServletResponse send(
      MockHttpServletRequestBuilder request, @Nullable X509Certificate presented) throws Exception {
    if (presented != null) {
      request.requestAttr(
          "jakarta.servlet.request.X509Certificate", new X509Certificate[] {presented});
    }
    return node.mvc.perform(request.secure(true)).andReturn().getResponse();
  }

  private MockHttpServletResponse page(@Nullable X509Certificate presented) throws Exception {
    return send(MockMvcRequestBuilders.get(ConsolePaths.SIGN_IN), presented);
  }

  private MockHttpServletResponse signIn(@Nullable X509Certificate presented) throws Exception {
    MockHttpServletResponse page = page(presented);
    Matcher csrf = CSRF.matcher(page.getContentAsString());
    assertThat(csrf.find()).isTrue();
    return signIn(
        presented, csrf.group(1), Objects.requireNonNull(page.getCookie(ConsoleCookies.SIGN_IN)));
  }

  private MockHttpServletResponse signIn(
      @Nullable X509Certificate presented, String csrf, Cookie... cookies) throws Exception {
    return send(
        MockMvcRequestBuilders.post(ConsolePaths.SIGN_IN)
            .contentType("application/x-www-form-urlencoded")
            .content("by=certificate&to=/console/account&csrf=" + csrf)
            .cookie(cookies),
        presented);
  }

  private Cookie session() throws Exception {
    MockHttpServletResponse answer = signIn(certificate);
    assertThat(answer.getStatus()).isEqualTo(303);
    assertThat(answer.getHeader("Location")).isEqualTo(ConsolePaths.ACCOUNT);
    return Objects.requireNonNull(answer.getCookie(ConsoleCookies.SESSION));
  }

  private int account(Cookie session, @Nullable X509Certificate presented) throws Exception {
    return send(MockMvcRequestBuilders.get(ConsolePaths.ACCOUNT).cookie(session), presented)
        .getStatus();
  }

  @Test
  void page_registeredCertificate_offersItAndOpensNothing() throws Exception {
    registered("alice", certificate);

    MockHttpServletResponse page = page(certificate);

    assertThat(page.getContentAsString())
        .contains("registered for <strong>alice</strong>", "Sign in by certificate");
    assertThat(page.getCookie(ConsoleCookies.SESSION)).isNull();
    assertThat(page(null).getContentAsString()).doesNotContain("alice", "by certificate");
    assertThat(node.count("SELECT count(*) FROM console_session")).isZero();
  }

  @Test
  void page_certificateThatIsNotRegistered_offersTheTokenAlone() throws Exception {
    assertThat(page(certificate).getContentAsString())
        .contains("name=\"token\"")
        .doesNotContain("by certificate");
  }

  @Test
  void signIn_registeredCertificate_sessionOfItsRequester() throws Exception {
    registered("alice", certificate);
    Cookie session = session();

    MockHttpServletResponse account =
        send(MockMvcRequestBuilders.get(ConsolePaths.ACCOUNT).cookie(session), certificate);

    // It ends with the certificate, before the registration does.
    assertThat(account.getContentAsString())
        .contains(">alice<", ">auditor<", ">client certificate<", ConsoleTime.text(later));
    assertThat(
            node.count(
                "SELECT count(*) FROM audit_event WHERE kind = 'console.sign-in'"
                    + " AND actor = 'alice'"))
        .isOne();
  }

  /** Another site can have a browser send its certificate, and knows no form's token. */
  @Test
  void signIn_withoutTheFormsToken_403() throws Exception {
    registered("alice", certificate);
    Cookie own = Objects.requireNonNull(page(certificate).getCookie(ConsoleCookies.SIGN_IN));

    assertThat(signIn(certificate, "x", own).getStatus()).isEqualTo(403);
    assertThat(signIn(certificate, "", new Cookie("other", "x")).getStatus()).isEqualTo(403);
  }

  @Test
  void signIn_certificateThatDoesNotCount_saysWhyAndWhatToDo() throws Exception {
    assertThat(signIn(null).getContentAsString()).contains("no client certificate", "or use a");
    assertThat(signIn(null).getStatus()).isEqualTo(401);
    assertThat(signIn(certificate).getContentAsString()).contains("not registered");

    X509Certificate expired = certificate(later.minus(Duration.ofDays(10)));
    registered("alice", expired);

    MockHttpServletResponse answer = signIn(expired);
    assertThat(answer.getStatus()).isEqualTo(401);
    assertThat(answer.getContentAsString())
        .contains("The client certificate expired at", "newer certificate of the same key");
    assertThat(node.count("SELECT count(*) FROM console_session")).isZero();
  }

  /** A stolen cookie is worth nothing without the key. */
  @Test
  void session_onAConnectionWithoutItsCertificate_doesNotCount() throws Exception {
    registered("alice", certificate);
    Cookie session = session();
    X509Certificate other =
        read(
            new Revocable(2)
                .of(SoftwareKey.named("ec-p384"))
                .certificate()
                .orElseThrow()
                .encoded());
    registered("bob", other);

    assertThat(account(session, null)).isEqualTo(303);
    assertThat(account(session, other)).isEqualTo(303);
    assertThat(account(session, certificate(later.plusSeconds(60)))).isEqualTo(200);
    assertThat(account(session, certificate(later.minus(Duration.ofDays(10))))).isEqualTo(303);
    assertThat(account(session, certificate)).isEqualTo(200);
  }

  @Test
  void session_ofARevokedRegistration_endsAtOnce() throws Exception {
    RegisteredCredential credential = registered("alice", certificate);
    Cookie session = session();
    assertThat(account(session, certificate)).isEqualTo(200);

    node.credentials.revoke(credential.id());

    assertThat(account(session, certificate)).isEqualTo(303);
  }
}
