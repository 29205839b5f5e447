package org.sluiceca.api.console;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.auth.AccessRecord;
import org.sluiceca.api.auth.Authenticator;
import org.sluiceca.api.auth.ClientCertificate;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.console.form.ConsoleCookies;
import org.sluiceca.api.console.form.ConsoleForm;
import org.sluiceca.api.console.form.FormToken;
import org.sluiceca.api.console.session.Session;
import org.sluiceca.api.console.session.Sessions;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Signing in by a token or a registered client certificate, and out. */
@Controller
final class SignInController {

  private static final Logger LOG = LoggerFactory.getLogger(SignInController.class);

  /** The field of the page to open, and its parameter. */
  private static final String TO = "to";

  private static final String REFUSED = "That token is unknown, expired or revoked.";

  /** The field of the form that signs in without a token, and its value. */
  private static final String BY = "by";

  private static final String CERTIFICATE = "certificate";

  private static final String NO_CERTIFICATE =
      "This connection has no client certificate. Close all windows of the browser, open this page"
          + " again and choose a certificate when the browser asks, or use a token.";

  private static final String NOT_REGISTERED =
      "The client certificate of this connection is not registered. Have an administrator register"
          + " it, choose another one, or use a token.";

  private final Authenticator authenticator;
  private final Sessions sessions;
  private final AccessRecord record;
  private final Pages pages;
  private final Counter accepted;
  private final Counter refused;

  SignInController(
      Authenticator authenticator,
      Sessions sessions,
      AccessRecord record,
      Pages pages,
      MeterRegistry registry) {
    this.authenticator = authenticator;
    this.sessions = sessions;
    this.record = record;
    this.pages = pages;
    // A rate over a counter that comes with its first event does not see that event.
    this.accepted = registry.counter("ca.console.sign.ins", "result", "accepted");
    this.refused = registry.counter("ca.console.sign.ins", "result", "refused");
  }

  @GetMapping(ConsolePaths.SIGN_IN)
  void form(
      @RequestParam(name = TO, required = false) @Nullable String to,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    String target = Menu.target(to == null ? "" : to);
    if (SessionFilter.session(request).isPresent()) {
      lead(response, target);
      return;
    }
    write(request, response, HttpServletResponse.SC_OK, target, "");
  }

  private void write(
      HttpServletRequest request,
      HttpServletResponse response,
      int status,
      String target,
      String failure)
      throws IOException {
    Optional<String> known = ConsoleCookies.read(request, ConsoleCookies.SIGN_IN);
    String secret = known.orElseGet(Tokens::next);
    if (known.isEmpty()) {
      ConsoleCookies.set(response, ConsoleCookies.SIGN_IN, secret);
    }
    pages.write(
        request,
        response,
        status,
        "sign-in",
        Map.of(
            "csrf",
            FormToken.of(secret),
            TO,
            target,
            "failure",
            failure,
            "holder",
            ClientCertificate.of(request).map(this::holder).orElse("")));
  }

  /** Returns the requester that a certificate is registered for, if it counts now. */
  private String holder(X509Certificate presented) {
    try {
      return authenticator.answerTo(presented) instanceof Authenticator.Answer.Known known
          ? known.requester().id().value()
          : "";
    } catch (ProblemException | LedgerUnavailable e) {
      // The form for tokens is of use all the same.
      LOG.info("a certificate is not offered at the sign-in: {}", e.getMessage());
      return "";
    }
  }

  @PostMapping(ConsolePaths.SIGN_IN)
  void signIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ConsoleForm form = ConsoleForm.of(request);
    String target = Menu.target(form.field(TO));
    if (form.field(BY).equals(CERTIFICATE)) {
      signInByCertificate(request, response, target);
      return;
    }
    String token = form.field("token").strip();
    Optional<RegisteredCredential> credential =
        Tokens.isToken(token) ? authenticator.credentialOf(token) : Optional.empty();
    if (credential.isEmpty()) {
      record.loginFailed(request, "the token of a sign-in is unknown, expired or revoked");
      refuse(request, response, target, REFUSED);
      return;
    }
    open(request, response, credential.get(), target);
  }

  private void signInByCertificate(
      HttpServletRequest request, HttpServletResponse response, String target) throws IOException {
    Optional<X509Certificate> presented = ClientCertificate.of(request);
    if (presented.isEmpty()) {
      record.loginFailed(request, "a sign-in by certificate without one");
      refuse(request, response, target, NO_CERTIFICATE);
      return;
    }
    switch (authenticator.answerTo(presented.get())) {
      case Authenticator.Answer.Known known -> open(request, response, known.credential(), target);
      case Authenticator.Answer.Unknown unknown -> {
        record.loginFailed(request, "the client certificate of a sign-in is not registered");
        refuse(request, response, target, NOT_REGISTERED);
      }
      case Authenticator.Answer.Refused(String detail) -> {
        record.loginFailed(request, "the client certificate of a sign-in does not count");
        refuse(request, response, target, sentence(detail));
      }
    }
  }

  private static String sentence(String detail) {
    return Character.toUpperCase(detail.charAt(0)) + detail.substring(1) + ".";
  }

  private void refuse(
      HttpServletRequest request, HttpServletResponse response, String target, String failure)
      throws IOException {
    refused.increment();
    write(request, response, HttpServletResponse.SC_UNAUTHORIZED, target, failure);
  }

  private void open(
      HttpServletRequest request,
      HttpServletResponse response,
      RegisteredCredential credential,
      String target) {
    // Never the session that the browser came with: another may know its cookie.
    Optional<Session> before = SessionFilter.session(request);
    String cookie = sessions.open(credential, request.getRemoteAddr());
    before.ifPresent(sessions::end);
    accepted.increment();
    ConsoleCookies.set(response, ConsoleCookies.SESSION, cookie);
    ConsoleCookies.clear(response, ConsoleCookies.SIGN_IN);
    lead(response, target);
  }

  @PostMapping(ConsolePaths.SIGN_OUT)
  void signOut(HttpServletRequest request, HttpServletResponse response) {
    sessions.end(SessionFilter.required(request));
    ConsoleCookies.clear(response, ConsoleCookies.SESSION);
    lead(response, ConsolePaths.SIGN_IN);
  }

  @PostMapping(ConsolePaths.SESSIONS)
  void signOutOthers(HttpServletRequest request, HttpServletResponse response) {
    int _ = sessions.endOthers(SessionFilter.required(request));
    lead(response, ConsolePaths.ACCOUNT);
  }

  /** With GET, whatever the method was. */
  private static void lead(HttpServletResponse response, String path) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(HttpHeaders.LOCATION, path);
  }
}
